"""Rules about names that hold for the whole source at once: one meaning for a class name, values built by keyword."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from source_reading import parse

MOST_POSITIONS = 4  # arguments of a constructor that are not named
HOT = {"View", "LeducTable"}  # made for every decision: names would cost a tenth of a deal of Leduc


def repeated_classes(tree: Mapping[str, str]) -> list[str]:
    """Class names that stand for several things."""
    places: dict[str, list[str]] = defaultdict(list)
    for place, source in tree.items():
        for name in _classes(source):
            places[name].append(place)
    return [f"{name} is a class in {', '.join(found)}" for name, found in places.items() if len(found) > 1]


def positional_values(tree: Mapping[str, str]) -> list[str]:
    """Calls of our own classes with so many positional arguments that a reader has to look up what they are."""
    ours = {name for source in tree.values() for name in _classes(source)}
    return [
        f"{place}:{call.lineno}: {name} is built from {len(call.args)} positional arguments; name them"
        for place, source in tree.items()
        for name, call in _constructions(source)
        if name in ours - HOT and len(call.args) > MOST_POSITIONS and not _is_foreign(call)
    ]


def _classes(source: str) -> Iterator[str]:
    yield from (node.name for node in ast.walk(parse(source)) if isinstance(node, ast.ClassDef))


def _constructions(source: str) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr, node


def _is_foreign(call: ast.Call) -> bool:
    """A class of a library with the name of one of ours: `sql.Table(...)`."""
    return (
        isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "sql"
    )
