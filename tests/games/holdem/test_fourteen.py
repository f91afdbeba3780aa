"""The fourteen actions: one test for each ruling, then 50,000 random spots against the rules said another way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.core.errors import IllegalAction, SettingError
from tahur.games.holdem.fourteen import (
    ALL_IN,
    CALL,
    FOLD,
    MIN_RAISE,
    NAMES,
    PERCENTS,
    Entry,
    PotBase,
    Situation,
    action_of,
    legal_mask,
    menu,
)

SPOTS = 50_000


def open_pot(pot: int, *, stack: int = 10_000, big_blind: int = 100) -> Situation:
    return Situation(pot, 0, 0, stack, big_blind, big_blind)


def facing(pot: int, bet: int, *, committed: int = 0, stack: int = 10_000, last_raise: int = 100) -> Situation:
    return Situation(pot, bet, committed, stack, 100, last_raise)


SMALL_BLIND = facing(150, 100, committed=50, stack=9_950)
BIG_BLIND_OPTION = facing(200, 100, committed=100, stack=9_900)
SHORT_ALL_IN_BEHIND = Situation(950, 350, 300, 5_000, 100, 300, reopened=False)


def legal(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.name for entry in entries if entry.legal]


def amounts(entries: tuple[Entry, ...]) -> dict[str, int]:
    return {entry.name: entry.raise_to for entry in entries if entry.raise_to is not None}


def reason(entries: tuple[Entry, ...], name: str) -> str | None:
    return entries[NAMES.index(name)].reason


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
def test_nobody_folds_what_can_be_checked_for_free(spot: Situation) -> None:
    assert reason(menu(spot), "fold") == "checking is free"


@pytest.mark.parametrize("spot", [SMALL_BLIND, facing(300, 200), SHORT_ALL_IN_BEHIND])
def test_whoever_has_to_call_may_fold(spot: Situation) -> None:
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
def test_the_blinds_may_min_raise_because_the_blind_is_a_bet(spot: Situation) -> None:
    assert amounts(menu(spot))["min-raise"] == 200


def test_betting_that_is_not_reopened_leaves_fold_and_call() -> None:
    entries = menu(SHORT_ALL_IN_BEHIND)
    assert legal(entries) == ["fold", "check/call"]
    assert {entry.reason for entry in entries[2:]} == {"betting is not reopened to this seat"}


def test_a_minimum_raise_that_the_stack_cannot_cover_is_masked() -> None:
    assert reason(menu(facing(300, 200, stack=399, last_raise=200)), "min-raise") == "minimum raise to 400 > all-in 399"


@pytest.mark.parametrize("spot", [open_pot(150, stack=99), facing(300, 200, stack=399, last_raise=200)])
def test_chips_below_the_minimum_may_only_go_all_in(spot: Situation) -> None:
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
    entries = menu(Situation(900, 300, 100, 5_000, 100, 200, useful=700))  # percentages of 1,100
    assert amounts(entries) == {"min-raise": 500, "25 %": 575, "33 %": 663, "all-in": 700}
    assert reason(entries, "50 %") == "50 %: 850 > 700, all-in for all others (index 13)"


def test_an_opponent_with_less_than_a_minimum_raise_is_put_all_in_by_one() -> None:
    entries = menu(Situation(900, 300, 100, 5_000, 100, 200, useful=450))
    assert amounts(entries) == {"all-in": 500}
    assert reason(entries, "min-raise") == "minimum raise to 500 = 500, all-in for all others (index 13)"


def test_two_who_are_both_short_of_a_minimum_raise_can_still_go_all_in() -> None:
    assert amounts(menu(Situation(900, 300, 100, 350, 100, 200, useful=400))) == {"all-in": 450}


@pytest.mark.parametrize("useful", [0, 250, 300])
def test_nobody_raises_those_who_are_all_in_already(useful: int) -> None:
    entries = menu(Situation(900, 300, 100, 5_000, 100, 200, useful=useful))
    assert legal(entries) == ["fold", "check/call"]
    assert reason(entries, "all-in") == f"nobody else can call more than {useful}"


def test_opponents_deeper_than_the_seat_change_nothing() -> None:
    deep = Situation(900, 300, 100, 5_000, 100, 200, useful=9_999)
    assert menu(deep) == menu(Situation(900, 300, 100, 5_000, 100, 200))


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
        Situation(**{**fair, **chips})  # type: ignore[arg-type]
    assert str(refused.value) == f"fourteen actions: {complaint}"


def test_the_repr_of_a_situation_can_be_pasted() -> None:
    assert eval(repr(SHORT_ALL_IN_BEHIND)) == SHORT_ALL_IN_BEHIND


# ---- 50,000 random spots -------------------------------------------------------------------------


class Spot(NamedTuple):
    situation: Situation
    strict: bool
    pot_base: PotBase
    entries: tuple[Entry, ...]


@pytest.fixture(scope="module")
def spots() -> list[Spot]:
    """Half of them anything that passes the check at birth, half of them met in streets played by the menu."""
    rng = random.Random(14)
    half = SPOTS // 2
    situations = [*islice(any_situations(rng), half), *islice(played_situations(rng), half)]
    settings = [(rng.random() < 0.3, rng.choice(tuple(PotBase))) for _ in situations]
    return [
        Spot(situation, strict, base, menu(situation, strict=strict, pot_base=base))
        for situation, (strict, base) in zip(situations, settings, strict=True)
    ]


def any_situations(rng: random.Random) -> Iterator[Situation]:
    """Small numbers as often as large ones: ties and doubles live among the small."""
    while True:
        big_blind = rng.choice((1, 2, 3, 10, 100))
        most = big_blind * rng.choice((3, 12, 60, 300))
        bet = rng.choice((0, big_blind, rng.randint(0, most)))
        committed = rng.choice((0, bet, rng.randint(0, bet)))
        pot = bet + committed + rng.randint(0, most)
        stack = rng.choice((rng.randint(1, most), bet - committed + big_blind, rng.randint(1, 2 * big_blind)))
        last_raise = rng.choice((big_blind, max(bet, big_blind), rng.randint(big_blind, most)))
        useful = rng.choice((None, None, rng.randint(0, 2 * most)))
        yield Situation(pot, bet, committed, stack, big_blind, last_raise, rng.random() < 0.9, useful)


def played_situations(rng: random.Random) -> Iterator[Situation]:
    while True:
        yield from play_street(rng, rng.randint(2, 9))


def play_street(rng: random.Random, seats: int) -> Iterator[Situation]:
    """One street of no-limit betting, every seat picking any legal index; the bookkeeping is this test's own."""
    big_blind = rng.choice((2, 10, 100))
    stacks = [rng.randint(1, big_blind * rng.choice((2, 10, 50))) for _ in range(seats)]
    bets, dead, last_raise = [0] * seats, rng.randint(0, 10 * big_blind), big_blind
    waiting = list(range(seats))
    if rng.random() < 0.5:  # preflop: seats 0 and 1 post, short ones what they have
        for seat, blind in enumerate((big_blind // 2, big_blind)):
            bets[seat] = min(blind, stacks[seat])
            stacks[seat] -= bets[seat]
        waiting = [*waiting[2:], 0, 1]
    live, closed = set(range(seats)), set[int]()  # closed: has acted, and no full raise came since
    while waiting and len(live) > 1:
        seat, bet = waiting.pop(0), max(bets)
        if seat not in live or not stacks[seat]:
            continue
        useful = max(bets[other] + stacks[other] for other in live - {seat})
        pot = dead + sum(bets)
        spot = Situation(pot, bet, bets[seat], stacks[seat], big_blind, last_raise, seat not in closed, useful)
        yield spot
        move = action_of(spot, rng.choice([index for index, open_ in enumerate(legal_mask(spot)) if open_]))
        closed.add(seat)
        if move == 0:
            live.discard(seat)
            continue
        total = min(bet, bets[seat] + stacks[seat]) if move == 1 else move - 1
        stacks[seat] -= total - bets[seat]
        bets[seat] = total
        assert stacks[seat] >= 0, f"{spot}: seat {seat} paid chips it does not have"
        if total > bet:
            waiting = [(seat + step) % seats for step in range(1, seats)]
            if total - bet >= last_raise:
                last_raise, closed = total - bet, {seat}


def no_limit_raises(situation: Situation) -> range:
    """The amounts that a seat may raise to, by the rules of no-limit: a full raise or more, or everything."""
    everything = situation.committed + situation.stack
    nobody_calls = situation.useful is not None and situation.useful <= situation.bet
    if not situation.reopened or everything <= situation.bet or nobody_calls:
        return range(0)
    smallest = situation.bet + max(situation.last_raise if situation.bet else 0, situation.big_blind)
    return range(min(smallest, everything), everything + 1)


def different_raises(situation: Situation) -> range:
    """Those of them that differ: from the first that puts everybody else all-in, all are the same."""
    raises = no_limit_raises(situation)
    same = [raise_to for raise_to in raises if situation.useful is not None and raise_to >= situation.useful]
    return range(raises.start, same[0] + 1) if same else raises


def legal_by_the_rulings(spot: Spot) -> dict[int, int | None]:
    """The legal indices and their chips: group the indices by amount, then let one of each group stay."""
    situation, raises = spot.situation, different_raises(spot.situation)
    to_call = situation.bet - situation.committed
    found: dict[int, int | None] = {FOLD: None, CALL: None} if to_call else {CALL: None}
    if not raises:
        return found
    base = Decimal(situation.pot + (to_call if spot.pot_base is PotBase.AFTER_CALL else 0))
    groups: dict[int, list[int]] = {raises[-1]: [ALL_IN]}
    if situation.bet:
        groups.setdefault(situation.bet + situation.last_raise, []).append(MIN_RAISE)
    for index, percent in enumerate(PERCENTS, start=3):
        part = int((base * percent / 100).quantize(Decimal(1), ROUND_HALF_UP))
        if situation.bet or not spot.strict or part > situation.big_blind:
            groups.setdefault(situation.bet + part, []).append(index)
    winners = {amount: group[0] for amount, group in groups.items() if amount in raises}  # 13, 2, then the percentages
    return found | {index: amount for amount, index in winners.items()}


def test_the_random_spots_have_every_kind_in_them(spots: list[Spot]) -> None:
    said = [entry.reason or "" for spot in spots for entry in spot.entries]
    kinds = ("free", "no bet", "<", "> all-in", "= all-in", "(index 2)", "already", "strict", "reopened", "only a call")
    for kind in (*kinds, "all-in for all others", "nobody else"):
        assert sum(kind in reason for reason in said) > 100, kind
    assert len(spots) == SPOTS


def test_a_mask_is_never_empty_because_check_or_call_is_in_it(spots: list[Spot]) -> None:
    for spot in spots:
        assert len(spot.entries) == 14
        assert spot.entries[CALL].legal, spot.situation


def test_no_two_legal_indices_have_the_same_effect(spots: list[Spot]) -> None:
    for spot in spots:
        totals = [entry.raise_to for entry in spot.entries if entry.raise_to is not None]
        calls = min(spot.situation.bet, spot.situation.committed + spot.situation.stack)
        assert len({calls, *totals}) == 1 + len(totals), spot.situation
        useful = spot.situation.useful
        assert useful is None or sum(total >= useful for total in totals) <= 1, spot.situation


def test_every_offered_amount_is_legal_in_no_limit(spots: list[Spot]) -> None:
    for spot in spots:
        raises = no_limit_raises(spot.situation)
        for entry in spot.entries[MIN_RAISE:]:
            assert not entry.legal or entry.raise_to in raises, (entry, spot.situation)


def test_the_legal_indices_are_those_of_the_rulings_and_no_others(spots: list[Spot]) -> None:
    for spot in spots:
        offered = {entry.index: entry.raise_to for entry in spot.entries if entry.legal}
        assert offered == legal_by_the_rulings(spot), spot


def test_exactly_the_masked_have_a_reason_and_exactly_the_legal_raises_have_chips(spots: list[Spot]) -> None:
    for spot in spots:
        for entry in spot.entries:
            assert bool(entry.reason) is not entry.legal, (entry, spot.situation)
            assert (entry.raise_to is not None) is (entry.legal and entry.index >= MIN_RAISE), (entry, spot.situation)


def test_the_quick_mask_says_what_the_menu_says(spots: list[Spot]) -> None:
    for situation, strict, base, entries in spots:
        assert legal_mask(situation, strict=strict, pot_base=base) == tuple(entry.legal for entry in entries), situation


def test_every_legal_index_is_a_move_and_every_masked_one_is_refused(spots: list[Spot]) -> None:
    for situation, strict, base, entries in spots[::50]:
        for entry in entries:
            if entry.legal:
                move = action_of(situation, entry.index, strict=strict, pot_base=base)
                assert move == (entry.index if entry.raise_to is None else entry.raise_to + 1)
            else:
                with pytest.raises(IllegalAction):
                    action_of(situation, entry.index, strict=strict, pot_base=base)


@given(pot=st.integers(0, 10**9), stack=st.integers(1, 10**9), times=st.integers(2, 1_000))
def test_a_menu_does_not_depend_on_the_size_of_a_chip(pot: int, stack: int, times: int) -> None:
    """In hundreds of chips nothing has to be rounded; more chips are then the same menu, only larger."""
    small = menu(Situation(100 * pot, 0, 0, 100 * stack, 100, 100))
    large = menu(Situation(100 * pot * times, 0, 0, 100 * stack * times, 100 * times, 100 * times))
    assert legal(large) == legal(small)
    assert amounts(large) == {name: chips * times for name, chips in amounts(small).items()}
