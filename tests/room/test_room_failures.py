"""No bot gets stuck: what it raises is logged, the table is told, and the game goes on, also after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import Bot, call, calls
from desk import Desk, Dice, Stacked, bot_name, make_bot, settings
from served import Served

from broken_bots import BrokenBot
from tahur.cards.cards import parse_cards
from tahur.core.game import Game
from tahur.core.player import Decision, Player
from tahur.core.record import Record
from tahur.games.holdem.table import CALL, FOLD
from tahur.games.registry import game_of
from tahur.players.bounded.mood import MoodEvent, events_of
from tahur.players.guarded import LOGGER
from tahur.room import facts
from tahur.room.bots import RoomBots, seen
from tahur.room.keeper import Keeper
from tahur.room.state import replay_log

REMARK = "this bot could not decide; the error is in the server's log"


def _made(mind: str, game: Game[Any]) -> Player:
    return BrokenBot() if mind == "broken" else make_bot(mind, game)


def _named(mind: str, game: str) -> str:
    return "Broken" if mind == "broken" else bot_name(mind, game)


def _acts(desk: Desk, by: str) -> list[facts.Acted]:
    return [entry.fact for entry in desk.log if isinstance(entry.fact, facts.Acted) and entry.fact.by == by]


def _restarted(desk: Desk) -> None:
    """The room as its log makes it, with bots that were made anew."""
    people = dict(desk.keeper.connections)
    desk.state = replay_log(desk.log)
    desk.minds = RoomBots(_made)
    desk.keeper = Keeper(desk.state, Dice(7), _named, desk.now)
    for person in people:
        desk.keeper.connected(person, 1, desk.now)


def _deck(text: str) -> tuple[int, ...]:
    top = [int(card) for card in parse_cards(text)]
    return tuple(top + [card for card in range(52) if card not in top])


class Dealt(Stacked):
    """One deal that the test chose, then deals from a seed."""

    def deck(self) -> tuple[int, ...]:
        return super().deck() if self._deals else Dice.deck(self)


def _after_a_mucked_showdown() -> Desk:
    """The persona in seat 1 puts 30 in with aces and loses to a set of sevens; seat 2, beaten by the aces, mucks."""
    desk = Desk(settings("nlhe", 3), [None, "persona:duelist", None], Dealt([_deck("7s7h AsAh KdQd 7c9s5c3d2h")]))
    desk.run()
    desk.act(31)
    while desk.state.ask is not None:
        turn = desk.keeper.turn
        assert turn is not None
        if desk.keeper.thinking is None:
            desk.act(CALL)
        else:
            desk.keeper.bot_answered(turn.hand, turn.at, Decision(CALL))
            desk.write(desk.keeper.tick(desk.now))
    desk.run(one_hand=True)
    return desk


def _play_on(desk: Desk, hands: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(hands):
        desk.random_hand(rng)


def test_a_persona_plays_on_after_a_showdown_in_which_another_loser_mucked(caplog: pytest.LogCaptureFixture) -> None:
    desk = _after_a_mucked_showdown()
    ended = desk.state.ended[-1]
    assert ended.shown == (1, 0)
    assert seen(ended, 1).hands[2] is None
    _play_on(desk, 3)
    _restarted(desk)
    _play_on(desk, 3)
    assert {act.hand for act in _acts(desk, "mind") if act.seat == 1} >= {2, 3, 4, 5}
    assert not _acts(desk, "failure")
    assert not caplog.records


def test_losing_to_a_hand_that_was_behind_is_a_bad_beat_whatever_was_mucked() -> None:
    ended = _after_a_mucked_showdown().state.ended[-1]
    game = game_of(Record.from_json(ended.record))
    assert MoodEvent.BAD_BEAT in tuple(events_of(game, seen(ended, 1)))
    assert MoodEvent.BAD_BEAT not in tuple(events_of(game, seen(ended, 2)))


@pytest.mark.parametrize("game", ["nlhe", "limit", "perudo"])
def test_a_bot_that_always_raises_is_played_for_and_the_table_is_told(
    game: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("desk.make_bot", _made)
    monkeypatch.setattr("desk.bot_name", _named)
    desk = Desk(settings(game, 3), [None, "broken", None])
    _play_on(desk, 3)
    _restarted(desk)
    _play_on(desk, 3)
    failed = _acts(desk, "failure")
    assert {act.seat for act in failed} == {1}
    assert not _acts(desk, "mind")
    assert len({act.hand for act in failed}) >= 4
    told = [event.words for event in desk.state.events if event.seat == 1 and REMARK in event.words]
    assert told
    errors = [record for record in caplog.records if record.name == LOGGER]
    assert all(record.exc_info for record in errors)
    decided = [record for record in errors if "could not decide" in record.message]
    assert len(decided) == len(failed)
    lessons = [record for record in errors if "could not learn" in record.message]
    assert 4 <= len(lessons) <= 11  # each hand once, and the kept ones once again after the restart


def test_a_bot_that_cannot_be_made_is_played_for() -> None:
    desk = Desk(settings("nlhe", 2), [None, "caller"])
    desk.minds = RoomBots(_unmakable)
    _play_on(desk, 2)
    assert not _acts(desk, "mind")
    assert {act.action for act in _acts(desk, "failure")} <= {FOLD, CALL}


def _unmakable(mind: str, game: Game[Any]) -> Player:
    raise OSError(f"{mind}: no such file")


def test_the_server_plays_on_for_a_bot_that_raises_before_and_after_it_was_killed(tmp_path: Path) -> None:
    folder = str(Path(__file__).parents[1])
    server = Served(tmp_path, "--unlimited", "--mind", "broken_bots:BrokenBot", environment={"PYTHONPATH": folder})
    server.start()
    body = {"name": "Ana", "game": "nlhe", "minds": ["broken_bots:BrokenBot"], "pace": "instant", "seconds": 0}
    status, opened = call(server.address, "/api/rooms", body)
    assert status == 200, opened
    bot = Bot(server.address, opened["room"], opened["token"], calls)
    asyncio.run(bot.play(lambda bot: _hand(bot) > 3))
    server.kill()
    server.start()
    asyncio.run(bot.play(lambda bot: _hand(bot) > 6))
    errors = server.stop()
    assert "KeyError: 'no decision'" in errors
    assert "ValueError: no lesson" in errors
    assert sum(REMARK in event.words for event in bot.events) >= 6


def _hand(bot: Bot) -> int:
    return bot.scene.hand if bot.scene else 0
