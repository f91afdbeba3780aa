"""`tahur arena profile` as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from invoked import run_of
from typer.testing import CliRunner

from tahur.arena.match import run as run_match
from tahur.cli.arena.profile import profile
from tahur.core.errors import RecordError, SettingError, TahurError, UnknownName
from tahur.core.record import Record
from tahur.games.registry import GAMES, make
from tahur.players.simple import Caller, RandomPlayer

app = typer.Typer(pretty_exceptions_enable=False)
app.command("profile")(profile)

Rows = dict[str, dict[str, Any]]


def run(*arguments: str) -> str:
    return run_of(app, *arguments)


def profiles(*arguments: str) -> list[dict[str, Any]]:
    answer = json.loads(run(*arguments, "--json"))
    assert list(answer) == ["profiles"]
    found: list[dict[str, Any]] = answer["profiles"]
    return found


def rows(*arguments: str) -> Rows:
    [found] = profiles(*arguments)
    return {row["name"]: row for row in found["rows"]}


def write(path: Path, *records: Record, header: bool = False) -> Path:
    lines = ['{"session": {}}'] if header else []
    path.write_text("\n".join([*lines, *(record.to_json() for record in records)]) + "\n", "utf-8")
    return path


def kuhn_records(deals: int, names: tuple[str, ...] = ("Ana", "Blas"), seed: int = 1) -> list[Record]:
    return list(run_match(make("kuhn"), [Caller(), RandomPlayer()], seed=seed, deals=deals, names=names))


# ---- playing -------------------------------------------------------------------------------------


def test_a_caller_pays_and_never_raises() -> None:
    found = rows("caller", "--seats", "3", "--hands", "60")
    assert found["VPIP"]["value"] > 0.8  # not when it checks its big blind
    assert found["PFR"]["hits"] == found["3-bet"]["hits"] == found["aggression frequency"]["hits"] == 0
    assert found["PFR"]["high"] > 0.04  # none in sixty hands is not never
    assert found["WTSD"]["value"] == 1


def test_who_sits_opposite_changes_what_there_is_to_answer() -> None:
    quiet = rows("random", "--game", "hulh", "--against", "caller", "--hands", "60")
    assert quiet["3-bet"]["chances"] == quiet["fold to a bet"]["chances"] == 0
    assert rows("random", "--game", "hulh", "--hands", "60")["3-bet"]["chances"] > 5


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_profile(game: str) -> None:
    [found] = profiles("random", "--game", game, "--hands", "8")
    assert (found["player"], found["game"], found["deals"]) == ("random", game, 8)
    assert any(row["chances"] for row in found["rows"])


def test_the_same_seed_gives_the_same_bytes() -> None:
    asked = ("random", "--game", "perudo", "--hands", "30", "--json")
    assert run(*asked) == run(*asked, "--seed", "1") != run(*asked, "--seed", "2")


def test_a_person_reads_value_interval_and_count_in_eighty_columns() -> None:
    text = run("random", "--game", "kuhn", "--hands", "40")
    first, header, *lines = text.splitlines()
    assert first == "random at kuhn, 40 deals"
    assert header.split() == ["95", "%", "interval", "counted"]
    found = rows("random", "--game", "kuhn", "--hands", "40")["bet"]
    bounds = f"{100 * found['low']:.1f} to {100 * found['high']:.1f}"
    bet = f"bet {100 * found['value']:.1f} % {bounds} {found['hits']} of {found['chances']}"
    assert bet in [" ".join(line.split()) for line in lines]
    for each in (text, run("random", "--hands", "20")):
        assert max(map(len, each.splitlines())) <= 80


def test_explained_every_habit_has_its_sentence() -> None:
    habits = GAMES["perudo"].habits
    assert habits is not None
    text = run("random", "--game", "perudo", "--hands", "5", "--explain")
    for habit in habits.entries:
        assert f"{habit.name}: {habit.explanation}\n" in text


def test_what_had_no_chance_says_so() -> None:
    text = run("caller", "--game", "hulh", "--against", "caller", "--hands", "4")
    assert "fold to 3-bet - - no opportunity yet" in [" ".join(line.split()) for line in text.splitlines()]


# ---- what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("randm",), UnknownName, "did you mean 'random'"),
        (("random", "--against", "calller"), UnknownName, "did you mean 'caller'"),
        (("random", "--game", "ledcu"), UnknownName, "did you mean 'leduc'"),
        (("random", "--game", "leduc", "--seats", "3"), SettingError, "leduc cannot be played by 3"),
        (
            ("random", "--game", "kuhn", "--against", "random", "--against", "caller"),
            SettingError,
            "3 players, but kuhn",
        ),
    ],
)
def test_a_mistake_is_told(arguments: tuple[str, ...], error: type[TahurError], says: str) -> None:
    with pytest.raises(error, match=says):
        run(*arguments)


def test_without_player_and_records_it_asks_for_one() -> None:
    result = CliRunner().invoke(app, ["--game", "kuhn"])
    assert result.exit_code == 2
    assert "name a player, or --records" in result.output


# ---- records -------------------------------------------------------------------------------------


def test_everybody_in_a_file_gets_a_profile(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", *kuhn_records(30), header=True)
    ana, blas = profiles("--records", str(file))
    assert (ana["player"], ana["deals"]) == ("Ana", 30)
    assert (blas["player"], blas["game"]) == ("Blas", "kuhn")
    assert ana["rows"][0]["hits"] == 0  # the caller checks
    assert blas["rows"][0]["hits"] > 0
    assert [ana] == profiles("Ana", "--records", str(file))


def test_a_name_in_two_seats_is_one_player_and_one_deal(tmp_path: Path) -> None:
    [found] = profiles("--records", str(write(tmp_path / "x.jsonl", *kuhn_records(20, ("Ana", "Ana")))))
    single = profiles("--records", str(write(tmp_path / "y.jsonl", *kuhn_records(20))))
    assert found["deals"] == 20
    for both, one, other in zip(found["rows"], *(each["rows"] for each in single), strict=True):
        assert both["hits"] == one["hits"] + other["hits"]
        assert both["chances"] == one["chances"] + other["chances"]
        assert both["deals"] <= 20


def test_a_player_is_the_same_in_another_seat(tmp_path: Path) -> None:
    here, there = kuhn_records(10), kuhn_records(10, ("Blas", "Ana"), seed=2)
    ana, _ = profiles("--records", str(write(tmp_path / "x.jsonl", *here, *there)))
    parts = [profiles("Ana", "--records", str(write(tmp_path / "y.jsonl", *each)))[0] for each in (here, there)]
    assert ana["deals"] == 20
    assert [row["chances"] for row in ana["rows"]] == [
        one["chances"] + two["chances"] for one, two in zip(*(part["rows"] for part in parts), strict=True)
    ]


def test_nameless_seats_are_numbered(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", *kuhn_records(3, ()))
    assert [found["player"] for found in profiles("--records", str(file))] == ["seat 1", "seat 2"]


def test_each_game_of_a_file_stands_alone(tmp_path: Path) -> None:
    leduc = run_match(make("leduc"), [Caller(), RandomPlayer()], seed=1, deals=4, names=("Ana", "Blas"))
    file = str(write(tmp_path / "x.jsonl", *kuhn_records(3), *leduc))
    told = [(found["game"], found["player"], found["deals"]) for found in profiles("--records", file)]
    assert told == [("kuhn", "Ana", 3), ("kuhn", "Blas", 3), ("leduc", "Ana", 4), ("leduc", "Blas", 4)]
    assert {found["game"] for found in profiles("--records", file, "--game", "leduc")} == {"leduc"}


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("not a record\n", (), "x.jsonl, hand 1: not a record"),
        ("", (), "x.jsonl: no hands"),
        ("{kuhn}\n", ("--game", "leduc"), "x.jsonl: no hands of leduc"),
        ("{kuhn}\n", ("Eva",), "no player is named 'Eva'; players: Ana, Blas"),
        ("{kuhn}\n\n{cut}\n", (), "x.jsonl, hand 2: kuhn: the record stops after 1 actions"),
        ("{kuhn}\n{other}\n", (), "x.jsonl, hand 2: no game 'whist'"),
    ],
)
def test_a_file_that_will_not_do_says_where(tmp_path: Path, text: str, arguments: tuple[str, ...], says: str) -> None:
    [record] = kuhn_records(1)
    line = record.to_json()
    cut = line.replace(json.dumps(record.actions, separators=(",", ":")), "[0]")
    text = text.replace("{kuhn}", line).replace("{cut}", cut).replace("{other}", line.replace('"kuhn"', '"whist"'))
    (tmp_path / "x.jsonl").write_text(text, "utf-8")
    with pytest.raises(RecordError, match=says.replace("(", r"\(")):
        run(*arguments, "--records", str(tmp_path / "x.jsonl"))
