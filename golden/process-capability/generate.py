"""Process capability with intervals of 95 %, by SciPy's quantiles of chi-square and of the normal distribution.

C_p = (upper - lower)/(6 s) and its interval: the variance of n normal samples is that of chi-square with n - 1 degrees of freedom.
C_pk = min(upper - mean, mean - lower)/(3 s) and its approximate interval: A. F. Bissell, Applied Statistics 39 (1990) 331.
"""
import csv
import sys

from scipy.stats import chi2, norm

CASES = [
    # n, mean, standard deviation, lower, upper
    (20, 50.0, 1.75, 38.0, 62.0),
    (30, 97.0, 1.6, 90.0, 100.0),
    (35, 55.5, 0.9, 50.0, 60.0),
    (2, 0.3, 0.2, -1.0, 1.0),
    (5, -4.0, 3.0, -5.0, 20.0),
    (250, 1e-3, 2e-4, 0.0, 1.5e-3),
    (10000, 2027.5, 602.7, 500.0, 4000.0),
    (20, 70.0, 1.75, 38.0, 62.0),
]

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["n", "mean", "std", "lower", "upper", "cp", "cp_low", "cp_high", "cpk", "cpk_low", "cpk_high"])
for n, mean, s, lower, upper in CASES:
    cp = (upper - lower) / (6 * s)
    ends = [cp * (chi2.ppf(p, n - 1) / (n - 1)) ** 0.5 for p in (0.025, 0.975)]
    cpk = min(upper - mean, mean - lower) / (3 * s)
    # Bissell: the variance of the estimate is 1/(9 n) + C_pk^2/(2 (n - 1)).
    half = norm.ppf(0.975) * (1 / (9 * n) + cpk**2 / (2 * (n - 1))) ** 0.5
    numbers = [mean, s, lower, upper, cp, *ends, cpk, cpk - half, cpk + half]
    out.writerow([n, *(repr(float(x)) for x in numbers)])
