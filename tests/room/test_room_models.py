"""Language models in rooms: they choose for personas, fail without stopping a game, and are the owner's to give."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import Bot, call, calls
from desk import Desk, Dice, make_bot, settings
from fake_model import FakeModel, house_with
from served import Served

from scripted_endpoint import Handler, serving
from tahur.core.errors import PlayerError
from tahur.core.player import Decision
from tahur.core.record import Record
from tahur.players.bounded.model import ModelError, ModelRequest
from tahur.room import facts, wire
from tahur.room.bots import RoomBots
from tahur.room.gallery import Gallery
from tahur.room.keeper import Keeper
from tahur.room.log import Draft, chain_entries
from tahur.room.state import replay_log
from tahur.room.task import Newcomer, RoomTask, token_hash

WITH_MODEL = settings("nlhe", 2, llm=True)


def _thoughts(gallery: Gallery) -> list[str]:
    """What the mind of seat 1 thought in a hand against somebody who calls."""
    desk = Desk(WITH_MODEL, [None, None], gallery=house_with(FakeModel()))
    desk.ask("p1", wire.Leave("bye"))
    assert isinstance(desk.ask("p0", wire.PutMind("put", 1, "persona:duelist")), wire.Ack)
    desk.minds = RoomBots(gallery.make)
    desk.run()
    while desk.state.live is None or not desk.state.live.ended:
        desk.act(1)
        desk.run(one_hand=True)
    acts = [entry.fact for entry in desk.log if isinstance(entry.fact, facts.Acted)]
    return [act.thought for act in acts if act.by == "mind"]


def test_in_a_room_with_a_language_model_it_chooses_for_who_the_host_seats() -> None:
    model = FakeModel()
    thoughts = _thoughts(house_with(model))
    assert thoughts
    assert all("by model" in thought or "by forced" in thought for thought in thoughts)
    assert len(model.asked) == sum("by model" in thought for thought in thoughts) > 0


def test_a_model_that_does_not_answer_is_stood_in_for_and_the_log_says_so() -> None:
    def fails(question: ModelRequest) -> str:
        raise ModelError("no answer in time", final=True)

    thoughts = _thoughts(house_with(FakeModel(fails)))
    assert any("by fallback (no answer in time)" in thought for thought in thoughts)
    assert not any("failed to answer" in thought for thought in thoughts)


def test_a_room_whose_server_came_back_without_a_model_plays_on_by_the_formula() -> None:
    thoughts = _thoughts(Gallery())
    assert any("by softmax" in thought for thought in thoughts)
    assert not any("failed to answer" in thought for thought in thoughts)


@pytest.mark.parametrize("mind", ["llm:duelist@big@http://127.0.0.1:1/v1", "llm:duelist@big", "llm:nobody", "llm:"])
def test_nobody_at_a_table_can_name_a_model_or_an_endpoint(mind: str) -> None:
    with pytest.raises(PlayerError):
        house_with(FakeModel()).name_of(mind, "nlhe")


def test_models_are_refused_where_the_owner_gave_none_and_at_perudo() -> None:
    with pytest.raises(PlayerError, match="--llm"):
        Gallery().name_of("llm:duelist", "nlhe")
    with pytest.raises(PlayerError, match="Perudo"):
        house_with(FakeModel()).name_of("llm:duelist", "perudo")
    assert house_with(FakeModel()).name_of("llm:duelist", "nlhe")


class _Clock:
    def now(self) -> float:
        return 1000.0

    def wall(self) -> float:
        return 1e9


class _Stuck:
    """Somebody whose model never answers, until the test is over."""

    def __init__(self, over: threading.Event) -> None:
        self._over = over

    def begin(self, view: Any, rng: np.random.Generator) -> None:
        self._over.wait(20)

    def act(self, view: Any, rng: np.random.Generator) -> Decision:
        return Decision(1)

    def learn(self, seen: Any) -> None: ...


class _List:
    """A log in a list."""

    def append(self, entries: Any) -> Any:
        from concurrent.futures import Future

        done: Future[None] = Future()
        done.set_result(None)
        return done


async def _room(mind: str, make: Any, threads: ThreadPoolExecutor) -> RoomTask:
    opened = [Draft(facts.Opened("r", settings("nlhe", 2, seconds=0))), Draft(facts.MindSat(1, mind, "Mind"))]
    keeper = Keeper(replay_log(chain_entries("r", None, opened, 1.0)), Dice(7), lambda mind, game: "Mind", 1000.0)
    task = RoomTask(keeper=keeper, bots=RoomBots(make), store=_List(), clock=_Clock(), threads=threads)  # type: ignore[arg-type]
    task.start()
    await task.join(Newcomer("p0", "P", token_hash("t"), 0))
    task.listen(lambda: None, "p0")
    return task


async def _acted(task: RoomTask) -> None:
    """The person calls on until the mind has acted."""
    while not any(event.seat == 1 and event.kind == "act" for event in task.state.events):
        await asyncio.sleep(0)
        ask = task.state.ask
        if ask is not None and ask.view.seat == 0:
            at = len(ask.view.table.history)
            await task.request("p0", wire.Act(f"{task.state.hand}-{at}", task.state.hand, at, 1))


def test_a_model_that_hangs_holds_up_no_other_rooms_minds() -> None:
    async def scene() -> None:
        over, threads = threading.Event(), ThreadPoolExecutor(1)
        stuck = await _room("llm:duelist", lambda mind, game: _Stuck(over), threads)
        waits = asyncio.create_task(_acted(stuck))
        other = await _room("caller", make_bot, threads)
        async with asyncio.timeout(10):
            await _acted(other)
        assert not waits.done()
        over.set()
        async with asyncio.timeout(10):
            await waits
        await stuck.stop()
        await other.stop()
        threads.shutdown()

    asyncio.run(scene())


# ---- the real server -----------------------------------------------------------------------------


def _behaves(handler: Handler, request: dict[str, Any]) -> None:
    """The first question is answered, the next never, and so on."""
    handler.says('{"option": 1}') if len(handler.server.heard) % 2 else handler.waits()


@pytest.mark.slow
def test_a_room_of_the_real_server_asks_the_owners_endpoint_and_keeps_to_the_deadline(tmp_path: Path) -> None:
    with serving() as endpoint:
        endpoint.behaviour = _behaves
        words = ("--llm", endpoint.url, "--model", "scripted", "--llm-set", "seconds=1")
        server = Served(tmp_path, "--unlimited", *words, environment={"TAHUR_DATA": str(tmp_path)})
        server.start()
        assert call(server.address, "/api/house")[1]["llm"] == "scripted"
        body = {"name": "Ana", "minds": ["persona:duelist", "persona:barber"], "pace": "instant", "seconds": 0}
        room = call(server.address, "/api/rooms", body | {"llm": True})[1]
        bot = Bot(server.address, room["room"], room["token"], calls)
        asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > 3))
        assert {seat.mind for seat in bot.scene.seats} == {None, "llm:duelist", "llm:barber"}  # type: ignore[union-attr]
        thoughts = []
        for hand in (1, 2, 3):
            path = f"/api/rooms/{room['room']}/hands/{hand}/thoughts"
            thoughts += call(server.address, path, token=room["token"])[1]["thoughts"]
        said = " ".join(each["thought"] for each in thoughts)
        assert "by model" in said
        assert "by fallback (no answer in time" in said
        assert call(server.address, "/api/rooms", body | {"llm": True, "game": "perudo"})[0] == 400
        assert "Traceback" not in server.stop()
    assert list((tmp_path / "llm").glob("*.jsonl"))


def test_personas_are_for_the_game_that_they_are_told_of() -> None:
    """At Perudo the name of a persona for hold'em would be one of the six in disguise."""
    games = {mind.name: mind.games for mind in Gallery().minds}
    assert "perudo" in games["Shark"]
    assert "nlhe" in games["Duelist"]
    assert "perudo" not in games["Duelist"]
    with pytest.raises(PlayerError, match="Duelist does not play Perudo"):
        Gallery().name_of("persona:duelist", "perudo")


def test_the_plan_of_a_model_stays_in_prompts_and_record_until_it_writes_another() -> None:
    model = FakeModel(lambda question: json.dumps({"option": 1, "plan": _next_plan(model)}))
    desk = Desk(WITH_MODEL, [None, None], gallery=house_with(model))
    desk.ask("p1", wire.Leave("bye"))
    desk.ask("p0", wire.PutMind("put", 1, "persona:duelist"))
    kept = changed = 0
    for _ in range(12):
        model.asked.clear()
        hand = len(desk.state.ended)
        while len(desk.state.ended) == hand:
            desk.run(one_hand=True)
            if desk.state.ask is not None:
                desk.act(1)
        prompts = ["\n".join(message["content"] for message in question.messages) for question in model.asked]
        for at, prompt in enumerate(prompts[1:], start=1):
            assert f"Your plan: plan {(at - 1) // 2}" in prompt
            kept, changed = kept + at % 2, changed + (at > 2)
        record = Record.from_json(desk.state.ended[-1].record)
        written = [thought.text for thought in record.thoughts if "by model" in thought.text]
        assert all(f"| plan plan {at // 2} |" in text for at, text in enumerate(written))
    assert kept > 5
    assert changed > 3


def _next_plan(model: FakeModel) -> str:
    """Another one with every second question of a hand; nothing in between."""
    asked = len(model.asked) - 1
    return "" if asked % 2 else f"plan {asked // 2}"


def test_the_table_is_told_how_many_decisions_were_fallbacks() -> None:
    def fails(question: ModelRequest) -> str:
        raise ModelError("no answer in time", final=True)

    desk = Desk(WITH_MODEL, [None, None], gallery=house_with(FakeModel(fails)))
    desk.ask("p1", wire.Leave("bye"))
    desk.ask("p0", wire.PutMind("put", 1, "persona:duelist"))
    while not (told := [event.words for event in desk.state.events if "fallbacks" in event.words]):
        desk.run(one_hand=True)
        if desk.state.ask is not None:
            desk.act(1)
    assert re.fullmatch(
        r"Warning: (\d+) of \1 decisions of the language model \(100 %\) were fallbacks; in this room so far \1 of \1",
        told[0],
    )
