"""`tahur hands` as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from tahur.cards.cards import combo_of, parse_cards
from tahur.cli import output
from tahur.cli.hands.history import hand_history
from tahur.core.record import Record, Talk
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, FOLD

DATA = Path(__file__).parents[1] / "data" / "phh"
GOOD, BAD = DATA / "good", DATA / "bad"

app = typer.Typer(pretty_exceptions_enable=False)
app.add_typer(hand_history, name="hand-history")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["hand-history", *map(str, arguments)])


def replayed(*arguments: str | Path) -> tuple[dict[str, Any], int]:
    result = run("replay", *arguments, "--json")
    return json.loads(result.stdout), result.exit_code


def a_record(*, fold: bool = True) -> Record:
    game = no_limit(stacks=[20, 20, 20])
    hands = tuple(combo_of(parse_cards(text)) for text in ("AsKs", "7d2c", "9h9c"))
    table = game.start()
    for action in (FOLD, FOLD) if fold else (CALL, CALL, CALL):
        table = table.after(action)
    if not fold:
        for card in parse_cards("Qs8s3d"):
            table = table.after(card)
        for action in (11, FOLD, FOLD):
            table = table.after(action)
    payoffs = game.payoffs(table, hands)
    return Record(
        game="nlhe",
        settings=game.settings,
        hands=hands,
        actions=table.history,
        payoffs=payoffs,
        names=("You", "Bo", "Cy"),
        talk=(Talk(0, 1, "hm"),),
    )


def a_session(folder: Path, *records: Record) -> Path:
    header = {"session": {"game": "nlhe", "settings": {}, "names": ["You", "Bo", "Cy"], "you": 0, "seed": None}}
    path = folder / "nlhe-1.jsonl"
    path.write_text("\n".join([json.dumps(header), *(record.to_json() for record in records)]) + "\n", "utf-8")
    return path


# ---- replay --------------------------------------------------------------------------------------


def test_good_hands_all_match() -> None:
    tally, code = replayed(GOOD)
    assert code == 0
    assert list(tally)[:2] == ["hands", "matched"]
    assert (tally["hands"], tally["matched"], tally["unstated"]) == (10, 10, 1)
    assert tally["mismatched"] == tally["errors"] == []


def test_bad_hands_are_told_with_their_place_and_the_rest_goes_on() -> None:
    tally, code = replayed(BAD)
    assert code == 1
    assert (tally["hands"], tally["matched"]) == (12, 2)
    assert tally["mismatched"] == [
        {
            "file": str(BAD / "wrong_stacks.phh"),
            "hand": 1,
            "expected": [99.5, 99, 102.5],
            "got": [99.5, 99, 101.5],
        }
    ]
    errors = {(Path(error["file"]).name, error["hand"]): error["error"] for error in tally["errors"]}
    assert errors == {
        ("board_stops.phh", 1): "the text stops dealing: 3 cards on the board, 2 still to come",
        ("card_twice.phh", 1): "Ks is both in the board and in the hand of seat 1; a deck has it once",
        ("illegal_raise.phh", 1): "'p3 cbr 3': p3 may fold or call 2 or raise to 4 up to 200",
        ("not_toml.phh", 1): "not TOML: Unclosed array (at line 3, column 1)",
        ("omaha.phh", 1): "variant 'PO'; supported: NT (no-limit hold'em) and FT (fixed limit)",
        ("one_of_three.phhs", 2): "not TOML: Unclosed array (at line 4, column 1)",
        ("open_showdown.phh", 1): "the winner cannot be determined: seat 1 neither shows nor mucks",
        ("straddle.phh", 1): "p3 has a straddle of 4; only two blinds are supported",
        ("truncated.phh", 1): "the text stops before the hand is over; it is p2's turn",
    }


def test_the_summary_names_the_first_problems_and_what_to_do_next() -> None:
    result = run("replay", BAD, GOOD)
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[:4] == [
        "22 hands",
        "  12 matched (1 without a stated result)",
        "  1 mismatched",
        "  9 cannot be played",
    ]
    assert len(lines) == 4 + 5 + 1 + 2
    assert lines[-2] == "only the first are shown; --json lists all"
    assert lines[-1] == f"Next: tahur hands show {BAD / 'wrong_stacks.phh'} --hand 1"


def test_a_missing_path_is_bad_usage() -> None:
    for command in (("show",), ("replay",), ("export", "--to", "phh")):
        result = run(*command, "nowhere.phh")
        assert result.exit_code == 2
        assert "nowhere.phh" in result.stderr


def test_a_file_of_another_kind_and_an_empty_folder_are_bad_usage(tmp_path: Path) -> None:
    (tmp_path / "hands.csv").write_text("PokerStars Hand #1", "utf-8")
    (tmp_path / "notes.txt").write_text("milk, eggs", "utf-8")
    result = run("replay", tmp_path / "hands.csv")
    assert result.exit_code == 2
    assert ".phh, .phhs, .jsonl, .txt" in " ".join(result.stderr.split())
    assert run("replay", tmp_path).exit_code == 2


def test_a_line_of_records_ends_with_a_newline_only(tmp_path: Path) -> None:
    odd = Record(**{**_fields(a_record()), "names": ("A\u2028B", "C\x85", "D")})
    assert replayed(a_session(tmp_path, odd))[0]["matched"] == 1


def test_folders_are_walked_and_numbers_are_in_their_order(tmp_path: Path) -> None:
    text = (BAD / "truncated.phh").read_text("utf-8")
    for name in ("b/10.phh", "b/9.phh", "a/2.phh", "b/deep/1.phh"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    tally, _ = replayed(tmp_path)
    found = [Path(error["file"]).relative_to(tmp_path).as_posix() for error in tally["errors"]]
    assert found == ["a/2.phh", "b/9.phh", "b/10.phh", "b/deep/1.phh"]


def test_a_file_that_is_no_text_is_one_bad_hand(tmp_path: Path) -> None:
    (tmp_path / "binary.phh").write_bytes(b"\xff\xfe\x00")
    tally, code = replayed(tmp_path, GOOD / "heads_up.phh")
    assert (code, tally["hands"], tally["matched"]) == (1, 2, 1)
    assert tally["errors"][0]["error"] == "the file cannot be read: it is not UTF-8 text"


def test_a_text_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "marked.phh").write_bytes(b"\xef\xbb\xbf" + (GOOD / "heads_up.phh").read_bytes())
    assert replayed(tmp_path)[1] == 0


def test_sessions_are_replayed_record_by_record(tmp_path: Path) -> None:
    wrong = Record(**{**_fields(a_record()), "payoffs": (3, -1, -2)})
    path = a_session(tmp_path, a_record(), wrong, a_record(fold=False))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"version":1,"game":"nl')  # a crash
    tally, code = replayed(path)
    assert (code, tally["hands"], tally["matched"]) == (1, 4, 2)
    assert tally["mismatched"] == [{"file": str(path), "hand": 2, "expected": [23, 19, 18], "got": [20, 19, 21]}]
    assert [(error["hand"], error["error"][:12]) for error in tally["errors"]] == [(4, "not a record")]


def test_records_of_other_games_are_told_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.jsonl"
    path.write_text(Record(game="kuhn", settings={}, hands=(0, 1), actions=(0, 0), payoffs=(1, -1)).to_json(), "utf-8")
    tally, code = replayed(path)
    assert code == 1
    assert tally["errors"][0]["error"] == "a record of kuhn; hand histories are of hold'em"


def test_a_rake_is_allowed_if_asked_for(tmp_path: Path) -> None:
    text = (BAD / "wrong_stacks.phh").read_text("utf-8").replace("102.5", "101.25")
    path = tmp_path / "raked.phh"
    path.write_text(text, "utf-8")
    assert replayed(path)[1] == 1
    tally, code = replayed(path, "--rake")
    assert (code, tally["matched"], tally["raked"]) == (0, 1, 1)


def test_progress_goes_to_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "PATIENCE", -1.0)
    monkeypatch.setattr(output, "_is_watched", lambda: True)
    shown: list[str] = []
    real = output._bar
    monkeypatch.setattr(output, "_bar", lambda what: shown.append(what) or real(what))
    result = run("replay", GOOD, "--json")
    assert shown == ["replay"]
    assert json.loads(result.stdout)["matched"] == 10


# ---- show ----------------------------------------------------------------------------------------

HEADS_UP = """\
FILE, hand 1  no-limit hold'em, blinds 1/2
  hand 7, event Tuesday night
  Nadia  200          K♥ Q♥
  Omar   180  button  Q♣ J♣
before the flop
  Omar posts the small blind, 1
  Nadia posts the big blind, 2
  Omar raises to 6
  Nadia calls 4
flop Q♠ 7♦ 2♥  pot 12
  Nadia checks
  Omar bets 8
  Nadia calls 8
turn Q♠ 7♦ 2♥ 5♣  pot 28
  Nadia checks
  Omar checks
river Q♠ 7♦ 2♥ 5♣ K♦  pot 28
  Nadia bets 20
  Omar calls 20
showdown
  Nadia shows K♥ Q♥, two pair, kings and queens
  Omar shows Q♣ J♣, pair of queens
  Nadia wins 68
result: Nadia +34, Omar -34

"""


def test_a_hand_is_told_street_by_street() -> None:
    path = GOOD / "heads_up.phh"
    result = run("show", path)
    assert result.exit_code == 0
    assert result.stdout == HEADS_UP.replace("FILE", str(path))


def test_side_pots_decimals_and_mucks_are_told() -> None:
    told = run("show", GOOD).stdout
    assert "  Ute wins 300 from side pot 2\n  Tomas wins 180 from side pot 1\n  Sol wins 160 from the main pot" in told
    assert "  Rosa takes back an uncalled $1.40\n  Rosa wins $2.75\nresult: Rosa +$1.50, " in told
    assert "  Player3 mucks\n" in told
    assert "limit hold'em, bets 2/4" in told


def test_one_hand_of_many_is_shown() -> None:
    result = run("show", GOOD / "several.phhs", "--hand", "2")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{GOOD / 'several.phhs'}, hand 2  ")
    assert result.stdout.count("before the flop") == 1
    assert run("show", GOOD / "several.phhs", "--hand", "4").exit_code == 2
    assert run("show", GOOD / "several.phhs", "--hand", "0").exit_code == 2


def test_show_says_what_it_cannot_tell_and_goes_on() -> None:
    result = run("show", BAD / "one_of_three.phhs", BAD / "wrong_stacks.phh")
    assert result.exit_code == 1
    assert f"{BAD / 'one_of_three.phhs'}, hand 2: not TOML" in result.stderr
    assert result.stdout.count("before the flop") == 3
    assert "but the source gives final stacks Player1 99.5, Player2 99, Player3 102.5" in result.stdout


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    text = (GOOD / "heads_up.phh").read_text("utf-8").replace('"Omar"', r'"[red]O\u001b[31m"')
    path = tmp_path / "names.phh"
    path.write_text(text, "utf-8")
    told = run("show", path).stdout
    assert "[red]O [31m folds" in told or "[red]O [31m calls 20" in told
    assert "\x1b" not in told


# ---- export --------------------------------------------------------------------------------------


def test_a_session_becomes_phh_and_comes_back(tmp_path: Path) -> None:
    path = a_session(tmp_path, a_record(), a_record(fold=False))
    phhs = tmp_path / "out.phhs"
    result = run("export", path, "--to", "phh", "-o", phhs)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert f"2 hands written to {phhs}, 0 left out" in result.stderr
    assert replayed(phhs)[0]["matched"] == 2
    back = run("export", phhs, "--to", "jsonl")
    records = [Record.from_json(line) for line in back.stdout.splitlines()]
    hands = (a_record(), a_record(fold=False))
    assert records == [Record(**{**_fields(record), "talk": (), "seat": 0}) for record in hands]


def test_what_is_in_the_format_already_stays_as_it_is(tmp_path: Path) -> None:
    path = a_session(tmp_path, a_record())
    assert run("export", path, "--to", "jsonl").stdout == replace(a_record(), seat=0).to_json() + "\n"
    told = run("export", GOOD / "side_pots.phh", "--to", "phh").stdout
    assert "'p1 cbr 40 # all-in, less than a raise'," in told


def test_pokerstars_text_is_dated_by_the_file_if_the_hand_is_not(tmp_path: Path) -> None:
    path = a_session(tmp_path, a_record(), a_record())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    told = run("export", path, "--to", "pokerstars").stdout
    first, second = told.split("\n\n\n\n")
    assert first.splitlines()[0] == "PokerStars Hand #1:  Hold'em No Limit (1/2) - 2023/11/14 22:13:20 UTC"
    assert second.splitlines()[0].startswith("PokerStars Hand #2:  Hold'em No Limit (1/2) - ")
    dated = run("export", GOOD / "fractional.phh", "--to", "pokerstars").stdout
    assert dated == (DATA / "pokerstars" / "fractional.txt").read_text("utf-8")


def test_hands_that_cannot_be_exported_are_left_out_and_named(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = run("export", GOOD / "mucked.phh", GOOD / "heads_up.phh", BAD / "not_toml.phh", "--to", "jsonl", "-o", out)
    assert result.exit_code == 1
    assert len(out.read_text("utf-8").splitlines()) == 2
    assert "not_toml.phh, hand 1: not TOML" in result.stderr
    assert "2 hands written to" in result.stderr


def test_nothing_is_written_when_no_hand_can_be(tmp_path: Path) -> None:
    out = tmp_path / "out.phh"
    out.write_text("precious", "utf-8")
    assert run("export", BAD / "not_toml.phh", "--to", "phh", "-o", out).exit_code == 1
    assert out.read_text("utf-8") == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["out.phh"]


def test_an_unknown_format_or_folder_is_bad_usage(tmp_path: Path) -> None:
    assert run("export", GOOD / "heads_up.phh", "--to", "csv").exit_code == 2
    assert run("export", GOOD / "heads_up.phh").exit_code == 2
    assert run("export", GOOD / "heads_up.phh", "--to", "phh", "-o", tmp_path / "no" / "out.phh").exit_code == 2
    assert run("export", GOOD / "heads_up.phh", "--to", "phh", "-o", tmp_path).exit_code == 2


def _fields(record: Record) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}
