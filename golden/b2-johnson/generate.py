"""Johnson's law inverted in 50 digits at 1000 indentations: usage: python3 generate.py > data.csv"""
import random

import mpmath as mp

mp.mp.dps = 50
random.seed(1)
young, poisson, clearance = mp.mpf(207e9), mp.mpf(0.3), mp.mpf(0.25e-3)
pi_e = mp.pi * young / (2 * (1 - poisson**2))
print("delta,line_load")
for _ in range(1000):
    delta = 10.0 ** random.uniform(-9, -5)
    w = mp.lambertw(-mp.e * mp.mpf(delta) / (4 * clearance), -1).real
    f = -pi_e * mp.mpf(delta) / w
    assert abs(f / pi_e * (mp.log(4 * pi_e * clearance / f) - 1) / mp.mpf(delta) - 1) < mp.mpf(10) ** -45
    print(f"{delta!r},{mp.nstr(f, 40)}")
