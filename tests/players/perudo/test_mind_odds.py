"""The binomial against fractions and by counting all rolls, and the tilt of a die's chance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.players.perudo.odds import HIGHEST, at_least, boost, exactly, expected, tilted


@given(st.integers(0, 40), st.integers(-2, 42), st.sampled_from([Fraction(1, 6), Fraction(1, 3), Fraction(9, 20)]))
def test_the_binomial_is_that_of_fractions(unknown: int, needed: int, chance: Fraction) -> None:
    each = [comb(unknown, k) * chance**k * (1 - chance) ** (unknown - k) for k in range(unknown + 1)]
    assert exactly(needed, unknown, float(chance)) == pytest.approx(
        float(each[needed]) if 0 <= needed <= unknown else 0.0, abs=1e-14
    )
    tail = sum((likely for k, likely in enumerate(each) if k >= needed), start=Fraction(0))
    assert at_least(needed, unknown, float(chance)) == pytest.approx(float(tail), abs=1e-14)


def test_four_dice_rolled_in_every_way_have_fives_and_aces_as_often_as_reckoned() -> None:
    rolls = [sum(die in (1, 5) for die in roll) for roll in product(range(1, 7), repeat=4)]
    for count in range(6):
        share = sum(found >= count for found in rolls) / len(rolls)
        assert at_least(count, 4, tilted(5)) == pytest.approx(share)
        assert exactly(count, 4, tilted(5)) == pytest.approx(rolls.count(count) / len(rolls))


def test_bids_of_others_tilt_the_chance_of_a_die_by_the_table() -> None:
    assert [boost(bids) for bids in range(7)] == [1.0, 1.0, 1.1, 1.2, 1.35, 1.35, 1.35]
    assert tilted(5, 3) == pytest.approx(1.2 / 3)
    assert tilted(1, 4) == pytest.approx(1.35 / 6)
    assert tilted(5, 2, wild=False) == pytest.approx(1.1 / 6)


def test_the_tilt_makes_bids_likelier_and_never_impossible_or_certain() -> None:
    assert at_least(5, 10, tilted(5, 1)) < at_least(5, 10, tilted(5, 2)) < at_least(5, 10, tilted(5, 4)) < 1
    assert all(tilted(face, bids) <= HIGHEST < 1 for face in range(1, 7) for bids in range(9))
    assert sum(exactly(k, 10, tilted(5, 4)) for k in range(11)) == pytest.approx(1)


def test_own_dice_are_expected_whole_and_others_in_part() -> None:
    assert expected(2, 15, tilted(5)) == pytest.approx(7)
