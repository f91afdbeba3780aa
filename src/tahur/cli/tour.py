"""`tahur tour`: what the cards room can do, shown on real questions, and a guessing game at the end.

This is what `make play` starts until there are games to play.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tahur.cli.output import console, warm


def tour(
    rounds: Annotated[int, typer.Option(help="Rounds of the guessing game; 0 leaves it out.", min=0, max=1000)] = 5,
    seed: Annotated[int | None, typer.Option(help="Deal the same spots again.", min=0)] = None,
) -> None:
    """Five minutes with hands, ranges and equities, then: guess your equity."""
    from tahur.cards.warm import warm_up
    from tahur.cli.guessing import play
    from tahur.cli.scenes import show_scenes

    warm(warm_up)
    out = console()
    show_scenes(out)
    if rounds and sys.stdin and sys.stdin.isatty():
        play(out, rounds, seed)
    out.print("\nNext: [bold]tahur equity AsKs QQ+ --board Ts7s2d[/], [bold]tahur range 15%[/], [bold]tahur --help[/]")
