"""The numbers a learner sees: each is read back and compared with the view it was made from."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import numpy as np
import pytest

from games.holdem.holdem_play import hands_of, play
from tahur.cards.cards import cards_of
from tahur.core.chance import RandomDealer
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER
from tahur.core.player import View
from tahur.core.record import decisions
from tahur.games.holdem import features as holdem
from tahur.games.holdem.rules import NO_HAND, no_limit
from tahur.games.perudo import features as perudo
from tahur.games.perudo.bids import FIRST_BID, bid
from tahur.games.perudo.game import perudo as perudo_game
from tahur.games.perudo.table import dice_of, hand_of


def views(game: Any, random: Random) -> list[View]:
    """Every seat's view of every table of a random deal."""
    rng = np.random.default_rng(random.randrange(2**32))
    dealer, table = RandomDealer(rng), game.start()
    hands = dealer.deal(game)
    met = []
    while True:
        met += [View(game, table, seat, hands[seat]) for seat in range(game.seats)]
        if table.turn == OVER:
            return met
        chance = table.turn == CHANCE
        table = table.after(dealer.chance(game, table, hands) if chance else random.choice(table.actions()[:40]))


@pytest.mark.parametrize("layout", [holdem.layout(2), holdem.layout(9), perudo.layout(2), perudo.layout(8)], ids=repr)
def test_the_parts_of_a_row_lie_end_to_end(layout: Any) -> None:
    parts = [value for value in (getattr(layout, each.name) for each in fields(layout)) if isinstance(value, slice)]
    assert parts[0].start == 0
    assert [part.stop for part in parts[:-1]] == [part.start for part in parts[1:]]
    assert parts[-1].stop == layout.size
    assert layout.story(np.zeros(layout.size, np.float32)).size == layout.history.stop - layout.history.start


@pytest.mark.parametrize(("layout", "seats"), [(holdem.layout, 1), (holdem.layout, 10), (perudo.layout, 9)])
def test_a_table_that_cannot_be_has_no_row(layout: Any, seats: int) -> None:
    with pytest.raises(SettingError, match=f"{seats} seats"):
        layout(seats)


# ---- hold'em -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6, 9])
def test_a_row_of_holdem_tells_the_view_and_no_more(seats: int) -> None:
    random, where = Random(seats), holdem.layout(seats)
    for _ in range(15):
        stacks = [random.randrange(2, 400) for _ in range(seats)]
        game = no_limit(stacks=stacks, blinds=(1, 2), ante=random.choice((0, 1)), button=random.randrange(seats))
        for view in views(game, random):
            row, table, seat = holdem.features(view), view.table, view.seat
            around = [(seat + step) % seats for step in range(seats)]
            assert np.flatnonzero(row[where.hole]).tolist() == sorted(cards_of(view.hand))
            assert np.flatnonzero(row[where.flop]).tolist() == sorted(table.board[:3])
            assert np.flatnonzero(row[where.turn]).tolist() == list(table.board[3:4])
            assert np.flatnonzero(row[where.river]).tolist() == list(table.board[4:5])
            assert np.flatnonzero(row[where.street]).tolist() == [table.street]
            assert np.flatnonzero(row[where.position]).tolist() == [table.stakes.order.index(seat)]
            assert row[where.pot].tolist() == [table.pot / 2]
            assert row[where.to_call].tolist() == [table.to_call / 2 if table.turn == seat else 0]
            assert row[where.stacks].tolist() == [table.stacks[other] / 2 for other in around]
            assert row[where.bets].tolist() == [table.bets[other] / 2 for other in around]
            assert row[where.live].tolist() == [other in table.live for other in around]
            check_story(where.story(row), view)


def check_story(slots: Any, view: View) -> None:
    """Against a replay of the hand."""
    seats, expected = view.game.seats, [[], [], [], []]
    for before, action in decisions(view.game, view.table.history):
        kind = min(action, 2)
        paid = before.bets[before.turn] + (before.to_call if kind == 1 else 0)
        line = [0.0] * slots.shape[2]
        line[(before.turn - view.seat) % seats] = line[seats + kind] = 1
        line[-1] = (action - 1 if kind == 2 else paid) / 2
        expected[before.street].append(line)
    for street, lines in enumerate(expected):
        told = lines[-slots.shape[1] :]
        assert slots[street][: len(told)].tolist() == told
        assert not slots[street][len(told) :].any()


def test_of_a_long_street_the_last_actions_are_told() -> None:
    game = no_limit(stacks=[5000, 5000], blinds=(1, 2))
    sizes = range(4, 4 + 2 * 600, 2)
    table = play(game, " ".join(f"r{size}" for size in sizes))
    told = holdem.layout(2).story(holdem.features(View(game, table, 0, 5)))[0]
    assert told[:, -1].tolist() == [size / 2 for size in sizes[-12:]]
    assert len(holdem.story(table)[0]) == 600


def test_a_spectator_and_an_empty_seat_have_no_cards_and_no_position() -> None:
    game, where = no_limit(stacks=[100, 0, 100], button=2), holdem.layout(3)
    empty = holdem.features(View(game, game.start(), 1, NO_HAND))
    assert not empty[where.hole].any()
    assert not empty[where.position].any()
    assert empty[where.live].tolist() == [0, 1, 1]
    assert not holdem.features(View(game, game.start(), 0, None))[where.hole].any()


def test_a_hand_of_holdem_as_a_person_would_read_it() -> None:
    game, where = no_limit(stacks=[200, 200, 200], blinds=(1, 2), button=0), holdem.layout(3)
    table = play(game, "r6 f c QsJs2h c r8")
    (hand,) = hands_of("AsKs")
    row = holdem.features(View(game, table, 2, hand))
    assert row[where.pot].tolist() == [(6 + 1 + 6 + 8) / 2]
    assert row[where.to_call].tolist() == [4]
    assert row[where.stacks].tolist() == [97, 93, 99.5]  # own, button, small blind
    assert row[where.position].tolist() == [0, 1, 0]
    assert where.story(row)[0][:3].tolist() == [
        [0, 1, 0, 0, 0, 1, 3],  # the button raised to 3 BB
        [0, 0, 1, 1, 0, 0, 0.5],  # the small blind folded his half
        [1, 0, 0, 0, 1, 0, 3],  # this seat called
    ]


# ---- Perudo --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 8])
@pytest.mark.parametrize("rules", ["faroleo", "asmodee", "classic"])
def test_a_row_of_perudo_tells_the_view_and_no_more(seats: int, rules: str) -> None:
    random, where = Random(seats), perudo.layout(seats)
    for _ in range(15):
        cups = [random.randrange(6) for _ in range(seats - 2)] + [1, 5]
        random.shuffle(cups)
        opener = random.choice([seat for seat, dice in enumerate(cups) if dice])
        dropped = [seat for seat in range(seats) if random.random() < 0.2]
        palifico = random.random() < 0.3
        game = perudo_game(rules=rules, cups=cups, opener=opener, dropped=dropped, palifico_round=palifico)
        for view in views(game, random):
            row, table = perudo.features(view), view.table
            around = [(view.seat + step) % seats for step in range(seats)]
            assert row[where.own].tolist() == [dice_of(view.hand).count(face) for face in range(1, 7)]
            assert row[where.cups].tolist() == [cups[other] for other in around]
            assert row[where.palifico].tolist() == [palifico]
            assert row[where.dropped].tolist() == [other in dropped for other in around]
            assert row[where.opener].tolist() == [other == opener for other in around]
            assert row[where.bidder].tolist() == [other == table.bidder for other in around]
            check_bids(where, row, view)


def check_bids(where: perudo.PerudoLayout, row: Any, view: View) -> None:
    told, bids = where.story(row), []
    for before, action in decisions(view.game, view.table.history):
        if action >= FIRST_BID:
            bids.append(((before.turn - view.seat) % where.seats, action))
    for slot, (seat, said) in zip(told, bids[-where.slots :], strict=False):
        assert np.flatnonzero(slot[: where.seats]).tolist() == [seat]
        assert _bid(slot[where.seats :]) == said
    assert not told[len(bids) :].any()
    assert _bid(row[where.standing]) == (bids[-1][1] if bids else None)


def _bid(numbers: Any) -> int | None:
    (faces,) = np.nonzero(numbers[1:])
    return bid(int(numbers[0]), int(faces[0]) + 1) if len(faces) else None


def test_a_round_of_perudo_as_a_person_would_read_it() -> None:
    game, where = perudo_game(seats=2), perudo.layout(2)
    table = game.start().after(bid(2, 3)).after(bid(1, 1))
    row = perudo.features(View(game, table, 0, hand_of((1, 3, 3, 5, 6))))
    assert row[where.own].tolist() == [1, 0, 2, 0, 1, 1]
    assert row[where.standing].tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert row[where.bidder].tolist() == [0, 1]
    assert where.story(row)[:2].tolist() == [[1, 0, 2, 0, 0, 1, 0, 0, 0], [0, 1, 1, 1, 0, 0, 0, 0, 0]]
