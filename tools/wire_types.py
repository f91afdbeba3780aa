"""Generate the page's TypeScript types from the Python ones: `python tools/wire_types.py [FILE]` (page/src/wire.ts)."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from tahur.room import rest, scene, wire
from tahur.study import views

FILE = Path(__file__).parent.parent / "page" / "src" / "wire.ts"
HEAD = "// Made by tools/wire_types.py from the Python types in room/wire.py, scene.py, rest.py and study/views.py.\n"
ATOMS = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}


def typescript() -> str:
    """The text of the file."""
    kinds = [each for module in (wire, scene, rest, views) for each in vars(module).values() if _is_ours(each, module)]
    blocks = [
        HEAD,
        f"export const VERSION = {wire.VERSION}\nexport const MOST_BYTES = {wire.MOST_BYTES}\n",
        *("\n".join(_interface(kind)) + "\n" for kind in kinds),
        _union("ToServer", wire.TO_SERVER),
        _union("ToClient", wire.TO_CLIENT),
    ]
    return "\n".join(blocks)


def _is_ours(value: Any, module: types.ModuleType) -> bool:
    return isinstance(value, type) and is_dataclass(value) and value.__module__ == module.__name__


def _interface(kind: Any) -> Iterator[str]:
    asked = kind.__name__ in ("NewRoom", "Join", "Watch") or kind in wire.TO_SERVER.values()
    hints = get_type_hints(kind, include_extras=True)
    said = " ".join((kind.__doc__ or "").split())
    if not said.startswith(f"{kind.__name__}("):  # the default docstring of a dataclass
        yield f"/** {said} */"
    yield f"export interface {kind.__name__} {{"
    if tag := getattr(kind, "TYPE", None):
        if kind in (*wire.TO_SERVER.values(), *wire.TO_CLIENT.values()):
            yield f"  v: {wire.VERSION}"
        yield f"  type: '{tag}'"
    for field in fields(kind):
        yield f"  {field.name}{_mark(field, asked)}: {_type(hints[field.name])}"
    yield "}"


def _mark(field: Field[Any], asked: bool) -> str:
    """Received fields may be omitted if they have a default; sent fields are always present."""
    return "?" if asked and field.default is not MISSING else ""


def _type(hint: Any) -> str:
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(given[0])
    if origin in (Union, types.UnionType):
        return " | ".join(map(_type, given))
    if origin is Literal:
        return " | ".join(f"'{word}'" for word in given)
    if origin is tuple:
        inner = _type(given[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    return str(hint.__name__) if is_dataclass(hint) else ATOMS[hint]


def _union(name: str, kinds: dict[str, type]) -> str:
    return f"export type {name} = " + " | ".join(kind.__name__ for kind in kinds.values()) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(typescript(), "utf-8")
