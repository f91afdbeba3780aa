"""`tahur cards tour`: hands, ranges and equities shown on examples, with a guessing game at the end."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tahur.cli.output import console, warm


def tour(
    rounds: Annotated[int, typer.Option(help="Rounds of the guessing game; 0 for none.", min=0, max=1000)] = 5,
    seed: Annotated[int | None, typer.Option(help="Seed of the guessing game.", min=0)] = None,
) -> None:
    """A five-minute tour of hands, ranges and equities, then a guessing game."""
    from tahur.cards.warm import warm_up
    from tahur.cli.cards.guessing import play
    from tahur.cli.cards.scenes import show_scenes

    warm(warm_up)
    out = console()
    show_scenes(out)
    if rounds and sys.stdin and sys.stdin.isatty():
        play(out, rounds, seed)
    commands = ("tahur cards equity AsKs QQ+ --board Ts7s2d", "tahur cards range 15%", "tahur --help")
    out.print("\nNext: " + ", ".join(f"[bold]{command}[/]" for command in commands))
