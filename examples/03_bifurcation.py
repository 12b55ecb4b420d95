# %% [markdown]
# # How much friction tames a pin with clearance?
#
# Without friction the pin of the slider-crank never repeats its motion; with enough of it, every revolution is like the one before. A bifurcation diagram shows
# where the change happens: for each coefficient of friction the position of the journal once in each revolution, after a transient.

# %%
import jointplay as jp
import matplotlib.pyplot as plt

friction = {
    "joints.pin.law.friction": "coulomb-tanh",
    "joints.pin.law.mu": 0.04,
    "joints.pin.law.slip_speed": "10 mm/s",
}
case = jp.example("slider-crank").set(friction)

# %%
values = 16  # small: 2
transient = 16  # small: 2
periods = 64  # small: 12
diagram = jp.bifurcation(
    case,
    {"joints.pin.law.mu": f"0.0025:0.04:{values}"},
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
# A positive exponent says that neighbouring motions part: after some times its inverse, a forecast is worthless. Where the interval of the exponent has both signs, or
# the exponent and the points of the section do not agree, the motion is undecided (grey): it takes more periods to tell. The motions with the least and the most friction,
# in the clearance:

# %%
turn = 0.3
fig, axes = plt.subplots(1, 2, figsize=(8, 4.6), layout="constrained")
for ax, mu in zip(axes, (table.parameter.iloc[0], table.parameter.iloc[-1]), strict=True):
    run = case.set({"joints.pin.law.mu": mu, "output.interval": turn / 400}).run(until=(transient + 8) * turn)
    run.orbit("pin", window=(transient * turn, (transient + 8) * turn), ax=ax)
    ax.set_title(f"µ = {mu:.4f}, eight revolutions")

# %%
chaotic = table[table["class"] == "chaotic"]
regular = table[table["class"] == "periodic"]
first, last = table.lyapunov.iloc[0], table.lyapunov.iloc[-1]
print(
    f"Of {len(table)} coefficients of friction between 0.0025 and 0.04, {len(chaotic)} have a chaotic motion, the last with {chaotic.parameter.max():.4f}, and "
    f"{len(regular)} a periodic one, the first with {regular.parameter.min():.4f}. The largest exponent falls from {first:.1f} /s to {last:.1f} /s: with the least friction, "
    f"neighbouring motions are e times as far apart after {1 / first / turn:.2f} revolutions."
)
