"""What opponents may hold by what they did, and the equity against that."""

from __future__ import annotations

from typing import Any

import pytest

from tahur.cards.cards import combo_of, parse_cards
from tahur.cards.equity import equity
from tahur.cards.ranges import Range
from tahur.core.errors import IllegalAction
from tahur.core.player import View
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.stakes import Stakes
from tahur.games.holdem.table import CALL, FOLD
from tahur.players.bounded.situation import EquityEstimate, Position, history_words, position_of, situation_of
from tahur.players.equities import BOARD_SAMPLES, PREFLOP_SAMPLES, estimate, estimate_against
from tahur.players.opponents import USUAL, OpponentRange


def hand_of(text: str) -> int:
    return combo_of(parse_cards(text))


def view_of(game: Holdem, actions: list[Any], hand: str) -> View:
    """The view of the seat to act after these actions; texts are board cards."""
    table = game.start()
    for action in actions:
        for each in parse_cards(action) if isinstance(action, str) else (action,):
            table = table.after(int(each))
    return View(game, table, table.turn, hand_of(hand))


def widths(game: Holdem, actions: list[Any]) -> list[float]:
    view = view_of(game, actions, "2c2d")
    return [opponent.width for opponent in USUAL.opponents(game, view.table)]


SIX = no_limit(seats=6, stack=200)  # the button is seat 0; seat 3 is first to act


@pytest.mark.parametrize(
    ("seats", "positions"),
    [
        (2, "button blinds"),
        (3, "button blinds blinds"),
        (4, "button blinds blinds late"),
        (6, "button blinds blinds early middle late"),
        (9, "button blinds blinds early early middle middle late late"),
    ],
)
def test_positions_go_around_the_table(seats: int, positions: str) -> None:
    stakes = Stakes((200,) * seats)
    assert [position_of(stakes, seat).value for seat in range(seats)] == positions.split()


def test_who_raises_early_holds_less_than_who_raises_late() -> None:
    early = widths(SIX, [7, FOLD, FOLD, FOLD, FOLD])
    button = widths(SIX, [FOLD, FOLD, FOLD, 7, FOLD])
    assert (early, button) == ([0.15], [0.42])


def test_each_raise_narrows_and_a_call_less() -> None:
    opened = widths(SIX, [FOLD, FOLD, FOLD, 7, FOLD])
    called = widths(SIX, [FOLD, FOLD, 7, CALL, FOLD])
    reraised = widths(SIX, [FOLD, FOLD, 7, 21, FOLD, FOLD])
    again = widths(SIX, [FOLD, FOLD, FOLD, 7, FOLD, 21, 61])
    assert opened == [0.42]
    assert called == pytest.approx([0.28, 0.42 * 0.75])
    assert reraised == pytest.approx([0.42 * 0.35])
    assert again == pytest.approx([0.42 * 0.15])


def test_a_big_blind_that_checked_may_hold_anything() -> None:
    assert widths(SIX, [FOLD, FOLD, FOLD, CALL, FOLD, CALL, "Qs7h2h", CALL]) == [1.0]


def test_bets_after_the_flop_are_counted_up_to_two() -> None:
    before = [FOLD, FOLD, FOLD, 7, FOLD, CALL, "Qs7h2h"]
    game = SIX
    once = USUAL.opponents(game, view_of(game, [*before, CALL, 7], "2c2d").table)
    assert [opponent.bets for opponent in once] == [1]
    thrice = [*before, CALL, 7, CALL, "3d", CALL, 21, CALL, "4d", CALL, 41]
    assert [opponent.bets for opponent in USUAL.opponents(game, view_of(game, thrice, "2c2d").table)] == [2]


def test_aces_are_strong_under_the_gun_at_a_table_of_nine() -> None:
    nine = no_limit(seats=9, stack=200)
    aces, rags = (situation_of(view_of(nine, [], hand)) for hand in ("AsAh", "7h2c"))
    assert aces.equity > 0.6 > 0.25 > rags.equity
    assert 0 < aces.error < 0.01


def test_a_raise_makes_the_same_hand_worth_less() -> None:
    checked = situation_of(view_of(SIX, [FOLD, FOLD, FOLD, CALL, FOLD], "KhTd"))
    raised = situation_of(view_of(SIX, [FOLD, FOLD, FOLD, 7, FOLD], "KhTd"))
    war = situation_of(view_of(SIX, [FOLD, FOLD, FOLD, 7, FOLD, 21, 61], "KhTd"))
    assert checked.equity > raised.equity > war.equity


def test_against_one_the_equity_is_counted_from_the_flop_on() -> None:
    flop = situation_of(view_of(SIX, [FOLD, FOLD, FOLD, 7, FOLD, CALL, "Qs7h2h"], "AhKh"))
    exact = equity("AhKh", Range("42%"), board="Qs7h2h").players[0].equity
    assert (flop.error, flop.equity) == (0.0, pytest.approx(exact, abs=1e-12))
    river = estimate(hand_of("AhKh"), tuple(parse_cards("Qs7h2h3c4d")), (OpponentRange(0.42),))
    exact = equity("AhKh", Range("42%"), board="Qs7h2h3c4d").players[0].equity
    assert river == EquityEstimate(pytest.approx(exact, abs=1e-12))  # type: ignore[arg-type]


def test_against_more_it_is_sampled_with_its_error_and_the_same_again() -> None:
    two = (OpponentRange(0.3), OpponentRange(0.5))
    board = tuple(parse_cards("Qs7h2h"))
    sampled = estimate(hand_of("AhKh"), board, two)
    exact = equity("AhKh", Range("30%"), Range("50%"), board="Qs7h2h", samples=200_000).players[0].equity
    assert min(BOARD_SAMPLES, PREFLOP_SAMPLES) >= 2_000
    assert abs(sampled.equity - exact) < 4 * sampled.error
    assert estimate_against(hand_of("AhKh"), board, (Range("30%"), Range("50%"))) == estimate_against(
        hand_of("AhKh"), board, (Range("30%"), Range("50%"))
    )


def test_a_range_that_our_own_cards_exhaust_is_anything() -> None:
    found = estimate(hand_of("AsAh"), tuple(parse_cards("AdAc2h")), (OpponentRange(0.005),))
    assert found.equity > 0.99


def test_a_situation_is_made_for_the_seat_to_act_only() -> None:
    view = view_of(SIX, [], "AhKh")
    with pytest.raises(IllegalAction):
        situation_of(View(view.game, view.table, 0, view.hand))
    with pytest.raises(IllegalAction):
        situation_of(View(view.game, view.table, view.seat, None))


def test_a_situation_says_what_the_table_does() -> None:
    game = no_limit(stacks=[200, 50, 300], blinds=(5, 10), button=0)
    view = view_of(game, [100 + 1], "AhKh")  # the button raises to 100; the small blind has 45 left
    found = situation_of(view, estimate=EquityEstimate(0.5), history=True)
    assert (found.pot, found.cost, found.stack, found.committed, found.bet) == (50 + 5 + 10, 45, 45, 5, 100)
    assert found.required == pytest.approx(45 / 110)
    assert (found.position, found.seats, found.opponents, len(found.raises)) == (Position.BLINDS, 3, 2, 0)
    assert found.history == ("preflop: seat 1: raise to 100",)
    assert history_words(view) == found.history


def test_limit_has_the_size_of_its_street() -> None:
    view = view_of(limit(seats=2, stack=100), [CALL], "AhKh")
    assert list(situation_of(view, estimate=EquityEstimate(0.5)).raises) == [4]
