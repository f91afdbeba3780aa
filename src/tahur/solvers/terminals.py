"""The terminals of a tree, stored by kind in tables that many terminals share.

The stake at a terminal is seat 0's payoff, which determines both in a zero-sum game; in any other game it is the
difference, seat 0's payoff minus seat 1's. In games with few hands every terminal is stored as a payoff matrix, which
is faster than counting; so is every terminal of a game whose hands exclude each other for reasons other than shared
cards. Matrices are stored without their scale, so that pots of all sizes share one.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

import numpy as np

from tahur.core.arrays import Float64s, Int32s
from tahur.core.game import NOT_HERE, DiceCount, Fold, JointlyDealt, Matrix, Showdown, Solvable, Terminal

MATRIX: Final = 3  # node kinds: 0 and 1 are the seats, 2 is chance
FOLD: Final = 4
SHOWDOWN: Final = 5
DICE: Final = 6
MOST_CARDS: Final = 2  # in a hand

TerminalEntry = tuple[int, int, int]  # kind, entry in the table of that kind, row of payoffs


@dataclass(frozen=True, slots=True, eq=False)
class Terminals:
    """The tables of all terminals. A terminal of a tree is an entry in the table of its kind and a row of `pays`."""

    zero_sum: bool
    matrices: Float64s  # (entries, hands of seat 0, hands of seat 1)
    strengths: tuple[Int32s, Int32s]  # (entries, hands) of each seat, at a showdown
    matching: tuple[Int32s, Int32s]  # (entries, hands) of each seat: number of dice that match the bid
    # (rows, the longest row) stakes: a matrix's factor, a fold's win, a showdown's win, loss and tie, or one per count
    pays: Float64s
    kinds: Int32s  # the kind of each row of payoffs
    cards: tuple[Int32s, Int32s]  # (hands, 2) for each seat, -1 for no card

    def pays_to(self, seat: int) -> Float64s:
        """The rows of payoffs from one seat's point of view: the other seat wins what this one loses."""
        if seat == 0:
            return self.pays
        other = -self.pays
        showdowns = self.kinds == SHOWDOWN
        other[showdowns, :2] = other[showdowns, 1::-1]
        return other


@dataclass(slots=True)
class TerminalCollector:
    """Collects the terminals in the order of the walk; equal tables are stored once."""

    game: Solvable[Any]
    dense: int  # with at most this many pairs of hands, every terminal is a matrix
    possible: Float64s | None = None  # (hands, hands): 1 where both can be dealt together; None if not needed
    tables: dict[int, dict[Hashable, tuple[int, Any]]] = field(default_factory=lambda: {k: {} for k in range(7)})
    row_kinds: list[int] = field(default_factory=list)
    zero_sum: bool = True

    def add(self, terminal: Terminal) -> TerminalEntry:
        """Store a terminal; its kind, the index of its entry in the table of that kind, and its row of stakes."""
        if isinstance(terminal, Matrix) or self.possible is not None:
            return self._matrix(terminal)
        match terminal:
            case Fold(won):
                return FOLD, 0, self._row(FOLD, [2 * won])
            case Showdown(strengths, win, lose, tie):
                entry = self._entry(SHOWDOWN, tuple(np.asarray(array, np.int32) for array in strengths))
                return SHOWDOWN, entry, self._row(SHOWDOWN, [2 * win, 2 * lose, 2 * tie])
            case DiceCount(matching, pays):
                self.zero_sum &= bool(np.all(pays[:, 0] == -pays[:, 1]))
                entry = self._entry(DICE, tuple(np.asarray(array, np.int32) for array in matching))
                return DICE, entry, self._row(DICE, pays[:, 0] - pays[:, 1])
            case _:
                assert_never(terminal)

    def finish(self) -> Terminals:
        """The tables of all terminals that were added."""
        rows = [row for _, row in self.tables[0].values()]
        pays = np.zeros((max(1, len(rows)), max([3, *map(len, rows)])))
        for number, row in enumerate(rows):
            pays[number, : len(row)] = row
        hand_counts = tuple(len(self.game.hands(seat)) for seat in (0, 1))
        matrices = [matrix for _, matrix in self.tables[MATRIX].values()]
        return Terminals(
            zero_sum=self.zero_sum,
            matrices=np.array(matrices).reshape(-1, *hand_counts),
            strengths=self._stack(SHOWDOWN),
            matching=self._stack(DICE),
            pays=pays / 2 if self.zero_sum else pays,  # rows are differences; halving a double is exact
            kinds=np.array(self.row_kinds or [FOLD], np.int32),
            cards=(_two_columns(self.game, 0), _two_columns(self.game, 1)),
        )

    def _matrix(self, terminal: Terminal) -> TerminalEntry:
        """Store a terminal as a payoff for each pair of hands."""
        stakes = _difference(terminal, self)
        if self.possible is not None:
            stakes = stakes * self.possible
        flat = stakes.ravel()
        scale = float(flat[np.argmax(np.abs(flat))]) or 1.0
        return MATRIX, self._entry(MATRIX, stakes / scale + 0.0), self._row(MATRIX, [scale])

    def _entry(self, kind: int, value: Any) -> int:
        """The index of an array, or of a pair of arrays, in the table of its kind; equal ones are stored once."""
        key = value.tobytes() if isinstance(value, np.ndarray) else tuple(array.tobytes() for array in value)
        table = self.tables[kind]
        return table.setdefault(key, (len(table), value))[0]

    def _row(self, kind: int, row: Any) -> int:
        """The number of a row of stakes; equal rows are stored once."""
        numbers = np.asarray(row, float)
        key, table = (kind, numbers.tobytes()), self.tables[0]
        if key not in table:
            table[key] = len(table), numbers
            self.row_kinds.append(kind)
        return table[key][0]

    def _stack(self, kind: int) -> tuple[Int32s, Int32s]:
        """(entries, hands) for each seat, from the pairs of arrays in the table of a kind."""
        pairs = [pair for _, pair in self.tables[kind].values()]
        hand_counts = [len(self.game.hands(seat)) for seat in (0, 1)]
        first, second = (
            np.array([pair[seat] for pair in pairs], np.int32).reshape(-1, hand_counts[seat]) for seat in (0, 1)
        )
        return first, second


def collector_of(game: Solvable[Any], dense: int) -> TerminalCollector:
    """A collector that stores matrices if the game needs them, with the pairs of hands that can be dealt together."""
    pairs = len(game.hands(0)) * len(game.hands(1))
    has_no_cards = game.holdings(0) is None
    if pairs <= dense or (has_no_cards and not possible_pairs(game).all()):
        return TerminalCollector(game, dense, possible_pairs(game))
    return TerminalCollector(game, dense)


def possible_pairs(game: Solvable[Any]) -> Float64s:
    """(hands of seat 0, hands of seat 1) 1 where two hands can be dealt together, else 0.

    For joint deals: the joint probability divided by the product of the priors.
    """
    if isinstance(game, JointlyDealt):
        product_of_priors = np.outer(game.prior(0), game.prior(1))
        return np.asarray(
            np.divide(
                game.joint(), product_of_priors, out=np.zeros_like(product_of_priors), where=product_of_priors > 0
            )
        )
    if game.holdings(0) is not None:
        first, second = _two_columns(game, 0), _two_columns(game, 1)
        shares_card = (first[:, None, :, None] == second[None, :, None, :]) & (first[:, None, :, None] >= 0)
        return np.asarray(~shares_card.any(axis=(2, 3)), float)
    return np.array([[float(game.possible((one, other))) for other in game.hands(1)] for one in game.hands(0)])


def _difference(terminal: Terminal, collector: TerminalCollector) -> Float64s:
    """(hands of seat 0, hands of seat 1) seat 0's payoff minus seat 1's."""
    match terminal:
        case Matrix(first, second):
            collector.zero_sum &= second is None or bool(np.all(first == -second))
            return np.asarray(2 * first if second is None else first - second)
        case Fold(won):
            return np.full([len(collector.game.hands(seat)) for seat in (0, 1)], 2 * won)
        case Showdown((mine, theirs), win, lose, tie):
            here = (mine != NOT_HERE)[:, None] & (theirs != NOT_HERE)[None, :]
            higher = np.sign(mine[:, None] - theirs[None, :])
            return np.asarray(2 * here * np.where(higher > 0, win, np.where(higher < 0, lose, tie)))
        case DiceCount((mine, theirs), pays):
            collector.zero_sum &= bool(np.all(pays[:, 0] == -pays[:, 1]))
            difference: Float64s = (pays[:, 0] - pays[:, 1])[mine[:, None] + theirs[None, :]]
            return difference
        case _:
            assert_never(terminal)


def _two_columns(game: Solvable[Any], seat: int) -> Int32s:
    """The cards of each hand, (hands, 2); -1 where a hand has only one card or none."""
    columns = np.full((len(game.hands(seat)), MOST_CARDS), -1, np.int32)
    holdings = game.holdings(seat)
    if holdings is not None:
        columns[:, : holdings.shape[1]] = holdings
    return columns
