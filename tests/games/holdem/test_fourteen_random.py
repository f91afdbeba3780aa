"""The fourteen actions in 50,000 random spots: never an empty mask, no two alike, all legal, all of the rulings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from typing import NamedTuple

import pytest
from fourteen_spots import (
    SPOTS,
    amounts,
    legal,
)
from hypothesis import given
from hypothesis import strategies as st

from tahur.core.errors import IllegalAction
from tahur.games.holdem.fourteen import (
    ALL_IN,
    CALL,
    FOLD,
    MIN_RAISE,
    PERCENTS,
    BettingSituation,
    FourteenEntry,
    PotBase,
    action_of,
    legal_mask,
    menu,
)


class Spot(NamedTuple):
    situation: BettingSituation
    strict: bool
    pot_base: PotBase
    entries: tuple[FourteenEntry, ...]


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


def any_situations(rng: random.Random) -> Iterator[BettingSituation]:
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
        yield BettingSituation(
            pot=pot,
            bet=bet,
            committed=committed,
            stack=stack,
            big_blind=big_blind,
            last_raise=last_raise,
            reopened=rng.random() < 0.9,
            useful=useful,
        )


def played_situations(rng: random.Random) -> Iterator[BettingSituation]:
    while True:
        yield from play_street(rng, rng.randint(2, 9))


def play_street(rng: random.Random, seats: int) -> Iterator[BettingSituation]:
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
        spot = BettingSituation(
            pot=pot,
            bet=bet,
            committed=bets[seat],
            stack=stacks[seat],
            big_blind=big_blind,
            last_raise=last_raise,
            reopened=seat not in closed,
            useful=useful,
        )
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


def no_limit_raises(situation: BettingSituation) -> range:
    """The amounts that a seat may raise to, by the rules of no-limit: a full raise or more, or everything."""
    everything = situation.committed + situation.stack
    nobody_calls = situation.useful is not None and situation.useful <= situation.bet
    if not situation.reopened or everything <= situation.bet or nobody_calls:
        return range(0)
    smallest = situation.bet + max(situation.last_raise if situation.bet else 0, situation.big_blind)
    return range(min(smallest, everything), everything + 1)


def different_raises(situation: BettingSituation) -> range:
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
    small = menu(BettingSituation(pot=100 * pot, bet=0, committed=0, stack=100 * stack, big_blind=100, last_raise=100))
    large = menu(
        BettingSituation(
            pot=100 * pot * times,
            bet=0,
            committed=0,
            stack=100 * stack * times,
            big_blind=100 * times,
            last_raise=100 * times,
        )
    )
    assert legal(large) == legal(small)
    assert amounts(large) == {name: chips * times for name, chips in amounts(small).items()}
