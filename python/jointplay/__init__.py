"""The dynamics of machines whose joints have clearance.

>>> import jointplay as jp
>>> run = jp.example("slider-crank").law("hertz+flores").run(until=0.1)
>>> force = run["pin.force"]

A `Case` is a model with changes, a `Run` is what it gives: channels as NumPy arrays, the impact table, metrics, warnings.
`law` evaluates contact laws on arrays. The numbers are those of the program `jointplay`, bit by bit.
"""

from ._case import Case, Value, example, examples, load, loads
from ._errors import InputError, Problem, RunError, StoreError
from ._jointplay import __version__, engine
from ._laws import Law, Sheet, domain, fit, impact, law, laws, restitution_table, sheet
from ._model import Model
from ._part import GROUND, Part
from ._result import KeptRun, Result, Run, State, StoredRun, Table
from ._result import open_result as open
from ._studies import Study, bifurcation, identify, merge, open_study, optimise, sensitivity, study, sweep, tolerance

__all__ = [
    "GROUND",
    "Case",
    "InputError",
    "KeptRun",
    "Law",
    "Model",
    "Part",
    "Problem",
    "Result",
    "Run",
    "RunError",
    "Sheet",
    "State",
    "StoreError",
    "StoredRun",
    "Study",
    "Table",
    "Value",
    "__version__",
    "bifurcation",
    "domain",
    "engine",
    "example",
    "examples",
    "fit",
    "identify",
    "impact",
    "law",
    "laws",
    "load",
    "loads",
    "merge",
    "open",
    "open_study",
    "optimise",
    "restitution_table",
    "sensitivity",
    "sheet",
    "study",
    "sweep",
    "tolerance",
]
