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

# %%
run.impacts.head()

# %% [markdown]
# The journal flies freely, hits the wall, bounces and finally rolls along it:

# %%
ax = run.orbit("pin", window=(0.0, 0.3))

# %% [markdown]
# Each contact is a loop in the plane of force and indentation. Its area is the energy that it loses.

# %%
ax = run.loop("pin")

# %% [markdown]
# The interactive page of the first impacts. `run` alone at the end of a cell shows that of the whole run, with the engine inside, so that sliders rerun the model in
# the browser; here both are left out to keep this notebook small.

# %%
case.set({"output.interval": "2 ms"}).run(until="60 ms").show(engine=False)

# %% [markdown]
# A case never changes. `set`, `law` and `ideal` give new ones, so that variants live side by side:

# %%
ideal = case.ideal().run(until="0.6 s")
panels = run.plot("slider.ax", window=(0.3, 0.6), label="0.25 mm of clearance")
panels = ideal.plot("slider.ax", window=(0.3, 0.6), ax=panels, label="ideal joints", color="black")

# %%
hits = run.summary["contacts"]["pin"]
smooth = float(ideal["pin.force"].max())
print(
    f"In {run.t[-1]:.1f} s the pin strikes {hits['impacts']} times, at up to {1e3 * hits['max_impact_speed']:.0f} mm/s. Its greatest force is "
    f"{hits['peak_force']:.0f} N, {hits['peak_force'] / smooth:.0f} times the {smooth:.0f} N of the ideal mechanism."
)
