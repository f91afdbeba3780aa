"""`tahur postflop street`: solve, show, classify, compare, buckets."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from command import answer, tahur

TEXTURES = ["monotone", "paired", "wet", "high_dry", "low_dry"]


def test_solve_tells_each_texture_in_pots(tmp_path: Path) -> None:
    told = answer("street", "solve", "--iterations", "1000", "-o", str(tmp_path / "s.json"))
    assert list(told["textures"]) == TEXTURES
    for texture in told["textures"].values():
        assert texture["iterations"] == 1000
        assert 0 < texture["exploitability"] < 1e-4
        assert -0.04 < texture["value"] < 0
        assert 0.04 < texture["averaged_view_cost"] < 0.1
    written = json.loads((tmp_path / "s.json").read_text())
    assert written["schema"] == 2
    wet = written["textures"]["wet"]
    assert len(wet["tables"]) == 14
    assert wet["exploitability"]["solved"] == pytest.approx(told["textures"]["wet"]["exploitability"], rel=1e-6)
    assert wet["averaged_facing_bet"]["lossy"] is True


@pytest.mark.slow
def test_sampled_equities_depend_on_the_seed_alone() -> None:
    command = ("street", "solve", "--sampled", "--independent", "--iterations", "50", "--seed")
    one, again, other = (answer(*command, seed) for seed in ("3", "3", "4"))
    assert one == again
    assert one != other


def test_a_person_reads_a_table_for_each_question() -> None:
    run = tahur("street", "show", "low_dry", "--table", "first", "--iterations", "200")
    assert run.returncode == 0
    rows = run.stdout.splitlines()
    assert rows[0].strip() == "first"
    assert [row.split()[0] for row in rows[2:11]][::8] == ["premium", "air"]


def test_the_picture_is_svg() -> None:
    run = tahur("street", "show", "wet", "--svg", "--iterations", "50")
    assert ElementTree.fromstring(run.stdout).tag.endswith("svg")
    assert run.stdout.count("font-weight") == 14


@pytest.mark.parametrize(
    ("hand", "flop", "texture", "bucket"),
    [
        ("TdTh", "Tc7d2s", "low_dry", "premium"),
        ("TdTh", "Ts9s8d", "wet", "nut"),
        ("AdKh", "KcKd7s", "paired", "strong"),
    ],
)
def test_a_hand_is_classified_with_its_reason(hand: str, flop: str, texture: str, bucket: str) -> None:
    told = answer("street", "classify", hand, flop)
    assert (told["texture"], told["bucket"]) == (texture, bucket)
    assert told["reason"]
    assert told["texture_reason"]


def test_a_bucket_that_cannot_occur_has_no_strategy() -> None:
    shown = tahur("street", "show", "wet", "--table", "first", "--iterations", "50").stdout.splitlines()
    assert shown[2].split() == ["premium", "--", "--", "--", "--", "--"]
    picture = tahur("street", "show", "wet", "--svg", "--table", "first", "--iterations", "50").stdout
    assert "premium" not in picture
    assert "air" in picture
    tables = answer("street", "show", "wet", "--iterations", "50")["tables"]
    assert {table["premium"] for table in tables.values()} == {None}


def test_comparison_prints_the_frequencies_and_the_exploitability_of_both_sides() -> None:
    payload = answer("street", "compare", "--iterations", "500")
    assert list(payload) == TEXTURES
    assert {texture: each["rows"] for texture, each in payload.items()} == dict.fromkeys(TEXTURES, 126) | {"wet": 112}
    for each in payload.values():
        assert each["solved"] < 1e-3 < 0.2 < each["hand_tuned"]
        assert each["differences"]
        for row in each["differences"]:
            apart = sum(abs(share - row["solved"][action]) for action, share in row["hand_tuned"].items()) / 2
            assert 0.15 < row["distance"] == pytest.approx(apart)
    text = tahur("street", "compare", "--iterations", "500").stdout
    assert re.search(r"^ +\d+%  \w+ +\w+ +\w+ \d+% -> \d+%", text, re.MULTILINE)


def test_a_written_file_is_shown_compared_and_tested_without_solving_again(tmp_path: Path) -> None:
    path = str(tmp_path / "strategies.json")
    answer("street", "solve", "--iterations", "20", "-o", path)  # far from solved: solving again would show
    written = json.loads(Path(path).read_text())["textures"]["low_dry"]
    shown = answer("street", "show", "low_dry", "--from", path)
    assert shown["tables"] == written["tables"]
    assert shown["exploitability"] == pytest.approx(written["exploitability"]["solved"])
    averaged = answer("street", "show", "low_dry", "--from", path, "--averaged")
    assert averaged["tables"]["ip_facing_bet_l"] == written["averaged_facing_bet"]["table"]
    assert averaged["exploitability"] == pytest.approx(written["exploitability"]["averaged_facing_bet"])
    compared = answer("street", "compare", "--from", path)
    assert compared["low_dry"]["solved"] == pytest.approx(written["exploitability"]["solved"])


def test_the_truth_is_told_of_a_written_file(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    answer("street", "solve", "--iterations", "5", "-o", str(path))
    payload = json.loads(path.read_text())
    payload["textures"] = {"wet": payload["textures"]["wet"]}
    path.write_text(json.dumps(payload))
    run = tahur("street", "truth", "--flops", "Kd9h4c", "--from", str(path))
    assert run.returncode == 2
    assert "no texture 'high_dry'; it has wet" in run.stderr or "no texture 'low_dry'; it has wet" in run.stderr


def test_buckets_stand_beside_what_was_reported() -> None:
    rows = answer("street", "buckets")["buckets"]
    assert len(rows) == 45
    air = next(row for row in rows if (row["texture"], row["bucket"]) == ("monotone", "air"))
    assert air["reported"] == 0
    assert air["exact"] > 0.1
    assert "board's own" in air["reason"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "damp"), "textures: monotone"),
        (("show", "wet", "--table", "third"), "tables: first"),
        (("show", "wet", "--from", "nowhere.json"), "nowhere.json is not a file of `tahur postflop street solve -o`"),
        (("classify", "TdTh", "Tc7d"), "a flop is 3"),
        (("classify", "TdTh", "Td7d2s"), "Td"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments: tuple[str, ...], said: str) -> None:
    run = tahur("street", *arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert run.stderr.count("\n") == 1
