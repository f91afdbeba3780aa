"""The rooms' file: whole after every way of stopping, private, locked, copied while in use and put back."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import stat
import time
from pathlib import Path

import pytest
from bots import Bot, calls
from served import Served
from test_room_server import _opened

from command import answer, tahur
from tahur.room import wire
from tahur.room.store import Store, sqlite_url


def played(server: Served, hands: int = 2) -> str:
    """A room in which some hands are played."""
    opened = _opened(server)
    bot = Bot(server.address, opened["room"], opened["token"], calls)
    asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > hands))
    return str(opened["room"])


def entries(path: Path) -> int:
    store = Store(sqlite_url(str(path)))
    rooms = store.rooms()
    count = sum(len(list(store.entries(room))) for room in rooms)
    store.close()
    return count


@pytest.fixture
def server(tmp_path: Path) -> Served:
    return Served(tmp_path / "rooms", "--unlimited")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_after_a_clean_stop_the_single_file_has_every_hand(server: Served, tmp_path: Path, how: signal.Signals) -> None:
    server.start()
    room = played(server)
    began = time.monotonic()
    errors = server._end(how)
    assert time.monotonic() - began < 10
    assert "Traceback" not in errors
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "rooms/rooms.db", tmp_path / "copy/rooms.db")  # without -wal and -shm
    again = answer("room", "verify", room, "--data", str(tmp_path / "copy"))["rooms"][0]
    assert again["fault"] is None
    assert again["hands"] >= 2  # nobody else opened the database meanwhile, which would have moved them into the file


def test_nobody_else_may_read_the_rooms(server: Served, tmp_path: Path) -> None:
    server.start()
    played(server, hands=1)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "rooms").iterdir()}
    assert modes.pop("study") == 0o700  # the folder of solved spots
    assert set(modes.values()) == {0o600}, modes
    assert "rooms.db-wal" in modes
    assert stat.S_IMODE((tmp_path / "rooms").stat().st_mode) == 0o700
    server.stop()


def test_a_second_server_on_the_same_folder_is_refused_with_the_pid_of_the_first(
    server: Served, tmp_path: Path
) -> None:
    server.start()
    second = Served(tmp_path / "rooms")
    with pytest.raises(AssertionError, match=f"is in use by process {server.pid}"):
        second.start()
    server.kill()
    second = Served(tmp_path / "rooms")
    second.start()  # a killed server leaves no lock
    second.stop()


def test_a_running_room_is_backed_up_and_restored(server: Served, tmp_path: Path) -> None:
    data, file = str(tmp_path / "rooms"), tmp_path / "backup.db"
    server.start()
    room = played(server)
    saved = answer("room", "backup", str(file), "--data", data)
    assert saved["entries"] == entries(file) > 10
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    refused = tahur("room", "restore", str(file), "--data", data)
    assert refused.returncode == 2
    assert f"in use by process {server.pid}" in refused.stderr
    played(server, hands=1)  # after the backup
    server.stop()
    assert answer("room", "restore", str(file), "--data", data)["entries"] == saved["entries"]
    assert [each["room"] for each in answer("room", "verify", "--data", data)["rooms"]] == [room]
    assert entries(tmp_path / "rooms/rooms.db.before-restore") > saved["entries"]
    server.start()
    server.stop()


def test_what_is_no_backup_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    (tmp_path / "rooms").mkdir()
    wrong = tmp_path / "wrong.db"
    wrong.write_bytes(b"SQLite format 3\0" + bytes(5000))
    for name in ("wrong.db", "missing.db"):
        run = tahur("room", "restore", str(tmp_path / name), "--data", str(tmp_path / "rooms"))
        assert run.returncode == 2
        assert run.stderr.count("\n") == 1, run.stderr
        assert not (tmp_path / "rooms/rooms.db").exists()


def test_a_backup_overwrites_nothing(server: Served, tmp_path: Path) -> None:
    server.start()
    server.stop()
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    run = tahur("room", "backup", str(file), "--data", str(tmp_path / "rooms"))
    assert run.returncode == 2
    assert file.read_text() == "mine"


# ---- a log that cannot be written ----------------------------------------------------------------


def test_while_the_log_is_locked_requests_are_answered_and_the_server_can_be_stopped(
    server: Served, tmp_path: Path
) -> None:
    server.start()
    opened = _opened(server, minds=[None], seconds=0)
    holder = sqlite3.connect(tmp_path / "rooms/rooms.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")

    async def ask() -> wire.ToClient:
        bot = Bot(server.address, opened["room"], opened["token"], calls)
        async with bot.connected() as socket:
            await socket.send(wire.encode(wire.Hello(0)))
            await socket.send(wire.encode(wire.Say("first", "hello")))
            async for text in socket:
                if not isinstance(message := wire.decode_answer(text), wire.Frame):
                    return message
        raise AssertionError("no answer")

    began = time.monotonic()
    answered = asyncio.run(asyncio.wait_for(ask(), 15))
    assert isinstance(answered, wire.Refused)
    assert "log" in answered.why
    assert time.monotonic() - began < 10
    began = time.monotonic()
    errors = server._end(signal.SIGTERM)
    assert time.monotonic() - began < 10
    assert "Traceback" not in errors
    holder.execute("ROLLBACK")
    holder.close()


def test_after_the_log_could_not_be_written_the_room_goes_on(server: Served, tmp_path: Path) -> None:
    server.start()
    opened = _opened(server)
    holder = sqlite3.connect(tmp_path / "rooms/rooms.db", isolation_level=None)
    bot = Bot(server.address, opened["room"], opened["token"], calls)

    async def scene() -> None:
        await bot.play(lambda bot: bot.scene is not None and bot.scene.hand > 1)
        holder.execute("BEGIN EXCLUSIVE")
        await asyncio.sleep(1.5)
        holder.execute("ROLLBACK")
        await asyncio.wait_for(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > 3), 30)

    asyncio.run(scene())
    holder.close()
    server.stop()
    assert answer("room", "verify", "--data", str(tmp_path / "rooms"))["rooms"][0]["fault"] is None
