"""Blocks of a match: the same cards for everybody, seats in balance, and the same results whoever plays them."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np
import pytest
from contests import BOLD, TIMID, Grudge, match_between

from tahur.arena.luck import Luck
from tahur.arena.match import BLOCK, DealBlock, PlayedDeals, blocks, duplicates, play_block, rotations
from tahur.core.chance import RandomDealer, Streams
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE
from tahur.core.record import Record
from tahur.core.referee import play_out
from tahur.games.holdem.table import HoldemTable
from tahur.games.registry import game_of, make
from tahur.players.simple import Caller, RandomPlayer

FIRST = DealBlock(0, 20)


def played(*arguments: Any, **options: Any) -> PlayedDeals:
    return play_block(match_between(*arguments, **options), FIRST, keep_records=True)


def chance_moves(record: Record) -> list[int]:
    tables = record.replay(game_of(record))
    return [action for table, action in zip(tables, record.actions, strict=False) if table.turn == CHANCE]


# ---- seatings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "count"), [(2, 2), (3, 6), (4, 4), (6, 6), (9, 9)])
def test_a_deal_is_played_in_every_order_of_three_and_every_rotation_of_more(players: int, count: int) -> None:
    seatings = duplicates(players)
    assert len(set(seatings)) == len(seatings) == count
    for seat in range(players):
        sat = Counter(seating[seat] for seating in seatings)
        assert set(sat.values()) == {count // players}
        assert len(sat) == players


@pytest.mark.parametrize("players", [2, 3, 5])
def test_without_duplicates_everybody_sits_everywhere_equally_often(players: int) -> None:
    match = match_between(*[TIMID] * players, game=make("kuhn", {"seats": players}), duplicate=False)
    sat = [match.seatings_of(deal) for deal in range(2 * players)]
    assert [len(once) for once in sat] == [1] * len(sat)
    assert Counter(seating for ((_, seating),) in sat) == dict.fromkeys(rotations(players), 2)


# ---- the cards ---------------------------------------------------------------------------------------------------


def test_every_seating_of_a_deal_gets_the_same_cards() -> None:
    game = make("nlhe", {"seats": 3, "stack": 40})
    block = play_block(match_between(*[RandomPlayer] * 3, game=game), DealBlock(7, 5), keep_records=True)
    for deal in range(5):
        seatings = block.records[6 * deal : 6 * deal + 6]
        assert len({record.hands for record in seatings}) == 1
        assert len({record.names for record in seatings}) == 6
        boards = sorted((chance_moves(record) for record in seatings), key=len)
        assert all(board == boards[-1][: len(board)] for board in boards)


def test_the_cards_do_not_depend_on_who_plays() -> None:
    hands = [
        [record.hands for record in played(one, other).records] for one, other in [(TIMID, BOLD), (BOLD, RandomPlayer)]
    ]
    assert hands[0] == hands[1]


def test_another_seed_deals_other_cards() -> None:
    assert [r.hands for r in played(TIMID, BOLD).records] != [r.hands for r in played(TIMID, BOLD, seed=2).records]


def test_players_with_a_seat_changed_draw_from_their_own_streams() -> None:
    """Two who play alike would otherwise always tie in duplicate, and their interval would be a point."""
    results = played(BOLD, BOLD).results
    assert np.abs(results).max() > 0
    assert results[:, 0] == pytest.approx(-results[:, 1])


# ---- results -----------------------------------------------------------------------------------------------------


def test_a_row_is_the_mean_over_the_seatings_of_a_deal() -> None:
    block = played(TIMID, BOLD)
    for deal, row in enumerate(block.results):
        first, second = block.records[2 * deal : 2 * deal + 2]
        assert first.names == ("a", "b")
        assert second.names == ("b", "a")
        assert row[0] == (first.payoffs[0] + second.payoffs[1]) / 2
        assert row[1] == (first.payoffs[1] + second.payoffs[0]) / 2


def test_results_equal_those_of_a_plain_loop() -> None:
    """No seatings, no blocks: the referee, the streams and nothing else."""
    match = match_between(TIMID, BOLD, duplicate=False)
    streams = Streams(1, 2)
    players = [TIMID(), BOLD()]
    for deal, row in enumerate(play_block(match, FIRST).results):
        order = [0, 1] if deal % 2 == 0 else [1, 0]
        streams.turn_to(deal, seating=deal % 2)
        rngs = [streams.seats[who] for who in order]
        record = play_out(match.game, RandomDealer(streams.chance), [players[who] for who in order], rngs)
        assert row[order].tolist() == list(record.payoffs)


def test_a_match_of_perudo_is_played_to_its_end_and_won_by_one() -> None:
    block = played(Caller, RandomPlayer, RandomPlayer, game=make("perudo", {"seats": 3}))
    assert block.results.sum(axis=1) == pytest.approx(1)
    assert set(np.unique(block.results * 6)) <= set(range(7))
    assert len(block.records) > 20 * 6 * 3


def test_rounds_of_perudo_can_be_counted_in_dice() -> None:
    block = played(Caller, RandomPlayer, game=make("perudo"), unit=1)
    assert len(block.records) == 2 * FIRST.count
    assert (block.results.sum(axis=1) <= 0).all()


def test_luck_is_taken_out_of_deals_and_the_raw_results_are_kept() -> None:
    plain, fair = played(TIMID, BOLD), played(TIMID, BOLD, luck=Luck.FULL)
    assert np.array_equal(plain.raw, fair.raw)
    assert np.array_equal(plain.results, plain.raw)
    assert fair.results.var() < fair.raw.var() / 2


def test_luck_is_not_taken_out_of_whole_matches() -> None:
    with pytest.raises(SettingError, match="not from whole matches"):
        match_between(Caller, Caller, game=make("perudo"), luck=Luck.CHANCE)


def test_players_and_seats_must_agree() -> None:
    with pytest.raises(SettingError, match="3 players for 2 seats"):
        match_between(Caller, Caller, Caller)


# ---- blocks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [0, 1, BLOCK, BLOCK + 1, 5 * BLOCK - 3])
def test_blocks_cover_all_deals_once(deals: int) -> None:
    covered = [deal for block in blocks(deals) for deal in range(block.first, block.first + block.count)]
    assert covered == list(range(deals))
    assert list(islice(blocks(None), 2)) == [DealBlock(0, BLOCK), DealBlock(BLOCK, BLOCK)]


def test_a_block_does_not_know_what_was_played_before_it() -> None:
    """Not even with players who learn."""
    match = match_between(Grudge, Grudge)
    second = DealBlock(BLOCK, 10)
    alone = play_block(match, second)
    play_block(match, DealBlock(0, BLOCK))
    assert np.array_equal(play_block(match, second).results, alone.results)


def test_a_player_who_learns_does_so_within_a_block() -> None:
    assert not np.array_equal(played(Grudge, TIMID).results, played(TIMID, TIMID).results)


def test_the_table_is_the_same_for_hold_em_with_side_pots() -> None:
    game = make("nlhe", {"stacks": [20, 60, 100, 100]})
    for record in played(*[RandomPlayer] * 4, game=game).records:
        tables = list(record.replay(game))
        assert isinstance(tables[-1], HoldemTable)
        assert sum(record.payoffs) == 0
