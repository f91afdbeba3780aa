"""Hands of dice: their numbers, how likely they are, and that they are dealt so."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.core.errors import RecordError
from tahur.games.perudo.bids import matching
from tahur.games.perudo.game import perudo
from tahur.games.perudo.table import EMPTY, dice_of, hand_of, hand_text, hands_of, matching_of, prior, roll, ways

LAST = 8007  # the hand of ten sixes


@given(st.lists(st.integers(1, 6), max_size=10))
def test_a_hand_is_its_dice_in_any_order(dice: list[int]) -> None:
    hand = hand_of(dice)
    assert list(dice_of(hand)) == sorted(dice)
    assert hand in hands_of(len(dice))


def test_hands_are_numbered_by_their_dice_then_as_in_a_dictionary() -> None:
    every = [dice_of(hand) for hand in range(LAST + 1)]
    assert every == sorted(every, key=lambda dice: (len(dice), dice))
    assert len(set(every)) == len(every)
    assert [hand_of(dice) for dice in every] == list(range(LAST + 1))
    assert [len(hands_of(dice)) for dice in range(6)] == [1, 6, 21, 56, 126, 252]


def test_a_hand_reads_as_a_person_says_it() -> None:
    assert hand_text(hand_of([6, 3, 1, 5, 3])) == "1 3 3 5 6"
    assert hand_text(EMPTY) == "no dice"


@pytest.mark.parametrize("hand", [-1, LAST + 1])
def test_a_number_that_is_no_hand_is_refused(hand: int) -> None:
    with pytest.raises(RecordError, match=r"numbered 0 \(no dice\) to 8,007"):
        dice_of(hand)


@pytest.mark.parametrize("dice", [[0], [7], [1] * 11])
def test_dice_that_are_no_hand_are_refused(dice: list[int]) -> None:
    with pytest.raises(RecordError, match="each with a face from 1 to 6"):
        hand_of(dice)


@pytest.mark.parametrize("dice", range(7))
def test_a_hand_is_as_likely_as_the_rolls_that_make_it(dice: int) -> None:
    rolls = Counter(hand_of(faces) for faces in product(range(1, 7), repeat=dice))
    assert ways(dice) == tuple(rolls[hand] for hand in hands_of(dice))
    assert prior(dice).sum() == pytest.approx(1, abs=1e-12)


class Wheel:
    """Randomness that goes round once: every k-th part of [0, 1) in turn."""

    def __init__(self, parts: int) -> None:
        self._turns = iter((part + offset) / parts for part in range(parts) for offset in (1e-9, 1 - 1e-6))

    def random(self) -> float:
        return next(self._turns)


@pytest.mark.parametrize("dice", range(1, 6))
def test_each_of_the_rolls_is_equally_likely(dice: int) -> None:
    """Both ends of each 6**dice-th part of [0, 1) give the same hand, and each hand has as many parts as rolls."""
    wheel: Any = Wheel(6**dice)
    rolled = [roll(dice, wheel) for _ in range(2 * 6**dice)]
    assert rolled[::2] == rolled[1::2]
    counts = Counter(rolled[::2])
    assert tuple(counts[hand] for hand in hands_of(dice)) == ways(dice)


def chi_square_limit(freedom: int) -> float:
    """What chi-square exceeds once in a thousand (Wilson and Hilferty's approximation)."""
    return float(freedom * (1 - 2 / (9 * freedom) + 3.0902 * (2 / (9 * freedom)) ** 0.5) ** 3)


@pytest.mark.parametrize(("cups", "deals"), [((5, 5), 60_000), ((1, 0, 3), 20_000)])
def test_dice_are_dealt_fairly_and_apart(cups: tuple[int, ...], deals: int) -> None:
    game, rng = perudo(cups=cups), np.random.default_rng(20240)
    dealt = np.array([game.deal(rng) for _ in range(deals)])
    for seat, dice in enumerate(cups):
        seen = np.bincount(dealt[:, seat] - hands_of(dice).start, minlength=len(hands_of(dice)))
        expected = deals * game.prior(seat)
        if dice:
            assert ((seen - expected) ** 2 / expected).sum() < chi_square_limit(len(expected) - 1)
    first, last = (np.array([matching(dice_of(hand), 6) for hand in dealt[:, seat]]) for seat in (0, -1))
    assert abs(np.corrcoef(first, last)[0, 1]) < 4 / deals**0.5


@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize("face", range(1, 7))
def test_the_table_of_matching_dice_is_what_counting_gives(face: int, wild: bool) -> None:
    counted = [matching(dice_of(hand), face, wild=wild) for hand in range(LAST + 1)]
    assert list(matching_of(face, wild=wild)) == counted


def test_a_round_between_two_is_ready_for_the_solvers() -> None:
    game = perudo(cups=[2, 1])
    assert len(game.hands(0)) == len(game.prior(0)) == 21
    assert len(game.hands(1)) == len(game.prior(1)) == 6
    assert game.prior(0)[list(game.hands(0)).index(hand_of([3, 5]))] == pytest.approx(2 / 36)
    assert all(game.possible(hands) for hands in product(game.hands(0), game.hands(1)))
    assert not game.possible((hand_of([1]), hand_of([1])))


def test_a_seat_that_is_out_has_the_empty_hand_for_certain() -> None:
    game = perudo(cups=[2, 0, 1])
    assert list(game.hands(1)) == [EMPTY]
    assert game.prior(1).tolist() == [1.0]
    assert game.deal(np.random.default_rng(1))[1] == EMPTY
