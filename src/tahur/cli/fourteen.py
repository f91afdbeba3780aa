"""`tahur fourteen`: which of the fourteen actions are legal in a spot, in chips, and why the others are not."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tahur.cli.output import Json, console, print_json
from tahur.core.errors import UnknownName

if TYPE_CHECKING:
    from rich.table import Table

    from tahur.games.holdem.fourteen import Entry, PotBase, Situation

DEPTH = 100  # big blinds behind, where nothing else is said


def fourteen(
    pot: Annotated[int, typer.Option(help="Every chip in the middle, this street's bets included.")],
    bet: Annotated[int, typer.Option(help="The highest bet of this street; preflop the blind is one.")] = 0,
    big_blind: Annotated[int, typer.Option(help="The big blind, in chips like everything here.")] = 100,
    stack: Annotated[int | None, typer.Option(help=f"Your chips behind; without it, {DEPTH} big blinds.")] = None,
    committed: Annotated[int, typer.Option(help="Your own chips in this street's bets.")] = 0,
    last_raise: Annotated[
        int | None,
        typer.Option(help="The last full bet or raise; without it, the bet, and at least the big blind."),
    ] = None,
    useful: Annotated[int | None, typer.Option(help="The greatest raise to that anybody else could call.")] = None,
    reopened: Annotated[
        bool, typer.Option("--reopened/--not-reopened", help="May you raise? Not after a short all-in over your bet.")
    ] = True,
    strict: Annotated[bool, typer.Option("--strict", help="In an open pot, bet more than one big blind.")] = False,
    pot_base: Annotated[
        str, typer.Option(help="Percentages of the pot after a call (after-call) or as it lies there (plain).")
    ] = "after-call",
    as_json: Json = False,
) -> None:
    """The fourteen actions in a spot: which are legal, how many chips they are, and why the others are masked.

    tahur fourteen --pot 150      tahur fourteen --pot 450 --bet 300 --stack 2000
    """
    from tahur.games.holdem.fourteen import Situation, menu

    situation = Situation(
        pot,
        bet,
        committed,
        DEPTH * big_blind if stack is None else stack,
        big_blind,
        max(bet, big_blind) if last_raise is None else last_raise,
        reopened,
        useful,
    )
    base = _pot_base(pot_base)
    entries = menu(situation, strict=strict, pot_base=base)
    if as_json:
        print_json({"actions": [asdict(entry) for entry in entries]})
        return
    out = console()
    out.print(_table(entries, situation))
    out.print(f"[dim]{_footnote(entries, situation, base)}[/]")
    if bet > big_blind and last_raise is None:
        out.print(f"[dim]taking the bet of {bet} for the last full raise; --last-raise says otherwise[/]")


def _pot_base(text: str) -> PotBase:
    from tahur.games.holdem.fourteen import PotBase

    try:
        return PotBase(text)
    except ValueError:
        raise UnknownName(f"no pot base '{text}'; it is {' or '.join(base.value for base in PotBase)}") from None


def _table(entries: tuple[Entry, ...], situation: Situation) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("action", no_wrap=True)
    table.add_column("raise to" if situation.bet else "bet", justify="right", no_wrap=True)
    table.add_column("why not")
    for entry in entries:
        chips = "" if entry.raise_to is None else str(entry.raise_to)
        style = "bold green" if entry.legal else "dim"
        table.add_row(str(entry.index), _words(entry, situation), chips, _why_not(entry), style=style)
    return table


def _words(entry: Entry, situation: Situation) -> str:
    """The name, and for `check/call` which of the two it is and for how many chips."""
    from tahur.games.holdem.fourteen import CALL

    if entry.index != CALL:
        return entry.name
    return f"call {min(situation.to_call, situation.stack)}" if situation.to_call else "check"


def _why_not(entry: Entry) -> str:
    """The reason without the name, which stands in the same row."""
    return (entry.reason or "").removeprefix(f"{entry.name}: ")


def _footnote(entries: tuple[Entry, ...], situation: Situation, base: PotBase) -> str:
    from tahur.games.holdem.fourteen import PotBase, percentage_base

    legal = sum(entry.legal for entry in entries)
    after = " after a call" if situation.to_call and base is PotBase.AFTER_CALL else ""
    return f"{legal} of 14 legal; percentages of {percentage_base(situation, base)} chips, the pot{after}"
