"""Perudo at the terminal: minds by name, why, odds, memory that survives, and the gauntlet."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tahur.cli.main import main
from tahur.cli.play.command import seat_kinds, seat_names, seat_players
from tahur.cli.play.gauntlet import RUNGS, Climb, after_duel, load
from tahur.cli.play.perudo import read_bid
from tahur.cli.play.session import Header, Session
from tahur.core.errors import IllegalAction, PlayerError, RecordError
from tahur.games.perudo.bids import DUDO
from tahur.games.registry import make
from tahur.players.perudo.player import PerudoMind

LINES = "d\n1 6\n" * 200


@dataclass(frozen=True, slots=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def tahur(data: Path, *arguments: str, typed: str = "") -> Done:
    """The command in this process: a new one for each question would take most of the time."""
    out, err = io.StringIO(), io.StringIO()
    environment = {"TAHUR_DATA": str(data), "NO_COLOR": "1", "COLUMNS": "200"}
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "argv", ["tahur", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as left,
    ):
        main()
    return Done(int(left.value.code or 0), out.getvalue(), err.getvalue())


def test_minds_sit_down_by_name_think_and_are_asked_why(tmp_path: Path) -> None:
    done = tahur(
        tmp_path,
        *("play", "perudo", "--vs", "shark,El Tahúr,persona:turtle", "--seed", "5", "--hands", "2"),
        typed="1 3\nodds\nd\nwhy\n1 6\nd\nd\nwhy\n",
    )
    assert done.returncode == 0, done.stderr
    assert "20 dice are under the cups" in done.stdout
    assert "then aces" in done.stdout
    assert "[Shark] | Bid: 1x3 by You | Dudo utility" in done.stdout
    assert "El Tahúr, " in done.stdout
    assert "[Trapper] | " in done.stdout
    assert "[Turtle] | " in done.stdout


def test_the_bids_of_the_round_are_a_ladder_on_the_screen(tmp_path: Path) -> None:
    done = tahur(tmp_path, "play", "perudo", "--vs", "timeout,timeout", "--seed", "5", "--hands", "1", typed="1 3\nd\n")
    assert "1 three › 1 four › 1 five" in done.stdout


def test_what_was_under_the_cups_stands_in_one_column(tmp_path: Path) -> None:
    who = "timeout,La Calavera Loca"
    done = tahur(tmp_path, "play", "perudo", "--vs", who, "--seed", "5", "--hands", "1", typed="1 3\nd\n" * 9)
    lifted = [line for line in done.stdout.splitlines() if "of them count" in line]
    assert len(lifted) == 3
    assert len({line.index(next(sign for sign in line if sign in "⚀⚁⚂⚃⚄⚅")) for line in lifted}) == 1


def test_a_resumed_session_gives_the_minds_their_memory_back(tmp_path: Path) -> None:
    play = ("play", "perudo", "--vs", "shark,turtle", "--seed", "5", "--hands", "3")
    assert tahur(tmp_path, *play, typed=LINES).returncode == 0
    [path] = (tmp_path / "sessions").glob("*.jsonl")
    session = Session.load(path)
    shark, turtle = (guarded.player for guarded in seat_players(session) if guarded)
    assert isinstance(shark, PerudoMind)
    assert isinstance(turtle, PerudoMind)
    assert shark.memory.of("You").bids > 0
    assert set(shark.memory.opponents) == {"You", "turtle"}
    told = tahur(tmp_path, "perudo", "memory", "--json")
    found = json.loads(told.stdout)
    assert found["rounds"] == 3
    assert found["memory"]["You"]["bids"] == shark.memory.of("You").bids
    assert found["memory"]["You"]["bluff rate"] == shark.memory.of("You").bluff_rate
    by_name = tahur(tmp_path, "perudo", "memory", path.name)
    assert "bluff index" in by_name.stdout
    assert "turtle" in by_name.stdout


def test_a_seeded_session_plays_on_after_resuming_as_if_never_left(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    play = ("play", "perudo", "--vs", "chaos,bluffer", "--seed", "8")
    tahur(whole, *play, "--hands", "4", typed=LINES)
    tahur(parts, *play, "--hands", "2", typed=LINES)
    tahur(parts, "play", "perudo", "--resume", "--hands", "2", typed=LINES)
    [one], [two] = ((each / "sessions").glob("*.jsonl") for each in (whole, parts))
    assert Session.load(one).records == Session.load(two).records


def test_two_of_a_kind_are_numbered_and_a_name_may_end_in_a_number() -> None:
    game = make("perudo", {"seats": 4})
    kinds = seat_kinds(["persona:Bot 7", "shark"], game)
    assert kinds == ("You", "persona:Bot 7", "shark", "shark")
    assert seat_names(kinds) == ("You", "Bot 7", "shark 1", "shark 2")
    header = Header(game="perudo", settings=game.settings, names=seat_names(kinds), you=0, seed=None, kinds=kinds)
    assert [header.kind_of(seat) for seat in (1, 3)] == ["persona:Bot 7", "shark"]
    old = Header(game="perudo", settings=game.settings, names=("You", "caller 1", "caller 2"), you=0, seed=None)
    assert old.kind_of(2) == "caller"
    with pytest.raises(PlayerError):
        seat_kinds(["shark"], make("nlhe"))


def test_the_gauntlet_goes_on_where_it_was_left_and_keeps_the_streak(tmp_path: Path) -> None:
    first = tahur(tmp_path, "play", "perudo", "--gauntlet", "--seed", "5", "--hands", "2", typed=LINES)
    assert first.returncode == 0, first.stderr
    assert f"Opponent 1: {RUNGS[0]}; you have 5 dice" in first.stdout
    assert "resume with: tahur play perudo --gauntlet" in first.stdout
    before = load(tmp_path / "gauntlet.json")
    assert before.duel is not None
    kept = Session.load(tmp_path / "sessions" / "gauntlet" / before.duel)
    assert len(kept.records) == 2
    second = tahur(tmp_path, "play", "perudo", "--gauntlet", "--seed", "5", "--hands", "1", typed=LINES)
    assert second.returncode == 0, second.stderr
    assert len(Session.load(kept.path).records) == 3
    assert not list((tmp_path / "sessions").glob("*.jsonl"))  # a table's --resume does not find duels


def test_dice_are_carried_over_and_losing_starts_anew() -> None:
    won = after_duel(Climb(streak=1, best=1, dice=4, duel="x"), 2)
    assert won == Climb(streak=2, best=2, dice=2)
    assert won.opponent == RUNGS[2]
    assert after_duel(won, 0) == Climb(streak=0, best=2, dice=None)
    assert Climb(streak=len(RUNGS)).opponent == RUNGS[0]


def test_a_corrupted_gauntlet_is_told(tmp_path: Path) -> None:
    (tmp_path / "gauntlet.json").write_text("{nonsense")
    with pytest.raises(RecordError, match="is not a gauntlet file"):
        load(tmp_path / "gauntlet.json")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("play", "nlhe", "--gauntlet"), "--gauntlet is for perudo"),
        (("play", "perudo", "--vs", "sharkk"), "did you mean 'shark'"),
        (("play", "nlhe", "--vs", "shark"), "those for hold'em: tahur persona list"),
        (("perudo", "memory"), "no session of perudo yet"),
        (("perudo", "memory", "nobody"), "no session nobody"),
        (("perudo", "odds", "--others", "5", "--mine", "1,7"), "write the faces of your dice"),
        (("perudo", "odds", "--others", "5", "--dice", "1", "--mine", "1,2"), "has 2 dice, but --dice is 1"),
        (("perudo", "odds", "--others", "0"), "there are no dice"),
        (("perudo", "advise", "--mine", "1,2", "--others", "x"), "how many dice each other seat has"),
        (("perudo", "advise", "--mine", "1,2", "--others", "5", "--bid", "4y5"), "'4y5' is not a bid"),
        (("perudo", "advise", "--mine", "1,2", "--others", "5", "--bid", "9x5"), "cannot say 9 fives"),
        (("perudo", "advise", "--mine", "1,2", "--others", "5", "--bid", "2x5", "--history", "1x5"), "not the last"),
    ],
)
def test_a_wrong_question_is_one_line(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = tahur(tmp_path, *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_odds_are_a_ladder_and_json(tmp_path: Path) -> None:
    ask = ("perudo", "odds", "--dice", "5", "--others", "10", "--mine", "1,3,3,5,6")
    shown = tahur(tmp_path, *ask)
    assert "10 unknown dice, 15 in all" in shown.stdout
    found = json.loads(tahur(tmp_path, *ask, "--json").stdout)
    chances = {(each["count"], each["face"]): each for each in found["bids"]}
    assert len(chances) == 15 * 6
    assert chances[3, 3]["true"] == 1
    assert chances[4, 3]["true"] == pytest.approx(1 - (2 / 3) ** 10)
    assert chances[4, 3]["exact"] == pytest.approx(10 / 3 * (2 / 3) ** 9)
    assert chances[2, 1]["true"] == pytest.approx(1 - (5 / 6) ** 10)


def test_advice_lists_calls_and_bids_with_what_they_bring(tmp_path: Path) -> None:
    ask = ("perudo", "advise", "--mine", "1,3,3,5,6", "--others", "5,5", "--bid", "4x5")
    found = json.loads(tahur(tmp_path, *ask, "--json").stdout)
    actions = {each["action"]: each for each in found["actions"]}
    assert found["best"] == "4 sixes"
    assert actions["dudo"]["dice"] == pytest.approx(-actions["dudo"]["true"])
    assert actions["calza"]["dice"] == pytest.approx(actions["calza"]["exact"] - 1)  # a full cup wins nothing
    assert actions["5 fives"]["solved"] is None
    shown = tahur(tmp_path, *ask)
    assert "dudo" in shown.stdout
    assert "--all lists them" in shown.stdout
    asked = json.loads(tahur(tmp_path, *ask, "--minds", "--json").stdout)["minds"]
    assert set(asked) == {"shark", "turtle", "chaos", "calculator", "bluffer", "trapper"}
    assert asked["shark"]["thought"].startswith("[Shark] | Bid: 4x5 by 2 | ")
    assert "[Turtle] | " in tahur(tmp_path, *ask, "--minds").stdout
    palifico = json.loads(tahur(tmp_path, *ask, "--palifico", "--json").stdout)
    assert all(each["action"].endswith(("fives", "dudo", "calza")) for each in palifico["actions"])


def test_a_call_that_cannot_be_made_is_refused_with_the_reason() -> None:
    opened: Any = make("perudo", {"rules": "classic"}).start()
    with pytest.raises(IllegalAction, match="no bid stands yet"):
        read_bid(opened, "d")
    with pytest.raises(IllegalAction, match="calza cannot be called here"):
        read_bid(opened.after(opened.actions()[0]), "c")
    assert read_bid(opened.after(opened.actions()[0]), "dudo") == DUDO


def test_a_calza_that_is_off_is_not_told_as_a_bid_that_was_met(tmp_path: Path) -> None:
    done = tahur(tmp_path, "play", "perudo", "--vs", "timeout", "--seed", "2", "--hands", "1", typed="1 2\nc\n")
    assert "You: calza" in done.stdout
    assert "there: not exactly" in done.stdout
