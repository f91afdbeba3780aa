"""MkDocs hooks: the page of all commands, made from their own help texts."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

from mkdocs.structure.files import File, Files

PAGE = "reference/commands.md"
WIDTH = 100


def on_files(files: Files, config: Any) -> Files:
    """Add the page of commands."""
    files.append(File.generated(config, PAGE, content=commands_page()))
    return files


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
