"""Exactly once: whatever is sent twice, late, out of order, by two tabs or after a lost connection is applied once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest
from desk import Dice, bot_name, make_bot, settings

from tahur.room import facts, wire
from tahur.room.bots import RoomBots
from tahur.room.keeper import Keeper
from tahur.room.log import Draft, LogEntry, StoredSnapshot, chain_entries
from tahur.room.state import ANSWERS_KEPT, RoomState, replay_log
from tahur.room.task import Newcomer, RoomTask, token_hash

PEOPLE = 3


class MemoryStore:
    """A log in a list, slow enough for others to come in between."""

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []

    def keep(self, snapshot: StoredSnapshot) -> Future[None]:
        return Future()

    def append(self, entries: Sequence[LogEntry]) -> Future[None]:
        done: Future[None] = Future()

        def written() -> None:
            self.entries += entries
            done.set_result(None)

        asyncio.get_running_loop().call_soon(written)
        return done


class StillClock:
    def now(self) -> float:
        return 1000.0

    def wall(self) -> float:
        return 1e9


async def _room(store: MemoryStore, threads: ThreadPoolExecutor) -> RoomTask:
    opened = chain_entries("once", None, [Draft(facts.Opened("once", settings("nlhe", PEOPLE, seconds=0)))], 1.0)
    store.entries += opened
    state: RoomState = replay_log(opened)
    keeper = Keeper(state, Dice(7), bot_name, 1000.0)
    task = RoomTask(keeper=keeper, bots=RoomBots(make_bot), store=store, clock=StillClock(), threads=threads)  # type: ignore[arg-type]
    task.start()
    for seat in range(PEOPLE):
        await task.join(Newcomer(f"p{seat}", f"P{seat}", token_hash(f"t{seat}"), seat))
        task.listen(lambda: None, f"p{seat}")
    return task


async def _hammer(actions: int, seed: int) -> tuple[MemoryStore, dict[tuple[str, str], set[wire.Ack]], RoomTask]:
    """Each action is sent by several tabs at once, mixed with copies of old ones; every answer is kept."""
    rng, store, threads = np.random.default_rng(seed), MemoryStore(), ThreadPoolExecutor(1)
    task = await _room(store, threads)
    sent: list[tuple[str, wire.Request]] = []
    acks: dict[tuple[str, str], set[wire.Ack]] = {}
    while len(acks) < actions:
        await asyncio.sleep(0)
        wishes = _wishes(task, rng, len(sent))
        if not wishes:
            continue
        sent += wishes
        first = max(0, len(sent) - ANSWERS_KEPT // 2)  # copies of much older ones are refused by the database
        old = [sent[int(at)] for at in rng.integers(first, len(sent), int(rng.integers(0, 3)))]
        batch = wishes * int(rng.integers(1, 4)) + old
        order = rng.permutation(len(batch))
        answers = await asyncio.gather(*(task.request(*batch[at]) for at in order))
        for at, answer in zip(order, answers, strict=True):
            person, message = batch[at]
            if isinstance(answer, wire.Ack):
                acks.setdefault((person, message.id), set()).add(answer)
    await task.stop()
    threads.shutdown()
    return store, acks, task


def _wishes(task: RoomTask, rng: np.random.Generator, number: int) -> list[tuple[str, wire.Request]]:
    ask, state = task.state.ask, task.state
    poor = [chair.person for chair in state.chairs if chair.person and not chair.chips and not chair.rebuys]
    if ask is None:
        return [(person, wire.Rebuy(f"rebuy {number}")) for person in poor]
    legal = ask.view.table.actions()
    at, seat = len(ask.view.table.history), ask.view.seat
    action = legal[min(int(rng.integers(0, 4)), len(legal) - 1)]
    wishes: list[tuple[str, wire.Request]] = [(f"p{seat}", wire.Act(f"act {number}", state.hand, at, action))]
    if rng.random() < 0.3:  # another tab decides otherwise at the same moment
        wishes.append((f"p{seat}", wire.Act(f"act {number} too", state.hand, at, legal[0])))
    if rng.random() < 0.2:
        wishes.append((f"p{int(rng.integers(0, PEOPLE))}", wire.Say(f"say {number}", "hello")))
    return wishes


def check_once(actions: int, seed: int) -> None:
    store, acks, task = asyncio.run(_hammer(actions, seed))
    written = Counter((entry.person, entry.request) for entry in store.entries if entry.request)
    assert set(written.values()) == {1}, "a request was written twice"
    assert set(acks) == set(written), "acknowledged and not written, or the other way round"
    assert all(len(answers) == 1 for answers in acks.values()), "copies of a request were answered differently"
    turns = Counter((each.hand, each.at) for entry in store.entries if isinstance(each := entry.fact, facts.Acted))
    assert set(turns.values()) == {1}, "a turn was taken twice"
    again = replay_log(store.entries)
    assert again.number == task.state.number
    assert sum(chair.result for chair in again.chairs) == 0


def test_two_thousand_actions_are_applied_once_each() -> None:
    check_once(2_000, seed=1)


@pytest.mark.slow
def test_a_hundred_thousand_actions_are_applied_once_each() -> None:
    for seed in range(10):
        check_once(10_000, seed)
