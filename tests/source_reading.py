"""A module's imports and mentions, read off its source: every name traced back to where it was imported.

`np.random.seed` is seen for what it is, and so is `from time import perf_counter as clock`. No code is ever run.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

PACKAGE = "tahur"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: `tahur.cards.cards.Card`."""

    name: str
    line: int
    late: bool  # inside a function: it runs when that is called
    typing: bool  # under `if TYPE_CHECKING`: it never runs
    inside: str  # the innermost function it stands in


@dataclass(frozen=True, slots=True)
class Use:
    """One mention of a name from elsewhere: `numpy.random.seed`, `print`, or `.mkdir` of who knows what."""

    name: str
    line: int
    late: bool
    call: ast.Call | None  # the call, where the name is called


@dataclass(frozen=True, slots=True)
class Reading:
    imports: tuple[Import, ...]
    uses: tuple[Use, ...]


parse = cache(ast.parse)


@cache
def read(source: str, place: str) -> Reading:
    """What a module imports and mentions."""
    reader = _Reader(place)
    tree = parse(source)
    for node in ast.walk(tree):  # first all imports, since a function may use one that stands below it
        if isinstance(node, ast.Import | ast.ImportFrom):
            reader.meaning.update(reader.bindings(node))
    reader.visit(tree)
    return Reading(tuple(reader.imports), tuple(reader.uses))


class _Reader(ast.NodeVisitor):
    """Collects imports and uses; knows the functions it is in and the names they make their own."""

    def __init__(self, place: str) -> None:
        self.imports: list[Import] = []
        self.uses: list[Use] = []
        self.meaning: dict[str, str] = {}
        self._package = (PACKAGE, *place.split("/")[:-1])
        self._own_names: list[set[str]] = []
        self._calls: dict[ast.expr, ast.Call] = {}
        self._typing = False
        self._functions = [""]

    def bindings(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
        """The local name and the full name of everything that an import statement brings in."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        else:
            above = self._package[: len(self._package) - node.level + 1] if node.level else ()
            for alias in node.names:
                yield alias.asname or alias.name, ".".join((*above, *filter(None, [node.module]), alias.name))

    def visit_Import(self, node: ast.Import) -> None:
        self._note_imports(node.lineno, (alias.name for alias in node.names))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._note_imports(node.lineno, (full for _, full in self.bindings(node)))

    def visit_If(self, node: ast.If) -> None:
        before, self._typing = self._typing, self._typing or ast.unparse(node.test).endswith("TYPE_CHECKING")
        self._visit_all(node.body)
        self._typing = before
        self._visit_all([node.test, *node.orelse])

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all([*node.decorator_list, node.args])  # run outside, by the `def` itself
        self._functions.append(node.name)
        self._visit_body(node, node.body)
        self._functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        self._visit_body(node, [node.body])

    def visit_Call(self, node: ast.Call) -> None:
        self._calls[node.func] = node
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and (name := self._full_name(node)):
            self._note_use(name, node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if name := self._full_name(node):
            self._note_use(name, node)
        else:
            self._note_use("." + node.attr, node)
            self.visit(node.value)

    def _full_name(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute):
            owner = self._full_name(node.value)
            return f"{owner}.{node.attr}" if owner else None
        if not isinstance(node, ast.Name) or any(node.id in names for names in self._own_names):
            return None
        return self.meaning.get(node.id) or (node.id if hasattr(builtins, node.id) else None)

    def _note_imports(self, line: int, names: Iterable[str]) -> None:
        late, inside = bool(self._own_names), self._functions[-1]
        self.imports += [Import(name, line, late, self._typing, inside) for name in names]

    def _note_use(self, name: str, node: ast.expr) -> None:
        name = name.removeprefix("builtins.")
        self.uses.append(Use(name, node.lineno, bool(self._own_names), self._calls.get(node)))

    def _visit_body(self, function: ast.AST, body: Iterable[ast.AST]) -> None:
        self._own_names.append(set(_names_bound_in(function)))
        self._visit_all(body)
        self._own_names.pop()

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)


def _names_bound_in(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
