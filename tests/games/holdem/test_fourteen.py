"""The fourteen actions: the rulings line by line, indices as moves, situations that cannot be."""

from __future__ import annotations

import pytest
from fourteen_spots import (
    BIG_BLIND_OPTION,
    SHORT_ALL_IN_BEHIND,
    SMALL_BLIND,
    amounts,
    facing,
    legal,
    open_pot,
    reason,
)

from tahur.core.errors import IllegalAction, SettingError
from tahur.games.holdem.fourteen import (
    ALL_IN,
    CALL,
    FOLD,
    MIN_RAISE,
    NAMES,
    PERCENTS,
    BettingSituation,
    PotBase,
    action_of,
    menu,
)

# ---- the rulings, line by line -------------------------------------------------------------------


def test_an_open_pot_of_one_and_a_half_blinds_leaves_check_75_percent_and_more_and_all_in() -> None:
    entries = menu(open_pot(150))
    assert legal(entries) == ["check/call", "75 %", "100 %", "125 %", "150 %", "200 %", "300 %", "all-in"]
    assert list(amounts(entries).values()) == [113, 150, 188, 225, 300, 450, 10_000]


def test_there_are_fourteen_in_the_order_of_the_table() -> None:
    entries = menu(open_pot(150))
    assert [entry.index for entry in entries] == list(range(14))
    assert [entry.name for entry in entries[:4]] == ["fold", "check/call", "min-raise", "10 %"]
    assert [entry.name for entry in entries[11:]] == ["200 %", "300 %", "all-in"]
    assert PERCENTS == (10, 25, 33, 50, 75, 100, 125, 150, 200, 300)


def test_a_masked_index_says_why_in_words_with_numbers() -> None:
    assert reason(menu(facing(40, 40)), "25 %") == "25 %: 60 < minimum raise to 140"
    assert reason(menu(open_pot(120, big_blind=80)), "25 %") == "25 %: 30 < minimum bet 80"
    assert reason(menu(open_pot(150)), "fold") == "checking is free"


def test_a_bet_into_an_open_pot_is_that_percentage_of_it() -> None:
    assert amounts(menu(open_pot(1_000)))["33 %"] == 330
    assert amounts(menu(open_pot(1_000)))["300 %"] == 3_000


def test_a_raise_is_the_bet_plus_a_percentage_of_the_pot_after_the_call() -> None:
    sizes = amounts(menu(facing(900, 300, last_raise=300)))  # 600 lay there, 300 were bet, 300 to call
    assert sizes["100 %"] == 300 + 1_200
    assert sizes["50 %"] == 300 + 600


def test_to_call_is_what_is_missing_and_not_the_whole_bet() -> None:
    sizes = amounts(menu(facing(900, 300, committed=100, last_raise=200)))
    assert sizes["100 %"] == 300 + 900 + 200


def test_a_plain_pot_base_takes_the_percentage_of_the_pot_as_it_lies() -> None:
    sizes = amounts(menu(facing(900, 300, last_raise=300), pot_base=PotBase.PLAIN))
    assert sizes["100 %"] == 300 + 900
    assert amounts(menu(open_pot(150), pot_base=PotBase.PLAIN)) == amounts(menu(open_pot(150)))


def test_a_raise_has_to_reach_the_bet_plus_the_last_full_raise() -> None:
    entries = menu(facing(600, 300, last_raise=200))  # percentages of 900
    assert amounts(entries)["min-raise"] == 500
    assert amounts(entries)["25 %"] == 525
    assert reason(entries, "10 %") == "10 %: 390 < minimum raise to 500"


def test_too_small_is_masked_and_never_corrected() -> None:
    entries = menu(open_pot(150))
    assert reason(entries, "50 %") == "50 %: 75 < minimum bet 100"
    assert 100 not in amounts(entries).values()


def test_a_percentage_above_the_stack_is_masked_and_never_corrected() -> None:
    entries = menu(open_pot(1_000, stack=1_400))
    assert reason(entries, "150 %") == "150 %: 1500 > all-in 1400 (index 13)"
    assert legal(entries)[-2:] == ["125 %", "all-in"]


def test_a_percentage_that_is_the_whole_stack_is_all_in() -> None:
    entries = menu(open_pot(1_000, stack=1_500))
    assert reason(entries, "150 %") == "150 %: 1500 = all-in 1500 (index 13)"
    assert amounts(entries)["all-in"] == 1_500


def test_all_in_counts_the_chips_already_committed() -> None:
    assert amounts(menu(facing(400, 300, committed=100, stack=2_000, last_raise=200)))["all-in"] == 2_100


@pytest.mark.parametrize(("pot", "chips"), [(150, 38), (149, 37), (2, 1), (1, 0)])
def test_half_a_chip_rounds_up(pot: int, chips: int) -> None:
    """25 % of 150 is 37.5, of 149 is 37.25, of 2 is 0.5."""
    assert f"25 %: {chips} <" in (reason(menu(open_pot(pot)), "25 %") or "")


def test_of_two_percentages_with_the_same_chips_the_smaller_index_stays() -> None:
    entries = menu(open_pot(3, big_blind=1))  # 25 % is 0.75, 33 % is 0.99
    assert amounts(entries)["25 %"] == 1
    assert reason(entries, "33 %") == "33 %: 1 is already 25 % (index 4)"


def test_of_three_percentages_with_the_same_chips_the_smallest_index_stays() -> None:
    entries = menu(open_pot(1, big_blind=1))  # 50, 75, 100 and 125 % are 0.5, 0.75, 1 and 1.25
    assert amounts(entries) == {"50 %": 1, "150 %": 2, "300 %": 3, "all-in": 10_000}
    assert reason(entries, "125 %") == "125 %: 1 is already 50 % (index 6)"


def test_a_percentage_that_is_the_minimum_raise_yields_to_index_2() -> None:
    entries = menu(facing(100, 100))  # 50 % of 200 is a raise of 100
    assert amounts(entries)["min-raise"] == 200
    assert reason(entries, "50 %") == "50 %: 200 = minimum raise to 200 (index 2)"


def test_a_minimum_raise_that_is_the_whole_stack_is_all_in() -> None:
    entries = menu(facing(100, 100, stack=200))
    assert legal(entries) == ["fold", "check/call", "all-in"]
    assert reason(entries, "min-raise") == "minimum raise to 200 = all-in 200 (index 13)"
    assert reason(entries, "50 %") == "50 %: 200 = all-in 200 (index 13)"


@pytest.mark.parametrize("spot", [open_pot(150), BIG_BLIND_OPTION])
def test_nobody_folds_what_can_be_checked_for_free(spot: BettingSituation) -> None:
    assert reason(menu(spot), "fold") == "checking is free"


@pytest.mark.parametrize("spot", [SMALL_BLIND, facing(300, 200), SHORT_ALL_IN_BEHIND])
def test_whoever_has_to_call_may_fold(spot: BettingSituation) -> None:
    assert legal(menu(spot))[:2] == ["fold", "check/call"]


@pytest.mark.parametrize("stack", [1, 199, 200])
def test_a_short_stack_calls_for_less_and_all_in_is_masked_as_its_double(stack: int) -> None:
    entries = menu(facing(500, 300, committed=100, stack=stack, last_raise=200))
    assert legal(entries) == ["fold", "check/call"]
    assert reason(entries, "all-in") == f"all-in for {stack} of 200 is only a call (index 1)"


def test_one_chip_more_than_a_call_may_go_all_in() -> None:
    entries = menu(facing(500, 300, committed=100, stack=201, last_raise=200))
    assert legal(entries) == ["fold", "check/call", "all-in"]
    assert amounts(entries) == {"all-in": 301}


def test_there_is_no_minimum_bet_in_an_open_pot() -> None:
    assert reason(menu(open_pot(150)), "min-raise") == "no bet to raise"


@pytest.mark.parametrize("spot", [SMALL_BLIND, BIG_BLIND_OPTION])
def test_the_blinds_may_min_raise_because_the_blind_is_a_bet(spot: BettingSituation) -> None:
    assert amounts(menu(spot))["min-raise"] == 200


def test_betting_that_is_not_reopened_leaves_fold_and_call() -> None:
    entries = menu(SHORT_ALL_IN_BEHIND)
    assert legal(entries) == ["fold", "check/call"]
    assert {entry.reason for entry in entries[2:]} == {"betting is not reopened to this seat"}


def test_a_minimum_raise_that_the_stack_cannot_cover_is_masked() -> None:
    assert reason(menu(facing(300, 200, stack=399, last_raise=200)), "min-raise") == "minimum raise to 400 > all-in 399"


@pytest.mark.parametrize("spot", [open_pot(150, stack=99), facing(300, 200, stack=399, last_raise=200)])
def test_chips_below_the_minimum_may_only_go_all_in(spot: BettingSituation) -> None:
    entries = menu(spot)
    assert not any(entry.legal for entry in entries[MIN_RAISE:ALL_IN])
    assert amounts(entries) == {"all-in": spot.stack}


def test_ten_percent_that_is_exactly_one_big_blind_is_legal() -> None:
    assert amounts(menu(open_pot(1_000)))["10 %"] == 100


def test_strict_asks_for_more_than_one_big_blind() -> None:
    entries = menu(open_pot(1_000), strict=True)
    assert reason(entries, "10 %") == "10 %: 100 = minimum bet 100, and strict asks for more"
    assert amounts(menu(open_pot(1_005), strict=True))["10 %"] == 101


def test_strict_says_nothing_about_raises_and_all_in() -> None:
    assert menu(SMALL_BLIND, strict=True) == menu(SMALL_BLIND)
    assert legal(menu(open_pot(1_000, stack=100), strict=True)) == ["check/call", "all-in"]


def test_raises_that_nobody_can_call_are_one_and_the_same() -> None:
    entries = menu(
        BettingSituation(pot=900, bet=300, committed=100, stack=5_000, big_blind=100, last_raise=200, useful=700)
    )  # percentages of 1,100
    assert amounts(entries) == {"min-raise": 500, "25 %": 575, "33 %": 663, "all-in": 700}
    assert reason(entries, "50 %") == "50 %: 850 > 700, all-in for all others (index 13)"


def test_an_opponent_with_less_than_a_minimum_raise_is_put_all_in_by_one() -> None:
    entries = menu(
        BettingSituation(pot=900, bet=300, committed=100, stack=5_000, big_blind=100, last_raise=200, useful=450)
    )
    assert amounts(entries) == {"all-in": 500}
    assert reason(entries, "min-raise") == "minimum raise to 500 = 500, all-in for all others (index 13)"


def test_two_who_are_both_short_of_a_minimum_raise_can_still_go_all_in() -> None:
    assert amounts(
        menu(BettingSituation(pot=900, bet=300, committed=100, stack=350, big_blind=100, last_raise=200, useful=400))
    ) == {"all-in": 450}


@pytest.mark.parametrize("useful", [0, 250, 300])
def test_nobody_raises_those_who_are_all_in_already(useful: int) -> None:
    entries = menu(
        BettingSituation(pot=900, bet=300, committed=100, stack=5_000, big_blind=100, last_raise=200, useful=useful)
    )
    assert legal(entries) == ["fold", "check/call"]
    assert reason(entries, "all-in") == f"nobody else can call more than {useful}"


def test_opponents_deeper_than_the_seat_change_nothing() -> None:
    deep = BettingSituation(pot=900, bet=300, committed=100, stack=5_000, big_blind=100, last_raise=200, useful=9_999)
    assert menu(deep) == menu(
        BettingSituation(pot=900, bet=300, committed=100, stack=5_000, big_blind=100, last_raise=200)
    )


# ---- an index as a move of the rules -------------------------------------------------------------


def test_a_move_is_0_for_fold_1_for_call_and_raise_to_plus_one() -> None:
    assert action_of(SMALL_BLIND, FOLD) == 0
    assert action_of(SMALL_BLIND, CALL) == 1
    assert action_of(SMALL_BLIND, MIN_RAISE) == 201
    assert action_of(SMALL_BLIND, NAMES.index("100 %")) == 301
    assert action_of(SMALL_BLIND, ALL_IN) == 10_001


def test_a_masked_index_is_refused_with_its_reason_and_what_is_legal() -> None:
    with pytest.raises(IllegalAction) as refused:
        action_of(open_pot(150, stack=120), 3)
    assert str(refused.value) == (
        "action 3 (10 %) is masked: 10 %: 15 < minimum bet 100; legal: 1 (check/call), 7 (75 %), 13 (all-in)"
    )


@pytest.mark.parametrize("index", [-1, 14])
def test_there_is_no_fifteenth_action(index: int) -> None:
    with pytest.raises(IllegalAction, match=f"no action {index}: the fourteen actions are 0 to 13"):
        action_of(open_pot(150), index)


def test_strict_and_pot_base_count_for_moves_too() -> None:
    with pytest.raises(IllegalAction, match="strict asks for more"):
        action_of(open_pot(1_000), 3, strict=True)
    assert action_of(facing(900, 300, last_raise=300), 8, pot_base=PotBase.PLAIN) == 1_201


# ---- situations that cannot be -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chips", "complaint"),
    [
        ({"pot": -1}, "pot is a whole number of chips, not -1"),
        ({"pot": 150.0}, "pot is a whole number of chips, not 150.0"),
        ({"stack": True}, "stack is a whole number of chips, not True"),
        ({"stack": None}, "stack is a whole number of chips, not None"),
        ({"bet": "100"}, "bet is a whole number of chips, not '100'"),
        ({"useful": -5}, "useful is a whole number of chips, not -5"),
        ({"stack": 0}, "stack is at least 1 chip, not 0"),
        ({"big_blind": 0, "last_raise": 0}, "big_blind is at least 1 chip, not 0"),
        ({"last_raise": 99}, "last_raise 99 is less than big_blind 100, the smallest full bet"),
        ({"committed": 101}, "committed 101 is more than bet 100, the highest of this street"),
        ({"pot": 149}, "pot 149 is less than the bets in it: bet 100, committed 50"),
        ({"pot": 99, "committed": 100}, "pot 99 is less than the bets in it: bet 100, committed 100"),
    ],
)
def test_a_situation_that_cannot_be_is_refused_at_birth(chips: dict[str, object], complaint: str) -> None:
    fair = {"pot": 150, "bet": 100, "committed": 50, "stack": 9_950, "big_blind": 100, "last_raise": 100}
    with pytest.raises(SettingError) as refused:
        BettingSituation(**{**fair, **chips})  # type: ignore[arg-type]
    assert str(refused.value) == f"fourteen actions: {complaint}"


def test_the_repr_of_a_situation_can_be_pasted() -> None:
    assert eval(repr(SHORT_ALL_IN_BEHIND)) == SHORT_ALL_IN_BEHIND
