"""What differs between the games of a room: every adapter is a whole one, and the room does what it says."""

from __future__ import annotations

import pytest
from desk import Desk, settings

from tahur.core.errors import UnknownName
from tahur.room import wire
from tahur.room.adapter import Sitting, adapter_of, adapters
from tahur.room.codec import WireError, read_as, text_of
from tahur.room.scene import HoldemChoices, HoldemScene, PerudoChoices, PerudoScene

TABLES = {
    "nlhe": (HoldemScene, HoldemChoices),
    "limit": (HoldemScene, HoldemChoices),
    "perudo": (PerudoScene, PerudoChoices),
}


@pytest.mark.parametrize("game", adapters())
def test_an_adapter_draws_the_table_and_the_choices_of_its_game(game: str) -> None:
    desk = Desk(settings(game, seats=2))
    assert desk.frame("p0").scene.table is None
    desk.run()
    assert desk.state.ask is not None
    actor = desk.state.ask.view.seat
    table, choices = TABLES[game]
    for seat in (0, 1):
        scene = desk.frame(f"p{seat}").scene
        assert isinstance(scene.table, table)
        assert (type(scene.choices) is choices) == (seat == actor)
        assert read_as(wire.Scene, wire.parse_text(text_of(scene), 1 << 20)) == scene


@pytest.mark.parametrize("game", adapters())
def test_the_card_of_a_game_has_its_own_name_and_rules(game: str) -> None:
    card = adapter_of(game).card()
    assert card.game == game
    assert card.title
    assert all(rules.name and rules.card for rules in card.rules)


def test_a_game_that_the_room_does_not_have_is_named_in_the_error() -> None:
    with pytest.raises(UnknownName, match="no game 'kuhn'; games: nlhe, limit, perudo"):
        adapter_of("kuhn")


@pytest.mark.parametrize("table", ['{"type":"chess"}', '{"board":[]}', "[]"])
def test_a_table_of_no_known_game_is_refused(table: str) -> None:
    desk = Desk(settings("nlhe", seats=2))
    body = wire.parse_text(text_of(desk.frame("p0").scene), 1 << 20)
    with pytest.raises(WireError, match=r"table"):
        read_as(wire.Scene, body | {"table": wire.parse_text(table, 100)}, "scene")


def test_the_room_acts_at_once_for_a_seat_that_sits_out_of_its_round_of_perudo() -> None:
    desk = Desk(settings("perudo", seats=2))
    desk.run()
    assert desk.state.ask is not None
    away = desk.state.ask.view.seat
    assert isinstance(desk.ask(f"p{away}", wire.SitOut("out", True)), wire.Ack)
    before = desk.now
    desk.run(1.0)
    assert desk.state.ask is None or desk.state.ask.view.seat != away
    assert desk.now - before <= 1.0


def test_a_seat_that_sits_out_in_holdem_has_the_time_of_its_clock_for_the_hand_it_is_in() -> None:
    desk = Desk(settings("nlhe", seats=2))
    desk.run()
    assert desk.state.ask is not None
    away = desk.state.ask.view.seat
    assert isinstance(desk.ask(f"p{away}", wire.SitOut("out", True)), wire.Ack)
    desk.run(1.0)
    assert desk.state.ask is not None
    assert desk.state.ask.view.seat == away


@pytest.mark.parametrize(("game", "joined"), [("nlhe", 200), ("limit", 200), ("perudo", 0)])
def test_who_sits_down_has_chips_at_once_and_dice_with_the_deal(game: str, joined: int) -> None:
    desk = Desk(settings(game, seats=2))
    assert [chair.chips for chair in desk.state.chairs] == [joined] * 2
    desk.run()
    assert all(desk.state.chairs[seat].chips for seat in (0, 1))


@pytest.mark.parametrize(("game", "bought"), [("nlhe", True), ("limit", True), ("perudo", False)])
def test_chips_can_be_bought_and_dice_cannot(game: str, bought: bool) -> None:
    desk = Desk(settings(game, seats=2))
    desk.state.chairs[0].chips = 1
    assert desk.frame("p0").scene.may_rebuy == bought
    assert isinstance(desk.ask("p0", wire.Rebuy("more")), wire.Ack if bought else wire.Refused)


@pytest.mark.parametrize("game", adapters())
def test_a_player_without_chips_waits_and_one_without_dice_plays_the_next_match(game: str) -> None:
    assert adapter_of(game).can_be_dealt(Sitting(0, True)) == (game == "perudo")
    assert adapter_of(game).can_be_dealt(Sitting(5, True))


def test_only_holdem_has_blinds_hand_histories_and_menus_for_language_models() -> None:
    chosen = settings("perudo")
    for game, adapter in adapters().items():
        poker = game != "perudo"
        assert (adapter.has_histories, adapter.has_menus, bool(adapter.blinds(chosen))) == (poker, poker, poker)
