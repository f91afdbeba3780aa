"""A group of commands, each imported when it is used: `tahur --help` reads a list and imports none of them."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command's name, its location under `tahur.cli` (`module:function` or `module:group`), and its help."""

    name: str
    where: str
    help: str

    def load(self) -> Any:
        """Import the command."""
        module, _, attribute = self.where.partition(":")
        found = getattr(import_module(f"tahur.cli.{module}"), attribute)
        command = get_command(found if isinstance(found, typer.Typer) else _alone(found))
        command.name = self.name
        return command


def group_of(entries: Sequence[LazyCommand]) -> type[TyperGroup]:
    """The class of a group with these commands, for `typer.Typer(cls=...)`."""

    class LazyGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.commands = _Commands(entries)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(entry.name, entry.help) for entry in entries])

    return LazyGroup


class _Commands(MutableMapping[str, Any]):
    """The commands by name; each is loaded on first access."""

    def __init__(self, entries: Sequence[LazyCommand]) -> None:
        self._held: dict[str, Any] = {entry.name: entry for entry in entries}

    def __getitem__(self, name: str) -> Any:
        if isinstance(held := self._held[name], LazyCommand):
            held = self._held[name] = held.load()
        return held

    def __setitem__(self, name: str, command: Any) -> None:
        self._held[name] = command

    def __delitem__(self, name: str) -> None:
        del self._held[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def _alone(function: Any) -> typer.Typer:
    """An application with a single command."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_OPTIONS)
    app.command()(function)
    return app
