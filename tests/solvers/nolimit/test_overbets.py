"""Bets that the blueprint's tree lacks: how they are read, and the small game that answers a very large one."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.cards.cards import COMBOS, parse_cards
from tahur.cards.equity.hand import equity_matrix
from tahur.cards.ranges import Range
from tahur.core.arrays import Float64s
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.solvers.nolimit.overbets import calls
from tahur.solvers.nolimit.translation import BetReading, break_even, read_bet

SIZES = {2: 0.5, 3: 1.5}


def river_facing(bet: int) -> HoldemTable:
    """The button faces a bet into 200 on the river Td9d6hQc2s."""
    table = no_limit(seats=2, stack=4000, blinds=(50, 100)).start()
    for step in (CALL, CALL, "Td9d6h", CALL, CALL, "Qc", CALL, CALL, "2s", bet + 1):
        for action in [int(card) for card in parse_cards(step)] if isinstance(step, str) else [step]:
            table = table.after(action)
    return table


def test_a_bet_of_a_size_of_the_tree_is_read_as_that_size_alone() -> None:
    assert read_bet(SIZES, 0.5, price=0.0, most=20) == BetReading(2, None, 0.0)
    assert read_bet(SIZES, 1.5, price=0.0, most=20) == BetReading(3, None, 0.0)


@pytest.mark.parametrize("x", [0.6, 0.9, 1.2, 1.4])
def test_between_two_sizes_the_share_of_the_other_is_linear_in_what_a_bluff_needs(x: float) -> None:
    reading = read_bet(SIZES, x, price=0.3, most=20)
    assert reading.other is not None
    mixed = (1 - reading.share) * break_even(SIZES[reading.choice], 0.3) + reading.share * break_even(
        SIZES[reading.other], 0.3
    )
    assert mixed == pytest.approx(break_even(x, 0.3))
    swapped = reading.swapped()
    assert (swapped.choice, swapped.other, swapped.share) == (reading.other, reading.choice, 1 - reading.share)


def test_a_bet_below_all_sizes_lies_between_none_and_the_smallest_and_one_above_between_the_largest_and_all_in() -> (
    None
):
    small, large = (read_bet(SIZES, x, price=0.0, most=20) for x in (0.25, 8.0))
    assert (small.choice, small.other, small.is_largest) == (2, None, False)
    assert (1 - small.share) * break_even(0.5, 0) == pytest.approx(break_even(0.25, 0))
    assert (large.choice, large.other, large.is_largest) == (3, None, True)
    mixed = (1 - large.share) * break_even(1.5, 0) + large.share * break_even(20, 0)
    assert mixed == pytest.approx(break_even(8.0, 0))
    assert read_bet(SIZES, 20.0, price=0.0, most=20).share == pytest.approx(1)


def test_against_nuts_or_nothing_the_bluffcatchers_call_as_often_as_makes_a_bluff_break_even() -> None:
    """The bettor has the nuts in one hand of three; the textbook answer to a bet of b into p is to call p / (p + b)."""
    for bet in (200, 1000):
        table = river_facing(bet)
        nuts, air = Range.parse("KcJc,KhJh,KsJs").vector, Range.parse("5c4c,5h4h,5s4s,5c3c,5h3h,5s3s").vector
        catchers = Range.parse("AdTc,AhTc,AsTs,AcTh").vector
        often = calls(table, catchers, nuts + air)
        called = float(often @ catchers) / catchers.sum()
        assert called == pytest.approx(200 / (200 + bet), abs=0.02)


def test_the_answer_cannot_be_beaten_by_more_than_a_little() -> None:
    table, rng = river_facing(3000), np.random.default_rng(1)
    alive = equity_matrix(table.board).sum(axis=1) > 0
    mine, theirs = (rng.random(COMBOS) ** 4 * alive for _ in range(2))
    often = calls(table, mine, theirs)
    best = _worth_of_betting(table, mine * often, mine)
    few, many = (_worth_of_betting(table, mine * often * factor, mine) for factor in (0.5, 1.5))
    won = [float(theirs @ np.maximum(worth, 0)) for worth in (few, best, many)]
    assert won[1] < min(won[0], won[2])


def _worth_of_betting(table: HoldemTable, called: Float64s, mine: Float64s) -> Float64s:
    """What each hand gains by the bet over its share of the pot."""
    equity = equity_matrix(table.board).astype(float)
    met = equity + equity.T
    pot, price = 200, table.to_call
    return (
        pot * (met @ (mine - called)) + equity @ called * (pot + 2 * price) - met @ called * price - pot * equity @ mine
    )
