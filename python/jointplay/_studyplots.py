"""Figures of studies."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._figure import BLUE, GREEN, GREY, ORANGE, RED, VIOLET, WIDTH, Array, axes, drawing, figure_of, label, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._studies import Study


def plot(study: Study, names: Sequence[str]) -> list[Axes]:
    """The diagram of a study; of these metrics, channels or keys only, if any are named."""
    found = study.findings
    kind = str(found["kind"])
    draw = KINDS.get(kind)
    if draw is None:
        raise ValueError(f"a study of the kind `{kind}` has no diagram")
    have = list(found.get("measured", []))
    wrong = [name for name in names if name not in have]
    if wrong:
        raise KeyError(f"the study did not measure {', '.join(wrong)}; it has {', '.join(have)}")
    with drawing():
        return draw(study, list(names) or have)


def _column(table: Any, name: str) -> Any:
    return np.asarray(table[name])


def _numbers(table: Any, name: str) -> Array:
    return np.asarray(table[name], dtype=float)


def _short(key: str) -> str:
    """A key without its section: `joints.pin.clearance` is `pin clearance`."""
    sections = ("joints.", "contacts.", "bodies.", "drivers.", "forces.", "parameters.", "materials.")
    cut = next((key.removeprefix(section) for section in sections if key.startswith(section)), key)
    return cut.replace(".", " ")


def _axis(study: Study, key: str, values: Any) -> tuple[Any, str]:
    """Values of a key and the label of their axis. Speeds of drivers are shown in revolutions per minute."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        return [str(value) for value in array], _short(key)
    unit = study.units.get(key, "-")
    if unit == "rad/s" and key.endswith("speed"):
        return array * 30 / np.pi, label(_short(key), "rpm")
    by, of = scale(array, unit)
    return by * array, label(_short(key), of)


def _metric(study: Study, name: str, values: Any) -> tuple[float, str]:
    by, unit = scale(values, study.units.get(name, "-"))
    return by, label(name, unit)


# Sweeps


def _sweep(study: Study, metrics: list[str]) -> list[Axes]:
    # The starts of repeats are scatter, not a key.
    keys = [key for key in study.findings["keys"] if key != "start.seed"]
    table = study.points if study.points is not None else study.table
    grid = [list(dict.fromkeys(_column(table, key).tolist())) for key in keys]
    whole = int(np.prod([len(values) for values in grid])) == len(_column(table, keys[0]))
    if not whole or len(keys) > 2:
        return _clouds(study, metrics, keys)
    if len(keys) == 1:
        return _response(study, metrics, keys[0], table)
    numeric = all(_column(table, key).dtype.kind in "fiu" for key in keys)
    if numeric and min(len(values) for values in grid) > 4:
        return _map(study, metrics, keys, table, grid)
    return _family(study, metrics, keys, table, grid)


def _response(study: Study, metrics: list[str], key: str, table: Any) -> list[Axes]:
    """Metrics over one key, with the scatter of repeats."""
    made = axes(len(metrics), size=(WIDTH, 1.0 + 2.0 * len(metrics)), sharex=True)
    x, of = _axis(study, key, _column(table, key))
    for ax, name in zip(made, metrics, strict=True):
        by, text = _metric(study, name, _numbers(table, name))
        values = by * _numbers(table, name)
        if f"{name}.std" in table:
            spread = by * _numbers(table, f"{name}.std")
            single = study.table
            ax.plot(_axis(study, key, _column(single, key))[0], by * _numbers(single, name), ".", ms=3, color=GREY, alpha=0.5, label="runs")
            ax.fill_between(x, values - spread, values + spread, color=BLUE, alpha=0.18, lw=0, label="± 1 standard deviation")
            ax.plot(x, values, "-o", ms=3, color=BLUE, label="mean")
            ax.legend(loc="best")
        else:
            ax.plot(x, values, "-o", ms=3, color=BLUE)
        ax.set_ylabel(text)
    made[-1].set_xlabel(of)
    return made


def _family(study: Study, metrics: list[str], keys: list[str], table: Any, grid: list[list[Any]]) -> list[Axes]:
    """A line for each value of the key that has fewer."""
    along, of = (0, 1) if len(grid[0]) >= len(grid[1]) else (1, 0)
    made = axes(len(metrics), size=(WIDTH, 1.0 + 2.0 * len(metrics)), sharex=True)
    which = _column(table, keys[of])
    shown, text = _axis(study, keys[of], grid[of])
    for ax, name in zip(made, metrics, strict=True):
        by, title = _metric(study, name, _numbers(table, name))
        for value, said in zip(grid[of], shown, strict=True):
            rows = which == value
            x, under = _axis(study, keys[along], _column(table, keys[along])[rows])
            ax.plot(x, by * _numbers(table, name)[rows], "-o", ms=3, label=said if isinstance(said, str) else f"{said:.4g}")
        ax.set_ylabel(title)
    made[0].legend(title=text, loc="center left", bbox_to_anchor=(1.0, 0.5))
    made[-1].set_xlabel(under)
    return made


def _map(study: Study, metrics: list[str], keys: list[str], table: Any, grid: list[list[Any]]) -> list[Axes]:
    """A metric over two keys, as colours."""
    columns = min(len(metrics), 2)
    rows = -(-len(metrics) // columns)
    made = axes(rows, columns, size=(WIDTH if columns == 2 else 4.8, 3.1 * rows if columns == 2 else 3.6), sharex=True, sharey=True)
    y, of_y = _axis(study, keys[0], grid[0])
    x, of_x = _axis(study, keys[1], grid[1])
    for ax, name in zip(made, metrics, strict=False):
        by, text = _metric(study, name, _numbers(table, name))
        values = by * _numbers(table, name).reshape(len(grid[0]), len(grid[1]))
        shown = ax.pcolormesh(x, y, np.ma.masked_invalid(values), cmap="viridis", shading="nearest", rasterized=True)
        ax.set_facecolor("#d8dbdf")
        ax.grid(False)
        bar = figure_of(ax).colorbar(shown, ax=ax, pad=0.02, aspect=24)
        bar.set_label(text)
        bar.outline.set_visible(False)
        ax.set_xlabel(of_x)
        ax.set_ylabel(of_y)
        ax.label_outer()
    for ax in made[len(metrics) :]:
        ax.remove()
    return made[: len(metrics)]


def _clouds(study: Study, metrics: list[str], keys: list[str]) -> list[Axes]:
    """Metrics over each key, a point for each run."""
    table = study.table
    made = axes(len(metrics), len(keys), size=(max(WIDTH, 2.3 * len(keys)), 0.7 + 2.1 * len(metrics)), sharey="row", sharex="col")
    for row, name in enumerate(metrics):
        by, text = _metric(study, name, _numbers(table, name))
        for column, key in enumerate(keys):
            ax = made[row * len(keys) + column]
            x, of = _axis(study, key, _column(table, key))
            ax.plot(x, by * _numbers(table, name), ".", ms=3.5, alpha=0.6, color=BLUE)
            if column == 0:
                ax.set_ylabel(text)
            if row == len(metrics) - 1:
                ax.set_xlabel(of)
    return made


# Tolerances


def _tolerance(study: Study, metrics: list[str]) -> list[Axes]:
    """Histograms with percentiles and limits."""
    made = axes(len(metrics), size=(WIDTH, 0.5 + 2.2 * len(metrics)))
    for ax, name in zip(made, metrics, strict=True):
        values = _numbers(study.table, name)
        values = values[np.isfinite(values)]
        by, text = _metric(study, name, values)
        spread = study.findings["metrics"][name]
        bins = int(np.clip(2 * values.size ** (1 / 3) * 1.5, 8, 60))
        ax.hist(by * values, bins=bins, color=BLUE, alpha=0.75, edgecolor="white", linewidth=0.5)
        for mark, style in (("p05", ":"), ("p50", "-"), ("p95", ":")):
            if spread.get(mark) is not None:
                at = by * spread[mark]
                ax.axvline(at, color="#22262b", lw=1.0, ls=style)
                ax.annotate(
                    f"{int(mark[1:])} %",
                    (at, 1.0),
                    xycoords=("data", "axes fraction"),
                    xytext=(2, -1),
                    textcoords="offset points",
                    va="top",
                    fontsize=7,
                )
        for limit in study.findings.get("limits", []):
            if limit["metric"] != name:
                continue
            at = by * limit["value"]
            ax.axvline(at, color=RED, lw=1.6)
            beyond = limit.get("probability")
            said = "limit" if beyond is None else f"limit: {100 * beyond:.3g} % beyond"
            ax.annotate(
                said,
                (at, 0.62),
                xycoords=("data", "axes fraction"),
                xytext=(-3, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                rotation=90,
                fontsize=7.5,
                color=RED,
            )
        ax.set_xlabel(text)
        ax.set_ylabel("runs")
        ax.grid(axis="x", visible=False)
    return made


# Sensitivity


def _sensitivity(study: Study, metrics: list[str]) -> list[Axes]:
    found = study.findings
    if found.get("indices"):
        return _bars(study, metrics, _indices)
    if found.get("swings"):
        return _bars(study, metrics, _tornado)
    made = axes(1, len(metrics), size=(max(4.4, 3.3 * len(metrics)), 3.4))
    for ax, name in zip(made, metrics, strict=True):
        effects = found["effects"][name]
        by, text = _metric(study, name, [entry["mu_star"] or 0.0 for entry in effects.values()])
        for key, entry in effects.items():
            if entry["mu_star"] is None:
                continue
            ax.plot(by * entry["mu_star"], by * (entry["sigma"] or 0.0), "o", color=BLUE, ms=5)
            ax.annotate(
                _short(key), (by * entry["mu_star"], by * (entry["sigma"] or 0.0)), xytext=(5, 3), textcoords="offset points", fontsize=8
            )
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        ax.margins(0.15)
        ax.set_xlabel(f"mean magnitude µ* of the effect on {text}")
        ax.set_ylabel("standard deviation σ")
    return made


def _bars(study: Study, metrics: list[str], draw: Callable[[Study, str, Axes], None]) -> list[Axes]:
    keys = len(study.findings["keys"])
    made = axes(len(metrics), size=(WIDTH, (0.9 + 0.38 * keys) * len(metrics) + 0.3))
    for ax, name in zip(made, metrics, strict=True):
        draw(study, name, ax)
        ax.grid(axis="y", visible=False)
    return made


def _indices(study: Study, name: str, ax: Axes) -> None:
    """First and total indices with their intervals, the greatest on top."""
    indices: Mapping[str, Mapping[str, float | None]] = study.findings["indices"][name]
    order = sorted(indices, key=lambda key: indices[key]["total"] or 0.0)
    for offset, part, colour, text in ((0.19, "total", BLUE, "with all others"), (-0.19, "first", ORANGE, "alone")):
        at = np.arange(len(order)) + offset
        value = np.array([indices[key][part] or 0.0 for key in order])
        low, high = (
            np.array(
                [
                    indices[key][f"{part}_{end}"] if indices[key][f"{part}_{end}"] is not None else v
                    for key, v in zip(order, value, strict=True)
                ]
            )
            for end in ("low", "high")
        )
        error = np.maximum(np.array([value - low, high - value], dtype=float), 0.0)
        ax.barh(at, value, 0.36, color=colour, alpha=0.85, label=text, xerr=error, error_kw={"lw": 1.0, "ecolor": "#22262b", "capsize": 2})
    ax.set_yticks(np.arange(len(order)), [_short(key) for key in order])
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    ax.set_xlabel(f"share of the variance of {name}")
    ax.legend(loc="lower right")


def _tornado(study: Study, name: str, ax: Axes) -> None:
    """The effect of each key alone, from its 5 % to its 95 % point, the largest on top."""
    swings = {key: entry for key, entry in study.findings["swings"][name].items() if entry["swing"] is not None}
    order = sorted(swings, key=lambda key: abs(swings[key]["swing"]))
    by, text = _metric(study, name, [entry[end] for entry in swings.values() for end in ("low", "middle", "high")])
    for at, key in enumerate(order):
        low, middle, high = (by * swings[key][end] for end in ("low", "middle", "high"))
        ax.barh(at, low - middle, 0.6, left=middle, color=ORANGE, alpha=0.85, label="key at its 5 % point" if at == 0 else None)
        ax.barh(at, high - middle, 0.6, left=middle, color=BLUE, alpha=0.85, label="key at its 95 % point" if at == 0 else None)
    if order:
        ax.axvline(by * swings[order[0]]["middle"], color="#22262b", lw=1.0)
    ax.set_yticks(np.arange(len(order)), [_short(key) for key in order])
    ax.margins(x=0.08)
    ax.set_xlabel(text)
    ax.legend(loc="lower right")


# Bifurcation diagrams

CLASSES = {"periodic": BLUE, "quasi-periodic": GREEN, "chaotic": RED, "undecided": GREY}


def _bifurcation(study: Study, channels: list[str]) -> list[Axes]:
    """The section of each channel over the key, and the largest exponent below."""
    section, table = study.section, study.table
    key = study.findings["keys"][0]
    if not channels:
        channels = [name for name in section if name not in ("parameter", "direction", "index")]
    ratios = [2.2] * len(channels) + [1.0]
    made = axes(len(channels) + 1, size=(WIDTH, 1.9 * len(channels) + 1.7), sharex=True, gridspec_kw={"height_ratios": ratios})
    x, of = _axis(study, key, _numbers(section, "parameter"))
    direction = _column(section, "direction")
    ways = list(dict.fromkeys(direction.tolist()))
    # Every class in its colour: what the points of a value are is decided in the table.
    kinds = dict(
        zip(
            zip(_numbers(table, "parameter").tolist(), _column(table, "direction").tolist(), strict=True),
            _column(table, "class").tolist(),
            strict=True,
        )
    )
    of_points = np.array(
        [kinds.get(pair, "undecided") for pair in zip(_numbers(section, "parameter").tolist(), direction.tolist(), strict=True)]
    )
    size = float(np.clip(220 / np.sqrt(max(x.size, 1)), 0.8, 3.0))
    for ax, name in zip(made, channels, strict=False):
        by, text = _metric(study, name, _numbers(section, name))
        for kind, colour in CLASSES.items():
            for way in ways:
                rows = (of_points == kind) & (direction == way)
                if rows.any():
                    mark = "." if way == ways[0] else "x"
                    ax.plot(
                        x[rows],
                        by * _numbers(section, name)[rows],
                        mark,
                        ms=size if mark == "." else size + 1,
                        mew=0 if mark == "." else 0.4,
                        color=colour,
                        rasterized=bool(x.size > 2000),
                    )
        ax.set_ylabel(text)
    ax = made[-1]
    places, _ = _axis(study, key, _numbers(table, "parameter"))
    value, low, high = (_numbers(table, name) for name in ("lyapunov", "lyapunov_low", "lyapunov_high"))
    classes = _column(table, "class")
    ax.axhline(0.0, color="#22262b", lw=0.8)
    for kind, colour in CLASSES.items():
        rows = classes == kind
        if rows.any():
            error = np.maximum(np.nan_to_num(np.array([value - low, high - value])[:, rows]), 0.0)
            ax.errorbar(places[rows], value[rows], error, fmt="o", ms=3, lw=0.8, color=colour, label=kind)
    ax.set_ylabel("exponent (1/s)")
    ax.set_xlabel(of)
    made[0].legend(*ax.get_legend_handles_labels(), loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, handletextpad=0.2)
    figure_of(made[0]).align_ylabels(made)
    return made


# Searches


def _optimise(study: Study, _: list[str]) -> list[Axes]:
    """The objective of each run, and over each key."""
    found, table = study.findings, study.table
    metric, keys = found["metric"], [key for key in found["keys"] if key != "start.seed"]
    values = _numbers(table, metric)
    by, text = _metric(study, metric, values)
    made = axes(1, 1 + len(keys), size=(max(WIDTH, 2.6 * (1 + len(keys))), 3.0), sharey=True)
    runs = np.arange(1, values.size + 1)
    best = (np.fmax if found["maximise"] else np.fmin).accumulate(values)
    made[0].plot(runs, by * values, ".", ms=4, color=GREY, alpha=0.7, label="run")
    made[0].plot(runs, by * best, color=BLUE, drawstyle="steps-post", label="best so far")
    made[0].set_xlabel("run")
    made[0].set_ylabel(text)
    made[0].legend(loc="upper right")
    for ax, key in zip(made[1:], keys, strict=True):
        x, of = _axis(study, key, _numbers(table, key))
        ax.scatter(x, by * values, c=runs, s=9, cmap="viridis_r", lw=0)
        if found.get("objective") is not None:
            unit = x[0] / _numbers(table, key)[0] if _numbers(table, key)[0] else 1.0
            ax.plot(unit * found["best"][key], by * found["objective"], "*", ms=13, color=ORANGE, mec="white", zorder=5)
        ax.set_xlabel(of)
    spread = np.nanpercentile(by * values, [0, 90]) if np.isfinite(values).any() else [0.0, 1.0]
    if spread[1] > spread[0] and not found["maximise"]:
        made[0].set_ylim(spread[0] - 0.1 * (spread[1] - spread[0]), spread[1] + 0.3 * (spread[1] - spread[0]))
    return made


def _identify(study: Study, _: list[str]) -> list[Axes]:
    """Data and model of each channel, and their difference."""
    series = _fitted(study)
    if not series:
        raise ValueError("the study found no values, so that there is no model to compare")
    made = axes(2 * len(series), size=(WIDTH, 3.1 * len(series)), sharex=True, gridspec_kw={"height_ratios": [2.6, 1.0] * len(series)})
    at, unit = scale(np.concatenate([times for times, _, _ in series.values()]), "s")
    for i, (name, (times, data, model)) in enumerate(series.items()):
        above, below = made[2 * i], made[2 * i + 1]
        by, of = scale(data, study.units.get(name, "-"))
        above.plot(at * times, by * data, ".", ms=2.5, color=GREY, label="measured")
        above.plot(at * times, by * model, color=ORANGE, lw=1.4, label="model with the best values")
        above.set_ylabel(label(name, of))
        above.legend(loc="best")
        below.axhline(0.0, color="#22262b", lw=0.8)
        by, of = scale(model - data, study.units.get(name, "-"))
        below.plot(at * times, by * (model - data), ".", ms=2, color=VIOLET)
        below.set_ylabel(label("residual", of))
    made[-1].set_xlabel(label("t", unit))
    figure_of(made[0]).align_ylabels(made)
    return made


def _fitted(study: Study) -> dict[str, tuple[Array, Array, Array]]:
    """Times, data and model of each channel."""
    rows: dict[str, list[tuple[float, float, float]]] = {}
    with (study.folder / "fit.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rows.setdefault(row["channel"], []).append((float(row["t"]), float(row["data"]), float(row["model"])))
    columns = {name: np.array(cells, dtype=float).T for name, cells in rows.items()}
    return {name: (cells[0], cells[1], cells[2]) for name, cells in columns.items()}


KINDS: dict[str, Callable[[Any, list[str]], list[Any]]] = {
    "sweep": _sweep,
    "tolerance": _tolerance,
    "sensitivity": _sensitivity,
    "bifurcation": _bifurcation,
    "optimise": _optimise,
    "identify": _identify,
}
