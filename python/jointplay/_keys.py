"""The keywords of studies and laws. Written by `python python/generate.py` from the schema of study files and the help of the
commands: do not edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from distributed import Client

Quantity = Any
"""A number in SI units, a text with a unit such as "0.5 mm", or a quantity of pint; where two bodies differ a list of two."""
Table = Mapping[str, Any]


class Way(TypedDict, total=False):
    """How the runs of a study are made, see `jointplay.study`."""

    out: str | os.PathLike[str] | None
    jobs: int
    client: Client | None
    progress: bool | None
    part: tuple[int, int] | None


class SweepKeys(Way, total=False):
    """Keywords of `jointplay.sweep`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    warm_start: bool | None
    """whether values of the last key start where the previous one ended (sweep)"""
    set: Table | None
    """changes of the model that all runs share"""


class ToleranceKeys(Way, total=False):
    """Keywords of `jointplay.tolerance`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    set: Table | None
    """changes of the model that all runs share"""


class SensitivityKeys(Way, total=False):
    """Keywords of `jointplay.sensitivity`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    measure: Literal["sobol", "morris", "tornado"] | None
    """how to measure sensitivity"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    set: Table | None
    """changes of the model that all runs share"""


class BifurcationKeys(Way, total=False):
    """Keywords of `jointplay.bifurcation`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    transient: int | None
    """periods that a bifurcation diagram leaves out at each value"""
    periods: int | None
    """periods that it shows at each value"""
    both_ways: bool | None
    """whether to go through the values in reverse order, too"""
    restart: bool | None
    """whether every value of a bifurcation diagram starts as the model says"""
    section: str | None
    """events at which the section of a bifurcation diagram is taken, instead of once in each period: impact:JOINT,
    up:CHANNEL=LEVEL, down:CHANNEL=LEVEL or both:CHANNEL=LEVEL"""
    orders: int | None
    """spectra up to this multiple of the frequency of the drive (bifurcation)"""
    set: Table | None
    """changes of the model that all runs share"""


class OptimiseKeys(Way, total=False):
    """Keywords of `jointplay.optimise`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    metrics: Sequence[str] | None
    """numbers to record of each run; by default the metrics of the model"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    budget: int | None
    """maximum number of runs of a search (optimise, identify)"""
    set: Table | None
    """changes of the model that all runs share"""


class IdentifyKeys(Way, total=False):
    """Keywords of `jointplay.identify`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    metrics: Sequence[str] | None
    """numbers to record of each run; by default the metrics of the model"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    budget: int | None
    """maximum number of runs of a search (optimise, identify)"""
    time: str | None
    """column of the times of the data (identify)"""
    filter: Sequence[str] | None
    """filters that the instrument applied to the signals: moving-average:COUNT, low-pass:HZ or decimate:COUNT (identify)"""
    filter_data: bool | None
    """whether to filter the data too, because they are raw (identify)"""
    loss: Literal["squares", "soft-l1", "huber"] | None
    """weight of residuals; squares by default (identify)"""
    shift: str | None
    """time shift of the data relative to the model: auto, none, free or LOW:HIGH (identify)"""
    set: Table | None
    """changes of the model that all runs share"""


class StudyKeys(Way, total=False):
    """Keywords of `jointplay.study`: keys of a study file."""

    law: str | None
    """law of every clearance joint and contact"""
    limits: Sequence[str] | None
    """limits of metrics, such as "pin.peak_force < 2 kN" (tolerance, optimise)"""
    samples: int | None
    """number of samples; a sweep without it is a grid"""
    design: Literal["sobol", "latin", "random"] | None
    """how to choose samples"""
    measure: Literal["sobol", "morris", "tornado"] | None
    """how to measure sensitivity"""
    seed: int | None
    """chooses the random numbers; 0 by default"""
    repeats: int | None
    """runs of each point, from starts that are 1 nm apart"""
    warm_start: bool | None
    """whether values of the last key start where the previous one ended (sweep)"""
    observe: Sequence[str] | None
    """channels of a bifurcation diagram"""
    period: str | None
    """driver or load that sets the period, or a time (bifurcation)"""
    transient: int | None
    """periods that a bifurcation diagram leaves out at each value"""
    periods: int | None
    """periods that it shows at each value"""
    both_ways: bool | None
    """whether to go through the values in reverse order, too"""
    restart: bool | None
    """whether every value of a bifurcation diagram starts as the model says"""
    section: str | None
    """events at which the section of a bifurcation diagram is taken, instead of once in each period: impact:JOINT,
    up:CHANNEL=LEVEL, down:CHANNEL=LEVEL or both:CHANNEL=LEVEL"""
    orders: int | None
    """spectra up to this multiple of the frequency of the drive (bifurcation)"""
    minimise: str | None
    """the metric to minimise (optimise)"""
    maximise: str | None
    """the metric to maximise (optimise)"""
    budget: int | None
    """maximum number of runs of a search (optimise, identify)"""
    data: str | None
    """table of measured data, relative to the study file (identify)"""
    time: str | None
    """column of the times of the data (identify)"""
    map: Sequence[str] | None
    """columns of the data with the channels that they measure: COLUMN=CHANNEL, COLUMN without its unit (identify)"""
    filter: Sequence[str] | None
    """filters that the instrument applied to the signals: moving-average:COUNT, low-pass:HZ or decimate:COUNT (identify)"""
    filter_data: bool | None
    """whether to filter the data too, because they are raw (identify)"""
    laws: Sequence[str] | None
    """laws that are ranked by how well they explain the data (identify)"""
    loss: Literal["squares", "soft-l1", "huber"] | None
    """weight of residuals; squares by default (identify)"""
    shift: str | None
    """time shift of the data relative to the model: auto, none, free or LOW:HIGH (identify)"""
    set: Table | None
    """changes of the model that all runs share"""


class LawKeys(TypedDict, total=False):
    """Keywords of `jointplay.law`: flags of `jointplay law`."""

    bearing_radius: Quantity
    """Radius of the bearing (hole), such as 10mm"""
    journal_radius: Quantity
    """Radius of the journal (pin) in the bearing"""
    radius: Quantity
    """Radius of a body; twice for two bodies, once for a body on a plane, negative for a concave one"""
    clearance: Quantity
    """ΔR of a cylinder law, instead of the radii"""
    length: Quantity
    """Length of a line contact"""
    half_width: Quantity
    """Half width of a flat contact"""
    material: Quantity
    """Material by name: steel, aluminium"""
    material_2: Quantity
    """Material of the second body, if different"""
    young: Quantity
    """Young's modulus, such as 71.7GPa"""
    poisson: Quantity
    """Poisson's ratio"""
    density: Quantity
    """Density, for the speed limit of the Lankarani-Nikravesh law"""
    young_2: Quantity
    """Young's modulus of the second body, if different"""
    poisson_2: Quantity
    """Poisson's ratio of the second body, if different"""
    density_2: Quantity
    """Density of the second body, if different"""
    stiffness: Quantity
    """Stiffness K in N/mⁿ instead of geometry and material"""
    exponent: Quantity
    """Exponent n of a power law"""
    max_indentation: Quantity
    """Largest indentation for which a formula is checked and used [default: 1mm]"""
    max_rate: Quantity
    """Largest rate for which a formula is checked and used [default: 10m/s]"""
    params: Mapping[str, Quantity]
    """Any other parameters of the law."""


class ImpactKeys(TypedDict, total=False):
    """Keywords of `jointplay.impact`: flags of `jointplay impact`."""

    law: Quantity
    """Complete law elastic+damping, such as johnson+flores"""
    elastic: Quantity
    """Elastic law: an id of `jointplay laws`, table:FILE.csv or formula:TEXT"""
    damping: Quantity
    """Dissipation laws, separated by commas, or `all` [default: exact if --restitution is given]"""
    restitution: Quantity
    """Restitution c_r: a number, a list a,b,c, a range START:END:STEP, cube-root, or linear (with --param alpha_0=… --param
    alpha_1=…)"""
    mass: Quantity
    """Mass of a body; give it once for an impact on a wall, twice for two bodies"""
    speed: Quantity
    """Approach speed"""
    adhesive: bool
    """Keep tensile (pulling) forces as the formulas give them instead of setting them to zero"""
    impact_speed_floor: Quantity
    """Damping is computed with at least this impact speed [default: 1e-6m/s]"""
    tolerance: Quantity
    """Relative tolerance of the integration"""
    curve: bool
    """Add the loop (t, indentation, speed, force) to the JSON"""
    plot: Quantity
    """Draw the loops, or e_out against c_r for a table, into FILE.svg or FILE.png"""
    bearing_radius: Quantity
    """Radius of the bearing (hole), such as 10mm"""
    journal_radius: Quantity
    """Radius of the journal (pin) in the bearing"""
    radius: Quantity
    """Radius of a body; twice for two bodies, once for a body on a plane, negative for a concave one"""
    clearance: Quantity
    """ΔR of a cylinder law, instead of the radii"""
    length: Quantity
    """Length of a line contact"""
    half_width: Quantity
    """Half width of a flat contact"""
    material: Quantity
    """Material by name: steel, aluminium"""
    material_2: Quantity
    """Material of the second body, if different"""
    young: Quantity
    """Young's modulus, such as 71.7GPa"""
    poisson: Quantity
    """Poisson's ratio"""
    density: Quantity
    """Density, for the speed limit of the Lankarani-Nikravesh law"""
    young_2: Quantity
    """Young's modulus of the second body, if different"""
    poisson_2: Quantity
    """Poisson's ratio of the second body, if different"""
    density_2: Quantity
    """Density of the second body, if different"""
    stiffness: Quantity
    """Stiffness K in N/mⁿ instead of geometry and material"""
    exponent: Quantity
    """Exponent n of a power law"""
    max_indentation: Quantity
    """Largest indentation for which a formula is checked and used [default: 1mm]"""
    max_rate: Quantity
    """Largest rate for which a formula is checked and used [default: 10m/s]"""
    params: Mapping[str, Quantity]
    """Any other parameters of the law."""


class FitKeys(TypedDict, total=False):
    """Keywords of `jointplay.fit`: flags of `jointplay fit`."""

    max_load: Quantity
    """Maximum load per unit length of a cylinder law [default: 1000N/mm]"""
    max_force: Quantity
    """Maximum force; required for point contacts, replaces --max-load for cylinders"""
    plot: Quantity
    """Draw law and fit into FILE.svg or FILE.png"""
    bearing_radius: Quantity
    """Radius of the bearing (hole), such as 10mm"""
    journal_radius: Quantity
    """Radius of the journal (pin) in the bearing"""
    radius: Quantity
    """Radius of a body; twice for two bodies, once for a body on a plane, negative for a concave one"""
    clearance: Quantity
    """ΔR of a cylinder law, instead of the radii"""
    length: Quantity
    """Length of a line contact"""
    half_width: Quantity
    """Half width of a flat contact"""
    material: Quantity
    """Material by name: steel, aluminium"""
    material_2: Quantity
    """Material of the second body, if different"""
    young: Quantity
    """Young's modulus, such as 71.7GPa"""
    poisson: Quantity
    """Poisson's ratio"""
    density: Quantity
    """Density, for the speed limit of the Lankarani-Nikravesh law"""
    young_2: Quantity
    """Young's modulus of the second body, if different"""
    poisson_2: Quantity
    """Poisson's ratio of the second body, if different"""
    density_2: Quantity
    """Density of the second body, if different"""
    stiffness: Quantity
    """Stiffness K in N/mⁿ instead of geometry and material"""
    exponent: Quantity
    """Exponent n of a power law"""
    max_indentation: Quantity
    """Largest indentation for which a formula is checked and used [default: 1mm]"""
    max_rate: Quantity
    """Largest rate for which a formula is checked and used [default: 10m/s]"""
    params: Mapping[str, Quantity]
    """Any other parameters of the law."""


class DomainKeys(TypedDict, total=False):
    """Keywords of `jointplay.domain`: flags of `jointplay domain`."""

    from_: Quantity
    """Smallest clearance [default: 5um]"""
    to: Quantity
    """Largest clearance [default: 10mm, or half the bearing radius if that is less]"""
    count: Quantity
    """Number of clearances in the table, logarithmically spaced [default: 12]"""
    plot: Quantity
    """Draw the validity map into FILE.svg or FILE.png"""
    bearing_radius: Quantity
    """Radius of the bearing (hole), such as 10mm"""
    journal_radius: Quantity
    """Radius of the journal (pin) in the bearing"""
    radius: Quantity
    """Radius of a body; twice for two bodies, once for a body on a plane, negative for a concave one"""
    clearance: Quantity
    """ΔR of a cylinder law, instead of the radii"""
    length: Quantity
    """Length of a line contact"""
    half_width: Quantity
    """Half width of a flat contact"""
    material: Quantity
    """Material by name: steel, aluminium"""
    material_2: Quantity
    """Material of the second body, if different"""
    young: Quantity
    """Young's modulus, such as 71.7GPa"""
    poisson: Quantity
    """Poisson's ratio"""
    density: Quantity
    """Density, for the speed limit of the Lankarani-Nikravesh law"""
    young_2: Quantity
    """Young's modulus of the second body, if different"""
    poisson_2: Quantity
    """Poisson's ratio of the second body, if different"""
    density_2: Quantity
    """Density of the second body, if different"""
    stiffness: Quantity
    """Stiffness K in N/mⁿ instead of geometry and material"""
    exponent: Quantity
    """Exponent n of a power law"""
    max_indentation: Quantity
    """Largest indentation for which a formula is checked and used [default: 1mm]"""
    max_rate: Quantity
    """Largest rate for which a formula is checked and used [default: 10m/s]"""
    params: Mapping[str, Quantity]
    """Any other parameters of the law."""
