# %% [markdown]
# # Restitution and friction from a film
#
# A ball is thrown flat over a table and filmed at 240 pictures per second. Its bounces tell the restitution, the speed that it loses along the table tells the friction.
# Both follow from one fit, with intervals that can be believed.

# %%
import jointplay as jp
import matplotlib.pyplot as plt
import numpy as np

model = jp.Model("ball on a table", gravity=[0, -9.81])
ball = model.body("ball", mass="33 g", inertia="5.28e-6 kg m^2", position=[0, "0.3 m"], velocity=["2.5 m/s", 0])
model.circle_line(
    "table",
    circle={"body": ball, "radius": "20 mm"},
    line={"body": "ground", "from": ["-1 m", 0], "to": ["9 m", 0]},
    restitution=0.5,
    law={"elastic": "hertz", "stiffness": "1e7 N/m^1.5", "damping": "exact", "friction": "coulomb-tanh", "mu": 0.3, "slip_speed": "1 mm/s"},
)
model.section("output", interval="2 ms", channels=["ball.x", "ball.y", "ball.omega"])
model.section("run", until="1.2 s")
case = model.case()
case

# %% [markdown]
# The film is a synthetic one, so that the truth is known: restitution 0.78, friction 0.15, and the place of the ball uncertain by 1 mm.

# %%
truth = {"contacts.table.restitution": 0.78, "contacts.table.law.mu": 0.15}
real = case.set(truth).run()
pictures = np.arange(0.0, 1.2, 1 / 240)
kept = np.append(np.diff(real.t) > 0, True)
noise = np.random.default_rng(2).normal(0.0, 1e-3, (2, pictures.size))
x, y = (np.interp(pictures, real.t[kept], real[name][kept]) + error for name, error in zip(("ball.x", "ball.y"), noise, strict=True))

film = {"t [s]": pictures, "x [m]": x, "y [m]": y}

fig, ax = plt.subplots(figsize=(6.4, 2.2), layout="constrained")
ax.plot(x, y, ".", ms=3)
labels = ax.set(xlabel="x (m)", ylabel="y (m)", title="the film")

# %% [markdown]
# Columns of the data are mapped to channels of the model, keys to be found get their bounds:

# %%
budget = 1000
found = jp.identify(
    case,
    {"contacts.table.restitution": (0.5, 0.95), "contacts.table.law.mu": (0.01, 0.5)},
    data=film,
    map={"x": "ball.x", "y": "ball.y"},
    budget=budget,
)
panels = found.plot()

# %% [markdown]
# Are the residuals nothing but noise, and can the two values be told apart? With noise of this kind, 19 of 20 films should have the truth inside an interval of 95 %.

# %%
values = found.findings["parameters"]
correlation = found.findings["correlation"]["contacts.table.law.mu"]["contacts.table.restitution"]
print("residuals look", found.findings["noise"], "- correlation of both values", None if correlation is None else f"{correlation:.2f}")

# %%
for key, name in (("contacts.table.restitution", "restitution"), ("contacts.table.law.mu", "friction")):
    value = values[key]
    inside = value["low"] <= truth[key] <= value["high"]
    print(
        f"The {name} is {value['value']:.4f}, between {value['low']:.4f} and {value['high']:.4f} with 95 % confidence; the truth, {truth[key]}, lies {'inside' if inside else 'outside'}."
    )
