"""The exact equity of one hand against each other hand (a vector), or of all hands (a matrix), on any board.

The equity against a range is then one weighted sum, or one product. Before the flop the equities come from a table of
all pairs of hands, `preflop.json`, which is shipped; `recount` computes it again. On a board they are computed by a
kernel: about 5 ms for a flop, 0.2 ms for a turn; the matrix of a flop takes about 0.2 s.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE, cards_text
from tahur.cards.equity.ask import winner_counts
from tahur.cards.equity.kernels.hand import all_against_all, hand_against_all
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.cards.rankings import class_of_combos
from tahur.cards.tables import load
from tahur.core.arrays import Float32s, Float64s, Int64s
from tahur.core.cache import shipped
from tahur.core.errors import EquityError

PLACE: Final = "cards/equity/preflop.json"
BOARDS: Final = comb(48, 5)  # run-outs of two hands before the flop
CLASSES: Final = 169
_REMEMBERED: Final = 4096  # hands on boards
_MATRICES: Final = 12  # of 7 MB each


@lru_cache(maxsize=_REMEMBERED)
def equities(hand: int, board: tuple[int, ...] = ()) -> Float64s:
    """(1326,) the share of the pot that a hand wins from each other hand if the rest of the board is dealt.

    board: none, three, four or five cards. It is 0 for hands that share a card with the hand or the board.
    """
    if len(board) not in (0, 3, 4, 5):
        raise EquityError(f"a board has none, three, four or five cards; {cards_text(board)} has {len(board)}")
    if not board:
        least, labels = start_classes().firsts, combos().image[:, hand]
        label = int(labels.argmin())
        row = preflop_equities()[int(np.searchsorted(least, labels[label]))]
        out: Float64s = row[combos().image[label]]
    else:
        out = np.empty(COMBOS)
        hand_against_all(hand, sum(1 << card for card in board), load(), combos(), out)
    out.setflags(write=False)
    return out


@lru_cache(maxsize=_MATRICES)
def equity_matrix(board: tuple[int, ...] = ()) -> Float32s:
    """(1326, 1326) the share of the pot that each hand wins from each other hand if the rest of the board is dealt.

    It is 0 where two hands share a card, or one of them shares a card with the board.
    """
    if not board:
        matrix: Float32s = np.array([equities(hand) for hand in range(COMBOS)], np.float32)
    else:
        left = [card for card in range(DECK_SIZE) if card not in board]
        finals = [sum(1 << card for card in (*board, *rest)) for rest in combinations(left, 5 - len(board))]
        points = np.zeros((COMBOS, COMBOS), np.int16)
        all_against_all(np.array(finals, np.int64), load(), combos(), points)
        alive = (combos().mask & sum(1 << card for card in board)) == 0
        met = _apart(np.arange(COMBOS)) & alive & alive[:, None]
        matrix = np.where(met, points / np.float32(2 * comb(52 - len(board) - 4, 5 - len(board))), np.float32(0))
    matrix.setflags(write=False)
    return matrix


@cache
def preflop_equities() -> Float64s:
    """(169, 1326) the equity of the least combo of each class (`start_classes`) against each combo; 0 where they
    share a card."""
    pairs, number, mirrored = _pairs()
    points = np.array(json.loads(shipped(PLACE))["points"], np.int64)
    if len(points) != len(pairs):
        raise EquityError(f"{PLACE} has {len(points):,} pairs of hands instead of {len(pairs):,}")
    won = points[number]
    share: Float64s = np.where(mirrored, 2 * BOARDS - won, won) / (2 * BOARDS)
    return np.where(_apart(start_classes().firsts), share, 0.0)


@cache
def class_equities() -> tuple[Float64s, Float64s]:
    """(169, 169) the equity of each class of starting hands against each, and the number of pairs of combos that share
    no card; classes in the order of the matrix (rankings.py)."""
    firsts, classes = start_classes().firsts, class_of_combos()
    members = np.zeros((COMBOS, CLASSES))
    members[np.arange(COMBOS), classes] = 1
    one = _apart(firsts).astype(np.float64) @ members  # pairs with the first combo of each class
    won = preflop_equities() @ members
    order = np.argsort(classes[firsts])
    share = np.divide(won, one, out=np.zeros_like(won), where=one > 0)[order]
    return share, one[order] * members.sum(axis=0)[:, None]


def recount() -> Iterator[tuple[int, int]]:
    """Count the points of every pair of hands from the rules: two for a win of the first hand, one for a tie.

    Yields (pairs done, points of the last pair); it takes about ten seconds of one core.
    """
    for done, pair in enumerate(_pairs()[0].tolist(), start=1):
        hands = divmod(pair, COMBOS)
        counts = dict(winner_counts(hands))
        yield done, 2 * counts.get(0b01, 0) + counts.get(0b11, 0)


def to_json(points: Sequence[int]) -> str:
    """The format of the shipped file."""
    lines = ",\n".join(",".join(map(str, points[at : at + 16])) for at in range(0, len(points), 16))
    note = (
        "points of the first hand of each pair of starting hands, up to suit isomorphism and order, over 1,712,304 "
        "run-outs: 2 for a win, 1 for a tie. Made by tools/preflop_table.py"
    )
    return f'{{\n"note": "{note}",\n"points": [\n{lines}\n]\n}}\n'


def _apart(hands: Int64s) -> NDArray[np.bool_]:
    """(hands, 1326) whether each hand shares no card with each combo."""
    mask = combos().mask
    apart: NDArray[np.bool_] = mask[hands][:, None] & mask == 0
    return apart


@cache
def _pairs() -> tuple[Int64s, NDArray[np.intp], NDArray[np.bool_]]:
    """The pairs of hands up to suit isomorphism and order, each as 1326 * first + second, ascending.

    And for each class's least combo and each combo (169, 1326): the number of their pair, and whether it has them in
    the other order.
    """
    firsts, image = start_classes().firsts, combos().image
    forward = (image[:, firsts, None] * COMBOS + image[:, None, :]).min(axis=0)
    backward = (image[:, None, :] * COMBOS + image[:, firsts, None]).min(axis=0)
    key = np.minimum(forward, backward)
    apart = _apart(firsts)
    pairs = np.unique(key[apart])
    number = np.searchsorted(pairs, np.where(apart, key, pairs[0]))
    return pairs, number, backward < forward
