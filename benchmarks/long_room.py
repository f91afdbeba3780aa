"""A card room with a very long log, and the time to open it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing

import numpy as np

from tahur.room import facts, wire
from tahur.room.keeper import Keeper, may_rebuy
from tahur.room.log import Draft, LogEntry, chain_entries
from tahur.room.snapshot import EVERY, load, snapshot_of
from tahur.room.state import RoomState
from tahur.room.store import Store
from tahur.room.task import token_hash

ROOM, TOKEN = "long-room", "the token of seat 0"
PART = 5_000  # entries that are written at once


class _Seeded:
    """Cards from a seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def deck(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self._rng.permutation(52))

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(int(die) for die in self._rng.integers(1, 7, count))

    def key(self) -> str:
        return self._rng.bytes(32).hex()


class LongRoom:
    """A room of two people who check, call and fold, played by the real rules as fast as possible."""

    def __init__(self, store: Store, seed: int = 0) -> None:
        self.state = RoomState()
        self._store = store
        self._rng = np.random.default_rng(seed)
        self._waiting: list[LogEntry] = []
        settings = facts.RoomSettings(
            title="a long room", game="nlhe", rules="", seats=2, stack=200, blinds=(1, 2), dice=0, seconds=0, bank=0,
            grace=0, pace="instant", open_cards=False, listed=True, secret="5ec2e7",
        )  # fmt: skip
        self._write([Draft(facts.Opened(ROOM, settings))])
        for seat in range(2):
            token = token_hash(TOKEN if not seat else "another")
            self._write([Draft(facts.Joined(seat, f"p{seat}", f"Person {seat}", token))])
        self._keeper = Keeper(self.state, _Seeded(seed), lambda mind, game: mind, 0.0)
        for seat in range(2):
            self._keeper.connected(f"p{seat}", 1, 0.0)

    def play(self, *, entries: int = 0, hands: int = 0) -> None:
        """Play until there are this many entries or hands, written to the store."""
        while self._number < entries or self.state.finished < hands:
            self._write(self._keeper.tick(1.0) or self._wish())
            self._keeper.facts_applied(1.0)
            if len(self._waiting) >= PART:
                self._flush()
        self._flush()

    @property
    def _number(self) -> int:
        return self.state.last_entry.number if self.state.last_entry else 0

    def _wish(self) -> list[Draft]:
        state, ask = self.state, self.state.ask
        if ask is None:
            seat = next(at for at, chair in enumerate(state.chairs) if may_rebuy(state, chair) and not chair.chips)
            return self._keeper.request(f"p{seat}", wire.Rebuy(f"buy {state.hand}"), 1.0)
        at, legal = len(ask.view.table.history), ask.view.table.actions()
        action = legal[min(int(self._rng.integers(0, 6) > 0), len(legal) - 1)]
        act = wire.Act(f"{state.hand} {at}", state.hand, at, action)
        return self._keeper.request(f"p{ask.view.seat}", act, 1.0)

    def _write(self, drafts: Sequence[Draft]) -> None:
        entries = chain_entries(ROOM, self.state.last_entry, drafts, 1e9 + self._number)
        for entry in entries:
            self.state.apply(entry)
        self._waiting += entries

    def _flush(self) -> None:
        self._store.append(self._waiting).result()
        self._waiting = []


def opening_seconds(url: str, entries: int) -> float:
    """CPU seconds to open a room with this many entries from its snapshot, which is as old as possible."""
    with closing(Store(url)) as store:
        room = LongRoom(store)
        room.play(entries=entries - EVERY)
        store.keep(snapshot_of(room.state)).result()
        room.play(entries=entries)
    with closing(Store(url)) as store:
        began = time.process_time()
        state, kept = load(store, ROOM)
        spent = time.process_time() - began
    assert kept > 0
    assert state.last_entry == room.state.last_entry
    return spent
