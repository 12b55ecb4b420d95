# %% [markdown]
# # Which fit for the pins of a four-bar?
#
# Both pins of the coupler are made to a fit of ISO 286: the sizes of hole and shaft scatter within their zones, and with them the clearances and the forces. The pin at
# the crank shall not see more than 0.8 kN. Which fit keeps that, and how surely?

# %%
import jointplay as jp
import matplotlib.pyplot as plt
import numpy as np

case = jp.example("four-bar").set({"run.until": "0.2 s"})
case

# %%
samples = 96  # small: 4
fits = ["16 H7/g6", "16 H7/f6", "16 H8/e7"]
studies = {
    fit: jp.tolerance(
        case,
        {"joints.pin.fit": fit, "joints.rocker-pin.fit": fit},
        metrics=["pin.peak_force"],
        limits=["pin.peak_force < 0.8 kN"],
        samples=samples,
    )
    for fit in fits
}
panels = studies["16 H7/f6"].plot()

# %% [markdown]
# The clearance on the diameter that a fit allows, and what becomes of it; the line is the limit:

# %%
fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
bins = np.linspace(0.4, 1.2, 41)
for fit, study in studies.items():
    low, high = study.findings["fits"]["joints.pin.fit"]["clearance"]
    ax.hist(
        study.table["pin.peak_force"] / 1e3,
        bins=list(bins),
        alpha=0.6,
        label=f"{fit}: {1e6 * low:.0f} to {1e6 * high:.0f} µm",
    )
ax.axvline(0.8, color="black", lw=1)
ax.set(xlabel="greatest force in the pin (kN)", ylabel="machines")
legend = fig.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)

# %% [markdown]
# Which of the two pins decides? A total index is the part of the variance of the force that a pin has a hand in, alone or together with the other.

# %%
sensitivity_samples = 256  # small: 2
who = jp.sensitivity(
    case,
    {"joints.pin.fit": "16 H7/f6", "joints.rocker-pin.fit": "16 H7/f6"},
    metrics=["pin.peak_force"],
    samples=sensitivity_samples,
)
panels = who.plot()

# %%
indices = who.findings["indices"]["pin.peak_force"]
for key, index in indices.items():
    print(f"{key}: total index {index['total']:.2f} ({index['total_low']:.2f} to {index['total_high']:.2f})")
first, second = sorted(indices, key=lambda key: indices[key]["total"], reverse=True)
sure = indices[first]["total_low"] > indices[second]["total_high"]
print(f"{first.split('.')[1]} decides." if sure else "Neither pin can be said to decide: the intervals overlap.")

# %%
for fit, study in studies.items():
    limit = study.findings["limits"][0]
    spread = study.findings["metrics"]["pin.peak_force"]
    print(
        f"{fit}: median {spread['p50'] / 1e3:.2f} kN, 95 % below {spread['p95'] / 1e3:.2f} kN; beyond the limit {100 * limit['probability']:.1f} % "
        f"({100 * limit['low']:.1f} to {100 * limit['high']:.1f} % with 95 % confidence)"
    )
good = [fit for fit in fits if studies[fit].findings["limits"][0]["high"] < 0.05]
print(f"With {samples} machines each, fewer than 5 % beyond 0.8 kN can be promised for {' and '.join(good) or 'none of these fits'}.")
