# %% [markdown]
# # How much friction tames a pin with clearance?
#
# Without friction the pin of the slider-crank never repeats its motion; with enough of it, every revolution is like the one before. A bifurcation diagram shows
# where the change happens: for each coefficient of friction the position of the journal once in each revolution, after a transient.

# %%
import jointplay as jp
import matplotlib.pyplot as plt
import numpy as np

friction = {
    "joints.pin.law.friction": "coulomb-tanh",
    "joints.pin.law.mu": 0.04,
    "joints.pin.law.slip_speed": "10 mm/s",
}
case = jp.example("slider-crank").set(friction)

# %%
values = 24  # small: 2
transient = 20  # small: 2
periods = 32  # small: 12
diagram = jp.bifurcation(
    case,
    {"joints.pin.law.mu": f"0.001:0.024:{values}"},
    observe=["pin.ex", "pin.ey"],
    period="motor",
    transient=transient,
    periods=periods,
)
panels = diagram.plot()

# %%
table = diagram.table
table[["parameter", "class", "period", "lyapunov", "lyapunov_low", "lyapunov_high"]]

# %% [markdown]
# A positive exponent says that neighbouring motions part: after some times its inverse, a forecast is worthless. The motions with the least and the most friction, in the
# clearance:

# %%
turn = 0.3
fig, axes = plt.subplots(1, 2, figsize=(8, 4.6), layout="constrained")
for ax, mu in zip(axes, (table.parameter.iloc[0], table.parameter.iloc[-1]), strict=True):
    run = case.set({"joints.pin.law.mu": mu, "output.interval": turn / 400}).run(until=(transient + 8) * turn)
    run.orbit("pin", window=(transient * turn, (transient + 8) * turn), ax=ax)
    ax.set_title(f"µ = {mu:.3f}, eight revolutions")

# %%
chaotic = table[table["class"] == "chaotic"]
regular = table[table["class"] == "periodic"]
parting = 1 / np.nanmax(table.lyapunov) / turn
print(
    f"Of {len(table)} coefficients of friction between 0.001 and 0.024, {len(chaotic)} have a chaotic motion and {len(regular)} a periodic one; the last chaotic one is "
    f"{chaotic.parameter.max():.3f}. With {table.parameter.iloc[0]:.3f}, neighbouring motions are e times as far apart after {parting:.2f} revolutions; with "
    f"{table.parameter.iloc[-1]:.3f} they approach each other, at {-table.lyapunov.iloc[-1]:.1f} /s."
)
