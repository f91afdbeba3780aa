"""The tree of commands: groups whose commands are imported when they are used, short names, and groups of options."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, get_type_hints

import typer
from typer.core import TyperGroup
from typer.main import get_command

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command: its name, its location under `tahur.cli` (`module:function` or `module:group`), and its help.

    A group without a module of its own lists its commands instead of a location.
    """

    name: str
    where: str | tuple[LazyCommand, ...]
    help: str

    def load(self) -> Any:
        """Import the command."""
        if isinstance(self.where, tuple):
            app = command_group(self.help, cls=group_of({"Commands": self.where}))
            app.callback()(lambda: None)
        else:
            module, _, attribute = self.where.partition(":")
            loaded = getattr(import_module(f"tahur.cli.{module}"), attribute)
            app = loaded if isinstance(loaded, typer.Typer) else _alone(loaded)
        command = get_command(app)
        command.name = self.name
        _keep_example_lines(command)
        return command


def command_group(help_text: str, **more: Any) -> typer.Typer:
    """A group of commands, to which a module adds its own by `group.command("name")`."""
    settings: dict[str, Any] = {"no_args_is_help": True, **more}
    return typer.Typer(help=help_text, add_completion=False, rich_markup_mode=None, **settings)


def group_of(
    sections: Mapping[str, Sequence[LazyCommand]], aliases: Mapping[str, str] | None = None
) -> type[TyperGroup]:
    """The class of a group with these commands by section of its help, for `typer.Typer(cls=...)`.

    An alias stands for the words of a command below this group, and is not listed.
    """
    other_names = aliases or {}

    class LazyGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.commands = _Commands([entry for entries in sections.values() for entry in entries])

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            width = max(len(name) for name in self.commands)
            for section, entries in sections.items():
                with formatter.section(section):
                    formatter.write_dl([(entry.name.ljust(width), entry.help) for entry in entries])

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            words = other_names.get(args[0], args[0]).split() or args[:1]
            if words[0] not in self.commands and not words[0].startswith("-"):
                ctx.fail(f"No such command {args[0]!r}" + self._nearest(args[0], ctx))
            return super().resolve_command(ctx, [*words, *args[1:]])

        def _nearest(self, name: str, ctx: Any) -> str:
            """The end of an error message about an unknown command: the one most like it, if there is one."""
            near = get_close_matches(name, [*self.commands, *other_names], n=1)
            return "".join(f"; the nearest is '{ctx.command_path} {other_names.get(match, match)}'" for match in near)

    return LazyGroup


def _keep_example_lines(command: Any) -> None:
    """Put each example in the help of a command, and of those below it, on a line of its own that is not wrapped."""
    if command.help:
        command.help = "\n\n".join(_mark_examples(paragraph) for paragraph in command.help.split("\n\n"))
    below = getattr(command, "commands", {})
    if isinstance(below, dict):  # others are loaded when they are used, and marked then
        for subcommand in below.values():
            _keep_example_lines(subcommand)


def _mark_examples(paragraph: str) -> str:
    if not all(line.strip().startswith("tahur ") for line in paragraph.splitlines()):
        return paragraph
    return "\b\n" + re.sub(r" {3,}(?=tahur )", "\n", paragraph)


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

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __len__(self) -> int:
        return len(self._held)


def _alone(function: Any) -> typer.Typer:
    """An application with a single command."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=HELP_OPTIONS)
    app.command()(function)
    return app


def with_option_groups(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a command: each parameter that is a dataclass becomes one option for each of its fields."""
    groups = {name: hint for name, hint in get_type_hints(function).items() if _is_group(hint)}
    if not groups:
        return function
    options = [option for parameter in _parameters(function) for option in _options(parameter)]

    @functools.wraps(function)
    def run(**values: Any) -> Any:
        grouped = {
            name: group(**{field.name: values.pop(field.name) for field in dataclasses.fields(group)})
            for name, group in groups.items()
        }
        return function(**values, **grouped)

    run.__annotations__ = {option.name: option.annotation for option in options}
    run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    return run


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function or a dataclass, by keyword, with their annotations as objects."""
    hints = get_type_hints(function, include_extras=True)
    return [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])
        for parameter in inspect.signature(function).parameters.values()
    ]


def _options(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """The options of a parameter: itself, or the fields of its group."""
    return _parameters(parameter.annotation) if _is_group(parameter.annotation) else [parameter]


def _is_group(hint: Any) -> bool:
    return dataclasses.is_dataclass(hint)
