"""The guard at the door and the line to one page, without a server: pace, password, names, who does not read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from tahur.room import wire
from tahur.room.bans import Visitor
from tahur.room.rate_limits import Limits, TokenBucket
from tahur.web import socket
from tahur.web.__main__ import main
from tahur.web.guard import ENTRIES, Guard, NotAllowed, is_loopback
from tahur.web.socket import PageConnection, Visit


class SetClock:
    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time


def test_a_bucket_lets_through_its_burst_and_then_its_rate() -> None:
    bucket = TokenBucket(Limits(3, 2), 0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.6) for _ in range(2)] == [True, False]
    assert sum(bucket.take(100.0) for _ in range(10)) == 3


def test_an_address_that_asks_too_often_is_refused_alone() -> None:
    clock = SetClock()
    guard = Guard(clock=clock)  # type: ignore[arg-type]
    for _ in range(int(ENTRIES.burst)):
        guard.check_pace("10.0.0.1", ENTRIES)
    with pytest.raises(NotAllowed) as refusal:
        guard.check_pace("10.0.0.1", ENTRIES)
    assert refusal.value.status == 429
    guard.check_pace("10.0.0.2", ENTRIES)
    clock.time = 10.0
    guard.check_pace("10.0.0.1", ENTRIES)


def test_a_password_is_asked_for_where_there_is_one() -> None:
    Guard().check_password("")
    Guard("aces").check_password("aces")
    for given in ("", "ace", "Aces", "aces "):
        with pytest.raises(NotAllowed) as refusal:
            Guard("aces").check_password(given)
        assert refusal.value.status == 401


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.0.0.2", True), ("0.0.0.0", False), ("::", False)],
)
def test_listening_wider_than_this_machine_is_noticed(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone


@pytest.mark.parametrize("host", ["evil.example", "", "localhost.evil.example", "[", "127.0.0.1.evil.example:80"])
def test_a_name_that_is_not_ours_is_refused(host: str) -> None:
    with pytest.raises(NotAllowed):
        Guard().check_host({"host": host})
    Guard(hosts=()).check_host({"host": host})
    Guard().check_host({"host": "localhost:8723"})


def test_a_server_for_the_network_demands_a_password_and_says_what_it_means(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAHUR_PASSWORD", raising=False)
    with pytest.raises(SystemExit) as left:
        main(["--host", "0.0.0.0", "--database", "nonsense"])
    assert left.value.code == 2
    assert "--password" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--host", "0.0.0.0", "--password", "aces", "--database", "nonsense"])
    said = capsys.readouterr().err
    assert "every machine that can reach this one" in said
    assert "nonsense is not a database URL" in said


# ---- one page ------------------------------------------------------------------------------------


class Page:
    """A socket whose page sends what it is told to and reads nothing, or everything."""

    query_params: Mapping[str, str] = MappingProxyType({})

    def __init__(self, *texts: str, reads: bool) -> None:
        self.inbox = [{"type": "websocket.receive", "text": text} for text in texts]
        self.reads = reads
        self.got: list[str] = []
        self.closed = ""

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(0)  # as a network does
        if self.inbox:
            return self.inbox.pop(0)
        await asyncio.sleep(3600)
        raise AssertionError

    async def send_text(self, text: str) -> None:
        if not self.reads:
            await asyncio.sleep(3600)
        self.got.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.closed = reason


class Room:
    """A room that acknowledges everything, and in which nothing happens."""

    lost = False

    class state:  # noqa: N801
        number = 0
        hand = 1
        settling = False

        @staticmethod
        def refuses(visitor: Visitor) -> bool:
            return False

    def listen(self, wake: Any, person: str | None, address: str, *, seeds: bool) -> Any:
        return lambda: None

    async def request(self, person: str, message: wire.Request) -> wire.Ack:
        return wire.Ack(message.id, 1)


def _line(page: Page, *, limited: bool) -> PageConnection:
    class House:
        guard = Guard(limited=limited)

    return PageConnection(House(), page, Visit(Room(), "ana", Visitor(), "10.0.0.1"))  # type: ignore[arg-type]


def test_who_sends_and_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "SLOWEST", 0.05)
    page = Page(*(wire.encode(wire.Say(f"s{at}", "hello")) for at in range(500)), reads=False)
    line = _line(page, limited=False)
    asyncio.run(asyncio.wait_for(line.run(), 20))
    assert len(line._answers) <= socket.MOST_ANSWERS


def test_who_is_too_fast_or_wrong_too_often_is_told_why_and_let_go() -> None:
    fast = Page(*(wire.encode(wire.Say(f"s{at}", "hello")) for at in range(200)), reads=True)
    asyncio.run(asyncio.wait_for(_line(fast, limited=True).run(), 20))
    assert "too many messages" in fast.closed
    last = wire.decode_answer(fast.got[-1])
    assert isinstance(last, wire.Closing)
    assert last.why.startswith(fast.closed)
    wrong = Page(*["{}"] * 60, reads=True)
    asyncio.run(asyncio.wait_for(_line(wrong, limited=False).run(), 20))
    assert "invalid" in wrong.closed
