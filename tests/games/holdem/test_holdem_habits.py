"""The habits of hold'em, hand by hand: before the flop, on it, aggression, showdowns, bluffs."""

from __future__ import annotations

from random import Random

import pytest
from habit_records import WEAK, figures, figures_of, no_limit, record, recorded
from holdem_play import hands_of

from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.errors import RecordError
from tahur.core.record import Record
from tahur.games.holdem.habits import HABITS, is_weak
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.registry import make

# ---- before the flop -----------------------------------------------------------------------------


def test_a_walk_is_no_chance_for_the_big_blind() -> None:
    button, small, big = figures(no_limit(3), "f f")
    assert button == small == {"VPIP": (0, 1), "PFR": (0, 1)}
    assert big == {}


def test_in_a_limped_pot_the_checking_big_blind_paid_nothing_of_its_own_will() -> None:
    button, small, big = figures(no_limit(3), "c c c 2c7d8h c c r2 f f")
    assert button["VPIP"] == small["VPIP"] == (1, 1)
    assert big["VPIP"] == (0, 1)
    assert {seat["PFR"] for seat in (button, small, big)} == {(0, 1)}
    assert not any("3-bet" in seat or "c-bet" in seat for seat in (button, small, big))


def test_who_raises_limpers_has_made_the_first_raise() -> None:
    button, small, big = figures(no_limit(3), "c c r10 f r30 f")
    assert big["PFR"] == (1, 1)
    assert button["3-bet"] == (0, 1)  # limped, folded to the raise
    assert small["3-bet"] == (1, 1)  # limped and re-raised
    assert big["fold to 3-bet"] == (1, 1)
    assert big["4-bet"] == (0, 1)
    assert "3-bet" not in big


def test_a_hand_counts_once_however_often_one_pays_in_it() -> None:
    button, big = figures(no_limit(2), "r6 r18 r50 r120 f")
    assert button["VPIP"] == button["PFR"] == (1, 1)
    assert big["VPIP"] == big["PFR"] == (1, 1)


def test_a_cold_4_bet_takes_the_chance_to_fold_to_a_3_bet_away() -> None:
    game = no_limit(6)  # seats 3, 4, 5 act first
    figure = figures(game, "r6 r18 f r50 f f f f")
    opener, three_bettor, folder, cold = (figure[seat] for seat in (3, 4, 5, 0))
    assert opener == {"VPIP": (1, 1), "PFR": (1, 1)}  # faces three raises: neither a 3-bet nor a chance to 4-bet
    assert three_bettor["3-bet"] == (1, 1)
    assert "fold to 3-bet" not in three_bettor
    assert folder["4-bet"] == (0, 1)
    assert "3-bet" not in folder
    assert cold["4-bet"] == (1, 1)
    assert figure[1] == figure[2] == {"VPIP": (0, 1), "PFR": (0, 1)}


def test_a_caller_between_raise_and_3_bet_does_not_fold_to_the_3_bet() -> None:
    opener, caller, squeezer = (figures(no_limit(4), "r6 c f r30 f f")[seat] for seat in (3, 0, 2))
    assert opener["fold to 3-bet"] == (1, 1)
    assert caller["3-bet"] == (0, 1)
    assert "fold to 3-bet" not in caller
    assert caller["4-bet"] == (0, 1)
    assert squeezer["3-bet"] == (1, 1)


def test_calling_a_3_bet_is_a_chance_not_taken_to_fold() -> None:
    button, _ = figures(no_limit(2), "r6 r18 c 2c7d8h c c 9c c c 4d c c")
    assert button["fold to 3-bet"] == (0, 1)
    assert button["4-bet"] == (0, 1)


def test_who_is_covered_by_the_raise_cannot_3_bet() -> None:
    game = no_limit(2, stacks=[200, 50])
    _, big = figures(game, "r200 f")
    assert big == {"VPIP": (0, 1), "PFR": (0, 1)}


def test_a_short_all_in_is_a_raise_and_can_be_folded_to_though_not_raised() -> None:
    game = no_limit(3, stacks=[200, 200, 14])
    button, small, big = figures(game, "r10 f r14 f")
    assert big["3-bet"] == (1, 1)
    assert button["fold to 3-bet"] == (1, 1)
    assert "4-bet" not in button  # the betting is not reopened
    assert small["3-bet"] == (0, 1)


def test_blinds_that_take_the_last_chip_are_no_decision() -> None:
    game = no_limit(3, stacks=[200, 200, 2])
    button, small, big = figures(game, "c c 2c7d8h c c 9c c c 4d c c")
    assert "VPIP" not in big
    assert button["VPIP"] == small["VPIP"] == (1, 1)
    assert big["WTSD"] == (1, 1)


def test_in_limit_nobody_can_raise_past_the_cap() -> None:
    game = make("limit", {"seats": 2, "caps": [1, 4, 4, 4]})
    assert isinstance(game, Holdem)
    _, big = figures(game, "r4 f")
    assert "3-bet" not in big


# ---- the flop ------------------------------------------------------------------------------------


def test_the_last_raiser_continues_and_two_answer() -> None:
    button, small, big = figures(no_limit(3), "r6 c c 2c7d8h c c r10 f c 9c c c 4d c c")
    assert button["c-bet"] == (1, 1)
    assert small["fold to c-bet"] == (1, 1)
    assert big["fold to c-bet"] == (0, 1)
    assert "fold to c-bet" not in button
    assert "c-bet" not in small
    assert "c-bet" not in big


def test_a_bet_before_the_raiser_leaves_no_c_bet_even_if_it_raises() -> None:
    button, small, big = figures(no_limit(3), "r6 c c 2c7d8h r5 c r20 f f")
    assert not any(name in seat for name in ("c-bet", "fold to c-bet") for seat in (button, small, big))


def test_a_raised_c_bet_is_none_for_those_behind() -> None:
    small, big, opener, button = (
        figures(no_limit(4), "r6 c c c 2c7d8h c c r10 r40 f f f")[seat] for seat in (1, 2, 3, 0)
    )
    assert opener["c-bet"] == (1, 1)
    assert button["fold to c-bet"] == (0, 1)  # it raised
    assert "fold to c-bet" not in small
    assert "fold to c-bet" not in big
    assert "fold to c-bet" not in opener


def test_a_checked_flop_is_a_c_bet_not_made_and_the_turn_is_none() -> None:
    button, big = figures(no_limit(2), "r6 c 2c7d8h c c 9c c r10 f")
    assert button["c-bet"] == (0, 1)
    assert "fold to c-bet" not in big


def test_the_3_bettor_has_the_c_bet() -> None:
    button, big = figures(no_limit(2), "r6 r18 c 2c7d8h r20 f")
    assert big["c-bet"] == (1, 1)
    assert button["fold to c-bet"] == (1, 1)
    assert "c-bet" not in button


def test_an_all_in_raiser_has_no_c_bet_beside_a_side_pot() -> None:
    game = no_limit(3, stacks=[20, 200, 200])
    button, small, big = figures(game, "r20 c c 2c7d8h r20 f 9c4d")
    assert button["WTSD"] == (1, 1)
    assert not any(name in seat for name in ("c-bet", "fold to c-bet") for seat in (button, small, big))


def test_where_the_flop_cannot_be_bet_there_is_no_c_bet() -> None:
    game = make("limit", {"seats": 2, "caps": [3, 0, 4, 4]})
    assert isinstance(game, Holdem)
    button, _ = figures(game, "r4 c 2c7d8h c c 9c c c 4d c c")
    assert button["PFR"] == (1, 1)
    assert "c-bet" not in button


# ---- aggression and folds ------------------------------------------------------------------------


def test_a_check_raise_is_one_raise_and_checks_count_nowhere() -> None:
    button, big = figures(no_limit(2), "c c 2c7d8h c r4 r12 c 9c c c 4d c c")
    assert big["aggression factor"] == (1, 0)
    assert big["aggression frequency"] == (1, 1)
    assert big["fold to a bet"] == (0, 1)
    assert button["aggression factor"] == (1, 1)
    assert button["aggression frequency"] == (1, 2)
    assert button["fold to a bet"] == (0, 1)


def test_every_bet_faced_is_a_chance_to_fold() -> None:
    _, big = figures(no_limit(2), "c c 2c7d8h c r4 c 9c c r4 c 4d c r4 f")
    assert big["fold to a bet"] == (1, 3)
    assert big["aggression factor"] == (0, 2)
    assert big["aggression frequency"] == (0, 3)


def test_what_is_done_before_the_flop_is_no_aggression() -> None:
    assert not any("aggression frequency" in seat for seat in figures(no_limit(2), "r6 r18 f"))


# ---- showdowns -----------------------------------------------------------------------------------


def test_all_in_before_the_flop_goes_to_a_showdown_without_another_turn() -> None:
    button, big = figures(no_limit(2), "r200 c 2c7d8h 9c 4d")
    assert button["WTSD"] == big["WTSD"] == (1, 1)
    assert button["W$SD"] == button["WWSF"] == (1, 1)
    assert big["W$SD"] == big["WWSF"] == (0, 1)
    assert set(big) == {"VPIP", "PFR", "WTSD", "W$SD", "WWSF"}  # covered, it could not re-raise


def test_who_folds_before_the_flop_has_not_seen_it() -> None:
    button, small, big = figures(no_limit(3), "f c c 2c7d8h c c 9c c c 4d c c")
    assert button == {"VPIP": (0, 1), "PFR": (0, 1)}
    assert small["WTSD"] == big["WTSD"] == (1, 1)


def test_a_pot_won_by_a_bet_is_won_without_a_showdown() -> None:
    button, big = figures(no_limit(2), "c c 2c7d8h r4 f")
    assert big["WWSF"] == (1, 1)
    assert button["WWSF"] == (0, 1)
    assert big["WTSD"] == button["WTSD"] == (0, 1)
    assert "W$SD" not in big


def test_both_win_a_shared_pot() -> None:
    seats = figures(no_limit(2), "c c AsKsQs c c Js c c Ts c c", "2c2d", "3c3d")
    assert [seat["W$SD"] for seat in seats] == [(1, 1), (1, 1)]


def test_a_side_pot_is_a_win_though_more_was_lost_in_the_main_pot() -> None:
    game = no_limit(3, stacks=[100, 120, 120])
    played = record(game, "r100 c r120 c 2c7d8h 9c 4d")  # aces on the button win the main pot, kings the side pot
    assert played.payoffs == (200, -80, -120)
    button, small, big = figures_of(game, played)
    assert (button["W$SD"], small["W$SD"], big["W$SD"]) == ((1, 1), (1, 1), (0, 1))


def test_chips_that_come_back_uncalled_are_no_win() -> None:
    game = no_limit(2, stacks=[200, 50])
    button, big = figures(game, "r200 c 2c7d8h 9c 4d", "KsKh", "AsAh")
    assert button["W$SD"] == (0, 1)
    assert big["W$SD"] == (1, 1)


# ---- bluffs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("big", "share"), [(WEAK, (1, 1)), ("AsAh", (0, 1))])
def test_a_river_bet_is_a_bluff_by_the_hand_behind_it(big: str, share: tuple[int, int]) -> None:
    _, bettor = figures(no_limit(2), "c c AcKd8h c c 9c c c 4d r4 f", "QsQh", big)
    assert bettor["river bluff share"] == share
    assert bettor.get("river bluff") == ((1, 1) if big == WEAK else None)


def test_a_weak_hand_checked_on_the_river_is_a_chance_not_taken() -> None:
    button, big = figures(no_limit(2), "c c AcKd8h c c 9c c c 4d c r4 f", "AsAh", WEAK)
    assert big["river bluff"] == (0, 2)  # checked, then folded to a bet it could have raised
    assert button["river bluff share"] == (0, 1)
    assert "river bluff" not in button


def test_bets_before_the_river_are_not_asked_for_their_hand() -> None:
    _, big = figures(no_limit(2), "c c AcKd8h r4 f", "QsQh", WEAK)
    assert not any(name.startswith("river") for name in big)


def test_the_last_board_of_flop_holdem_is_the_flop() -> None:
    game = make("fhp")
    assert isinstance(game, Holdem)
    _, big = figures(game, "c c AcKd8h r2 f", "QsQh", WEAK)
    assert big["river bluff share"] == (1, 1)


def test_a_hand_that_nobody_saw_is_no_chance_to_bluff() -> None:
    game = no_limit(2)
    played = recorded(game, "c c AcKd8h c c 9c c c 4d r4 f", (hands_of("QsQh")[0], NO_HAND))
    _, big = figures_of(game, played)
    assert big["aggression frequency"] == (1, 1)
    assert not any(name.startswith("river") for name in big)


def test_weak_is_less_than_half_against_every_other_hand_one_by_one() -> None:
    random = Random(4)
    for size in (3, 5, 5, 5):
        cards = random.sample(range(52), 2 + size)
        hand, board = combo_of(cards[:2]), cards[2:]
        own = evaluate(cards)
        others = [cards_of(combo) for combo in range(1326)]
        ranks = [evaluate((*map(int, other), *board)) for other in others if not set(other) & set(cards)]
        assert is_weak(hand, board) == (sum((own > rank) - (own < rank) for rank in ranks) < 0)


def test_about_half_of_all_hands_are_weak_and_a_board_that_plays_makes_none() -> None:
    board = parse_cards("AcKd8h9c4d")
    hands = [combo_of((one, two)) for one in range(52) for two in range(one) if one not in board and two not in board]
    assert 0.45 < sum(is_weak(hand, board) for hand in hands) / len(hands) < 0.55
    assert not is_weak(hands_of("2c2d")[0], parse_cards("AsKsQsJsTs"))


# ---- records that are none -----------------------------------------------------------------------


def test_a_record_that_stops_early_is_refused() -> None:
    game = no_limit(2)
    with pytest.raises(RecordError, match="before the end"):
        HABITS.tallies(game, Record(game="nlhe", settings=game.settings, hands=(1, 2), actions=(1,), payoffs=(0, 0)))


def test_a_record_with_a_seat_too_few_is_refused() -> None:
    game = no_limit(2)
    with pytest.raises(RecordError, match="1 hands and 2 payoffs for 2 seats"):
        HABITS.tallies(game, Record(game="nlhe", settings=game.settings, hands=(1,), actions=(0,), payoffs=(-1, 1)))
