"""Chance: streams that do not touch each other, and dealers that deal what is settled and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.core.chance import RandomDealer, SettledDealer, Streams, dealer_of
from tahur.core.errors import RecordError
from tahur.core.record import Record
from tahur.games.kuhn import BET, PASS, Kuhn
from tahur.games.leduc import CALL, FOLD, RAISE, Leduc

Draw = Callable[[np.random.Generator], Any]

DRAWS: list[Draw] = [
    lambda rng: rng.random(),
    lambda rng: rng.integers(0, 7),
    lambda rng: rng.integers(0, 7, dtype=np.uint8),
    lambda rng: rng.permutation(52).tolist(),
    lambda rng: rng.standard_normal(),
]


def all_of(streams: Streams) -> list[list[float]]:
    return [rng.random(8).tolist() for rng in (streams.chance, *streams.seats)]


# ---- streams -------------------------------------------------------------------------------------


@given(st.integers(), st.integers(0, 10**6), st.lists(st.tuples(st.integers(0, 2), st.sampled_from(DRAWS)), max_size=9))
def test_a_deal_draws_the_same_whatever_was_drawn_before_it(seed: int, deal: int, before: list[Any]) -> None:
    fresh, used = Streams(seed, 2), Streams(seed, 2)
    fresh.turn_to(deal)
    used.turn_to(deal + 1)
    for who, draw in before:
        draw((used.chance, *used.seats)[who])
    used.turn_to(deal)
    assert all_of(fresh) == all_of(used)


@given(st.integers(0, 2), st.sampled_from(DRAWS), st.integers(1, 50))
def test_what_one_stream_draws_leaves_the_others_alone(who: int, draw: Draw, times: int) -> None:
    quiet, busy = Streams(5, 2), Streams(5, 2)
    for _ in range(times):
        draw((busy.chance, *busy.seats)[who])
    same = [one == two for one, two in zip(all_of(quiet), all_of(busy), strict=True)]
    assert same == [at != who for at in range(3)]


def test_new_streams_stand_at_the_first_deal() -> None:
    turned = Streams(5, 3)
    turned.turn_to(0)
    assert all_of(Streams(5, 3)) == all_of(turned)


def test_more_seats_do_not_change_chance_nor_the_seats_before_them() -> None:
    assert all_of(Streams(5, 9))[:3] == all_of(Streams(5, 2))


def test_streams_deals_and_seeds_all_differ() -> None:
    drawn = []
    for seed in (0, 1, 2, -1):
        streams = Streams(seed, 3)
        for deal in (0, 1, 2, 1000):
            streams.turn_to(deal)
            drawn += [tuple(each) for each in all_of(streams)]
    assert len(set(drawn)) == len(drawn) == 4 * 4 * 4


def test_streams_look_independent() -> None:
    """Correlations of 20,000 draws between streams and between deals stay within five standard errors of none."""
    draws = 20_000
    streams = Streams(11, 2)
    columns = [rng.random(draws) for rng in (streams.chance, *streams.seats)]
    streams.turn_to(1)
    columns += [rng.random(draws) for rng in (streams.chance, *streams.seats)]
    firsts = []
    for deal in range(draws):
        streams.turn_to(deal)
        firsts.append(streams.chance.random())
    columns += [np.array(firsts)]
    for one, other in combinations(columns, 2):
        assert abs(np.corrcoef(one, other)[0, 1]) < 5 / np.sqrt(draws)
    assert abs(np.mean(firsts) - 0.5) < 5 / np.sqrt(12 * draws)
    assert abs(np.corrcoef(firsts[1:], firsts[:-1])[0, 1]) < 5 / np.sqrt(draws)


# ---- dealers -------------------------------------------------------------------------------------


def test_chance_is_fair_among_the_cards_that_are_left() -> None:
    game, dealer = Leduc(), RandomDealer(np.random.default_rng(3))
    table = game.start().after(CALL).after(CALL)
    deals = 8_000
    counts = np.bincount([dealer.chance(game, table, (0, 5)) for _ in range(deals)], minlength=6) / deals
    assert counts[0] == counts[5] == 0
    assert np.all(np.abs(counts[1:5] - 0.25) < 5 * np.sqrt(0.25 * 0.75 / deals))


def test_a_settled_dealer_deals_what_was_settled() -> None:
    game = Leduc()
    dealer = SettledDealer([4, 1], iter([3]))
    assert dealer.deal(game) == (4, 1)
    assert dealer.chance(game, game.start().after(CALL).after(CALL), (4, 1)) == 3


@pytest.mark.parametrize("hands", [(), (1,), (1, 2, 3)])
def test_a_settled_dealer_refuses_the_wrong_number_of_hands(hands: tuple[int, ...]) -> None:
    with pytest.raises(RecordError, match=f"kuhn: {len(hands)} hands for 2 seats"):
        SettledDealer(hands).deal(Kuhn())


@pytest.mark.parametrize(("moves", "named"), [((), "None"), ((4,), "4"), ((6,), "6"), ((-1,), "-1")])
def test_a_settled_dealer_refuses_a_card_that_cannot_come(moves: tuple[int, ...], named: str) -> None:
    table = Leduc().start().after(CALL).after(CALL)
    with pytest.raises(RecordError, match=f"leduc: chance cannot play {named} after"):
        SettledDealer((4, 1), moves).chance(Leduc(), table, (4, 1))


def test_the_dealer_of_a_record_has_its_hands_and_its_chance_moves_alone() -> None:
    record = Record(
        game="leduc", settings={}, hands=(4, 1), actions=(CALL, RAISE, CALL, 3, RAISE, FOLD), payoffs=(3, -3)
    )
    dealer = dealer_of(record, Leduc())
    tables = list(record.replay(Leduc()))
    assert dealer.deal(Leduc()) == (4, 1)
    assert dealer.chance(Leduc(), tables[3], record.hands) == 3
    with pytest.raises(RecordError):
        dealer.chance(Leduc(), tables[3], record.hands)


def test_the_dealer_of_a_record_that_cannot_be_is_refused() -> None:
    with pytest.raises(RecordError):
        dealer_of(
            Record(game="kuhn", settings={"seats": 2}, hands=(0, 1), actions=(PASS, BET, 5), payoffs=(1, -1)), Kuhn()
        )
