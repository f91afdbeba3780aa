"""Network inputs for two-player limit hold'em: canonical cards, the current strength of the hand, and the betting.

Suits have no order, so a hand and its board are encoded in one canonical form for all 24 permutations of the suits:
each suit is described by its ranks in the hole, on the flop, on the turn and on the river, and the suits are numbered
in the order of these descriptions. That is the greatest of the 24 relabelings in this ordering, hence one form for each
class, and different forms for different classes: 169 hands, 1,755 flops, 1,286,792 hands with a flop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards import tables
from tahur.cards.cards import DECK_SIZE
from tahur.cards.evaluator import BEST_RANK, CATEGORIES, evaluate_many
from tahur.cards.rankings import EQUITY_ORDER, class_names, class_of_combos
from tahur.core.arrays import Bytes, Float32s, Int64s
from tahur.core.game import Action, Seat
from tahur.games.betting import HoldemSlots
from tahur.games.encoders.encoder import BettingStep, bet_row
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Stakes
from tahur.games.holdem.table import HoldemTable, opening

GROUPS: Final = (2, 3, 1, 1)  # cards in the hole, on the flop, on the turn and on the river
RANKS: Final = 13
PREFLOP_STEPS: Final = 8  # hinges along the percentiles of starting hands
FLOP_STEPS: Final = 24  # hinges along the percentiles of hands with a flop
FLOP_HANDS: Final = 1176  # pairs of the 49 cards that are not on the flop
START_WIDTH: Final = PREFLOP_STEPS + 2  # features of the starting hand
MADE_AT: Final = START_WIDTH + FLOP_STEPS + 1  # where the features of the made hand start
STRENGTH_WIDTH: Final = MADE_AT + len(CATEGORIES) + 1
BOARDS: Final = (3, 4, 5)  # board cards on the flop, turn and river


@dataclass(frozen=True, slots=True)
class HoldemEncoder(HoldemSlots):
    """The encoder for `streets` streets of betting: two end with the flop, four with the river."""

    @property
    def card_width(self) -> int:
        ranges = RANGE_WIDTH if self.ends_on_the_flop else 0
        return DECK_SIZE * self.streets + STRENGTH_WIDTH + ranges

    @property
    def ends_on_the_flop(self) -> bool:
        return self.streets == 2

    def role(self, game: Holdem, seat: Seat) -> int:
        """0 for the button, who has the small blind and acts first."""
        return int(seat != game.stakes.button)

    def betting(self, table: HoldemTable) -> Float32s:
        blind = table.stakes.blinds[1]
        steps = _steps(table.stakes, table.history)[1]
        role = int(table.turn != table.stakes.button)
        return bet_row(steps, role, table.street, table.pot / (2 * blind), table.to_call / (2 * blind))

    def cards(self, table: HoldemTable, hands: Int64s) -> Float32s:
        """Hands are combos; the row of one that contains a board card is meaningless."""
        board = np.broadcast_to(np.array(table.board, np.uint8), (len(hands), len(table.board)))
        return self.rows(combo_cards()[hands], board)

    def rows(self, hole: Bytes, board: Bytes) -> Float32s:
        """hole: (n, 2), board: (n, 0, 3, 4 or 5) -> (n, card_width)."""
        rows = np.zeros((len(hole), self.card_width), np.float32)
        rows[np.arange(len(rows))[:, None], _ones(hole, board)] = 1
        features = rows[:, DECK_SIZE * self.streets :]
        ranks = strengths(hole, board, features)
        if self.ends_on_the_flop and ranks is not None:
            features[:, STRENGTH_WIDTH:] = _range_table().at(flop_numbers(board), ranks)
        return rows

    def parts(self, hole: Bytes, board: Bytes) -> tuple[Int64s, Float32s]:
        """The rows of all streets from the flop on, in a sparse form for callers that do not need full rows.

        Returns the columns of the cards' ones, (n, cards), of which a street uses those of its board, and the other
        features of each row, (streets - 1, n, ...). The cards must be distinct.
        """
        features = np.zeros((self.streets - 1, len(hole), self.card_width - DECK_SIZE * self.streets), np.float32)
        _start(hole, features[0])
        for street, here in enumerate(features):
            ranks = evaluate_many(np.concatenate([hole, board[:, : BOARDS[street]]], axis=1)).astype(np.int64)
            if street == 0:
                _on_the_flop(board[:, :3], ranks, here)
            else:
                here[:, :MADE_AT] = features[0, :, :MADE_AT]
            _write_rank(ranks, here)
            if self.ends_on_the_flop:
                here[:, STRENGTH_WIDTH:] = _range_table().at(flop_numbers(board[:, :3]), ranks)
        return _ones(hole, board[:, : BOARDS[self.streets - 2]]), features


def _ones(hole: Bytes, board: Bytes) -> Int64s:
    """(n, cards): the columns of a row's ones. Later cards only split ties between suits, so they move no ones."""
    cards = canonical_cards(np.concatenate([hole, board], axis=1))
    return np.asarray(np.repeat(np.arange(4), GROUPS)[: cards.shape[1]] * DECK_SIZE + cards, np.int64)


def canonical_cards(cards: Bytes) -> Bytes:
    """(n, 2 to 7): hole, flop, turn and river, with suits renumbered in the order of their descriptions."""
    ranks, suits = cards >> 2, cards & 3
    shifts = RANKS * (3 - np.repeat(np.arange(4), GROUPS)[: cards.shape[1]])
    bits = np.int64(1) << (ranks.astype(np.int64) + shifts)
    described = _by_suit(bits, suits)
    names = np.argsort(np.argsort(-described, axis=1, kind="stable"), axis=1)
    return (ranks << 2 | np.take_along_axis(names, suits.astype(np.int64), axis=1)).astype(np.uint8)


def strengths(hole: Bytes, board: Bytes, out: Float32s) -> Int64s | None:
    """Write the features of strength: starting hand's percentile, pair, suited; percentile on the flop; made hand.

    The made hand is its category and rank. Returns the ranks if there is a board.
    """
    _start(hole, out)
    if board.shape[1] == 0:
        return None
    ranks = _ranks(np.concatenate([hole, board], axis=1))
    flop_ranks = ranks if board.shape[1] == 3 else _ranks(np.concatenate([hole, board[:, :3]], axis=1))
    _on_the_flop(board[:, :3], flop_ranks, out)
    _write_rank(ranks, out)
    return ranks


def _start(hole: Bytes, out: Float32s) -> None:
    _hinges(starting_percentiles()[combos_of(hole)], out[:, :PREFLOP_STEPS])
    out[:, PREFLOP_STEPS] = hole[:, 0] >> 2 == hole[:, 1] >> 2
    out[:, PREFLOP_STEPS + 1] = hole[:, 0] & 3 == hole[:, 1] & 3


def _on_the_flop(flops: Bytes, ranks: Int64s, out: Float32s) -> None:
    _hinges(flop_percentiles(flops, ranks), out[:, START_WIDTH : START_WIDTH + FLOP_STEPS])
    out[:, START_WIDTH + FLOP_STEPS] = 1.0


def _write_rank(ranks: Int64s, out: Float32s) -> None:
    out[np.arange(len(out)), MADE_AT + _categories()[ranks]] = 1
    out[:, MADE_AT + len(CATEGORIES)] = ranks / BEST_RANK


def flop_percentiles(flops: Bytes, ranks: Int64s) -> NDArray[np.float32]:
    """The fraction of the 1,176 hands on each flop that a hand of this rank beats, counting ties as half."""
    return _flop_table()[flop_numbers(flops), ranks]


def flop_numbers(flops: Bytes) -> Int64s:
    """The index of each flop's class among the 1,755, in the order of their ids."""
    return np.searchsorted(_class_ids(), flop_ids(flops))


def flop_ids(flops: Bytes) -> Int64s:
    """An id for each of the 1,755 classes of flops."""
    ranks, suits = flops >> 2, flops & 3
    bits = np.int64(1) << ranks.astype(np.int64)
    described = -np.sort(-_by_suit(bits, suits), axis=1)
    return np.asarray(((described[:, 0] << RANKS | described[:, 1]) << RANKS | described[:, 2]) << 2, np.int64)


def _by_suit(bits: Int64s, suits: NDArray[Any]) -> Int64s:
    """(n, 4): the combined bits of each suit."""
    described = np.zeros((len(bits), 4), np.int64)
    rows = np.arange(len(bits))
    for column in range(bits.shape[1]):
        described[rows, suits[:, column]] += bits[:, column]
    return described


@cache
def flop_classes() -> tuple[Bytes, Int64s]:
    """One flop of each class (1755, 3), in the order of their ids, and the number of flops in each class."""
    every = np.array(list(combinations(range(DECK_SIZE), 3)), np.uint8)
    _, first, count = np.unique(flop_ids(every), return_index=True, return_counts=True)
    return every[first], count


@cache
def combo_cards() -> Bytes:
    """(1326, 2): the higher card first."""
    return np.array([(high, low) for high in range(DECK_SIZE) for low in range(high)], np.uint8)


def combos_of(hole: Bytes) -> Int64s:
    high, low = (pick(hole[:, 0], hole[:, 1]).astype(np.int64) for pick in (np.maximum, np.minimum))
    return high * (high - 1) // 2 + low


@cache
def starting_percentiles() -> NDArray[np.float64]:
    """(1326,): the fraction of all starting hands that each one is stronger than, by equity against a random hand."""
    order = EQUITY_ORDER.split()
    weaker = {name: 1 - index / (len(order) - 1) for index, name in enumerate(order)}
    return np.array([weaker[name] for name in class_names()])[class_of_combos()]


@cache
def _class_ids() -> Int64s:
    return flop_ids(flop_classes()[0])


@cache
def _flop_ranks() -> list[Int64s]:
    """The ranks of the 1,176 hands on each class of flops, in the order of `flop_hands`."""
    hands, ranks = combo_cards(), []
    for flop in flop_classes()[0]:
        free = hands[flop_hands(flop)]
        ranks.append(_ranks(np.concatenate([free, np.broadcast_to(flop, (FLOP_HANDS, 3))], axis=1)))
    return ranks


@cache
def _flop_table() -> NDArray[np.float32]:
    """The fraction of the hands on each class of flops that each rank beats: (1755, 7463)."""
    percentiles = np.empty((len(_flop_ranks()), BEST_RANK + 1), np.float32)
    for number, ranks in enumerate(_flop_ranks()):
        counts = np.bincount(ranks, minlength=BEST_RANK + 1)
        percentiles[number] = (np.cumsum(counts) - counts / 2) / FLOP_HANDS
    return percentiles


@cache
def _range_table() -> RangeTable:
    percentiles = [starting_percentiles()[flop_hands(flop)] for flop in flop_classes()[0]]
    return range_table(_flop_ranks(), percentiles)


def flop_hands(flop: Bytes) -> Int64s:
    """The combos that contain none of these cards."""
    hands = combo_cards()
    free = np.ones(len(hands), bool)
    for card in flop:
        free &= (hands != card).all(axis=1)
    return np.flatnonzero(free)


@cache
def _categories() -> Int64s:
    """The category of each rank, 0 for high card; rank 0 is not a hand."""
    return np.concatenate([[0], tables.values() >> 20])


def _ranks(cards: Bytes) -> Int64s:
    """The rank of each row of cards; an arbitrary valid rank for rows with a duplicate card."""
    ordered = np.sort(cards, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    sound = np.where(twice[:, None], np.arange(cards.shape[1], dtype=np.uint8), cards)
    return evaluate_many(sound).astype(np.int64)


def _hinges(percentiles: NDArray[Any], out: Float32s) -> None:
    out[:] = hinged(percentiles, out.shape[1])


@lru_cache(maxsize=1 << 14)
def _steps(stakes: Stakes, history: tuple[Action, ...]) -> tuple[HoldemTable, tuple[BettingStep, ...]]:
    """The table after a history, and the seats' actions that led to it."""
    if not history:
        return opening(stakes), ()
    table, steps = _steps(stakes, history[:-1])
    after = table.after(history[-1])
    if table.turn < 0:
        return after, steps
    paid = sum(table.stacks) - sum(after.stacks)  # ignores the return of an uncalled bet, so that equal bets look equal
    return after, (*steps, BettingStep(table.street, max(paid, 0), table.pot))


def deal_cards(rng: np.random.Generator, deals: int, board: int) -> Bytes:
    """(deals, 4 + board): the hole cards of both seats, and the board."""
    wanted = 4 + board
    cards = np.empty((deals, wanted), np.uint8)
    draws = rng.random((deals, wanted))
    for column in range(wanted):
        card = (draws[:, column] * (DECK_SIZE - column)).astype(np.uint8)
        taken = np.sort(cards[:, :column], axis=1)
        for other in range(column):  # the card-th of the remaining cards: skip the taken ones, lowest first
            card += card >= taken[:, other]
        cards[:, column] = card
    return cards


# The lowest and highest percentile of a range's starting hands, and the number of hinges along percentiles within it.
RANGES: Final = ((0.0, 1.0, 0), (0.4, 1.0, 8), (0.65, 1.0, 8), (0.85, 1.0, 8), (0.93, 1.0, 6), (0.0, 0.5, 8))
BOUNDS: Final = (1277, 4137, 4995, 5853)  # the best ranks of no pair, a pair, two pair and three of a kind
RANGE_WIDTH: Final = sum(hinges for _, _, hinges in RANGES) + len(BOUNDS) * len(RANGES)
_SHIFT: Final = 8192  # more than the number of ranks


@dataclass(frozen=True, slots=True, eq=False)
class RangeTable:
    """One row for each rank that is possible on each class of flops.

    Against a random hand the strength of a hand is one number. But a player who has raised holds better cards, and
    a flop fits one range better than another. So a hand is encoded by its percentile within the better part of the
    starting hands, for several parts, and within the worse half; and the flop by how often each of these ranges
    makes nothing, a pair, two pair or three of a kind on it. All of this depends only on the class of the flop and
    on the rank of the hand: one table.
    """

    keys: Int64s  # ascending: the number of the class times _SHIFT, plus the rank
    rows: Float32s  # (keys, RANGE_WIDTH)

    def at(self, classes: Int64s, ranks: Int64s) -> Float32s:
        """(n, RANGE_WIDTH); the row of a rank that is impossible there is meaningless."""
        indices = np.searchsorted(self.keys, classes * _SHIFT + ranks)
        return self.rows[np.minimum(indices, len(self.keys) - 1)]


def range_table(ranks: list[Int64s], starts: list[NDArray[Any]]) -> RangeTable:
    """The table, from the ranks of all hands on each class of flops and these hands' percentiles before the flop."""
    keys, rows = [], []
    for number, (class_ranks, percentiles) in enumerate(zip(ranks, starts, strict=True)):
        held, which = np.unique(class_ranks, return_inverse=True)
        keys.append(held + _SHIFT * number)
        rows.append(_rows(held, which, percentiles))
    return RangeTable(np.concatenate(keys), np.concatenate(rows))


def _rows(held: Int64s, which: Int64s, percentiles: NDArray[Any]) -> Float32s:
    """held: the distinct ranks, ascending; which: the index into `held` of each hand."""
    parts = []
    for low, high, hinges in RANGES:
        inside = ((percentiles >= low) & (percentiles <= high)).astype(np.float64)
        counts = np.bincount(which, inside, len(held))
        upto = np.cumsum(counts)
        parts.append(hinged((upto - counts / 2) / upto[-1], hinges))
        shares = np.concatenate([[0.0], upto])[np.searchsorted(held, BOUNDS, side="right")] / upto[-1]
        parts.append(np.broadcast_to(shares, (len(held), len(BOUNDS))))
    return np.concatenate(parts, axis=1).astype(np.float32)


def hinged(percentiles: NDArray[Any], count: int) -> NDArray[Any]:
    """(n, count): max(0, p - k / n) for k = 0 .. n - 1, doubled: a basis for piecewise linear functions."""
    if not count:
        return np.zeros((len(percentiles), 0))
    return np.asarray(np.maximum(0, percentiles[:, None] * count - np.arange(count)) / count * 2)


assert BEST_RANK < _SHIFT
