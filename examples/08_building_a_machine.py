# %% [markdown]
# # Building a machine in Python
#
# A shaper (Whitworth's quick return): a crank of 60 mm turns a slotted rocker, whose end drives the ram. It cuts slowly and returns fast. No model file is
# needed: the methods of `Model` and their keywords are the elements of a model file and their keys. The pin is damped by Tsuji's law, which
# depends on the indentation and the masses. Laws that divide by the speed at which a contact began, such as Flores', damp the contacts that begin slowly and are loaded later
# the more, the slower they began: the greatest force of this machine then depends on the least speed that one admits.

# %%
import jointplay as jp
import numpy as np

crank_length, rocker_length, ground, link_length = 0.06, 0.36, 0.16, 0.12
rpm = 120

model = jp.Model("shaper", gravity=[0, -9.81])
crank = model.body("crank", mass=0.5, inertia=1e-3, position=[0, ground])
block = model.body("block", mass=0.2, inertia=1e-4, position=[crank_length, ground])
rocker = model.body("rocker", mass=1.6, inertia=0.02, centre=[0.18, 0], position=[0, 0], angle=np.arctan2(ground, crank_length))
link = model.body("link", mass=0.4, inertia=6e-4, centre=[0.06, 0], position=[0.13, 0.34], angle=np.pi)
ram = model.body("ram", mass=6.0, inertia=0.02, position=[0.0, 0.36])

model.revolute("axis", a=jp.GROUND.at(0, ground), b=crank.at())
model.revolute(
    "crank-pin",
    a=block.at(),
    b=crank.at(crank_length, 0),
    kind="clearance",
    journal_radius="10 mm",
    clearance="0.1 mm",
    material="steel",
    law="hertz+tsuji",
    restitution=0.8,
)
model.prismatic("slide", a=rocker.at(0, 0), b=block.at())
model.revolute("pivot", a=jp.GROUND.at(), b=rocker.at())
model.revolute("rocker-end", a=rocker.at(rocker_length, 0), b=link.at())
model.revolute("link-end", a=link.at(link_length, 0), b=ram.at())
model.prismatic("guide", a=jp.GROUND.at(0, rocker_length), b=ram.at())
motor = model.driver("motor", joint="axis", speed=f"{rpm} rpm")
model.section("start", clearances="centred")
model.section("output", channels=["ram.x", "ram.vx", "crank-pin.force", "motor.torque"])
model.section("run", until="1 s")
case = model.case()
case

# %% [markdown]
# `model.toml()` is the model file, for the command line and the page:

# %%
print("\n".join(model.toml().splitlines()[:16]))

# %%
run = case.run()
panels = run.plot()

# %%
frames = 40  # small: 3
run.animate("crank-pin", duration=frames / 10, fps=10, window=(0.5, 1.0))

# %% [markdown]
# The ratio of the times of both strokes is known in closed form: the rocker turns where the crank stands at right angles to it.

# %%
half = np.arccos(crank_length / ground)
closed_form = (np.pi - half) / half
ideal = case.ideal().run()
t, speed = ideal.t, ideal["ram.vx"]
at = np.flatnonzero(np.diff(np.sign(speed)))
turns = t[at] - speed[at] * (t[at + 1] - t[at]) / (speed[at + 1] - speed[at])
strokes = np.diff(turns)
ratio = float(max(strokes[:2]) / min(strokes[:2]))

# %%
turn = 60 / rpm
late = run.impacts.query("start > @turn")
peak, smooth = (float(one["crank-pin.force"][one.t > turn].max()) for one in (run, ideal))
away = float(np.abs(np.interp(ideal.t, run.t, run["ram.x"]) - ideal["ram.x"]).max())
print(
    f"The working stroke takes {ratio:.3f} times as long as the return ({closed_form:.3f} in closed form). With 0.1 mm of play in the crank pin it comes into contact {len(late)} times "
    f"in the second revolution, with up to {peak / 1e3:.1f} kN where the ideal joint has {smooth / 1e3:.2f} kN, and the ram is up to {1e3 * away:.2f} mm away."
)
