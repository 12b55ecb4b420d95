"""What tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _runner(*program: str):
    def run(*args: str, **keys: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*program, *args], capture_output=True, text=True, check=False, timeout=300, **keys)  # type: ignore[call-overload]

    return run


@pytest.fixture(scope="session")
def program():
    """Runs the program that cargo built, with which the package is compared: `JOINTPLAY_PROGRAM`, set by `cargo xtask python`.
    Without it, that inside the package."""
    program = os.environ.get("JOINTPLAY_PROGRAM")
    return _runner(program) if program else _runner(sys.executable, "-m", "jointplay")


@pytest.fixture(scope="session")
def inside():
    """Runs the program inside the package in a process of its own."""
    return _runner(sys.executable, "-m", "jointplay")
