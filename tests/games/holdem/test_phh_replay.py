"""PHH hands are played as they were, and what cannot have been played is told why."""

from __future__ import annotations

from typing import Any

import pytest
from holdem_play import hands_of
from phh_hands import (
    CHECKED_DOWN,
    hand,
    heads_up,
    played,
)

from tahur.core.errors import CardError, RecordError, SettingError
from tahur.games.holdem.history import ReplayVerdict, record_of
from tahur.games.holdem.replay import replay
from tahur.games.holdem.rules import NO_HAND
from tahur.games.registry import make

# PokerKit writes and keeps this field of the format, but warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blinds_or_straddles": [1, 2, 4]}, "p3 has a straddle of 4; only two blinds are supported"),
        ({"blinds_or_straddles": [1, 2, -2]}, "p3 has a late post of 2; only two blinds are supported"),
        ({"antes": [0, 3, 0]}, "antes 0, 3, 0; only equal antes are supported"),
        ({"antes": [9, 9, 9], "starting_stacks": [200, 8, 200]}, "a stack below the ante"),
        ({"min_bet": 4}, "min_bet 4 with blinds 1, 2; the minimum bet must be the big blind"),
        ({"starting_stacks": [200, 0, 200]}, "starting_stacks 200, 0, 200; expected two or more, all with chips"),
        ({"starting_stacks": [200]}, "starting_stacks has|blinds_or_straddles has 3 numbers|antes has 3 numbers"),
        ({"actions": ["p1 f"]}, "'p1 f': not p1's turn; it is p3's turn"),
        ({"actions": ["p3 cbr 3"]}, "'p3 cbr 3': p3 may fold or call 2 or raise to 4 up to 200"),
        ({"actions": ["p3 cbr 0"]}, "'p3 cbr 0': p3 may"),
        ({"actions": ["p3 cbr -1"]}, "'p3 cbr -1': p3 may"),
        ({"actions": ["p3 cbr 201"]}, "'p3 cbr 201': p3 may"),
        ({"actions": ["p3 f", "p1 f", "p2 cc"]}, "'p2 cc': not p2's turn; the hand is over"),
        ({"actions": ["p3 f", "d db 2c3c4c"]}, "'d db 2c3c4c': no card is due; it is p1's turn"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "d db 2c2c4c"]}, "2c is already on the board"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "d db 2c3c??"]}, "the cards of the board must be known"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "d db 2c3c4"]}, "'d db 2c3c4': '4' is not a card"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "p1 cc"]}, "not p1's turn; a card is due, with 0 on the board"),
        ({"actions": ["d dh p1 AsKsQs", "p3 f", "p1 f"]}, "'d dh p1 AsKsQs': a hand is two cards"),
        ({"actions": ["d dh p1 AsAs", "p3 f", "p1 f"]}, "AsAs: the same card twice"),
        ({"actions": ["d dh p1 AsKs", "p3 f", "p1 f", "p1 sm AsKd"]}, "not the cards that p1 was dealt"),
        ({"actions": []}, "the text stops before the hand is over; it is p3's turn"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc"]}, "the text stops dealing: 0 cards on the board, 5 still to come"),
    ],
)
def test_a_hand_that_cannot_have_been_played_is_told_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        replay(hand(**changes))


def test_a_fold_for_nothing_is_played_as_it_was_and_kept_in_the_record() -> None:
    """Our tables do not offer it, PokerKit's and real ones do: the hand is replayed by rules that allow it."""
    history = played("p3 cc", "p1 cc", "p2 f", "d db 2c3c4c", "p1 f")
    assert history.finishing_stacks[history.game.stakes.order[2]] == 200 + 4
    record = record_of(history)
    assert record.settings["free_folds"] is True
    assert [*record.replay(make(record.game, record.settings))][-1] == history.table


def test_a_card_in_two_hands_is_refused() -> None:
    with pytest.raises(CardError, match="As is both in the hand of seat 1 and in the hand of seat 3"):
        played("d dh p1 AsKs", "d dh p3 AsQd", "p3 f", "p1 f")


def test_too_many_players_are_refused() -> None:
    ten = hand(antes=[], blinds_or_straddles=[1, 2], starting_stacks=[200] * 10)
    with pytest.raises(SettingError, match="10 seats; hold'em is played with 2 to 9"):
        replay(ten)


def test_a_mucked_hand_wins_nothing_not_even_the_best() -> None:
    dealt = ("d dh p1 QhQd", "d dh p2 7h5c")
    assert heads_up(*dealt, *CHECKED_DOWN, "p1 sm -", "p2 sm").payoffs == (2, -2)
    assert heads_up(*dealt, *CHECKED_DOWN, "p1 sm", "p2 sm -").payoffs == (-2, 2)
    assert heads_up(*dealt, *CHECKED_DOWN).payoffs == (2, -2)  # nobody mucks: the cards speak


def test_cards_kept_face_down_at_the_showdown_are_mucked() -> None:
    for kept in ("????", "As??", "As"):
        assert heads_up(*CHECKED_DOWN, "p1 sm 7h5c", f"p2 sm {kept}").payoffs == (2, -2)


def test_the_last_who_does_not_muck_wins_unseen() -> None:
    history = heads_up(*CHECKED_DOWN, "p1 sm")
    assert history.payoffs == (-2, 2)
    assert history.hands == (NO_HAND, NO_HAND)


def test_a_pot_that_only_one_can_win_is_his_though_he_mucks() -> None:
    raised = ("p3 cbr 20", "p1 cc", "p2 cc", "d db 2c3c4d", "p2 cbr 20", "p3 f")
    history = played(*raised, "p1 sm 7h5c", "p2 sm", "d db 9s", "d db Ts", starting_stacks=[10, 200, 200])
    assert history.payoffs == (20, 0, -20)


@pytest.mark.parametrize(
    ("shows", "message"),
    [
        (("p1 sm AsKs",), "the winner cannot be determined: seat 2 neither shows nor mucks"),
        (("p1 sm", "p2 sm"), "the winner cannot be determined: all seats that could win a pot muck their hands"),
    ],
)
def test_a_showdown_that_stays_open_is_an_error(shows: tuple[str, ...], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        heads_up(*CHECKED_DOWN, *shows)


def test_hole_cards_may_come_one_by_one_and_may_be_shown_after_a_win() -> None:
    history = played("d dh p1 As", "d dh p1 Kd", "p3 f", "p1 f", "p2 sm 7h2c")
    assert history.hands == (*hands_of("AsKd", "7h2c"), NO_HAND)


def test_a_check_by_the_last_seat_with_chips_is_passed_over() -> None:
    """The small blind is all-in and the big blind has its option: our table does not ask, PokerKit does."""
    asked = ("p3 f", "p2 cc", "p1 sm AsAc", "p2 sm KsKc", "d db 2c3d4h", "d db 9s", "d db 9c")
    short = [1, 100, 100]
    with_it = played(*asked, starting_stacks=short)
    without = played(*(action for action in asked if action != "p2 cc"), starting_stacks=short)
    assert with_it.payoffs == without.payoffs == (1, -1, 0)


def test_winnings_are_what_was_collected() -> None:
    bet = ("p3 cbr 6", "p1 f", "p2 f")
    assert played(*bet, winnings=[0, 0, 5]).verdict() is ReplayVerdict.MATCHED
    assert played(*bet, winnings=[0, 0, 9]).verdict() is ReplayVerdict.MATCHED  # with the 4 that nobody called
    assert played(*bet, winnings=[0, 0, 8]).verdict() is ReplayVerdict.MISMATCHED
    assert played(*bet, winnings=[0, 5, 0]).verdict() is ReplayVerdict.MISMATCHED
    assert played(*bet).verdict() is ReplayVerdict.UNSTATED


def test_the_house_may_take_its_share_only_if_that_is_asked_for() -> None:
    raked = played("p3 cc", "p1 f", "p2 cc", "d db 2c3c4d", "p2 cbr 4", "p3 f", winnings=[0, 4.75, 0])
    assert raked.verdict() is ReplayVerdict.MISMATCHED
    assert raked.verdict(raked=True) is ReplayVerdict.RAKED
    dearer = played("p3 cc", "p1 f", "p2 cc", "d db 2c3c4d", "p2 cbr 4", "p3 f", finishing_stacks=[199, 203, 197])
    assert dearer.verdict(raked=True) is ReplayVerdict.MISMATCHED  # a loser lost more than he put in


def test_who_gets_an_odd_chip_is_a_matter_of_custom_and_no_more() -> None:
    """A pot of 5 is split: 3 and 2, or 2 and 3, but not 4 and 1."""
    actions = ["p3 cc", "p1 f", "p2 cc", "d db AsAdKh", "p2 cc", "p3 cc", "d db Kd", "p2 cc", "p3 cc", "d db Qs"]
    actions += ["p2 cc", "p3 cc", "p2 sm 7h2c", "p3 sm 7d2d"]
    ends = {
        (199, 201, 200): ReplayVerdict.MATCHED,
        (199, 200, 201): ReplayVerdict.ODD_CHIPS,
        (199, 202, 199): ReplayVerdict.MISMATCHED,
    }
    for stacks, verdict in ends.items():
        assert played(*actions, finishing_stacks=list(stacks)).verdict() is verdict


def test_seats_are_the_files_if_they_go_around_a_table_of_ours() -> None:
    around = played("p3 f", "p1 f", seats=[5, 9, 2], players=["A", "B", "C"])
    assert around.game.stakes.stacks == (0, 200, 0, 0, 200, 0, 0, 0, 200)
    assert around.game.stakes.order == (4, 8, 1)
    assert around.names == ("", "C", "", "", "A", "", "", "", "B")
    for seats in ([5, 2, 9], [1, 1, 2], [0, 1, 2], [8, 9, 10], ["1", "2", "3"], [1, 2]):
        assert played("p3 f", "p1 f", seats=seats).game.stakes.order == (0, 1, 2)
