# %% [markdown]
# # Contact laws, and the restitution that really comes out
#
# Most damping laws take a coefficient of restitution and return a different one. How far off are they, and does it matter in a mechanism?

# %%
import jointplay as jp
import matplotlib.pyplot as plt
import numpy as np

laws = ["hunt-crossley", "lankarani-nikravesh", "gonthier", "flores", "hu-guo", "exact"]
jp.laws().query("id in @laws")[["id", "authors", "year", "summary"]]

# %% [markdown]
# Every law has a data sheet: formula, parameters, domain, and the misprints of the papers.

# %%
jp.sheet("flores")

# %% [markdown]
# A free impact of two bodies with each of them. The diagonal is what the name of the parameter promises.

# %%
points = 19  # small: 5
asked = np.linspace(0.05, 0.95, points)
table = jp.restitution_table(laws, asked, elastic="hertz", stiffness=5.2e9, mass=[9.2, 9.2], speed=0.3)

fig, ax = plt.subplots(figsize=(5.2, 4.4), layout="constrained")
ax.plot([0, 1], [0, 1], color="0.7", lw=4, label="asked for")
for law in laws:
    ax.plot(asked, table[law], label=law)
ax.set(xlabel="restitution asked for", ylabel="restitution that comes out", xlim=(0, 1), ylim=(0, 1), aspect="equal")
legend = ax.legend(frameon=False)

# %% [markdown]
# The same laws in the pin of the slider-crank, which asks for 0.46:

# %%
turn = 0.3
case = jp.example("slider-crank").set({"run.until": 2 * turn})
runs = {law: case.law(f"hertz+{law}").run() for law in laws}

fig, axes = plt.subplots(2, 3, figsize=(9, 5), sharex=True, sharey=True, layout="constrained")
for ax, (law, run) in zip(axes.flat, runs.items(), strict=True):
    first = run.impacts.iloc[0]
    run.loop("pin", window=(first.start, first.end), ax=ax)
    ax.set_title(f"{law}: {first.restitution:.3f}")

# %% [markdown]
# All of them meet the same first impact, and leave it with different speeds: the numbers above the loops. What becomes of it in the second revolution, when the start is
# forgotten:

# %%
rows = {
    law: (run.impacts.restitution[0], len(run.impacts.query("start > @turn")), float(run["pin.force"][run.t > turn].max()))
    for law, run in runs.items()
}
for law, (restitution, contacts, peak) in rows.items():
    print(f"{law:20s} first impact {restitution:.3f}; second revolution: {contacts:3d} contacts, greatest force {peak:7.1f} N")

# %%
worst = max(laws, key=lambda law: float(np.abs(table[law] - asked).max()))
at = int(np.abs(table[worst] - asked).argmax())
_, counts, peaks = zip(*rows.values(), strict=True)
print(
    f"Asked for {asked[at]:.2f}, `{worst}` returns {table[worst][at]:.2f}; `exact` is right to {np.abs(table['exact'] - asked).max():.0e}. In the second "
    f"revolution of the slider-crank, the law decides between {min(counts)} and {max(counts)} contacts, and between {min(peaks):.0f} N and {max(peaks):.0f} N of greatest force."
)
