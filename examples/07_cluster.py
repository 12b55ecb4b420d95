# %% [markdown]
# # A study on many machines, with Dask
#
# Every study takes a `client` of Dask: its runs go to the workers, and the results come back into the same folder as those of a study on this machine, bit for bit. Here
# the workers are two processes on this machine; on a cluster only the line with `LocalCluster` differs.

# %%
import time
from typing import Any

import jointplay as jp
import numpy as np
from dask.distributed import Client, LocalCluster

cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")
client = Client(cluster)
client.wait_for_workers(2)

# %%
speeds = 12  # small: 2
clearances = 8  # small: 2
steps = f"100rpm:500rpm:{speeds}"
case = jp.example("slider-crank").set({"run.until": "0.3 s"})
vary = {"drivers.motor.speed": steps, "joints.pin.clearance": f"0.05mm:0.5mm:{clearances}"}

# The first runs import the package on the workers, which is not what is measured.
warm_up = jp.sweep(case, {"joints.pin.restitution": "0.4:0.6:8"}, ["pin.impacts"], client=client)

there = jp.sweep(case, vary, ["pin.peak_force", "pin.impacts"], client=client)
panels = there.plot()

# %% [markdown]
# The same study on the threads of this machine, and how long both take: in turns, of which the shortest counts, since other programs only ever add to a time.

# %%
rounds = 2  # small: 1


def seconds(**where: Any) -> float:
    """How long the study takes."""
    begun = time.perf_counter()
    jp.sweep(case, vary, ["pin.peak_force", "pin.impacts"], **where)
    return time.perf_counter() - begun


here = jp.sweep(case, vary, ["pin.peak_force", "pin.impacts"], jobs=2)
times = [(seconds(client=client), seconds(jobs=2)) for _ in range(rounds)]
spent, alone = (min(column) for column in zip(*times, strict=True))
same = all(np.array_equal(here.table[name], there.table[name]) for name in ("pin.peak_force", "pin.impacts"))

# %%
client.close()
cluster.close()
grid = here.to_xarray()["pin.peak_force"]
worst = grid.where(grid == grid.max(), drop=True)
print(
    f"{len(here.table)} runs take {spent:.1f} s on two worker processes and {alone:.1f} s on two threads, and all numbers are {'the same, bit for bit' if same else 'different'}. "
    f"The pin works hardest at {float(worst['drivers.motor.speed'][0]) * 30 / np.pi:.0f} rpm with {1e3 * float(worst['joints.pin.clearance'][0]):.2f} mm: {float(grid.max()) / 1e3:.1f} kN."
)
