# %% [markdown]
# # A spring that closes the play, found with SciPy
#
# A spring between the slider and the frame can press the pin against one side of its bearing, so that it no longer strikes. Which spring? The objective is a Python function
# of the run, and SciPy finds its minimum. Anything that calls a function works the same way: Optuna, SALib, your own search.

# %%
import jointplay as jp
import numpy as np
from scipy.optimize import Bounds, differential_evolution

spring = """
[forces.spring]
type = "spring"
a = { body = "ground", at = ["0 mm", 0] }
b = { body = "slider" }
stiffness = "1 N/m"
free_length = "300 mm"
preload = "0 N"
"""
case = jp.loads(jp.example("slider-crank").toml() + spring, name="slider-crank with a spring").set({"run.until": "0.6 s"})
case

# %% [markdown]
# The cost is the jolt of the slider: its greatest acceleration in the second revolution, as a multiple of the greatest one of the ideal mechanism. What the spring
# asks of the motor is no part of the cost; it is looked at in the end.

# %%
turn = 0.3
ideal = case.ideal().run()
smooth = np.abs(ideal["slider.ax"]).max()


def jolt(run: jp.Run) -> float:
    """The greatest acceleration of the slider in the second revolution, over that of the ideal mechanism."""
    late = run.t > turn
    return float(np.abs(run["slider.ax"][late]).max() / smooth)


def cost(x: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    """What a spring of this preload (N) and stiffness (N/m) costs."""
    run = case.set({"forces.spring.preload": x[0], "forces.spring.stiffness": x[1]}).run()
    return jolt(run)


# %%
generations = 8  # small: 1
bounds = Bounds([-400.0, 0.0], [400.0, 4000.0])
found = differential_evolution(cost, bounds, maxiter=generations, popsize=6, rng=1, polish=False)
found.x, found.fun, found.nfev

# %%
before = case.run()
after = case.set({"forces.spring.preload": found.x[0], "forces.spring.stiffness": found.x[1]}).run()
panels = before.plot("slider.ax", "pin.force", label="without spring")
panels = after.plot("slider.ax", "pin.force", ax=panels, label="with the best spring")

# %%
torques = [float(np.abs(run["motor.torque"][run.t > turn]).max()) for run in (before, after)]
late = [run.impacts.query("joint == 'pin' and start > @turn") for run in (before, after)]
print(
    f"A spring of {found.x[1]:.0f} N/m with a preload of {found.x[0]:.0f} N, found in {found.nfev} runs, reduces the jolts of the second revolution from {jolt(before):.1f} to "
    f"{jolt(after):.2f} times the ideal acceleration, and the contacts that begin there from {len(late[0])} to {len(late[1])}. The greatest torque of the motor there "
    f"goes from {torques[0]:.1f} N m to {torques[1]:.1f} N m."
)
