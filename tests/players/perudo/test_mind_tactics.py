"""Which bids come to mind when, and that they are always legal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from minds_talk import bids_of, situation

from tahur.core.game import OVER
from tahur.core.player import View
from tahur.games.perudo.bids import FIRST_BID, face_of
from tahur.games.perudo.game import perudo
from tahur.players.perudo.personalities import BLUFFER, CALCULATOR, CHAOS, SHARK, SIX, TRAPPER, TURTLE, Personality
from tahur.players.perudo.situation import situation_of
from tahur.players.perudo.tactics import (
    ace_flush,
    aggressive,
    bluff,
    candidates,
    competitive,
    is_boring,
    leap_base,
    liars_leap,
    minimum,
    opening_count,
    squeeze,
    switch,
    value,
)


def always(number: float) -> object:
    return lambda: number


@given(st.integers(0, 2**32), st.sampled_from(["faroleo", "asmodee", "classic"]), st.integers(2, 5))
def test_every_bid_that_comes_to_mind_is_legal_and_there_is_one_while_one_is_legal(
    seed: int, rules: str, seats: int
) -> None:
    rng = np.random.default_rng(seed)
    cups = [int(rng.integers(1, 6)) for _ in range(seats)]
    game = perudo(cups=cups, rules=rules, palifico_round=bool(rng.random() < 0.2))
    hands = game.deal(rng)
    table = game.start()
    while table.turn != OVER:
        here = situation_of(View(game, table, table.turn, hands[table.turn]))
        found = candidates(SIX[int(rng.integers(6))], here, rng.random)
        raises = [action for action in table.actions() if action >= FIRST_BID]
        assert all(each.bid in raises for each in found)
        assert bool(found) == bool(raises)
        table = table.after(table.actions()[int(rng.random() ** 3 * len(table.actions()))])


def test_the_lowest_raise_is_always_among_them() -> None:
    here = situation([2, 3, 3, 5, 6], (3, 4), cups=[5, 5])
    assert bids_of(minimum(here)) == ["minimum 3x5"]


def test_after_aces_there_is_one_ace_more_and_the_lowest_of_the_best_face() -> None:
    here = situation([2, 3, 3, 5, 6], (2, 1), cups=[5, 5], rules="classic")
    assert bids_of(minimum(here)) == ["minimum 3x1", "minimum 5x3"]
    full = situation([2, 3, 3, 5, 6], (5, 1), cups=[5, 5], rules="classic")  # eleven dice there are not
    assert bids_of(candidates(TURTLE, full, always(0.99))) == ["minimum 6x1"]  # type: ignore[arg-type]


def test_where_no_bid_is_left_none_comes_to_mind() -> None:
    assert candidates(SHARK, situation([2], (2, 1), cups=[1, 1], rules="classic"), always(0)) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "draw", "found"),
    [
        ((3, 4), 0.0, "competitive 4x3"),  # ratio 0.3: 40 % of 10
        ((3, 4), 0.999, "competitive 5x3"),  # 55 %
        ((4, 4), 0.0, "competitive 6x3"),  # ratio 0.4: 55 %
        ((5, 4), 0.999, "competitive 7x3"),
        ((6, 4), 0.0, None),  # ratio 0.6
    ],
)
def test_a_competitive_bid_jumps_to_where_the_next_seat_has_to_think(
    said: tuple[int, int], draw: float, found: str | None
) -> None:
    here = situation([2, 3, 3, 5, 6], said, cups=[5, 5, 5, 5, 5, 5])
    made = competitive(here, always(draw))  # type: ignore[arg-type]
    assert (None if made is None else bids_of([made])[0]) == found


def test_a_competitive_bid_never_passes_85_percent() -> None:
    here = situation([3, 3], (1, 4), cups=[2, 2, 2])  # 1 of 2: 50 %; the cap is 1.7, and 2x3 would be the next
    assert competitive(here, always(0.5)) is None  # type: ignore[arg-type]


def test_an_aggressive_bid_jumps_by_two_or_three_and_needs_the_temper() -> None:
    here = situation([2, 3, 3, 5, 6], (3, 4), cups=[5, 5, 5])
    assert bids_of([aggressive(SHARK, here, always(0.2))]) == ["aggressive 5x3"]  # type: ignore[arg-type]
    assert bids_of([aggressive(SHARK, here, always(0.7))]) == ["aggressive 6x3"]  # type: ignore[arg-type]
    assert aggressive(CALCULATOR, here, always(0.2)) is None  # type: ignore[arg-type]
    over_aces = situation([2, 3, 3, 5, 6], (2, 1), cups=[5, 5, 5], rules="classic")
    assert bids_of([aggressive(SHARK, over_aces, always(0.2))]) == ["aggressive 6x3"]  # type: ignore[arg-type]


def test_value_is_the_lowest_bid_on_each_face_held_and_scores_by_the_dice() -> None:
    here = situation([1, 3, 3, 5, 6], (3, 4), cups=[5, 5, 5])
    found = value(here)
    assert bids_of(found) == ["value 4x3", "value 3x5", "value 3x6"]
    assert [each.base for each in found] == [3 + 1.5 * 3, 3 + 1.5 * 2, 3 + 1.5 * 2]
    assert bids_of(value(situation([1, 1], (2, 4), cups=[2, 5]))) == ["value 3x4"]  # nothing but aces


def test_a_bluff_is_on_a_face_that_no_die_shows_as_often_as_the_mind_bluffs() -> None:
    here = situation([2, 3, 3, 5, 6], (3, 2), cups=[5, 5, 5])
    assert bids_of([bluff(BLUFFER, here, always(0.5))]) == ["bluff 3x4"]  # type: ignore[arg-type]
    assert bluff(BLUFFER, here, always(0.55)) is None  # type: ignore[arg-type]
    assert bluff(TURTLE, here, always(0.5)) is None  # type: ignore[arg-type]


def test_a_switch_goes_to_aces_or_from_them_four_times_out_of_ten() -> None:
    to_aces = situation([1, 3, 3, 5, 6], (3, 4), cups=[5, 5, 5])
    found = switch(to_aces, always(0.39))  # type: ignore[arg-type]
    assert found is not None
    assert (bids_of([found]), found.base) == (["switch 2x1"], 3.0)
    assert switch(to_aces, always(0.4)) is None  # type: ignore[arg-type]
    from_aces = situation([1, 3, 3, 5, 6], (3, 4), (2, 1), cups=[5, 5, 5])
    assert bids_of([switch(from_aces, always(0))]) == ["switch 5x3"]  # type: ignore[arg-type]
    without = switch(situation([2, 3, 3, 5, 6], (3, 4), cups=[5, 5, 5]), always(0))  # type: ignore[arg-type]
    assert without is not None
    assert without.base == 2.0


def test_a_squeeze_jumps_by_two_on_the_same_face_before_a_weak_seat() -> None:
    here = situation([2, 3, 3, 5, 6], (3, 4), cups=[5, 2, 5])  # 3 of an expectation of 4
    assert bids_of([squeeze(TRAPPER, here)]) == ["squeeze 5x4"]
    assert squeeze(TURTLE, here) is None  # no eye for position
    assert squeeze(TRAPPER, situation([2, 3, 3, 5, 6], (3, 4), cups=[5, 3, 4])) is None
    assert squeeze(TRAPPER, situation([2, 3, 3, 5, 6], (2, 4), cups=[5, 2, 5])) is None


def test_aces_are_flushed_early_by_who_holds_one_and_is_supple() -> None:
    here = situation([1, 3, 3, 5, 6], (3, 4), cups=[5, 5, 5])
    assert bids_of([ace_flush(SHARK, here)]) == ["ace flush 2x1"]
    stiff = Personality("stiff", adaptability=0.3, unpredictability=0.2)
    assert ace_flush(stiff, here) is None
    assert ace_flush(CHAOS, here) is not None  # unpredictable enough
    assert ace_flush(SHARK, situation([2, 3, 3, 5, 6], (3, 4), cups=[5, 5, 5])) is None
    late = [(1, 2), (1, 3), (1, 4), (1, 5), (1, 6)]
    assert ace_flush(SHARK, situation([1, 3, 3, 5, 6], *late, cups=[5, 5, 5])) is None
    assert ace_flush(SHARK, situation([1, 3, 3, 5, 6], *late[:4], cups=[5, 5, 5])) is not None
    assert ace_flush(SHARK, situation([1, 3, 3, 5, 6], (9, 4), cups=[5, 5, 5])) is None  # 5 aces are too unlikely


def test_a_liar_leaps_when_every_other_cup_is_weak() -> None:
    mine = [3, 3, 5, 5, 6]
    here = situation(mine, (1, 3), cups=[5, 2, 2])
    made = liars_leap(BLUFFER, here, always(0.5))  # type: ignore[arg-type]
    assert made is not None
    assert face_of(made.bid) in (2, 4)
    assert made.base == leap_base(BLUFFER) == pytest.approx(3 + 4 * 0.55)
    assert here.success(made.bid) >= 0.35
    assert liars_leap(SHARK, here, always(0.5)) is not None  # type: ignore[arg-type]
    assert liars_leap(TURTLE, here, always(0.5)) is None  # type: ignore[arg-type]
    assert liars_leap(BLUFFER, situation(mine, (1, 3), cups=[5, 3, 2]), always(0.5)) is None  # type: ignore[arg-type]
    assert liars_leap(BLUFFER, situation(mine[:3], (1, 3), cups=[3, 2, 2]), always(0.5)) is None  # type: ignore[arg-type]
    assert liars_leap(BLUFFER, situation([1, *mine[1:]], (1, 3), cups=[5, 2, 2]), always(0.5)) is None  # type: ignore[arg-type]
    opening = candidates(BLUFFER, situation(mine, cups=[5, 2, 2]), always(0.5))  # type: ignore[arg-type]
    assert "Liar's Leap" in {each.tactic.value for each in opening}


def test_an_opening_aims_low_and_rises_with_dice_and_temper() -> None:
    here = situation([3, 3, 5, 6, 2], cups=[5] * 6)
    plain = Personality("plain")
    assert opening_count(plain, here, 4, 0.0) == 3
    assert opening_count(plain, here, 4, 0.999) == 5
    assert opening_count(plain, here, 3, 0.0) == round(3 + 1.4)
    assert opening_count(replace(plain, aggression=1.0), here, 4, 0.0) == 4
    assert opening_count(replace(plain, aggression=0.0), here, 4, 0.0) == 2
    two = situation([3], cups=[1, 1])
    assert opening_count(replace(plain, aggression=1.0), two, 3, 0.999) == 1  # 60 % of one die and a third


def test_three_dice_ahead_of_the_average_the_game_is_boring() -> None:
    assert is_boring(situation([2, 2, 2, 2, 2], cups=[5, 2, 2]))
    assert not is_boring(situation([2, 2, 2, 2, 2], cups=[5, 2, 3]))
    ahead = situation([2, 2, 2, 2, 2], (1, 3), cups=[5, 2, 2])
    assert [each.base for each in minimum(ahead)] == [7.0]


@pytest.mark.parametrize("mind", SIX, ids=lambda mind: mind.name)
def test_in_palifico_only_the_lowest_bid_comes_to_mind(mind: Personality) -> None:
    here = situation([4, 4, 4], (1, 4), cups=[3, 1, 5], palifico_round=True)
    assert bids_of(candidates(mind, here, always(0))) == ["minimum 2x4"]  # type: ignore[arg-type]
    opening = situation([4], cups=[1, 3, 5], palifico_round=True)
    assert bids_of(candidates(mind, opening, always(0))) == ["minimum 1x4"]  # type: ignore[arg-type]


def test_bids_of_other_seats_make_a_die_likelier_and_one_s_own_do_not() -> None:
    one = situation([2, 3, 4, 5, 6], (1, 5), (2, 5), (3, 5), cups=[5, 5])  # its own bid is the second
    assert one.chances[5] == pytest.approx(1.1 / 3)
    assert one.bids_on == 3
    three = situation([2, 3, 4, 5, 6], (1, 5), (2, 5), (3, 5), cups=[5, 5, 5, 5])
    assert three.chances[5] == pytest.approx(1.2 / 3)
    assert three.chances[4] == pytest.approx(1 / 3)
    assert three.bidder == 3


def test_the_best_face_is_the_one_with_most_dice_then_the_standing_one_then_the_highest() -> None:
    assert situation([2, 2, 3, 4, 5], (1, 3), cups=[5, 5]).faces.best == 2
    assert situation([2, 2, 3, 3, 5], (1, 2), cups=[5, 5]).faces.best == 2
    assert situation([2, 2, 3, 3, 5], (1, 4), cups=[5, 5]).faces.best == 3
    assert situation([1, 1, 1, 1, 5], (1, 4), cups=[5, 5]).faces.best == 5
