"""`tahur postflop show`: a solved spot at any decision, as a matrix, tables, a page, SVG or JSON."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, print_json
from tahur.cli.postflop.options import warm_solver

if TYPE_CHECKING:
    from tahur.cards.ranges import Range
    from tahur.solvers.postflop.results import Result
    from tahur.solvers.postflop.solve import PostflopSolution

SEATS = ("oop", "ip")


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `tahur postflop solve -o FILE`.")],
    line: Annotated[str, typer.Option(help="The moves so far, separated by commas: check,bet100,call.")] = "",
    turn: Annotated[str | None, typer.Option(help="The turn card, such as 2c.")] = None,
    river: Annotated[str | None, typer.Option(help="The river card.")] = None,
    hand: Annotated[str | None, typer.Option(help="Hands to show one by one: AsKs, or AK, or QQ+.")] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Print the matrix as an SVG picture.")] = False,
    html: Annotated[
        bool, typer.Option("--html", help="Print an HTML page: the matrix, the moves, every hand.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what each hand does at a decision, how often, and the EV.

    tahur postflop show spot.tahur      tahur postflop show spot.tahur --line check,bet100,call --river 2c --hand AsKs

    tahur postflop show spot.tahur --html > spot.html       tahur postflop explore spot.tahur: arrow keys
    """
    from tahur.solvers.postflop.line import walk
    from tahur.solvers.postflop.results import result_at
    from tahur.solvers.postflop.solve import PostflopSolution

    if svg + html + as_json > 1:
        raise typer.BadParameter("give at most one of --json, --svg and --html")
    solution = PostflopSolution.load(file)
    state = walk(solution.engine, line, turn=turn, river=river)
    warm_solver(merge_rivers=solution.engine.layout.merged is not None)
    result = result_at(solution, state)
    wanted = _selected_hands(solution, result, hand)
    if as_json:
        print_json(_decision_json(solution, result, wanted))
    elif svg or html:
        sys.stdout.write(_page(solution, result, whole=html))
    else:
        _print(file, solution, result, wanted if hand else [])


def _page(solution: PostflopSolution, result: Result, *, whole: bool) -> str:
    from tahur.show.actions import matrix_svg
    from tahur.show.decision import picture_of
    from tahur.show.decision_page import decision_html
    from tahur.solvers.postflop.solve import quality

    return decision_html(result, quality(solution)) if whole else matrix_svg(picture_of(result))


def _selected_hands(solution: PostflopSolution, result: Result, hand: str | None) -> list[int]:
    """The indices of the selected hands among those of the deciding seat; all without --hand."""
    from tahur.cards.ranges import Range
    from tahur.core.errors import SolverError

    held = result.decider.combos
    if hand is None:
        return list(range(len(held)))
    hands = Range.parse(hand)
    indices = [index for index, combo in enumerate(held) if hands.vector[combo] > 0]
    if not indices:
        raise SolverError(_why_not(solution, result, hand, hands))
    return indices


def _why_not(solution: PostflopSolution, result: Result, hand: str, hands: Range) -> str:
    """Why the deciding seat cannot hold the selected hand."""
    from tahur.cards.cards import cards_text
    from tahur.cards.equity.tables import combos
    from tahur.solvers.postflop.results import SEATS as NAMES

    name, other = NAMES[result.seat], result.seats[1 - result.seat]
    table = sum(1 << card for card in result.board)
    if all(combos().mask[combo] & table for combo in hands.indices):
        return f"no seat can hold {hand}: the board is {cards_text(result.board)}"
    if (solution.spot.ranges[result.seat].vector[hands.indices] > 0).any():
        return (
            f"{name} has {hand} in the range but never reaches this node with it; a shorter --line shows what it does"
        )
    theirs = f"; {NAMES[1 - result.seat]} has it" if (hands.vector[other.combos] > 0).any() else ""
    return f"{name} never has {hand}{theirs}; omit --hand to see all hands"


def _print(file: Path, solution: PostflopSolution, result: Result, wanted: list[int]) -> None:
    """Print a decision and the wanted hands."""
    from tahur.show.actions import hands_text
    from tahur.show.decision import decision_text, hands_of, picture_of
    from tahur.solvers.postflop.solve import quality

    out = console()
    out.print(decision_text(result, quality(solution)))
    if wanted:
        out.print(hands_text(picture_of(result).actions, hands_of(result, wanted)))
    out.print(f"Next: [bold]{_next(file, result)}[/]")


def _next(file: Path, result: Result) -> str:
    """The next useful command: the node after the most frequent move that does not end the hand.

    If all moves end the hand, the command that lists the combos of a hand here.
    """
    moves = [
        index for index, words in enumerate(result.then) if "decides" in words or words in ("the turn", "the river")
    ]
    if not moves:
        return f"tahur postflop show {file} {_where(result)}--hand AK"
    best = max(moves, key=lambda index: float(result.frequencies[index]))
    then = result.then[best]
    card = f" --{then.removeprefix('the ')} CARD" if then in ("the turn", "the river") else ""
    return f"tahur postflop show {file} {_where(result, str(result.moves[best])).rstrip()}{card}"


def _where(result: Result, more: str = "") -> str:
    """The options that lead to this node, optionally with one more move."""
    from tahur.cards.cards import Card
    from tahur.solvers.postflop.spot import STREETS

    line = ",".join([*map(str, result.line), *filter(None, [more])])
    dealt = [step for step in result.steps if isinstance(step, Card)]
    cards = [f"--{STREETS[len(result.board) - len(dealt) - 2 + index]} {card} " for index, card in enumerate(dealt)]
    return (f"--line {line} " if line else "") + "".join(cards)


def _decision_json(solution: PostflopSolution, result: Result, wanted: list[int]) -> dict[str, Any]:
    """A decision for `--json`: both ranges with EVs, and the strategy of the wanted hands."""
    from tahur.cards.cards import cards_text

    moves = [str(move) for move in result.moves]
    others = range(len(result.seats[1 - result.seat].combos))
    hands = [
        _hand(result, result.seat, index)
        | {
            "strategy": dict(zip(moves, result.strategy[:, index].tolist(), strict=True)),
            "move_ev": dict(zip(moves, map(_number, result.move_ev[:, index]), strict=True)),
            "locked": bool(result.locked[index]),
        }
        for index in wanted
    ]
    return {
        "exploitability_pct": solution.exploitability,
        "board": cards_text(result.board),
        "line": [str(move) for move in result.line],
        "steps": [str(step) for step in result.steps],
        "frequency": result.frequency,
        "seat": SEATS[result.seat],
        "unit": result.unit,
        "pot": result.pot,
        "to_call": result.to_call,
        "stacks": dict(zip(SEATS, result.stacks, strict=True)),
        "actions": [
            {"move": move, "frequency": float(frequency), "ev": _number(ev), "then": then}
            for move, frequency, ev, then in zip(
                moves, result.frequencies, result.range_move_ev, result.then, strict=True
            )
        ],
        "ranges": {
            name: {
                "combos": float(seat.reach.sum()),
                "ev": _number(seat.range_ev),
                "equity": _number(seat.range_equity),
                "eqr": _number(seat.realized),
            }
            for name, seat in zip(SEATS, result.seats, strict=True)
        },
        "hands": hands,
        "opponent": [_hand(result, 1 - result.seat, index) for index in others],
    }


def _hand(result: Result, seat: int, index: int) -> dict[str, Any]:
    """The figures of one hand for `--json`; `index` is its index in the seat's range."""
    from tahur.cards.cards import cards_of, cards_text

    held = result.seats[seat]
    return {
        "hand": cards_text(cards_of(int(held.combos[index]))),
        "reach": float(held.reach[index]),
        "weight": float(held.weight[index]),
        "ev": _number(held.ev[index]),
        "equity": _number(held.equity[index]),
    }


def _number(value: float) -> float | None:
    """The number, or None for NaN, which JSON does not have."""
    return None if isnan(value) else float(value)


def explore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `tahur postflop solve -o FILE`.")],
) -> None:
    """Browse a solved spot with the arrow keys: what every hand does, at every decision, after every card.

    Up and down mark a move, right makes it, left goes back; tab goes into the matrix; ? lists all keys, q quits.
    """
    from tahur.core.errors import TahurError
    from tahur.solvers.postflop.file import has_merged_rivers
    from tahur.solvers.postflop.solve import PostflopSolution

    if not (sys.stdin.isatty() and sys.stdout.isatty() and find_spec("termios")):
        raise TahurError(f"exploring needs a Unix terminal; without one: tahur postflop show {file} --line LINE")
    warm_solver(merge_rivers=has_merged_rivers(file))
    _passing(f"reading {file} ...")
    solution = PostflopSolution.load(file)
    _passing("")
    from tahur.cli.postflop.explorer import run  # imports termios

    run(solution)


def _passing(words: str) -> None:
    """Print a status line on the terminal and erase it afterwards."""
    sys.stderr.write(f"\r\033[K{words}")
    sys.stderr.flush()
