"""The closed form through scipy.special.lambertw: prints "ns_per_value max_relative_error".
usage: python3 b2_scipy.py reference.txt"""
import sys
import time

import numpy as np
from scipy.special import lambertw

probe, reference = np.loadtxt(sys.argv[1], unpack=True)
pi_e, d_r = np.pi * 207e9 / (2 * (1 - 0.3**2)), 0.25e-3


def force(delta):
    return -pi_e * delta / lambertw(-np.e * delta / (4 * d_r), -1).real


n = 1_000_000
delta = np.resize(probe, n) * (1 + 1e-7 * (np.arange(n) // len(probe)))
best = min((lambda t: (force(delta), time.process_time() - t)[1])(time.process_time()) for _ in range(5))
print(best * 1e9 / n, np.max(np.abs(force(probe) / reference - 1)))
