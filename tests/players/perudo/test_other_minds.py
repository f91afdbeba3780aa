"""The mind of the odds and the one for who is out of time."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from minds_talk import view_of

from tahur.arena.match import run
from tahur.core.player import View
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, bid, matching
from tahur.games.perudo.game import perudo
from tahur.games.perudo.table import dice_of, hands_of, ways
from tahur.games.registry import game_of
from tahur.players.perudo.expectation import (
    OddsMind,
    best,
    bid_change,
    calza_change,
    chances,
    dudo_change,
    heard_chances,
    prospect,
    prospects,
)
from tahur.players.perudo.timeout import TimeoutMind, failure

ODDS, TIMEOUT = OddsMind(), TimeoutMind()


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_a_call_or_a_bid_is_worth_what_it_wins_and_loses() -> None:
    assert dudo_change(0.25) == -0.25
    assert bid_change(0.25) == -0.75
    assert calza_change(0.6, full=False) == pytest.approx(0.2)
    assert calza_change(0.6, full=True) == pytest.approx(-0.4)


@pytest.mark.parametrize("cups", [[3, 2], [2, 3]])
def test_expectations_are_those_of_all_rolls_paid_by_the_rules(cups: list[int]) -> None:
    """Every hand of the other seat, every legal action, settled by the game itself."""
    mine = [5, 3, 1][: cups[0]]
    view = view_of(mine, (2, 3), cups=cups)
    game, table = view.game, view.table
    for found in prospects(view):
        ended = table.after(found.action)
        ended = ended if found.action < FIRST_BID else ended.after(DUDO)
        total = 0.0
        for hand, way in zip(hands_of(cups[1]), ways(cups[1]), strict=True):
            total += way * game.payoffs(ended, (view.hand, hand))[0]
        assert found.dice == pytest.approx(total / 6 ** cups[1])
        assert dice_of(view.hand) == tuple(sorted(mine))


def test_the_best_is_the_best_of_all_though_only_the_lowest_bids_are_looked_at() -> None:
    stream = np.random.default_rng(3)
    for rules in ("faroleo", "asmodee", "classic"):
        for _ in range(25):
            cups = [int(stream.integers(1, 6)) for _ in range(3)]
            game = perudo(cups=cups, rules=rules, palifico_round=bool(stream.random() < 0.3))
            table, hands = game.start(), game.deal(stream)
            while table.turn >= 0:
                view = View(game, table, table.turn, hands[table.turn])
                every = prospects(view)
                top = max(every, key=lambda each: each.dice)
                assert best(view) == top
                table = table.after(table.actions()[int(stream.random() ** 4 * len(table.actions()))])


def test_the_odds_mind_bids_the_likeliest_raise_or_doubts_what_is_likelier_false() -> None:
    raising = view_of([5, 5, 5, 2, 3], (2, 5))
    assert ODDS.act(raising, rng()).action == bid(3, 5)
    doubting = view_of([2, 2, 3, 3, 4], (6, 5))
    assert ODDS.act(doubting, rng()).action == DUDO
    assert "[Odds] dudo: true 0.00" in ODDS.act(doubting, rng()).thought
    calling = view_of([5, 5, 5, 2], (3, 5), cups=[4, 1], palifico_round=False)
    assert prospect(calling, CALZA).dice == pytest.approx(2 / 3 - 1 / 3)


def test_the_odds_mind_weighs_a_cup_by_how_likely_its_dice_make_its_bids() -> None:
    """Three fives of five dice by a seat with one: true with 33/81 if it holds a five or an ace, else with 9/81."""
    view = view_of([5, 5, 5, 2], (3, 5), cups=[4, 1], palifico_round=False)
    five, other = 1 / 3 * 33 / 81, 2 / 3 * 9 / 81
    true, exact = heard_chances(view, bid(3, 5))
    assert true == pytest.approx(1)
    assert exact == pytest.approx(other / (five + other))
    assert ODDS.probabilities(view) == {best(view, heard_chances).action: 1.0}


def test_who_has_said_nothing_is_taken_for_fair() -> None:
    opening = view_of([5, 3, 2], cups=[3, 4, 2])
    for face in range(2, 7):
        assert heard_chances(opening, bid(2, face)) == pytest.approx(chances(opening, bid(2, face)))


def test_what_is_heard_is_what_all_rolls_say() -> None:
    """Two bids of one seat and one of another, every roll of both cups by itself."""
    view = view_of([2, 4], (1, 5), (2, 3), (2, 5), (3, 3), cups=[2, 2, 1], palifico_round=False)
    said = {
        seat: [each for at, each in enumerate(view.table.history) if view.table.seat_at(at) == seat] for seat in (1, 2)
    }
    met = whole = 0.0
    for first, second in product(hands_of(2), hands_of(1)):
        weight = ways(2)[first - hands_of(2).start] * ways(1)[second - hands_of(1).start]
        for seat, hand in ((1, first), (2, second)):
            for each in said[seat]:
                weight *= chances(View(view.game, view.table, seat, hand), each)[0]
        dice = [*dice_of(view.hand), *dice_of(first), *dice_of(second)]
        met, whole = met + weight * (matching(dice, 3) >= 3), whole + weight
    assert heard_chances(view, bid(3, 3))[0] == pytest.approx(met / whole)


def test_out_of_time_the_lowest_bid_is_made_and_calza_never_called() -> None:
    calling = view_of([5, 5, 5, 2], (3, 5), cups=[4, 1], palifico_round=False)
    assert TIMEOUT.act(calling, rng()).action == bid(3, 6)
    assert TIMEOUT.act(view_of([6, 6]), rng()).action == bid(1, 2)


@pytest.mark.parametrize(("count", "face", "doubts"), [(3, 5, False), (2, 1, True), (4, 5, True)])  # 0.79, 0.804, 0.95
def test_out_of_time_one_doubts_above_four_in_five(count: int, face: int, doubts: bool) -> None:
    view = view_of([2, 2, 3, 3, 4], (count, face), rules="classic")
    assert (failure(view) > 0.8) is doubts
    assert (TIMEOUT.act(view, rng()).action == DUDO) is doubts


def test_out_of_time_and_out_of_bids_one_doubts_what_is_certain() -> None:
    view = view_of([1], (2, 1), cups=[1, 1], rules="classic")
    assert failure(view) == pytest.approx(5 / 6)
    assert TIMEOUT.act(view, rng()).action == DUDO
    sure = view_of([6, 6], (2, 6), cups=[2, 1], palifico_round=True)
    assert failure(sure) == 0
    assert TIMEOUT.act(sure, rng()).action == bid(3, 6)
    last = view_of([6, 6], (3, 6), cups=[2, 1], palifico_round=True)
    assert TIMEOUT.act(last, rng()).action == DUDO


def test_a_match_of_the_two_ends() -> None:
    records = list(run(perudo(seats=3), [ODDS, TIMEOUT, ODDS], seed=3))
    assert game_of(records[-1]).next(records[-1]) is None
