"""Progress bars for long calls."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Tell = Callable[[float, float], None]

PATIENCE = 2.0
"""A bar that nobody asked for appears after this time (s)."""
PAUSE = 0.5
"""How often it is drawn (s)."""


@contextmanager
def bar(wanted: bool | None, unit: str) -> Iterator[Tell | None]:
    """A function that is told what is done and what there is to do; None if nothing is shown.

    With `wanted` None a bar appears after two seconds, if there is someone to see it and tqdm to draw it.
    """
    if wanted is False or (wanted is None and not (_seen() and importlib.util.find_spec("tqdm"))):
        yield None
        return
    if importlib.util.find_spec("tqdm") is None:
        raise ImportError("progress bars need tqdm: pip install 'jointplay[notebook]'")
    start = time.monotonic()
    drawn = start
    shown: Any = None

    def tell(done: float, total: float) -> None:
        nonlocal shown, drawn
        now = time.monotonic()
        if shown is None:
            if wanted is None and now - start < PATIENCE:
                return
            shown = _tqdm()(total=total, unit=unit, bar_format=FORM, leave=False)
        elif now - drawn < PAUSE:
            return
        drawn = now
        shown.total, shown.n = total, done
        shown.refresh()

    try:
        yield tell
    finally:
        if shown is not None:
            shown.close()


FORM = "{percentage:3.0f} % |{bar}| {n:.4g} of {total:.4g} {unit}, {remaining} left"


def _tqdm() -> Any:
    """The bar of notebooks where their widgets are installed, else that of terminals."""
    if "ipykernel" in sys.modules and importlib.util.find_spec("ipywidgets"):
        from tqdm.notebook import tqdm
    else:
        from tqdm.std import tqdm
    return tqdm


def _seen() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules
