"""A server of the card room with people in it: the real lobby, tasks, store, bots and sockets; `python soak_server.py`.

It says on stdout where it listens, then every half second how many hands have ended and how much memory it has. What it
writes to stderr is a fault.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from soak_people import Slot, Slots, Table, told

import tahur.room.lobby as lobby_module
from tahur.players.bounded.personas import house as personas
from tahur.players.perudo.personalities import SIX
from tahur.room.facts import PERSONA, RoomSettings
from tahur.room.gallery import Gallery
from tahur.room.lobby import Lobby
from tahur.room.store import Store, sqlite_url
from tahur.warm import warm_up
from tahur.web.api import routes
from tahur.web.guard import LOOPBACK, Guard, SystemClock
from tahur.web.house import ServedHouse
from tahur.web.listening import listen
from tahur.web.socket import socket_route

SEATS = {"nlhe": (2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8, 9), "perudo": (2, 3, 4, 5, 6, 8)}
IDLE = 3.0  # seconds until a room without anybody is unloaded
OTHERS = ("odds", "maniac", "caller", "random")


class SeededRandomness:
    """Decks and dice from a seed; a new server goes on with others."""

    def __init__(self, seed: Sequence[int]) -> None:
        import numpy as np

        self._rng = np.random.default_rng(seed)

    def deck(self) -> tuple[int, ...]:
        return tuple(self._rng.permutation(52).tolist())

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._rng.integers(1, 7, count).tolist())

    def key(self) -> str:
        return self._rng.bytes(32).hex()


def slots_of(game: str, folder: Path, rooms: int) -> Slots:
    """The tables of a game: two to nine seats, every persona, one or two people; the first is played over a socket."""
    dice, limits = game == "perudo", {5: "limit", 8: "limit"}
    names = [PERSONA + mind.name.lower() for mind in SIX] if dice else [*_personas(), *OTHERS]
    found, used = [], 0
    for at in range(rooms):
        seats = SEATS[game][at % len(SEATS[game])]
        people = 2 if seats > 2 and at % 2 else 1
        minds = [names[(used + place) % len(names)] for place in range(seats - people)]
        used += len(minds)
        kind = game if dice else limits.get(at, "nlhe")
        found.append(Slot(_settings(kind, seats, short=at % 3 == 1), minds, people, remote=at == 0))
    return Slots(folder / "tables.json", found)


def _personas() -> list[str]:
    return [PERSONA + persona.name.lower() for persona in personas()]


def _settings(game: str, seats: int, *, short: bool) -> RoomSettings:
    return RoomSettings(
        title="soak",
        game=game,  # type: ignore[arg-type]
        rules="" if game != "perudo" else "faroleo",
        seats=seats,
        stack=40 if short else 200,
        blinds=(1, 2),
        dice=5,
        seconds=0,
        bank=0,
        grace=0,
        pace="instant",
        open_cards=False,
        listed=True,
        secret="50a4",
    )


def main(game: str, folder: Path, port: int, rooms: int, hands: int, start: int) -> None:
    list(warm_up(("card",)))
    store, gallery = Store(sqlite_url(str(folder / "rooms.db"))), Gallery()
    slots = slots_of(game, folder, rooms)
    slots.load()
    listening = listen("127.0.0.1", port)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        lobby = Lobby(
            store=store,
            clock=SystemClock(),
            make_bot=gallery.make,
            bot_names=gallery.name_of,
            randomness=SeededRandomness([start, len(game)]),
        )
        house = ServedHouse(lobby, gallery, Guard("", LOOPBACK, limited=False))
        app.include_router(routes(house))
        app.include_router(socket_route(house))
        tables = [Table(lobby, slots, slot, hands, 1000 * start + at) for at, slot in enumerate(slots.each)]
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(table.run()) for table in tables]
            await asyncio.gather(*(task for task, slot in zip(playing, slots.each, strict=True) if slot.remote))
            _say(address=f"http://localhost:{listening.getsockname()[1]}", tables=_remote(slots))
            others = [group.create_task(_tell(tables)), group.create_task(_sweep(lobby))]
            yield
            for task in (*playing, *others):
                task.cancel()
        await lobby.close()

    config = uvicorn.Config(FastAPI(lifespan=lifespan), log_level="warning", ws_ping_interval=None, lifespan="on")
    with suppress(KeyboardInterrupt):  # how it is told to stop
        uvicorn.Server(config).run(sockets=[listening])
    store.close()


def _remote(slots: Slots) -> list[dict[str, Any]]:
    return [told(slot) for slot in slots.each if slot.remote]


async def _tell(tables: Sequence[Table]) -> None:
    """Count the hands that ended since this server started."""
    seen: dict[str, int] = {}
    ended = 0
    while True:
        await asyncio.sleep(0.5)
        for state in [table.task.state for table in tables if table.task is not None]:
            ended += state.hand - seen.get(state.room, state.hand)
            seen[state.room] = state.hand
        _say(hands=ended, kilobytes=_memory())


async def _sweep(lobby: Lobby) -> None:
    """Rooms that were closed are unloaded, as in a server that has been up for a quarter of an hour."""
    lobby_module.IDLE = IDLE  # type: ignore[misc]
    while True:
        await asyncio.sleep(1.0)
        await lobby.sweep()


def _memory() -> int:
    """Resident memory now, in kilobytes; where the system does not tell, the most so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def _say(**words: Any) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
