"""What notebooks show."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._studies import Study


HEIGHT = 1040
"""The height of a page inside a notebook (px): the mechanism is in sight."""


class Inline:
    """A page inside a notebook. It is part of the notebook: no server and no network, also after export to HTML."""

    def __init__(self, page: str, height: int, said: str) -> None:
        self._page, self._height, self._said = page, height, said

    def __repr__(self) -> str:
        return self._said

    def _repr_html_(self) -> str:
        # The page may run its script, but reaches neither the notebook nor its server. Where frames are not shown, as in notebooks that
        # are not trusted, the text between the tags is.
        said = html.escape(self._said)
        return (
            f'<iframe srcdoc="{html.escape(self._page, quote=True)}" title="{html.escape(self._said, quote=True)}" '
            f'style="width: 100%; height: {self._height}px; border: 1px solid #d0d4d9; border-radius: 4px" '
            'sandbox="allow-scripts allow-downloads allow-popups" loading="lazy">'
            f"{said}: trust the notebook, or run this cell, to see the interactive page.</iframe>"
        )


def diagram(study: Study) -> str:
    """The diagram of a study as a picture, with what was found below it."""
    found = study.findings
    said = f"<p>{html.escape(repr(study))}</p>"
    warned = "".join(f"<li>{html.escape(_warning(warning))}</li>" for warning in found.get("warnings", []))
    picture = _picture(study)
    return picture + said + (f"<ul>{warned}</ul>" if warned else "")


def _warning(warning: Any) -> str:
    return str(warning.get("message", warning)) if isinstance(warning, dict) else str(warning)


def _picture(study: Study) -> str:
    """The diagram; nothing where there is none, or no matplotlib."""
    try:
        import matplotlib.pyplot as plt

        figure: Any = study.plot()[0].figure
    except (ImportError, ValueError):
        return ""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    plt.close(figure)
    data = base64.b64encode(buffer.getvalue()).decode()
    return f'<img src="data:image/png;base64,{data}" alt="{html.escape(repr(study), quote=True)}">'
