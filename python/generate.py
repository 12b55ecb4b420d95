"""Writes what the package takes from the program: `jointplay/_elements.py`, a method for each element of a model file, from the JSON Schema
of model files; `jointplay/_keys.py`, the types of keywords, from the JSON Schema of study files and the help of the commands.

`python python/generate.py` writes them, `--check` fails if one is stale.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

# The package that is installed, not the sources beside this file, which have no engine.
sys.path = [place for place in sys.path if Path(place).resolve() != Path(__file__).resolve().parent]

from jointplay import _jointplay  # noqa: E402

PACKAGE = Path(__file__).parent / "jointplay"

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


KEYS = '''"""The keywords of studies and laws. Written by `python python/generate.py` from the schema of study files and the help of the
commands: do not edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from distributed import Client

Quantity = Any
"""A number in SI units, a text with a unit such as "0.5 mm", or a quantity of pint; where two bodies differ a list of two."""
Table = Mapping[str, Any]


class Way(TypedDict, total=False):
    """How the runs of a study are made, see `jointplay.study`."""

    out: str | os.PathLike[str] | None
    jobs: int
    client: Client | None
    progress: bool | None
    part: tuple[int, int] | None
'''

# What each function of studies names in its signature, or says by its name.
STUDIES = {
    "sweep": {"metrics"},
    "tolerance": {"metrics", "limits"},
    "sensitivity": {"metrics"},
    "bifurcation": {"observe", "period", "metrics"},
    "optimise": {"minimise", "maximise", "limits"},
    "identify": {"data", "map", "laws"},
}

# The commands about laws, with the arguments that their functions name.
COMMANDS = {"law": {"indentation", "force", "plot"}, "impact": set[str](), "fit": set[str](), "domain": set[str]()}


def told(about: str) -> str:
    """What is said of a key."""
    return "\n".join(textwrap.wrap(f'"""{about}"""', 130, initial_indent="    ", subsequent_indent="    "))


def keys_of_studies() -> list[str]:
    properties = json.loads(_jointplay.command(["schema", "study"])[0])["properties"]
    # These are arguments of their own: a shard is `part`.
    own_arguments = ("format", "kind", "model", "vary", "case", "shard")
    properties = {key: schema for key, schema in properties.items() if key not in own_arguments}
    classes = []
    for kind, own in {**STUDIES, "study": {"metrics"}}.items():
        lines = [f"class {kind.capitalize()}Keys(Way, total=False):"]
        lines += [f'    """Keywords of `jointplay.{kind}`: keys of a study file."""', ""]
        for key, schema in properties.items():
            if key in own or (kind != "study" and kind not in kinds_of(schema)):
                continue
            types = kind_of(schema)
            optional = "" if types == "Any" else " | None"
            lines += [f"    {plain(key)}: {types}{optional}", told(schema["description"])]
        classes.append("\n".join(lines) + "\n")
    return classes


def kinds_of(schema: dict[str, Any]) -> set[str]:
    """The kinds of studies that take a key, by its description."""
    said = schema["description"]
    if "bifurcation diagram" in said or "at each value" in said or "in reverse order" in said:
        return {"bifurcation"}
    if "sensitivity" in said:
        return {"sensitivity"}
    listed = re.search(r"\(([a-z, ]+)\)$", said)
    named = {word.strip() for word in listed.group(1).split(",")} if listed else set()
    return named & set(STUDIES) or set(STUDIES)


def keys_of_commands() -> list[str]:
    classes = []
    for command, own in COMMANDS.items():
        help = subprocess.run([sys.executable, "-m", "jointplay", command, "--help"], capture_output=True, text=True, check=True).stdout
        lines = [f"class {command.capitalize()}Keys(TypedDict, total=False):"]
        lines += [f'    """Keywords of `jointplay.{command}`: flags of `jointplay {command}`."""', ""]
        # What is said of a flag goes on in lines of their own, or stands there as a whole where the terminal is narrow.
        flags = re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)( <[^>]+>)?(?:  +|\n {10})(\S.*(?:\n {10,}\S.*)*)$", help, re.MULTILINE)
        for flag, value, about in flags:
            about = " ".join(about.split())
            if flag in ("help", "json", "param") or flag.replace("-", "_") in own:
                continue
            lines += [f"    {plain(flag)}: {'Quantity' if value else 'bool'}", told(about)]
        if re.search(r"^ +--param ", help, re.MULTILINE):
            lines += ["    params: Mapping[str, Quantity]", '    """Any other parameters of the law."""']
        classes.append("\n".join(lines) + "\n")
    return classes


def main() -> None:
    made = {"_elements.py": text(), "_keys.py": "\n\n".join([KEYS, *keys_of_studies(), *keys_of_commands()])}
    for name, content in made.items():
        if "--check" not in sys.argv:
            (PACKAGE / name).write_text(content, encoding="utf-8")
        elif (PACKAGE / name).read_text(encoding="utf-8") != content:
            sys.exit(f"{PACKAGE / name} is stale: python python/generate.py")


if __name__ == "__main__":
    main()
