"""The betting tree of a spot without cards: the legal moves after each sequence of bets, until a fold, showdown or
card.

A seat's choices are its sizes converted to chips, limited to the range from the minimum legal raise to all-in, with the
spot's thresholds applied. Amounts are "to": what the seat has bet on this street in total.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count, product
from math import floor, inf
from typing import Final

from tahur.core.chips import amount_text
from tahur.core.errors import SolverError
from tahur.solvers.postflop.sizes import BetSize, Unit
from tahur.solvers.postflop.spot import STREETS, Spot

RIVER = len(STREETS) - 1
MOST_DECISIONS: Final = 300_000  # without cards; a flop with this many would take tens of gigabytes whatever the ranges


class Deed(Enum):
    """What a move does."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all-in"


@dataclass(frozen=True, slots=True)
class Move:
    """A deed and, if it puts chips in, the total bet on this street that it makes."""

    deed: Deed
    to: int = 0
    big_blind: int = field(default=0, compare=False)  # chips, if the total is shown in big blinds

    @property
    def amount(self) -> str:
        """The total as shown: `250`, or `2.5bb`."""
        return amount_text(self.to, self.big_blind)

    def __str__(self) -> str:
        return f"{self.deed.value}{self.amount}" if self.to else self.deed.value


class NodeKind(Enum):
    """What a node is: a seat's decision, a new card, or a terminal."""

    DECISION = "decision"
    DEAL = "deal"
    FOLD = "fold"
    SHOWDOWN = "showdown"


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the betting. `bet`: what each seat has put in since the root and both have matched.

    `seat` acts, or has folded. A deal has one child, for any card.
    """

    kind: NodeKind
    street: int
    bet: int
    seat: int = 0
    moves: tuple[Move, ...] = ()
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class _State:
    """What the legal moves depend on."""

    street: int
    seat: int = 0
    bet: int = 0  # matched before and on this street
    raised: int = 0  # the last bet's size beyond what it had to match: to be called
    to: int = 0  # the highest total on this street
    bets: int = 0  # bets and raises on this street
    checked: bool = False
    all_in: bool = False
    donk: bool = False  # out of position, having called the last street's last bet


@dataclass(frozen=True, slots=True)
class SubgameRoot:
    """Where a subgame begins if not with the first decision of a street.

    `begun`: the total of each move already made on the street, 0 for a check. `sizes`: what the seat to act may bet or
    raise; None: the sizes of the spot.
    """

    begun: tuple[int, ...] = ()
    sizes: tuple[BetSize, ...] | None = None


STREET_START: Final = SubgameRoot()


def build(spot: Spot, start: SubgameRoot = STREET_START) -> Node:
    """The root: the first decision of the seat out of position, or that after the moves of `start`.

    The spot's pot and stack are those at the beginning of the street.
    """
    state = _State(spot.first_street)
    for total in start.begun:
        state = _bet(spot, state, total) if total else _checked(state)
    return _decision(spot, state, count(1), start.sizes)


def nodes_of(root: Node) -> Iterator[Node]:
    """Every node, parents before children."""
    yield root
    for child in root.children:
        yield from nodes_of(child)


def move_named(moves: Sequence[Move], word: str) -> int | None:
    """The index of the move that a word names: by its full name, or by its deed if that is unambiguous."""
    meant = word.strip().lower().replace("allin", "all-in")
    numbers = [number for number, move in enumerate(moves) if str(move) == meant]
    numbers = numbers or [number for number, move in enumerate(moves) if move.deed.value == meant]
    numbers = numbers or [
        number for number, move in enumerate(moves) if move.to and meant == f"{_plain(move)}{move.amount}"
    ]
    return numbers[0] if len(numbers) == 1 else None


def _plain(move: Move) -> str:
    """An all-in may also be named by the bet or raise that it is."""
    return "bet" if move.deed in (Deed.BET, Deed.ALL_IN) else "raise"


@dataclass(frozen=True, slots=True)
class Rounding:
    """A size that is not a whole number of chips: the exact and the rounded bet, in a pot after calling."""

    size: BetSize
    exact: float
    chips: int
    pot: int

    @property
    def off(self) -> float:
        """The difference as a fraction of the pot."""
        return abs(self.chips - self.exact) / self.pot


def roundings(spot: Spot) -> Iterator[Rounding]:
    """How each size is rounded to whole chips in the smallest pot it is used in, where rounding changes it most."""
    for street, seat in product(range(spot.first_street, len(STREETS)), (0, 1)):
        unopened = _State(street, seat)
        bets = [_rounding(spot, unopened, size) for size in spot.streets[street].of(seat).bets]
        yield from filter(None, bets)
        smallest_bet = min((bet.chips for bet in bets if bet), default=0)
        facing = replace(unopened, seat=1 - seat, raised=smallest_bet, to=smallest_bet, bets=1)
        raises = spot.streets[street].of(1 - seat).raises if smallest_bet else ()
        yield from filter(None, (_rounding(spot, facing, size) for size in raises))


def _rounding(spot: Spot, state: _State, size: BetSize) -> Rounding | None:
    """None if the stack is too short: all-in is exact."""
    pot, left = spot.pot + 2 * (state.bet + state.raised), _chips_left(spot, state)
    total = _total(size, state, pot, left)
    if total >= state.to + left:
        return None
    return Rounding(size, total - state.to, max(_rounded(total), state.to + 1) - state.to, pot)


def decisions(root: Node) -> int:
    """The number of decision nodes, without cards."""
    return sum(node.kind is NodeKind.DECISION for node in nodes_of(root))


def _decision(spot: Spot, state: _State, number: Iterator[int], sizes: tuple[BetSize, ...] | None = None) -> Node:
    """The decision in a state, with its whole subtree; `number` counts the decisions built so far.

    sizes: of this decision's bets, if not those of the spot.
    """
    if next(number) > MOST_DECISIONS:  # rejected before it takes all memory and an hour
        raise SolverError(
            f"the betting has more than {MOST_DECISIONS:,} decisions before cards are counted; remove sizes, "
            "allow fewer raises (--raise-cap 3), or make big bets all-in (--thresholds force=0.15)"
        )
    moves = tuple(_moves(spot, state, _sizes(spot, state) if sizes is None else sizes))
    children = tuple(_after(spot, state, move, number) for move in moves)
    return Node(
        kind=NodeKind.DECISION, street=state.street, bet=state.bet, seat=state.seat, moves=moves, children=children
    )


def _after(spot: Spot, state: _State, move: Move, number: Iterator[int]) -> Node:
    """The node after a move."""
    match move.deed:
        case Deed.FOLD:
            return Node(NodeKind.FOLD, state.street, state.bet, state.seat)
        case Deed.CHECK if state.seat == 0:
            return _decision(spot, _checked(state), number)
        case Deed.CHECK | Deed.CALL:
            called = replace(state, bet=state.bet + state.raised, donk=move.deed is Deed.CALL and state.seat == 0)
            return _street_over(spot, called, number)
        case Deed.BET | Deed.RAISE | Deed.ALL_IN:
            return _decision(spot, _bet(spot, state, move.to), number)


def _checked(state: _State) -> _State:
    """The state after a check out of position."""
    return replace(state, seat=1, checked=True, donk=False)


def _bet(spot: Spot, state: _State, total: int) -> _State:
    """The state after a bet or raise to a total."""
    most = _chips_left(spot, state) + state.to
    return replace(
        state, seat=1 - state.seat, bet=state.bet + state.raised, raised=total - state.to, to=total,
        bets=state.bets + 1, checked=False, all_in=total == most,
    )  # fmt: skip


def _street_over(spot: Spot, state: _State, number: Iterator[int]) -> Node:
    """The node after a street's betting: a showdown, or a new card."""
    if state.street == RIVER:
        return Node(NodeKind.SHOWDOWN, RIVER, state.bet)
    following = state.street + 1
    if not state.all_in:
        below = _decision(spot, _State(following, bet=state.bet, donk=state.donk), number)
    else:
        below = _street_over(spot, replace(state, street=following), number)
    return Node(NodeKind.DEAL, state.street, state.bet, children=(below,))


def _chips_left(spot: Spot, state: _State) -> int:
    """What can still be raised beyond the highest bet."""
    return spot.stack - state.bet - state.raised


def _moves(spot: Spot, state: _State, sizes: tuple[BetSize, ...]) -> list[Move]:
    """The legal moves of the seat to act: passive ones first, then the bets of the sizes, ascending."""
    pot = spot.pot + 2 * (state.bet + state.raised)  # after calling
    left = _chips_left(spot, state)
    most = left + state.to
    facing = state.to > 0
    first = [Move(Deed.FOLD), Move(Deed.CALL)] if facing else [Move(Deed.CHECK)]
    if state.all_in or (spot.raise_cap and state.bets >= spot.raise_cap):
        return first
    totals = [_rounded(_total(size, state, pot, left)) for size in sizes]
    if most <= state.to + _rounded(pot * spot.thresholds.add):
        totals.append(most)
    least = min(max(state.to + state.raised, 1), most)
    legal = {_forced(spot, min(max(total, least), most), state, pot, most) for total in totals}
    deed = Deed.RAISE if facing else Deed.BET
    kept = _merged(sorted(legal), pot, state.to, spot.thresholds.merge)
    return first + [Move(Deed.ALL_IN if total == most else deed, total, spot.big_blind) for total in kept]


def _sizes(spot: Spot, state: _State) -> tuple[BetSize, ...]:
    """The sizes that the seat to act may use: its raises, its bets, or its donk bets."""
    sizes = spot.streets[state.street].of(state.seat)
    if state.to:
        return sizes.raises
    donks = spot.donks[state.street - 1] if state.street and state.donk else None
    return sizes.bets if donks is None else donks


def _total(size: BetSize, state: _State, pot: int, left: int) -> float:
    """The total that a size makes before rounding, legal or not."""
    match size.unit:
        case Unit.POT:
            return state.to + pot * (size.number / 100)
        case Unit.TIMES:
            return state.to * size.number
        case Unit.CHIPS:
            return state.to + int(size.number)
        case Unit.GEOMETRIC:
            return state.to + _geometric(size, state, pot, left)
        case Unit.ALL_IN:
            return state.to + left


def _geometric(size: BetSize, state: _State, pot: int, left: int) -> float:
    """The bet that, repeated as a fraction of the pot the given number of times, ends all-in; a raise uses up one
    time."""
    times = max(int(size.number or RIVER - state.street + 1) - max(state.bets - 1, 0), 1)
    part: float = ((2 * left / pot + 1) ** (1 / times) - 1) / 2
    return pot * min(part, size.most / 100 if size.most < inf else inf)


def _forced(spot: Spot, total: int, state: _State, pot: int, all_in: int) -> int:
    """The total of a bet, or all-in if calling it would leave too little behind (`Thresholds.force`)."""
    pot_after = pot + 2 * (total - state.to)
    return all_in if all_in <= total + _rounded(pot_after * spot.thresholds.force) else total


def _merged(totals: list[int], pot: int, to: int, merge: float) -> list[int]:
    """From the highest down, without those too close to the last one kept."""
    kept: list[int] = []
    for total in reversed(totals):
        part = (total - to) / pot
        if not kept or part < ((kept[-1] - to) / pot - merge) / (1 + merge) * (1 - 1e-12):
            kept.append(total)
    return kept[::-1]


def _rounded(chips: float) -> int:
    """Round to whole chips; half a chip is rounded up."""
    return floor(chips + 0.5)
