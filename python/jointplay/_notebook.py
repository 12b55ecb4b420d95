"""Pages inside notebooks."""

from __future__ import annotations

import html

HEIGHT = 720
"""The height of a page in a notebook (pixels)."""


def inline(page: str, height: int = HEIGHT) -> str:
    """A page inside a notebook. It is part of the notebook: no server and no network, also after export to HTML."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" style="width: 100%; height: {height}px; border: 1px solid #ddd" '
        'sandbox="allow-scripts allow-downloads allow-popups" loading="lazy"></iframe>'
    )
