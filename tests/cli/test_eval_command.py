"""`tahur eval` of limit hold'em, and every other command that takes nets of it, for unusual training configurations."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from command import answer, tahur

TINY = """
game_type: limit_holdem
game: {GAME}
training: {iterations: 3, traversals_per_iter: 50, threads: 1, log_interval: 0}
network: {hidden_dim: 8}
sgd: {steps: 5, batch_size: 64}
"""
GAMES = {
    "three_streets": "num_streets: 3, max_raises_early: 2, max_raises_late: 1, stack_depth: 20",
    "two_streets_five_cards": "num_streets: 2, showdown_board: 5, raise_caps: [3, 3], stack_depth: 10",
    "short_stacks": "raise_caps: [1, 2, 1, 1], stack_depth: 4",
    "other_bets": "num_streets: 2, raise_caps: [1, 1], small_bet: 3, big_bet: 5",
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Of each game: the folder of its nets and what `tahur train` printed."""
    runs = {}
    for name, game in GAMES.items():
        folder = tmp_path_factory.mktemp(name)
        (folder / "run.yaml").write_text(TINY.replace("GAME", game))
        run = tahur("train", str(folder / "run.yaml"), "-o", str(folder / "nets"))
        assert run.returncode == 0, run.stderr
        runs[name] = folder / "nets", run.stdout
    return runs


@pytest.mark.parametrize("name", GAMES)
def test_nets_of_any_limit_game_are_evaluated_and_shown(trained: dict[str, tuple[Path, str]], name: str) -> None:
    folder, _ = trained[name]
    figures = answer("eval-lhe", "-m", str(folder), "--eval-deals", "2", "--seconds", "0.5")["figures"]
    assert {"local", "clairvoyant", "v caller", "v odds"} < {figure["name"] for figure in figures}
    assert len(answer("show", str(folder), "--at", "")["hands"]) == 169
    sheet = tahur("show", str(folder), "--flop", "Td9d6h", "--line", "call,check")
    assert sheet.returncode == 0, sheet.stderr


@pytest.mark.parametrize("name", GAMES)
def test_the_commands_that_train_prints_work(trained: dict[str, tuple[Path, str]], name: str) -> None:
    _, printed = trained[name]
    lines = map(shlex.split, re.findall(r"tahur (?:arena match|play) .*", printed))
    commands = {line[1]: line for line in lines}
    match = tahur(*commands["arena"][1:], "--hands", "20", "--workers", "1")
    assert match.returncode == 0, match.stderr
    play = tahur(*commands["play"][1:], "--hands", "1", "--seed", "1", typed="c\n" * 20)
    assert play.returncode == 0, play.stderr + play.stdout
    assert "trained for" not in play.stderr


def test_a_checkpoint_that_does_not_exist_gets_the_name_of_what_does(trained: dict[str, tuple[Path, str]]) -> None:
    folder, _ = trained["other_bets"]
    run = tahur("eval-lhe", "-m", str(folder / "checkpoint.bin"))
    assert run.returncode == 2
    assert f"{folder} is a folder of nets: give {folder}" in " ".join(run.stderr.split())


def figures(*arguments: str) -> dict[str, Any]:
    return {figure["name"]: figure for figure in answer("eval-lhe", *arguments)["figures"]}


def test_an_interval_needs_ten_boards(trained: dict[str, tuple[Path, str]]) -> None:
    folder = str(trained["other_bets"][0])
    few = figures("-m", folder, "--bounds", "flop", "--against", "none", "--eval-deals", "9")["flop"]
    assert (few["sample"], few["low"], few["high"]) == (9, None, None)
    many = figures("-m", folder, "--bounds", "flop", "--against", "none", "--eval-deals", "10")["flop"]
    assert many["low"] < many["mean"] < many["high"]
    text = tahur("eval-lhe", "-m", folder, "--bounds", "flop", "--against", "none", "--eval-deals", "9").stdout
    assert "too few boards" in text


def test_the_time_is_kept_within_a_board(trained: dict[str, tuple[Path, str]]) -> None:
    folder = str(trained["three_streets"][0])
    began = time.monotonic()
    figure = figures("-m", folder, "--bounds", "flop", "--against", "none", "--seconds", "0.2")["flop"]
    assert time.monotonic() - began < 10  # a board takes a minute
    assert (figure["sample"], figure["mean"], figure["low"]) == (0, None, None)
    assert figure["seconds"] < 2
