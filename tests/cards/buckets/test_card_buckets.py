"""Buckets: strength, histograms and groups against the same thing said slowly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tahur.cards.buckets import (
    NO_BUCKET,
    BucketNumbers,
    Buckets,
    centres_of,
    classes,
    cumulative,
    find,
    make,
    nearest_centres,
)
from tahur.cards.cards import COMBOS, combo_of, parse_cards
from tahur.cards.equity.tables import combos
from tahur.cards.flops import RELABELINGS, relabel
from tahur.cards.kernels import river_strengths, turn_histograms
from tahur.cards.plain import describe
from tahur.cards.tables import load
from tahur.core.errors import CardError


def strengths(board: tuple[int, ...]) -> np.ndarray:
    out = np.empty((1, COMBOS), np.float32)
    river_strengths(np.array([board], np.int64), combos(), load(), out)
    return out[0]


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "AsKsQsJsTs", "2c2d2h2s3c", "Ah8h3h2hKd"])
def test_strength_is_the_part_of_all_other_hands_that_is_beaten(board: str) -> None:
    cards = parse_cards(board)
    left = [card for card in range(52) if card not in cards]
    found = strengths(cards)
    for hand in (tuple(left[:2]), tuple(left[-2:]), (left[5], left[30]), (left[11], left[12])):
        mine = describe((*hand, *cards))
        others = [describe((*other, *cards)) for other in combinations([c for c in left if c not in hand], 2)]
        beaten = sum(mine > other for other in others) + 0.5 * sum(mine == other for other in others)
        assert found[combo_of(hand)] == pytest.approx(beaten / len(others), abs=1e-6)


def test_hands_with_a_card_of_the_board_have_no_strength() -> None:
    board = parse_cards("Td9d6hQc2s")
    blocked = np.array([any(card in board for card in pair) for pair in combos().cards.tolist()])
    assert np.array_equal(strengths(board) < 0, blocked)


def test_boards_fall_into_as_many_classes_as_there_are() -> None:
    flops, turns = classes(3), classes(4)
    assert (len(flops.kept), len(turns.kept)) == (1_755, 16_432)
    assert (flops.weight.sum(), turns.weight.sum()) == (22_100, 270_725)


def test_the_relabeling_found_leads_to_the_board_that_is_kept() -> None:
    rng = np.random.default_rng(1)
    boards = np.array([rng.choice(52, 4, replace=False) for _ in range(50)])
    number, label = find(boards)
    for board, one, by in zip(boards.tolist(), number, label, strict=True):
        assert relabel(board, RELABELINGS[by]) == tuple(classes(4).kept[one])


def test_a_histogram_counts_the_rivers_by_strength() -> None:
    turn = parse_cards("Td9d6hQc")
    out = np.empty((1, COMBOS, 10), np.uint8)
    turn_histograms(np.array([turn], np.int64), combos(), load(), out)
    hand = combo_of(parse_cards("AdKd"))
    rivers = [card for card in range(52) if card not in (*turn, *parse_cards("AdKd"))]
    expected = np.bincount([min(int(strengths((*turn, card))[hand] * 10), 9) for card in rivers], minlength=10)
    assert out[0, hand].tolist() == expected.tolist()


def test_centres_come_weakest_first_and_each_histogram_goes_to_the_nearest() -> None:
    rng = np.random.default_rng(2)
    histograms = rng.multinomial(46, rng.dirichlet(np.ones(10), 400)).astype(np.uint8)
    centres = centres_of(histograms, 7, rng)
    means = centres.sum(axis=0)
    assert (np.diff(means) <= 0).all()
    away = np.square(cumulative(histograms)[:, :, None] - centres[None]).sum(axis=1)
    assert np.array_equal(nearest_centres(histograms, centres), away.argmin(axis=1))


def test_an_empty_histogram_has_no_bucket() -> None:
    empty = np.zeros((1, 10), np.uint8)
    assert nearest_centres(empty, np.ones((10, 3), np.float32)).tolist() == [NO_BUCKET]


def test_a_draw_is_not_grouped_with_a_pair_that_wins_as_often() -> None:
    turn = parse_cards("Td9d6h2c")
    out = np.empty((1, COMBOS, 10), np.uint8)
    turn_histograms(np.array([turn], np.int64), combos(), load(), out)
    held = out[0][out[0].sum(axis=1) > 0]
    centres = centres_of(held, 12, np.random.default_rng(3))
    draw, pair = (out[0][[combo_of(parse_cards(text))]] for text in ("KdQd", "As6c"))
    assert nearest_centres(draw, centres) != nearest_centres(pair, centres)


def test_no_street_has_no_buckets() -> None:
    with pytest.raises(CardError, match="0 buckets on the turn"):
        BucketNumbers(turn=0)


@pytest.mark.slow
def test_all_boards_have_buckets_and_suits_do_not_matter() -> None:
    *_, buckets = make(BucketNumbers(20, 20, 10), np.random.default_rng(4))
    assert isinstance(buckets, Buckets)
    assert buckets.counts == (169, 20, 20, 10)
    rng = np.random.default_rng(5)
    for size in (3, 4, 5):
        board = rng.choice(52, size, replace=False).tolist()
        for suits in (RELABELINGS[7], RELABELINGS[23]):
            moved = combos().image[RELABELINGS.index(suits)]
            before, after = buckets.of(np.array(board)), buckets.of(np.array(relabel(board, suits)))
            assert np.array_equal(before, after[moved])
