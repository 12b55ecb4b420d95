# %% [markdown]
# # Which steady motions has a slider-crank with clearance?
#
# At some speeds the pin repeats its motion in every revolution, at others only after several, at others never. A bifurcation diagram shows which: for each
# speed the position of the journal once in each revolution, after the transient has died out.

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
speeds = 13  # small: 2
transient = 15  # small: 2
periods = 24  # small: 12
diagram = jp.bifurcation(
    case,
    {"drivers.motor.speed": f"100rpm:400rpm:{speeds}"},
    observe=["pin.ex", "pin.ey"],
    period="motor",
    transient=transient,
    periods=periods,
)
diagram.plot()

# %%
diagram.table[["parameter", "class", "period", "lyapunov", "lyapunov_low", "lyapunov_high"]].head(8)

# %% [markdown]
# A positive exponent says that neighbouring motions part: the time after which a forecast is worthless is its inverse. One regular and one irregular motion, in the
# clearance and in the section:

# %%
table = diagram.table.dropna(subset="lyapunov").sort_values("lyapunov")
calm, wild = float(table.parameter.iloc[0]), float(table.parameter.iloc[-1])

fig, axes = plt.subplots(2, 2, figsize=(8, 7.6), layout="constrained")
for column, speed in enumerate((calm, wild)):
    turn = 2 * np.pi / speed
    run = case.set({"drivers.motor.speed": speed, "output.interval": turn / 400}).run(until=(transient + periods) * turn)
    run.orbit("pin", window=(transient * turn, (transient + periods) * turn), ax=axes[0, column])
    axes[0, column].set_title(f"{speed * 30 / np.pi:.0f} rpm")
    run.section("pin.ex", "pin.ey", turn, transient=transient, ax=axes[1, column])

# %%
classes = diagram.findings["classes"]
most = table.iloc[-1]
part = f"neighbouring motions are e times as far apart after {1 / (most.lyapunov * 2 * np.pi / most.parameter):.2f} revolutions"
meet = "neighbouring motions approach each other everywhere"
print(
    f"Of {len(diagram.table)} speeds between 100 and 400 rpm {classes.get('periodic', 0)} have a periodic motion and {classes.get('chaotic', 0)} a chaotic one. "
    f"The largest exponent is {most.lyapunov:.1f} /s, at {most.parameter * 30 / np.pi:.0f} rpm: {part if most.lyapunov > 0 else meet}."
)
