"""`tahur cards equity`, `tahur cards range` and `tahur cards hand`."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tahur.cli.output import Json, console, print_json, warm, watch
from tahur.core.chips import amount_text, chips_of, in_unit, parse_amount, unit_of
from tahur.core.errors import UnknownName

if TYPE_CHECKING:
    from rich.table import Table

    from tahur.cards.equity import Equity
    from tahur.games.holdem.fourteen import BettingSituation, FourteenEntry, PotBase


def equity(
    hands: Annotated[list[str], typer.Argument(help="Two to nine hands or ranges: AsAh, 'QQ+,AKs', 15%, any.")],
    board: Annotated[str, typer.Option(help="Cards on the board, such as QsJh2c.")] = "",
    dead: Annotated[str, typer.Option(help="Cards that are out of play.")] = "",
    samples: Annotated[
        int | None, typer.Option(help="Number of random deals to sample instead of computing exactly.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed for --samples, to make the result repeatable.", min=0)] = None,
    as_json: Json = False,
) -> None:
    """How often each hand or range wins. Exact unless that would take long; the output states which.

    tahur cards equity AsAh KdKc      tahur cards equity AhKh "QQ+,AKs" any --board Qs7h2h
    """
    import numpy as np

    from tahur.cards.equity import equity_steps

    warm()
    steps = equity_steps(*hands, board=board, dead=dead, samples=samples, rng=np.random.default_rng(seed))
    answer = watch(steps, "equity")
    if as_json:
        print_json(_equity_json(answer))
        return
    from tahur.show.cards import equity_table

    out = console()
    out.print(equity_table(answer))


def _equity_json(answer: Equity) -> dict[str, object]:
    players = [{"hand": p.hand, "win": p.win, "tie": p.tie, "equity": p.equity} for p in answer.players]
    return {"method": answer.method.value, "boards": answer.boards, "stderr": answer.stderr, "players": players}


def range_(
    text: Annotated[str, typer.Argument(metavar="RANGE", help="Such as '22+,A2s+,KQo:0.5,15%'.")],
    svg: Annotated[bool, typer.Option("--svg", help="Print the picture as SVG.")] = False,
    as_json: Json = False,
) -> None:
    """Show a range as a 13 x 13 matrix, its canonical text, and every hand in it.

    tahur cards range "22+,A5s:0.5"      tahur cards range 15%
    """
    from tahur.cards.ranges import Range
    from tahur.show.matrix import matrix_svg, matrix_text

    parsed = Range.parse(text)
    if as_json:
        print_json({"text": parsed.text(), "combos": parsed.combos, "hands": parsed.hands()})
        return
    if svg:
        print(matrix_svg(parsed.matrix()))
        return
    out = console()
    out.print(matrix_text(parsed.matrix()))
    out.print(f"[bold]{parsed.text()}[/]")
    out.print(f"{parsed.combos:g} of 1,326 combos, {parsed.combos / 13.26:.1f} %")
    if (expansion := parsed.expansion()) != parsed.text():
        out.print(f"[dim]= {expansion}[/]")


def hand(
    cards: Annotated[list[str], typer.Argument(help="Five to seven cards, with or without spaces: AsKs QsJsTs2d3c.")],
    as_json: Json = False,
) -> None:
    """Name a hand and rank it among the 7,462 distinct values.

    tahur cards hand AsKs QsJsTs2d3c
    """
    from tahur.cards.cards import cards_text, parse_cards
    from tahur.cards.evaluator import BEST_RANK, name_hand

    named = name_hand(parse_cards(" ".join(cards)))
    if as_json:
        best = cards_text(named.best)
        print_json({"name": named.name, "rank": named.rank, "class": named.category, "best": best})
        return
    out = console()
    out.print(f"[bold]{named.name}[/]  {' '.join(card.sign for card in named.best)}")
    out.print(
        f"rank {named.rank:,} of {BEST_RANK:,} (higher is better); beats {(named.rank - 1) / 74.61:.1f} % of the rest"
    )


# ---- tahur cards fourteen ------------------------------------------------------------------------
# `tahur cards fourteen`: which of the fourteen actions are legal in a spot, and why the others are masked.


MOST_OFF = 0.02  # of the pot
DEPTH = 100  # big blinds behind by default


def fourteen(
    pot: Annotated[str, typer.Option(help="The pot including this street's bets: 150 chips, or 1.5bb.")],
    bet: Annotated[str, typer.Option(help="The highest bet of this street; preflop also the big blind.")] = "0",
    big_blind: Annotated[int, typer.Option(help="The big blind in chips.", min=1)] = 100,
    stack: Annotated[str, typer.Option(help="Your remaining stack.")] = f"{DEPTH}bb",
    committed: Annotated[str, typer.Option(help="Your own bet on this street.")] = "0",
    last_raise: Annotated[
        str | None, typer.Option(help="The last full bet or raise; by default the bet, at least the big blind.")
    ] = None,
    useful: Annotated[
        str | None, typer.Option(help="The largest raise (as a total) that any opponent could call.")
    ] = None,
    reopened: Annotated[
        bool, typer.Option("--reopened/--not-reopened", help="Whether you may raise; not after a short all-in.")
    ] = True,
    strict: Annotated[
        bool, typer.Option("--strict", help="In an unraised pot, percentages must exceed one big blind.")
    ] = False,
    pot_base: Annotated[
        str, typer.Option(help="Percentages of the pot after a call (after-call) or as it is now (plain).")
    ] = "after-call",
    as_json: Json = False,
) -> None:
    """The fourteen actions in a spot: which are legal, how many chips they are, and why the others are masked.

    Amounts are chips, or big blinds such as 5.5bb; with a --pot in big blinds the answer is in big blinds.

    tahur cards fourteen --pot 150      tahur cards fourteen --pot 4.5bb --bet 3bb --stack 20bb
    """
    from tahur.games.holdem.fourteen import BettingSituation, menu

    highest = chips_of("a --bet", bet, big_blind)
    situation = BettingSituation(
        pot=chips_of("a --pot", pot, big_blind),
        bet=highest,
        committed=chips_of("--committed", committed, big_blind),
        stack=chips_of("a --stack", stack, big_blind),
        big_blind=big_blind,
        last_raise=max(highest, big_blind) if last_raise is None else chips_of("a --last-raise", last_raise, big_blind),
        reopened=reopened,
        useful=None if useful is None else chips_of("--useful", useful, big_blind),
    )
    scale = big_blind if parse_amount("a --pot", pot).in_blinds else 0
    base = _pot_base(pot_base)
    entries = menu(situation, strict=strict, pot_base=base)
    if as_json:
        print_json({"unit": unit_of(scale), "actions": [_entry_json(entry, scale) for entry in entries]})
        return
    out = console()
    out.print(_table(entries, situation, scale))
    out.print(f"[dim]{_footnote(entries, situation, base, scale)}[/]")
    if rounded := _rounding_note(entries, situation, base):
        out.print(f"[yellow]{rounded}[/]")
    if highest > big_blind and last_raise is None:
        out.print(f"[dim]assuming that the last full raise was {bet}; set it with --last-raise[/]")


def _entry_json(entry: FourteenEntry, scale: int) -> dict[str, object]:
    payload = asdict(entry)
    return payload if entry.raise_to is None else payload | {"raise_to": in_unit(entry.raise_to, scale)}


def _rounding_note(entries: tuple[FourteenEntry, ...], situation: BettingSituation, base: PotBase) -> str:
    """The percentage that rounding to whole chips changes most, if by more than 2 % of the pot."""
    from tahur.games.holdem.fourteen import FIRST_PERCENT, PERCENTS, percentage_base

    pot = percentage_base(situation, base)
    sizes = {
        percent: ((entries[FIRST_PERCENT + at].raise_to or 0) - situation.bet) / pot
        for at, percent in enumerate(PERCENTS)
        if entries[FIRST_PERCENT + at].legal and pot
    }
    percent = max(sizes, key=lambda size: abs(sizes[size] - size / 100), default=None)
    if percent is None or abs(sizes[percent] - percent / 100) <= MOST_OFF:
        return ""
    return (
        f"chips are whole, so {percent} % is {sizes[percent]:.0%} of the pot here; with a hundred times the chips "
        f"(--big-blind {situation.big_blind * 100} --pot {situation.pot * 100}) it is exact"
    )


def _pot_base(text: str) -> PotBase:
    from tahur.games.holdem.fourteen import PotBase

    try:
        return PotBase(text)
    except ValueError:
        raise UnknownName(f"no pot base '{text}'; valid: {' or '.join(base.value for base in PotBase)}") from None


def _table(entries: tuple[FourteenEntry, ...], situation: BettingSituation, scale: int) -> Table:
    """The fourteen actions of the action abstraction as a table, with the reason for those that are not legal."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("action", no_wrap=True)
    table.add_column("raise to" if situation.bet else "bet", justify="right", no_wrap=True)
    table.add_column("why not")
    for entry in entries:
        chips = "" if entry.raise_to is None else amount_text(entry.raise_to, scale)
        style = "bold green" if entry.legal else "dim"
        table.add_row(str(entry.index), _words(entry, situation, scale), chips, _why_not(entry, scale), style=style)
    return table


def _words(entry: FourteenEntry, situation: BettingSituation, scale: int) -> str:
    """The name; for `check/call`, which of the two, and the amount."""
    from tahur.games.holdem.fourteen import CALL

    if entry.index != CALL:
        return entry.name
    return f"call {amount_text(min(situation.to_call, situation.stack), scale)}" if situation.to_call else "check"


def _why_not(entry: FourteenEntry, scale: int) -> str:
    """The reason without the action's name, which is in the same row; amounts are chips."""
    reason = (entry.reason or "").removeprefix(f"{entry.name}: ")
    return re.sub(r"\b\d+\b", lambda number: amount_text(int(number[0]), scale), reason) if scale else reason


def _footnote(entries: tuple[FourteenEntry, ...], situation: BettingSituation, base: PotBase, scale: int) -> str:
    from tahur.games.holdem.fourteen import PotBase, percentage_base

    legal = sum(entry.legal for entry in entries)
    after = " after a call" if situation.to_call and base is PotBase.AFTER_CALL else ""
    pot = percentage_base(situation, base)
    return f"{legal} of 14 legal; percentages of {in_unit(pot, scale):.10g} {unit_of(scale)}, the pot{after}"
