"""Cards as nets are told them: one row for each class of hands, whatever the suits are called."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from tahur.cards.cards import parse_cards
from tahur.cards.evaluator import evaluate_many
from tahur.cards.flops import RELABELINGS
from tahur.games.encoders.encoder import BET_WIDTH, HISTORY_WIDTH
from tahur.games.encoders.holdem import (
    BOUNDS,
    RANGE_WIDTH,
    RANGES,
    HoldemEncoder,
    canonical_cards,
    combo_cards,
    deal_cards,
    flop_classes,
    flop_hands,
    flop_ids,
    flop_percentiles,
    starting_percentiles,
)
from tahur.games.registry import make


def classes(cards: np.ndarray) -> int:
    """How many different forms there are when cards of a group are sorted."""
    least = canonical_cards(cards)
    least[:, :2] = np.sort(least[:, :2], axis=1)
    least[:, 2:5] = np.sort(least[:, 2:5], axis=1)
    packed = least.astype(np.int64) @ (64 ** np.arange(cards.shape[1])[::-1])
    return len(np.unique(packed))


@pytest.mark.parametrize("board", [0, 3, 4, 5])
def test_all_24_names_of_the_suits_give_the_same_row(board: int) -> None:
    rng = np.random.default_rng(board)
    cards = deal_cards(rng, 200, 5)[:, [0, 1, 4, 5, 6, 7, 8]][:, : 2 + board]
    encoder = HoldemEncoder(4)
    expected = encoder.rows(cards[:, :2], cards[:, 2:])
    for names in RELABELINGS:
        other = (cards & ~np.uint8(3)) | np.array(names, np.uint8)[cards & 3]
        assert (encoder.rows(other[:, :2], other[:, 2:]) == expected).all()


def test_the_order_within_hole_and_flop_does_not_matter() -> None:
    cards = deal_cards(np.random.default_rng(1), 50, 3)[:, [0, 1, 4, 5, 6]]
    encoder = HoldemEncoder(2)
    expected = encoder.rows(cards[:, :2], cards[:, 2:])
    for order in permutations((2, 3, 4)):
        assert (encoder.rows(cards[:, [1, 0]], cards[:, list(order)]) == expected).all()


def test_there_are_169_hands_and_1755_flops() -> None:
    assert classes(combo_cards()) == 169
    flops = np.array(list(combinations(range(52), 3)), np.uint8)
    assert len(np.unique(flop_ids(flops))) == 1755
    assert len(flop_classes()[0]) == 1755
    assert flop_classes()[1].sum() == 22_100


@pytest.mark.slow
def test_there_are_1286792_hands_with_a_flop() -> None:
    hands, found = combo_cards(), []
    for flop in flop_classes()[0]:
        free = hands[flop_hands(flop)]
        least = canonical_cards(np.concatenate([free, np.broadcast_to(flop, (len(free), 3))], axis=1))
        least[:, :2], least[:, 2:] = np.sort(least[:, :2], axis=1), np.sort(least[:, 2:], axis=1)
        found.append(np.unique(least.astype(np.int64) @ (64 ** np.arange(5)[::-1])))
    assert len(np.unique(np.concatenate(found))) == 1_286_792


def test_distinct_hands_with_a_flop_have_distinct_rows() -> None:
    """On one flop with all suits alike: the hands fall into as many classes as there are rows."""
    flop = np.array(parse_cards("AsKs2s"), np.uint8)
    holes = combo_cards()[flop_hands(flop)]
    rows = HoldemEncoder(2).rows(holes, np.broadcast_to(flop, (len(holes), 3)))
    cards = np.concatenate([holes, np.broadcast_to(flop, (len(holes), 3))], axis=1)
    assert len(np.unique(rows, axis=0)) == classes(cards)


def test_the_place_on_a_flop_is_the_part_of_hands_that_are_beaten() -> None:
    flop = np.array(parse_cards("Td9d6h"), np.uint8)
    holes = combo_cards()[flop_hands(flop)]
    boards = np.broadcast_to(flop, (len(holes), 3))
    ranks = evaluate_many(np.concatenate([holes, boards], axis=1)).astype(np.int64)
    expected = (ranks[:, None] > ranks[None, :]).mean(axis=1) + (ranks[:, None] == ranks[None, :]).mean(axis=1) / 2
    np.testing.assert_allclose(flop_percentiles(boards, ranks), expected, atol=1e-6)


def test_the_place_within_a_range_counts_only_hands_of_the_range() -> None:
    """Against the best 35 % of starting hands, counted one by one; and how often they make no pair."""
    flop = np.array(parse_cards("Kd9d4h"), np.uint8)
    holes = combo_cards()[flop_hands(flop)]
    boards = np.broadcast_to(flop, (len(holes), 3))
    ranks = evaluate_many(np.concatenate([holes, boards], axis=1)).astype(np.int64)
    inside = starting_percentiles()[flop_hands(flop)] >= RANGES[2][0]
    others = ranks[None, inside]
    beaten = (ranks[:, None] > others).mean(axis=1) + (ranks[:, None] == others).mean(axis=1) / 2
    told = HoldemEncoder(2).rows(holes, boards)[:, -RANGE_WIDTH:]
    start = 4 + RANGES[1][2] + 4  # after what is told of any two cards, and of the range before
    np.testing.assert_allclose(told[:, start], 2 * beaten, atol=1e-5)
    np.testing.assert_allclose(told[:, start + RANGES[2][2]], (ranks[inside] <= BOUNDS[0]).mean(), atol=1e-5)


def test_betting_is_told_street_by_street_and_step_by_step() -> None:
    game = make("fhp")
    table = game.start()
    encoder = HoldemEncoder(2)
    assert encoder.betting(table).shape == (BET_WIDTH,)
    assert not encoder.betting(table)[:HISTORY_WIDTH].any()
    for action in (5, 1, 0, 1, 2, 1, 3):  # raise to 4, call, the flop, check, bet 2
        table = table.after(action)
    told = encoder.betting(table)[:HISTORY_WIDTH].reshape(4, 6, 2)
    assert told[0, :2].tolist() == [[1, 1], [1, pytest.approx(2 / 6)]]  # 3 chips into 3, 2 into 6
    assert told[1, :2].tolist() == [[1, 0], [1, 0.25]]
    assert not told[0, 2:].any()
    assert not told[2:].any()


def test_no_two_decisions_of_a_game_are_told_alike() -> None:
    from tahur.solvers.deep.game import training_game

    for name in ("kuhn", "leduc", "fhp", "fhp-3-4"):
        rows = training_game(make(name)).betting_rows
        assert len(np.unique(rows, axis=0)) == len(rows)
