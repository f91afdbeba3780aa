"""What a bid tells by itself: expectation, ratio, increment, support, and where a squeeze bites."""

from __future__ import annotations

import pytest

from tahur.games.perudo.bids import (
    bid,
    chance_of,
    increment,
    is_squeezing,
    is_supported,
    ratio_of,
)


def test_a_die_counts_once_in_three_for_a_face_and_once_in_six_for_aces_and_in_palifico() -> None:
    assert [chance_of(face, wild=True) for face in (1, 2, 6)] == [1 / 6, 2 / 6, 2 / 6]
    assert [chance_of(face, wild=False) for face in (1, 2, 6)] == [1 / 6, 1 / 6, 1 / 6]


def test_the_ratio_of_a_bid_knows_no_dice_at_all() -> None:
    assert ratio_of(bid(5, 5), 30, wild=True) == pytest.approx(0.5)
    assert ratio_of(bid(5, 5), 30, wild=False) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("before", "after", "wild", "step"),
    [
        ((4, 5), (4, 6), True, 0),
        ((4, 5), (6, 2), True, 2),
        ((4, 5), (2, 1), True, 0),
        ((5, 5), (3, 1), True, 1),
        ((2, 1), (5, 2), True, 1),
        ((2, 1), (8, 2), True, 4),
        ((2, 1), (3, 1), True, 1),
        ((2, 1), (3, 2), False, 1),
    ],
)
def test_an_ace_counts_for_two_dice_of_another_face_while_it_is_wild(
    before: tuple[int, int], after: tuple[int, int], wild: bool, step: int
) -> None:
    assert increment(bid(*before), bid(*after), wild) == step


@pytest.mark.parametrize(("count", "needed"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (10, 3), (11, 4)])
def test_a_bid_is_supported_by_three_tenths_of_it_rounded_up(count: int, needed: int) -> None:
    assert is_supported(needed, count)
    assert not is_supported(needed - 1, count)


def test_a_squeeze_needs_a_bold_bid_and_a_weak_seat() -> None:
    assert is_squeezing(0.75, 2)
    assert not is_squeezing(0.74, 2)
    assert not is_squeezing(0.75, 3)
