"""`tahur cards equity`, `tahur cards range` and `tahur cards hand`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tahur.cli.output import Json, console, print_json, warm, watch

if TYPE_CHECKING:
    from tahur.cards.equity import Equity


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
