"""MkDocs hooks: the pages of all commands and of the card room's protocol, made from the source."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from mkdocs.structure.files import File, Files

COMMANDS = "reference/commands.md"
PROTOCOL = "reference/protocol.md"
WIDTH = 100


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages."""
    files.append(File.generated(config, COMMANDS, content=commands_page()))
    files.append(File.generated(config, PROTOCOL, content=protocol_page()))
    return files


# ---- the page of commands ------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its help, as Markdown."""
    parts = [
        "# Commands",
        "",
        "Every command with what `--help` prints. [A tour](../commands.md) shows the most used ones.",
        "",
    ]
    for path, text in command_helps():
        parts += [f"## {' '.join(path)}", "", "```text", text.rstrip(), "```", ""]
    return "\n".join([*parts, *alias_table()])


def alias_table() -> list[str]:
    """The short and older names of commands, as a Markdown section."""
    from tahur.cli.main import ALIASES

    rows = [f"| `tahur {alias}` | `tahur {words}` |" for alias, words in ALIASES.items()]
    return ["## Short names", "", "| name | command |", "|---|---|", *rows, ""]


def command_helps() -> Iterator[tuple[tuple[str, ...], str]]:
    """The words of each command, and its help text."""
    import typer.main

    from tahur.cli.main import app

    root = typer.main.get_command(app)
    yield from _helps(root, ("tahur",))


def _helps(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    yield path, _help_of(command, path)
    for name in sorted(command.list_commands(None)) if hasattr(command, "list_commands") else ():
        child = command.get_command(None, name)
        if child is not None and not child.hidden:
            yield from _helps(child, (*path, name))


def _help_of(command: Any, path: tuple[str, ...]) -> str:
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.suppress(SystemExit):
        command.main(args=["--help"], prog_name=" ".join(path), standalone_mode=True, terminal_width=WIDTH)
    return written.getvalue()


# ---- the page of the protocol --------------------------------------------------------------------

INTRODUCTION = """# Protocol of the card room

A page or a program talks to a room over a REST API, which opens, joins and lists rooms, and a WebSocket, which plays.
All messages are JSON. [The card room](../room.md#for-programs) says how a program authenticates itself and what its
limits are.
"""
SCENES = """
The types that begin with a capital letter (`Event`, `Scene`, `EndStep`) are the dataclasses of
`src/tahur/room/scene.py`; a field has the same name in JSON. Every request and response of the REST API is a
dataclass of `src/tahur/room/rest.py`. `python tools/wire_types.py` writes all of them as TypeScript.
"""


def protocol_page() -> str:
    """The requests of the REST API, and every message of the WebSocket with its fields, as Markdown."""
    from tahur.room import rest, wire

    parts = [INTRODUCTION, "## REST API", "", *_rest_api(str(rest.__doc__)), "## WebSocket", "", str(wire.__doc__)]
    parts += [f'Every message is `{{"v": {wire.VERSION}, "type": TYPE, ...}}` with the fields of its type.', SCENES]
    parts += ["## Messages of a page", "", *_messages(wire.TO_SERVER)]
    parts += ["## Messages of a room", "", *_messages(wire.TO_CLIENT)]
    return "\n".join(parts)


def _rest_api(text: str) -> Iterator[str]:
    """The first paragraph, the list of requests as a code block, and the rest."""
    first, requests, *rest = text.strip().split("\n\n")
    yield from (first, "", "```text", requests, "```", "", *rest, "")


def _messages(kinds: Mapping[str, type]) -> Iterator[str]:
    for name, kind in kinds.items():
        yield from (f"### {name}", "", str(kind.__doc__).strip(), "", "| field | value | default |", "|---|---|---|")
        hints = get_type_hints(kind, include_extras=True)
        for field in fields(kind):
            default = "" if field.default is MISSING else f"`{field.default!r}`"
            yield f"| `{field.name}` | {_value(hints[field.name])} | {default} |"
        yield ""


def _value(hint: Any) -> str:
    """A type in words: `text of 1 to 24`."""
    if get_origin(hint) is Annotated:
        kind, bounds = get_args(hint)
        unit = " characters" if kind is str else ""
        limits = f"{bounds.least:,}" if bounds.least == bounds.most else f"{bounds.least:,} to {bounds.most:,}"
        return f"{'text of' if kind is str else 'number,'} {limits}{unit}"
    if get_origin(hint) is tuple:
        return f"list of `{get_args(hint)[0].__name__}`"
    return {str: "text", int: "number", bool: "true or false"}.get(hint, f"`{hint.__name__}`")
