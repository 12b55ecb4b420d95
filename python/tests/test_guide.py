"""Every example of docs/python.md runs, in the order of the page."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT

GUIDE = ROOT / "docs" / "python.md"


def test_property_the_examples_of_the_guide_run(tmp_path, monkeypatch, capsys):
    for package in ("matplotlib", "pandas", "scipy", "xarray"):
        pytest.importorskip(package)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) > 10
    shared: dict[str, object] = {}
    for block in blocks:
        before = text[: block.start(1)].count("\n")
        # The line numbers of a traceback are those of the page.
        exec(compile("\n" * before + block.group(1), str(GUIDE), "exec"), shared)
    # What the page says that they print.
    said = capsys.readouterr().out
    assert "Run('slider-crank', reached the end, 9 impacts)" in said
    assert "0.6831" in said
    assert "did you mean `clearance`?" in said
    for name in ("laws.pdf", "motion.gif", "result/report.html", "run.mat"):
        assert (tmp_path / name).stat().st_size > 1000
