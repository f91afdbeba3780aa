"""`tahur info games`: the games, their settings, and the rules of Perudo in words."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from tahur.cli.output import Json, console, print_json


def games(
    name: Annotated[str | None, typer.Argument(help="A game, to show it in detail.")] = None,
    as_json: Json = False,
) -> None:
    """List the games with their settings and defaults; for one game, also what the settings mean.

    tahur info games      tahur info games perudo
    """
    from tahur.games.perudo.game import Perudo
    from tahur.games.registry import GAMES, make

    shown = None if name is None else make(name)  # an unknown name is an error that suggests the nearest one
    chosen = [entry for entry in GAMES.values() if name in (None, entry.name)]
    if as_json:
        print_json(
            {"games": [{"name": e.name, "summary": e.summary, "settings": dict(e.make().settings)} for e in chosen]}
        )
        return
    out = console()
    for entry in chosen:
        out.print(f"[bold]{entry.name:<11}[/]{entry.summary}")
        settings = "  ".join(f"{key}={json.dumps(value)}" for key, value in entry.make().settings.items())
        out.print(f"[dim]{'':11}{settings or 'no settings'}[/]")
    if isinstance(shown, Perudo):
        from tahur.games.perudo.card import rule_card
        from tahur.games.perudo.rules import PRESETS

        for rules in PRESETS.values():
            out.print("\n" + rule_card(rules))
    elif name is None:
        out.print("\nNext: [bold]tahur play nlhe[/], or [bold]tahur info games perudo[/] for its rules in words")
