"""`tahur room` as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sql
import typer
from typer.testing import CliRunner, Result

from tahur.cli.room.command import room
from tahur.core.errors import TahurError
from tahur.games.holdem.rules import no_limit
from tahur.room.codec import text_of
from tahur.room.deck import SecureRandomness
from tahur.room.facts import Dealt, MindSat, Opened, RoomSettings
from tahur.room.history import fairness
from tahur.room.holdem import HoldemAdapter
from tahur.room.log import Draft, chain_entries
from tahur.room.sealing import dealt, sealed
from tahur.room.store import LOG, Store, sqlite_url

app = typer.Typer(pretty_exceptions_enable=False)
app.add_typer(room, name="room")

SETTINGS = RoomSettings(
    title="t",
    game="nlhe",
    rules="",
    seats=2,
    stack=200,
    blinds=(1, 2),
    dice=5,
    seconds=30,
    bank=60,
    grace=20,
    pace="usual",
    open_cards=False,
    listed=True,
    secret="00",
)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["room", *map(str, arguments)])


def a_deal() -> Dealt:
    game = no_limit(stacks=[200, 200])
    return dealt(sealed(HoldemAdapter(), game, 1, ("Ana", "Bo"), (None, None), SecureRandomness()), {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a room was opened and a hand dealt."""
    store = Store(sqlite_url(str(tmp_path / "rooms.db")))
    store.append(
        chain_entries("abcd-efgh", None, [Draft(Opened("abcd-efgh", SETTINGS)), Draft(_seated())], 1.0)
    ).result()
    store.append(
        chain_entries("abcd-efgh", list(store.entries("abcd-efgh"))[-1], [Draft(_seated(1)), Draft(a_deal())], 2.0)
    ).result()
    store.close()
    return tmp_path


def _seated(seat: int = 0) -> MindSat:
    return MindSat(seat, "caller", f"Caller {seat}")


def test_a_log_as_it_was_written_is_sound_and_a_changed_one_is_not(folder: Path) -> None:
    sound = run("verify", "--data", folder, "--json")
    assert sound.exit_code == 0
    assert json.loads(sound.stdout)["rooms"][0] | {"last": ""} == {
        "room": "abcd-efgh",
        "entries": 4,
        "hands": 0,
        "last": "",
        "fault": None,
        "snapshot": None,
    }
    with sql.create_engine(sqlite_url(str(folder / "rooms.db"))).begin() as connection:
        connection.execute(sql.update(LOG).where(LOG.c.number == 2).values(time=7.0))
    changed = run("verify", "--data", folder)
    assert changed.exit_code == 1
    assert "entry 2" in changed.stdout


def test_a_hand_is_held_against_what_was_promised(folder: Path, tmp_path: Path) -> None:
    assert run("fair", "abcd-efgh/1", "--data", folder).exit_code == 0
    deal = a_deal()
    proof = fairness(deal, no_limit(stacks=[200, 200]).start(), 0, ())
    file = tmp_path / "fairness.json"
    file.write_text(text_of(proof), "utf-8")
    assert run("fair", file, "--commitment", deal.commitment).exit_code == 0
    wrong = run("fair", file, "--commitment", "0" * 64)
    assert wrong.exit_code == 1
    assert "not the one that was published" in wrong.stdout
    file.write_text(text_of(replace(proof, digests=proof.digests[::-1])), "utf-8")
    assert run("fair", file).exit_code == 1


def test_what_is_not_there_is_told_in_a_line(folder: Path, tmp_path: Path) -> None:
    assert isinstance(run("verify", "nowhere", "--data", folder).exception, TahurError)
    assert isinstance(run("verify", "--data", tmp_path / "empty").exception, TahurError)
    assert run("fair", "abcd-efgh/9", "--data", folder).exit_code == 2
    assert run("fair", "nonsense", "--data", folder).exit_code == 2
