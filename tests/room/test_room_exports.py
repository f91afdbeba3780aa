"""Every format that we write, we read: from the card room over HTTP, `tahur play`, a match, and of each other."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bots import Bot, call, calls
from served import Served
from typer.testing import CliRunner

from tahur.cli.hands.reading import readings, record_in
from tahur.cli.main import app
from tahur.core.record import Record
from tahur.games.holdem.history import History, history_of
from tahur.games.holdem.rules import NO_HAND

FORMATS = {"phh": "phhs", "pokerstars": "txt", "jsonl": "jsonl"}
HANDS = 12


def _tahur(*arguments: str | Path, typed: str = "") -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)), input=typed)
    assert result.exit_code == 0, (arguments, result.output, result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of hands from each door that writes some."""
    folder = tmp_path_factory.mktemp("hands")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TAHUR_DATA", str(folder / "data"))
        for game, seats in (("nlhe", "4"), ("limit", "3")):
            table = ("--seats", seats, "--vs", "caller,random", "--seed", "4", "--hands", "6")
            _tahur("play", game, *table, typed="c\n" * 200)
    match = ("caller", "random", "--hands", "60", "--workers", "1")
    _tahur("match", "nlhe", *match, "-o", folder / "match")
    sessions = sorted((folder / "data" / "sessions").glob("*.jsonl"))
    return {
        **_from_the_room(folder),
        **{f"play {path.name.partition('-')[0]}": path for path in sessions},
        "match": folder / "match" / "records.jsonl",
    }


def _from_the_room(folder: Path) -> dict[str, Path]:
    """What the server gives out after some hands of each game."""
    server = Served(folder, "--unlimited")
    server.start()
    found: dict[str, Path] = {}
    for game, minds in (("nlhe", ["caller"] * 4), ("limit", ["caller", "random"]), ("perudo", ["persona:shark"])):
        body = {"name": "Ana", "game": game, "minds": minds, "pace": "instant", "seconds": 0}
        opened: dict[str, Any] = call(server.address, "/api/rooms", body)[1]
        bot = Bot(server.address, opened["room"], opened["token"], calls)
        asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > HANDS))
        for to in ("json", "phh", "pokerstars") if game != "perudo" else ("json",):
            found[f"room {game} {to}"] = _downloaded(server, opened, to, folder / f"{game}-{to}")
    assert "Traceback" not in server.stop()
    return found


def _downloaded(server: Served, opened: dict[str, Any], to: str, folder: Path) -> Path:
    address = f"{server.address}/api/rooms/{opened['room']}/export?format={to}"
    asked = urllib.request.Request(address, headers={"Authorization": f"Bearer {opened['token']}"})
    with urllib.request.urlopen(asked) as answer:
        named = re.search(r'filename="([^"]+)"', answer.headers["Content-Disposition"])
        assert named is not None
        folder.mkdir()
        (folder / named[1]).write_bytes(answer.read())
    return folder / named[1]


def _records(file: Path) -> list[Record]:
    return [record_in(reading) for reading in readings([file])]


def _known(history: History) -> tuple[Any, ...]:
    """All that one who saw the hand can tell: the hero's cards and those shown; caps of raises are in no text."""
    stakes, live = history.game.stakes, history.table.live
    open_seats = [seat for seat in live if len(live) > 1 and seat not in history.mucked]
    seen = {seat: history.hands[seat] for seat in open_seats}
    if history.hero is not None:
        seen[history.hero] = history.hands[history.hero]
    plain = (stakes.stacks, stakes.blinds, stakes.ante, stakes.button)
    names = tuple(history.names[seat] for seat in stakes.order)
    return plain, history.table.history, history.payoffs, history.stated, history.mucked, names, seen, history.hero


def test_every_door_writes_hands_that_we_read(files: dict[str, Path]) -> None:
    assert len(files) == 7 + 2 + 1
    for door, file in files.items():
        records = _records(file)
        assert len(records) >= 5, door
        assert json.loads(_tahur("profile", "--records", file, "--json"))["profiles"], door
        if "perudo" in door:
            continue
        tally = json.loads(_tahur("hand-history", "replay", file, "--json"))
        assert tally["matched"] == tally["hands"] == len(records), (door, tally)
        assert tally["unstated"] == 0
        assert _tahur("hand-history", "show", file).count("result: ") == len(records)


def test_every_format_becomes_every_other_and_nothing_known_is_lost(files: dict[str, Path], tmp_path: Path) -> None:
    for door, file in files.items():
        if "perudo" in door:
            continue
        wanted = [_known(history_of(record)) for record in _records(file)]
        for first, suffix in FORMATS.items():
            once = tmp_path / f"once.{suffix}"
            _tahur("hand-history", "export", file, "--to", first, "-o", once)
            for second, other in FORMATS.items():
                twice = tmp_path / f"twice.{other}"
                _tahur("hand-history", "export", once, "--to", second, "-o", twice)
                found = [_known(history_of(record)) for record in _records(twice)]
                assert found == wanted, (door, first, second)


def test_all_formats_of_a_room_tell_the_same_hands(files: dict[str, Path]) -> None:
    for game in ("nlhe", "limit"):
        told = [
            [_known(history_of(record)) for record in _records(files[f"room {game} {to}"])]
            for to in ("json", "phh", "pokerstars")
        ]
        assert told[0] == told[1] == told[2]
        *_, mucked, _, _, hero = zip(*told[0], strict=True)
        assert any(seats - {seat} for seats, seat in zip(mucked, hero, strict=True)), "nobody else mucked"
        assert any(seat in seats for seats, seat in zip(mucked, hero, strict=True)), "the hero never mucked"


def test_pokerstars_text_says_what_the_hero_was_dealt_and_nobody_else(files: dict[str, Path], tmp_path: Path) -> None:
    for door, hero in (("room nlhe pokerstars", "Ana"), ("play nlhe", "You"), ("match", None)):
        text = _tahur("hand-history", "export", files[door], "--to", "pokerstars")
        dealt = re.findall(r"^Dealt to (.+) \[", text, re.MULTILINE)
        hands = [record for record in _records(files[door]) if record.hands[record.seat or 0] != NO_HAND]
        assert dealt == [hero] * len(hands) if hero else not dealt
    text = _tahur("hand-history", "export", files["match"], "--to", "pokerstars", "--hero", "caller")
    assert set(re.findall(r"^Dealt to (.+) \[", text, re.MULTILINE)) == {"caller"}


def test_a_file_that_an_older_room_gave_out_is_read(files: dict[str, Path], tmp_path: Path) -> None:
    """Unseen hands were null there, and nothing was said of thoughts."""
    old = tmp_path / "old.jsonl"
    lines = [json.loads(line) for line in files["room nlhe json"].read_text().splitlines()]
    for number, line in enumerate(lines, start=1):
        line.pop("thoughts")
        line.pop("mucked", None)
        line.update(hand=number, hands=[None if hand < 0 else hand for hand in line["hands"]])
    old.write_text("".join(json.dumps(line) + "\n" for line in lines))
    told = [replace(record, mucked=()) for record in _records(files["room nlhe json"])]
    assert _records(old) == told
    tally = json.loads(_tahur("hand-history", "replay", old, "--json"))
    assert tally["matched"] == tally["hands"] == len(lines)


def test_the_folder_of_a_match_is_read_without_its_sums(files: dict[str, Path]) -> None:
    tally = json.loads(_tahur("hand-history", "replay", files["match"].parent, "--json"))
    assert (tally["matched"], tally["errors"]) == (60, [])
