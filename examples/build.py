"""Makes the notebooks of this folder from their scripts and runs them.

    python examples/build.py            # all
    python examples/build.py 01 03      # these
    python examples/build.py --small 01 # quick, into target/examples

The scripts are the source: they are read in reviews, checked by ruff, mypy and pyright, and run as they are. A cell begins with `# %%`,
one of text with `# %% [markdown]`. A number whose line ends with `# small: 8` is 8 in the small version, which tests run.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).parent
SMALL = re.compile(r"^(\s*\w+\s*=\s*).*?(\s*# small: (.+))$", re.MULTILINE)

Cell = tuple[str, str]
"""`markdown` or `code`, and the text."""


def scripts() -> list[Path]:
    """The scripts of the notebooks."""
    return sorted(FOLDER.glob("[0-9]*.py"))


def cells(script: Path, *, small: bool = False) -> list[Cell]:
    """The cells of a script."""
    found: list[Cell] = []
    for part in re.split(r"^# %%", script.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        text = text.strip("\n")
        if head.strip() == "[markdown]":
            found.append(("markdown", "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.splitlines())))
        else:
            replace = r"\g<1>\g<3>" if small else r"\g<0>"
            text = SMALL.sub(replace, text)
            found.append(("code", text if small else re.sub(r"\s*# small: .+$", "", text, flags=re.MULTILINE)))
    return found


def notebook(script: Path, *, small: bool = False) -> dict[str, Any]:
    """The notebook of a script, not run yet."""
    made: list[dict[str, Any]] = []
    for number, (kind, text) in enumerate(cells(script, small=small), 1):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def run(script: Path, target: Path, *, small: bool) -> None:
    """Runs the notebook of a script in its folder and writes it with its outputs."""
    import nbformat
    from nbclient import NotebookClient

    text = json.dumps(notebook(script, small=small))
    made = cast(Any, nbformat.reads(text, as_version=4))  # type: ignore[no-untyped-call]
    NotebookClient(made, timeout=3600, resources={"metadata": {"path": str(FOLDER)}}, record_timing=False).execute()
    for cell in made.cells:
        # Bars of progress and remarks of libraries are not results.
        if cell.cell_type == "code":
            widget = "application/vnd.jupyter.widget-view+json"
            cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr" and widget not in o.get("data", {})]
    made.metadata.pop("widgets", None)
    target.write_text(nbformat.writes(made) + "\n", encoding="utf-8")  # type: ignore[no-untyped-call]
    print(f"{target.name}: {target.stat().st_size / 1e3:.0f} kB")


def main() -> None:
    """Makes the notebooks that were asked for."""
    parser = argparse.ArgumentParser(description="Makes the notebooks of this folder and runs them.")
    parser.add_argument("names", nargs="*", help="how the names of the notebooks begin; all by default")
    parser.add_argument("--small", action="store_true", help="the small versions, into target/examples")
    asked = parser.parse_args()
    folder = FOLDER.parent / "target" / "examples" if asked.small else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for script in scripts():
        if not asked.names or any(script.name.startswith(name) for name in asked.names):
            run(script, folder / f"{script.stem}.ipynb", small=asked.small)


if __name__ == "__main__":
    main()
