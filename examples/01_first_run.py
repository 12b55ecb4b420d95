# %% [markdown]
# # A first run
#
# A slider-crank whose pin has 0.25 mm of clearance (Bai, Chen and Sun 2014). How much harder does the pin work than in the ideal mechanism?

# %%
import jointplay as jp

case = jp.example("slider-crank")
case

# %% [markdown]
# A case is a model with changes. Running it gives channels as NumPy arrays, a table of all impacts, a summary and warnings.

# %%
run = case.run(until="0.6 s")
panels = run.plot("slider.x", "slider.ax", "pin.force")

# %% [markdown]
# What to know before trusting the numbers:

# %%
print("\n".join(run.warnings))

# %% [markdown]
# The law is used beyond its bounds: each warning says by how much, and names a law that is valid here. The numbers below are those of the model as it was published.
#
# The first impacts come from the start, which puts the journal into the centre of its bearing, and not from the machine. What follows looks at the second revolution
# only, from 0.3 s on.

# %%
turn = 0.3
run.impacts.query("start > @turn").head()

# %% [markdown]
# The journal flies freely, hits the wall, bounces and rolls along it:

# %%
ax = run.orbit("pin", window=(turn, 2 * turn))

# %% [markdown]
# Each contact is a loop in the plane of force and indentation. Its area is the energy that it loses.

# %%
ax = run.loop("pin", window=(turn, 2 * turn))

# %% [markdown]
# The interactive page of the first impacts. `run` alone at the end of a cell shows that of the whole run, with the engine inside, so that sliders rerun the model in
# the browser; here both are left out to keep this notebook small.

# %%
case.set({"output.interval": "2 ms"}).run(until="60 ms").show(engine=False)

# %% [markdown]
# A case never changes. `set`, `law` and `ideal` give new ones, so that variants live side by side:

# %%
ideal = case.ideal().run(until="0.6 s")
panels = run.plot("slider.ax", window=(turn, 2 * turn), label="0.25 mm of clearance")
panels = ideal.plot("slider.ax", window=(turn, 2 * turn), ax=panels, label="ideal joints", color="black")

# %%
late = run.impacts.query("start > @turn")
peak, smooth = (float(one["pin.force"][one.t > turn].max()) for one in (run, ideal))
print(
    f"In its second revolution the pin comes into contact {len(late)} times, at up to {1e3 * late.impact_speed.max():.0f} mm/s. Its greatest force is "
    f"{peak:.0f} N, {peak / smooth:.0f} times the {smooth:.0f} N of the ideal mechanism."
)
