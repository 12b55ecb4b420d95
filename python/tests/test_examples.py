"""The notebooks of examples/: in step with their scripts, run with small numbers."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys

import pytest
from conftest import ROOT

FOLDER = ROOT / "examples"
_SPEC = importlib.util.spec_from_file_location("examples_build", FOLDER / "build.py")
assert _SPEC is not None
assert _SPEC.loader is not None
build = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(build)
SCRIPTS = build.scripts()

PLAYER = """
import ast, json, sys
import matplotlib.pyplot as plt
shared = {"__name__": "__main__"}
for source in json.load(sys.stdin):
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), shared)
    if last is not None:
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), shared)
        # As a notebook does.
        for form in ("_repr_html_", "_repr_svg_", "_repr_markdown_", "__repr__"):
            if hasattr(type(shown), form):
                assert isinstance(getattr(shown, form)(), (str, type(None))), form
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()
    plt.close("all")
"""
"""Runs cells one after the other and shows what each leaves, without Jupyter."""


def test_property_there_are_eight():
    assert [script.name[:2] for script in SCRIPTS] == [f"{i:02}" for i in range(1, 9)]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_regress_a_notebook_is_what_its_script_makes(script):
    path = script.with_suffix(".ipynb")
    assert path.exists(), "python examples/build.py makes it"
    assert path.stat().st_size < 1_000_000
    kept = json.loads(path.read_text(encoding="utf-8"))
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in kept["cells"]]
    assert cells == build.cells(script), "python examples/build.py makes it anew"
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(output["output_type"] != "error" for cell in code for output in cell["outputs"])
    # It has figures, and ends with a finding in numbers.
    assert any("image/png" in output.get("data", {}) for cell in code for output in cell["outputs"])
    said = "".join("".join(output.get("text", [])) for output in code[-1]["outputs"])
    assert sum(letter.isdigit() for letter in said) > 5


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_property_a_notebook_runs(script, tmp_path):
    for package in ("matplotlib", "pandas", "scipy", "xarray", "distributed"):
        pytest.importorskip(package)
    code = [text for kind, text in build.cells(script, small=True) if kind == "code"]
    for text in code:
        ast.parse(text)
    # Workers of a cluster import the main module: a file, as the kernel of a notebook has one.
    (tmp_path / "play.py").write_text(f'if __name__ == "__main__":\n    exec({PLAYER!r})\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "play.py"],
        input=json.dumps(code),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**__import__("os").environ, "MPLBACKEND": "Agg"},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nan" not in done.stdout.split()
