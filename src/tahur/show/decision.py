"""A decision in a solved spot, prepared for display in the matrix, tables, page and explorer.

`DecisionData` is the protocol of the data they need. EVs and equities may be NaN: not known yet, or of hands that block
every hand of the other range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.cards.equity.tables import combos
from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Float64s
from tahur.core.chips import CHIPS
from tahur.show.actions import HELD, Hand, Picture, actions_of, actions_table, chips, matrix_text, percent

if TYPE_CHECKING:
    from rich.console import RenderableType

SEATS: Final = ("out of position", "in position")
NEVER_REACHED: Final = "never reached; shown as if all hands made the move that no hand makes"
_CLASSES: Final = 169


class Holding(Protocol):
    """One seat's hands: arrays are by hand."""

    @property
    def combos(self) -> NDArray[Any]: ...
    @property
    def reach(self) -> Float64s: ...
    @property
    def ev(self) -> Float64s: ...
    @property
    def equity(self) -> Float64s: ...
    @property
    def range_ev(self) -> float: ...
    @property
    def range_equity(self) -> float: ...
    @property
    def realized(self) -> float: ...


class DecisionData(Protocol):
    """The data of a decision; `strategy` and `move_ev` are (moves, hands of the deciding seat)."""

    @property
    def board(self) -> Sequence[Card]: ...
    @property
    def steps(self) -> Sequence[object]: ...
    @property
    def seat(self) -> int: ...
    @property
    def pot(self) -> float: ...
    @property
    def to_call(self) -> float: ...
    @property
    def stacks(self) -> tuple[float, float]: ...
    @property
    def frequency(self) -> float: ...
    @property
    def moves(self) -> Sequence[object]: ...
    @property
    def then(self) -> Sequence[str]: ...
    @property
    def seats(self) -> Sequence[Holding]: ...
    @property
    def strategy(self) -> Float64s: ...
    @property
    def frequencies(self) -> Float64s: ...
    @property
    def move_ev(self) -> Float64s: ...
    @property
    def range_move_ev(self) -> Float64s: ...
    @property
    def locked(self) -> NDArray[np.bool_]: ...
    @property
    def unit(self) -> str: ...


def title_of(decision: DecisionData) -> str:
    """`Td9d6hQc2s  check,bet100: out of position`."""
    line = ",".join(f"[{step}]" if isinstance(step, Card) else str(step) for step in decision.steps)
    return f"{cards_text(decision.board)}  {line or 'first'}: {SEATS[decision.seat]}"


def chips_of(decision: DecisionData) -> str:
    """`pot 300, 100 to call; 900 and 800 behind`."""
    call = f", {amount(decision.to_call)} to call" if decision.to_call else ""
    pot, behind = amount(decision.pot), f"{amount(decision.stacks[0])} and {amount(decision.stacks[1])} behind"
    return f"pot {pot}{'' if decision.unit == CHIPS else f' {decision.unit}'}{call}; {behind}"


def amount(number: float) -> str:
    """`300`, or big blinds with as many decimals as they need."""
    return f"{number}" if isinstance(number, int) else f"{number:.6g}"


def reach_text(decision: DecisionData) -> str:
    """The frequency of the line, or that it is never reached."""
    return f"reach {decision.frequency:.2%}" if decision.frequency > 0 else NEVER_REACHED


def locked_of(decision: DecisionData) -> str:
    """`locked`, or `locked with 12.0 of 124.5 combos`; empty if no hand is locked."""
    reach = decision.seats[decision.seat].reach
    if not decision.locked.any():
        return ""
    partly = f"locked with {reach[decision.locked].sum():.1f} of {reach.sum():.1f} combos"
    return "locked" if decision.locked.all() else partly


def range_line(holding: Holding, unit: str = CHIPS) -> str:
    """`EV 61.04 chips, equity 37.09%, EQR 54.9%, 124.3 combos`."""
    return (
        f"EV {chips(holding.range_ev)} {unit}, equity {percent(holding.range_equity, 2)}, "
        f"EQR {percent(holding.realized)}, {holding.reach.sum():.1f} combos"
    )


def picture_of(decision: DecisionData) -> Picture:
    """Combos grouped into the 169 classes: shares weighted by reach, weights averaged over possible combos."""
    seat, number = decision.seats[decision.seat], class_of_combos()
    held = number[seat.combos]
    reach = np.bincount(held, seat.reach, _CLASSES)
    done = np.array([np.bincount(held, seat.reach * chances, _CLASSES) for chances in decision.strategy])
    actions = actions_of([str(move) for move in decision.moves])
    shares = done / np.where(reach > 0, reach, 1)
    return Picture(title_of(decision), actions, reach / _possible(decision.board), shares)


def combos_of(decision: DecisionData) -> Float64s:
    """(moves,): the number of combos that make each move, weighted by reach."""
    counts: Float64s = decision.strategy @ decision.seats[decision.seat].reach
    return counts


def held_picture(board: Sequence[Card], reach: Float64s, title: str = "") -> Picture:
    """A range without actions; reach: (1326,)."""
    weights = np.bincount(class_of_combos(), reach, _CLASSES)
    return Picture(title, (HELD,), weights / _possible(board), np.where(weights > 0, 1.0, 0.0)[None, :])


def hands_of(decision: DecisionData, indices: Sequence[int], *, seat: int | None = None) -> list[Hand]:
    """The hands at these indices of a seat's list; with actions only for the deciding seat."""
    chosen = decision.seat if seat is None else seat
    held, acts = decision.seats[chosen], chosen == decision.seat
    return [
        Hand(
            name=cards_text(cards_of(int(held.combos[hand]))),
            reach=float(held.reach[hand]),
            equity=float(held.equity[hand]),
            ev=float(held.ev[hand]),
            shares=decision.strategy[:, hand] if acts else np.zeros(0),
            evs=decision.move_ev[:, hand] if acts else np.zeros(0),
            locked=acts and bool(decision.locked[hand]),
        )
        for hand in indices
    ]


def decision_text(decision: DecisionData, note: str = "") -> RenderableType:
    """For a terminal: a note, the node, the matrix, both ranges and the moves."""
    from rich.console import Group
    from rich.text import Text

    picture = picture_of(decision)
    reach = Text(f"; {reach_text(decision)}", "" if decision.frequency > 0 else "bold")
    locked = locked_of(decision)
    return Group(
        *([Text(note, "dim")] if note else []),
        Text.assemble((picture.title, "bold"), f" decides; {chips_of(decision)}", reach),
        *([Text(locked, "bold")] if locked else []),
        matrix_text(picture),
        *(
            Text(f"{name:<16} {range_line(side, decision.unit)}")
            for name, side in zip(SEATS, decision.seats, strict=True)
        ),
        actions_table(picture.actions, decision.frequencies, decision.range_move_ev, decision.then),
    )


def _possible(board: Sequence[Card]) -> Float64s:
    """(169,): combos of each class that the board leaves, at least 1."""
    table = sum(1 << card for card in board)
    left = np.bincount(class_of_combos(), (combos().mask & table) == 0, _CLASSES)
    return np.maximum(left, 1).astype(np.float64)
