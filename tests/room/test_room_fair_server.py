"""Seeds over real sockets: players who keep notes and check every deal by the script of the docs, while the server is
killed between sealing and dealing."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import websockets.asyncio.client as sockets
from bots import Bot, call, calls
from served import Forked, Served
from test_room_fair import SCRIPT
from test_room_versions import last

from tahur.room import wire
from tahur.room.facts import Dealt, Sealed, SeedOffered
from tahur.room.log import LogEntry
from tahur.room.scene import HoldemScene, SealedDeck
from tahur.room.store import Store
from tahur.room.verify import verify


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Forked(tmp_path_factory.mktemp("rooms"), "--unlimited")
    served.start()
    yield served
    assert "Traceback" not in served.stop()


@dataclass
class Player(Bot):
    """A person whose page offers seeds, and who writes everything down."""

    reveals: bool = True  # at once; else not before it is told to
    seeded: int = 0  # messages with seeds that it has sent
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)  # by hand

    def connected(self) -> Any:
        url = f"{self.address.replace('http', 'ws', 1)}/api/rooms/{self.room}/socket?seeds=1"
        return sockets.connect(url, additional_headers={"Authorization": f"Bearer {self.token}"}, max_queue=None)

    def seed(self, hand: int) -> str:
        return hashlib.sha256(f"{self.token} {hand}".encode()).hexdigest()

    def digest(self, hand: int) -> str:
        return hashlib.sha256(self.seed(hand).encode()).hexdigest()

    async def _act(self, socket: Any, scene: wire.Scene, now: float) -> None:
        self._note(scene)
        if (hand := scene.seed_for) is not None:
            await self._send(socket, wire.OfferSeed(f"offer {hand}", hand, self.digest(hand)))
        if scene.sealed and self.reveals:
            hand = scene.sealed.hand
            assert scene.you is not None
            note = self.notes.setdefault(hand, {"commitment": scene.sealed.commitment, "seat": scene.you})
            if scene.sealed.seeds[scene.you] == self.digest(hand) and note["commitment"] == scene.sealed.commitment:
                note["seed"] = self.seed(hand)
                await self._send(socket, wire.RevealSeed(f"reveal {hand}", hand, self.seed(hand)))
        await super()._act(socket, scene, now)

    async def _send(self, socket: Any, message: wire.OfferSeed | wire.RevealSeed) -> None:
        self.seeded += 1
        await socket.send(wire.encode(message))

    def _note(self, scene: wire.Scene) -> None:
        if not scene.hand:
            return
        note = self.notes.setdefault(scene.hand, {"commitment": scene.commitment, "seat": scene.you})
        note.setdefault("seed", None)
        board = list(scene.table.board) if isinstance(scene.table, HoldemScene) else []
        note["board"] = max(note.get("board", []), board, key=len)
        seen = {seat.seat: {"seat": seat.seat, "cards": list(seat.hand)} for seat in scene.seats if seat.hand}
        note["hands"] = list(({each["seat"]: each for each in note.get("hands", [])} | seen).values())


def opened(server: Served, game: str, people: int) -> list[Player]:
    """A table with so many people and one mind."""
    minds = [*[None] * (people - 1), "caller" if game != "perudo" else "persona:turtle"]
    body = {"name": "Ana", "game": game, "minds": minds, "pace": "brisk", "seconds": 0}
    status, first = call(server.address, "/api/rooms", body)
    assert status == 200, first
    seats = [first]
    for number in range(people - 1):
        seats.append(call(server.address, f"/api/rooms/{first['room']}/join", {"name": f"Bo {number}"})[1])
    return [Player(server.address, each["room"], each["token"], calls) for each in seats]


def script_says(folder: Path, player: Player, hand: int) -> str:
    """What docs/verify_deal.py says of the proof that the server gives that player."""
    status, proof = call(player.address, f"/api/rooms/{player.room}/hands/{hand}/fairness", token=player.token)
    assert status == 200, proof
    # The replay, not the notes: a player without a connection at the showdown has not seen what was shown there.
    _, replay = call(player.address, f"/api/rooms/{player.room}/hands/{hand}", token=player.token)
    shown = {seat["name"] for seat in replay["steps"][-1]["scene"]["seats"] if seat["hand"]}
    own = replay["steps"][0]["scene"]["seats"][player.notes[hand]["seat"]]["name"]
    assert {each["whose"] for each in proof["openings"]} <= shown | {own, "board"}, (
        "a hand is opened that was not shown"
    )
    file = folder / "deal.json"
    file.write_text(json.dumps({"proof": proof, "notes": player.notes[hand]}), "utf-8")
    found = subprocess.run([sys.executable, "-I", str(SCRIPT), str(file)], capture_output=True, text=True)
    return (found.stdout + found.stderr).strip()


def test_players_with_seeds_check_every_hand_by_the_script(server: Served, tmp_path: Path) -> None:
    tables = [opened(server, game, 2) for game in ("nlhe", "perudo")]
    players = [player for table in tables for player in table]

    async def play() -> None:
        enough = lambda bot: bot.scene is not None and bot.scene.hand > 2  # noqa: E731
        await asyncio.wait_for(asyncio.gather(*(player.play(enough) for player in players)), 60)

    asyncio.run(play())
    for hand in (1, 2):
        for player in players:
            assert script_says(tmp_path, player, hand) == f"Hand {hand} was dealt as it was committed to."
    assert all(player.notes[2]["seed"] for player in players)
    for table in tables:
        assert any(player.notes[1]["seed"] for player in table), (
            "whoever comes first is waited for before the first hand"
        )
    assert not any(player.refused for player in players)


def test_a_server_killed_between_sealing_and_dealing_deals_the_same_deck(server: Served, tmp_path: Path) -> None:
    (player,) = opened(server, "nlhe", 1)
    sealed: list[SealedDeck] = []
    for _ in range(3):  # killed before the seed is revealed, again and again
        player.reveals = False
        asyncio.run(asyncio.wait_for(player.play(lambda bot: bool(bot.scene and bot.scene.sealed)), 30))
        assert player.scene is not None
        assert player.scene.sealed is not None
        sealed.append(player.scene.sealed)
        server.kill()
        server.start()
    assert sealed[0] == sealed[1] == sealed[2]
    player.reveals, player.scene = True, None
    asyncio.run(asyncio.wait_for(player.play(lambda bot: bool(bot.scene and bot.scene.hand > sealed[0].hand)), 60))
    assert player.notes[sealed[0].hand]["commitment"] == sealed[0].commitment
    assert player.notes[sealed[0].hand]["seed"] == player.seed(sealed[0].hand)
    assert script_says(tmp_path, player, sealed[0].hand).endswith("was dealt as it was committed to.")
    store = Store(server.database)
    hand = sealed[0].hand
    assert len(store.of_kind(player.room, Sealed.TYPE, after=hand - 1, before=hand + 1)) == 1
    assert len(store.of_kind(player.room, Dealt.TYPE, after=hand - 1, before=hand + 1)) == 1
    assert last(verify(player.room, store.entries(player.room))).fault is None
    store.close()


def test_a_page_that_never_reveals_costs_a_second_and_no_more(server: Served) -> None:
    (player,) = opened(server, "nlhe", 1)
    player.reveals = False
    asyncio.run(asyncio.wait_for(player.play(lambda bot: bool(bot.scene and bot.scene.hand > 1)), 20))
    status, proof = call(server.address, f"/api/rooms/{player.room}/hands/1/fairness", token=player.token)
    assert (status, proof["seeds"]) == (200, [])
    assert f"seed 0: {player.digest(1)}" in proof["header"]


@pytest.mark.parametrize("open_cards", [True, False])
def test_a_proof_opens_what_lay_open_and_nothing_else(server: Served, open_cards: bool) -> None:
    body = {"name": "Ana", "minds": ["caller", "caller"], "pace": "instant", "seconds": 0, "open_cards": open_cards}
    _, seat = call(server.address, "/api/rooms", body)
    player = Player(server.address, seat["room"], seat["token"], folds)
    asyncio.run(asyncio.wait_for(player.play(lambda bot: bool(bot.scene and bot.scene.hand > 6)), 30))
    hidden = 0
    for hand in range(1, 6):
        path = f"/api/rooms/{player.room}/hands/{hand}"
        _, proof = call(server.address, f"{path}/fairness", token=player.token)
        _, replay = call(server.address, path, token=player.token)
        shown = {seat["name"] for seat in replay["steps"][-1]["scene"]["seats"] if seat["hand"]} | {"Ana"}
        opened = {each["whose"] for each in proof["openings"]} - {"board"}
        assert opened == ({"Ana", "Caller", "Caller 2"} if open_cards else shown)
        hidden += len({"Ana", "Caller", "Caller 2"} - opened)
    assert (hidden > 0) != open_cards


def folds(scene: wire.Scene) -> int:
    """Folds, or checks: hands are over soon."""
    return 0 if scene.choices is not None and scene.choices.fold else 1


async def kill_around_deals(server: Served, players: list[Player], kills: int) -> None:
    """The server is killed within some milliseconds after a seed was offered or revealed, again and again."""
    rng, enough = np.random.default_rng(1), asyncio.Event()
    playing = [asyncio.create_task(player.play(lambda _: enough.is_set())) for player in players]
    for _ in range(kills):
        before = sum(player.seeded for player in players)
        while sum(player.seeded for player in players) == before:
            await asyncio.sleep(0.001)
            assert not any(task.done() for task in playing), [task.exception() for task in playing if task.done()]
        await asyncio.sleep(float(rng.uniform(0, 0.012)))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    last_hand = [(player.scene.hand if player.scene else 0) for player in players]
    while any(not player.scene or player.scene.hand <= hand for player, hand in zip(players, last_hand, strict=True)):
        await asyncio.sleep(0.01)
    enough.set()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def check_kills(server: Served, folder: Path, kills: int) -> int:
    """How many deals with seeds were checked."""
    tables = [opened(server, "nlhe", 2) for _ in range(3)]
    players = [player for table in tables for player in table]
    for player in players:
        player.choose = folds
    asyncio.run(asyncio.wait_for(kill_around_deals(server, players, kills), 60 + 10 * kills))
    store, checked = Store(server.database), 0
    for player in players:
        entries = list(store.entries(player.room))
        requests = [(entry.person, entry.request) for entry in entries if entry.request]
        assert len(requests) == len(set(requests))
        assert last(verify(player.room, entries)).fault is None
        over = {entry.hand for entry in entries if entry.kind == "ended"}
        assert _unused(entries, over) == set(), "a seed that was offered is revealed and used, whenever the server died"
        for hand in sorted(over & player.notes.keys()):
            assert script_says(folder, player, hand).endswith("was dealt as it was committed to.")
            checked += player.notes[hand]["seed"] is not None
    store.close()
    return checked


def _unused(entries: list[LogEntry], over: set[int | None]) -> set[tuple[int, int]]:
    """The hands and seats whose seed was offered, and is not in the deal."""
    offered = {(fact.hand, fact.seat) for entry in entries if isinstance(fact := entry.fact, SeedOffered)}
    deals = [fact for entry in entries if isinstance(fact := entry.fact, Dealt)]
    used = {(deal.hand, seat) for deal in deals for seat, seed in enumerate(deal.seeds) if seed is not None}
    return {(hand, seat) for hand, seat in offered - used if hand in over}


def test_a_server_killed_around_every_deal_uses_each_seed_once_and_each_sealed_deck(
    server: Served, tmp_path: Path
) -> None:
    checked = 0
    while checked < 4:  # a busy machine plays fewer hands between two kills; the test's time budget ends it
        checked += check_kills(server, tmp_path, 15)


@pytest.mark.slow(minutes=15)
def test_a_server_killed_a_hundred_times_around_deals_uses_each_seed_once(server: Served, tmp_path: Path) -> None:
    assert check_kills(server, tmp_path, 100) >= 25
