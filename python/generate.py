"""Writes `jointplay/_elements.py`: a method for each element of a model file, from the JSON Schema of model files.

`python python/generate.py` writes it, `--check` fails if it is stale.
"""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

# The package that is installed, not the sources beside this file, which have no engine.
sys.path = [place for place in sys.path if Path(place).resolve() != Path(__file__).resolve().parent]

from jointplay import _jointplay  # noqa: E402

TARGET = Path(__file__).parent / "jointplay" / "_elements.py"

HEAD = '''"""The elements of a model file as methods. Written by `python python/generate.py` from the schema of model files: do not edit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._part import Part

Quantity = Any
"""A number in SI units, a text with a unit such as "0.5 mm", a formula such as "= 2*c", or a quantity of pint."""
Vector = Sequence[Quantity]
Table = Mapping[str, Any]


class Elements:
    """The elements of a model file."""

    @abstractmethod
    def _add(self, section: str, name: str, kind: str | None, keys: dict[str, Any]) -> Part: ...
'''

SECTIONS = {"bodies": "body", "joints": None, "contacts": None, "drivers": "driver", "forces": None, "outputs": "output"}


def kind_of(schema: dict[str, Any]) -> str:
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return "Literal[" + ", ".join(f'"{word}"' for word in schema["enum"]) + "]"
    if "$ref" in schema:
        return "str | Table"
    for several in ("anyOf", "oneOf"):
        if several in schema:
            kinds = list(dict.fromkeys(kind for one in schema[several] for kind in kind_of(one).split(" | ")))
            if "str" in kinds:
                kinds = [kind for kind in kinds if not kind.startswith("Literal")]
            return " | ".join(kinds)
    kind = schema.get("type")
    if isinstance(kind, list):
        if "boolean" in kind:
            return "Quantity | bool"
        return "Quantity" if "number" in kind else "str"
    words = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "object": "Table"}
    if kind == "array":
        items = kind_of(schema.get("items", {}))
        return "Vector" if items == "Quantity" else f"Sequence[{items}]"
    return words.get(str(kind), "Any")


def plain(name: str) -> str:
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def method(section: str, word: str | None, schema: dict[str, Any]) -> str:
    properties = dict(schema.get("properties", {}))
    kind = properties.pop("type", {}).get("const")
    required = [key for key in schema.get("required", []) if key != "type"]
    keys = required + [key for key in properties if key not in required]
    lines = [f"    def {plain(word or kind)}(", "        self,", "        name: str,"]
    lines += ["        *,"] if keys else []
    for key in keys:
        types = kind_of(properties[key])
        lines.append(f"        {plain(key)}: {types}," if key in required else f"        {plain(key)}: {types} | None = None,")
    lines.append("    ) -> Part:")
    about = schema.get("description", "").strip()
    lines.append(f'        """{about[:1].upper() + about[1:]}.')
    if keys:
        lines += ["", "        Parameters", "        ----------"]
        for key in keys:
            text = properties[key].get("description", "").replace("\\", "\\\\")
            wrapped = textwrap.wrap(f"{plain(key)} : {text}", 120, subsequent_indent="    ")
            lines += ["        " + line for line in wrapped]
    lines.append('        """')
    lines.append("        keys = {")
    lines += [f'            "{key}": {plain(key)},' for key in keys]
    lines.append("        }")
    kind = "None" if kind is None else f'"{kind}"'
    lines.append(f'        return self._add("{section}", name, {kind}, keys)')
    return "\n".join(lines) + "\n"


def text() -> str:
    schema = json.loads(_jointplay.command(["schema"])[0])
    methods = [HEAD]
    for section, word in SECTIONS.items():
        element = schema["properties"][section]["additionalProperties"]
        methods += [method(section, word, one) for one in element.get("oneOf", [element])]
    return "\n".join(methods)


def main() -> None:
    made = text()
    if "--check" in sys.argv:
        if TARGET.read_text(encoding="utf-8") != made:
            sys.exit(f"{TARGET} is stale: python python/generate.py")
        return
    TARGET.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
