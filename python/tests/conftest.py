"""What tests share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def program():
    """Runs the program `jointplay` in a process of its own."""

    def run(*args: str, **keys: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "jointplay", *args]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **keys)  # type: ignore[call-overload]

    return run
