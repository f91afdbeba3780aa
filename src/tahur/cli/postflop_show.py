"""`tahur postflop show`: a solved spot at any decision, as a matrix, tables, SVG or JSON."""

from __future__ import annotations

import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, print_json, warm

if TYPE_CHECKING:
    from tahur.show.actions import Picture
    from tahur.solvers.postflop.results import Result
    from tahur.solvers.postflop.solve import Solution
    from tahur.solvers.postflop.tree import Node

SEATS = ("oop", "ip")
NAMES = ("out of position", "in position")
ABOUT = 40  # seconds that compiling takes


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `tahur postflop solve -o FILE` wrote.")],
    line: Annotated[str, typer.Option(help="What was done, with commas: check,bet100,call.")] = "",
    turn: Annotated[str | None, typer.Option(help="The turn card, such as 2c.")] = None,
    river: Annotated[str | None, typer.Option(help="The river card.")] = None,
    hand: Annotated[str | None, typer.Option(help="Hands to look at one by one: AsKs, or AK, or QQ+.")] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Print the matrix as an SVG picture.")] = False,
    as_json: Json = False,
) -> None:
    """What each hand does at a decision, how often, and what that is worth.

    tahur postflop show spot.tahur      tahur postflop show spot.tahur --line check,bet100,call --river 2c --hand AsKs
    """
    from tahur.solvers.postflop.line import node_at, walk
    from tahur.solvers.postflop.results import result_at
    from tahur.solvers.postflop.solve import Solution
    from tahur.solvers.postflop.warm import warm_up

    if svg and as_json:
        raise typer.BadParameter("one of --json and --svg at a time")
    solution = Solution.load(file)
    place = walk(solution.engine, line, turn=turn, river=river)
    warm(warm_up, what="postflop", about=ABOUT)
    found = result_at(solution, place)
    wanted = _wanted(found, hand)
    after = _after(node_at(solution.engine, place))
    if as_json:
        print_json(_told(solution, found, after, wanted))
    elif svg:
        from tahur.show.actions import matrix_svg

        sys.stdout.write(matrix_svg(_picture(found)))
    else:
        _print(file, solution, found, after, wanted if hand else [])


def _wanted(found: Result, hand: str | None) -> list[int]:
    """The places, among the deciding seat's hands, of those asked for; without a word, of all."""
    from tahur.cards.ranges import Range
    from tahur.core.errors import SolverError

    held = found.decider.combos
    if hand is None:
        return list(range(len(held)))
    asked = Range.parse(hand).vector > 0
    some = [place for place, combo in enumerate(held) if asked[combo]]
    if not some:
        raise SolverError(f"{NAMES[found.seat]} never has {hand} there; leave --hand away to see what there is")
    return some


def _after(node: Node) -> list[str]:
    """What each move leads to."""
    from tahur.solvers.postflop.tree import Kind

    words = []
    for child in node.children:
        if child.kind is Kind.DECISION:
            words.append(f"{NAMES[child.seat]} decides")
        elif child.kind is Kind.DEAL:
            street = ("turn", "river")[child.street]
            words.append(f"the {street}" if child.children[0].kind is Kind.DECISION else "all-in, cards to the end")
        else:
            words.append("it is over")
    return words


def _picture(found: Result) -> Picture:
    """Combos gathered into the 169 classes: shares by how often each combo comes, weights as means of what can be."""
    import numpy as np

    from tahur.cards.cards import cards_text
    from tahur.cards.equity.tables import combos
    from tahur.cards.rankings import class_of_combos
    from tahur.show.actions import Picture, actions_of

    seat, number = found.decider, class_of_combos()
    table = sum(1 << card for card in found.board)
    possible = np.bincount(number, (combos().mask & table) == 0, 169)
    held = number[seat.combos]
    reach = np.bincount(held, seat.reach, 169)
    done = np.array([np.bincount(held, seat.reach * each, 169) for each in found.strategy])
    moves = [str(move) for move in found.moves]
    title = f"{cards_text(found.board)}  {','.join(map(str, found.line)) or 'first'}: {NAMES[found.seat]}"
    return Picture(
        title, actions_of(moves), reach / np.maximum(possible, 1), done / np.where(reach > 0, reach, 1)
    )  # fmt: skip


def _print(file: Path, solution: Solution, found: Result, after: list[str], wanted: list[int]) -> None:
    from tahur.cards.cards import cards_of, cards_text
    from tahur.show.actions import Hand, actions_table, hands_text, matrix_text

    out, picture, seat = console(), _picture(found), found.decider
    out.print(f"[dim]exploitability {solution.exploitability:.3f} % of the pot, {solution.iterations:,} iterations[/]")
    call = f", {found.to_call} to call" if found.to_call else ""
    out.print(f"[bold]{picture.title}[/] decides; pot {found.pot}{call}; this line comes {found.frequency:.2%}")
    out.print(matrix_text(picture))
    for name, each in zip(NAMES, found.seats, strict=True):
        out.print(
            f"{name:<16} EV {each.range_ev:.2f} chips, equity {each.range_equity:.2%}, EQR {each.realized:.1%}, "
            f"{each.reach.sum():.1f} combos"
        )
    out.print(actions_table(picture.actions, found.frequencies, found.range_move_ev, after))
    if wanted:
        rows = [
            Hand(cards_text(cards_of(int(seat.combos[each]))), float(seat.reach[each]), float(seat.equity[each]),
                 float(seat.ev[each]), found.strategy[:, each], found.move_ev[:, each])
            for each in wanted
        ]  # fmt: skip
        out.print(hands_text(picture.actions, rows))
    out.print(f"Next: [bold]{_next(file, found, after)}[/]")


def _next(file: Path, found: Result, after: list[str]) -> str:
    """The command that goes on with the most frequent move that leads anywhere."""
    moves = [place for place, words in enumerate(after) if "decides" in words or words in ("the turn", "the river")]
    if not moves:
        return f"tahur postflop show {file} --hand AK"
    best = max(moves, key=lambda place: float(found.frequencies[place]))
    line = ",".join(map(str, (*found.line, found.moves[best])))
    card = f" --{after[best].removeprefix('the ')} CARD" if after[best].startswith("the ") else ""
    return f"tahur postflop show {file} --line {line}{card}"


def _told(solution: Solution, found: Result, after: list[str], wanted: list[int]) -> dict[str, Any]:
    from tahur.cards.cards import cards_text

    moves = [str(move) for move in found.moves]
    others = range(len(found.seats[1 - found.seat].combos))
    hands = [
        _hand(found, found.seat, each)
        | {
            "strategy": dict(zip(moves, found.strategy[:, each].tolist(), strict=True)),
            "move_ev": dict(zip(moves, map(_number, found.move_ev[:, each]), strict=True)),
        }
        for each in wanted
    ]
    return {
        "exploitability_pct": solution.exploitability,
        "board": cards_text(found.board),
        "line": [str(move) for move in found.line],
        "frequency": found.frequency,
        "seat": SEATS[found.seat],
        "pot": found.pot,
        "to_call": found.to_call,
        "actions": [
            {"move": move, "frequency": float(often), "ev": _number(ev), "then": then}
            for move, often, ev, then in zip(moves, found.frequencies, found.range_move_ev, after, strict=True)
        ],
        "ranges": {
            name: {
                "combos": float(seat.reach.sum()),
                "ev": _number(seat.range_ev),
                "equity": _number(seat.range_equity),
                "eqr": _number(seat.realized),
            }
            for name, seat in zip(SEATS, found.seats, strict=True)
        },
        "hands": hands,
        "opponent": [_hand(found, 1 - found.seat, each) for each in others],
    }


def _hand(found: Result, seat: int, place: int) -> dict[str, Any]:
    from tahur.cards.cards import cards_of, cards_text

    held = found.seats[seat]
    return {
        "hand": cards_text(cards_of(int(held.combos[place]))),
        "reach": float(held.reach[place]),
        "weight": float(held.weight[place]),
        "ev": _number(held.ev[place]),
        "equity": _number(held.equity[place]),
    }


def _number(value: float) -> float | None:
    """JSON knows no NaN."""
    return None if isnan(value) else float(value)
