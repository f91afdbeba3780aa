"""`tahur train` as somebody at the terminal, or a program, sees it; and what it made, at a table."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from command import surroundings
from tahur.arena.match import run as run_match
from tahur.cli.solve.show import show
from tahur.cli.solve.train import train
from tahur.core.errors import PlayerError, SettingError, StrategyError, TahurError, UnknownName
from tahur.core.net_file import read_header, read_state
from tahur.core.strategy import Strategy
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.players.simple import Caller
from tahur.solvers.deep.config import config_from_yaml
from tahur.solvers.deep.run import trainer_of

app = typer.Typer(pretty_exceptions_enable=False)
app.command("train")(train)
app.command("show")(show)

TINY = """
game_type: GAME
training: {iterations: 4, traversals_per_iter: 50, threads: 1, log_interval: 2}
network: {hidden_dim: 8}
sgd: {steps: 5, batch_size: 64, learning_rate: 0.01}
memory: {advantage_cap: 5000}
checkpoint: {interval: 2}
"""


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(app, ["train", *arguments])
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def shown(*arguments: str) -> str:
    """What `tahur show` prints."""
    result = CliRunner().invoke(app, ["show", *arguments])
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def tiny(game: str, more: str = "", *, log_interval: int = 2) -> str:
    text = TINY.replace("GAME", game).replace("log_interval: 2", f"log_interval: {log_interval}")
    Path(f"{game}.yaml").write_text(text + more)
    return f"{game}.yaml"


def test_it_says_how_good_the_nets_are_and_what_to_do_next() -> None:
    told = run(tiny("kuhn")).stdout
    assert "kuhn to iteration 4" in told
    assert "exploitability" in told
    assert "loss            first" in told
    assert "tahur arena match kuhn net:kuhn_nets caller" in told
    assert Path("kuhn_nets/checkpoint.json").exists()
    assert len(Path("kuhn_nets/log.jsonl").read_text().splitlines()) == 4


def test_a_program_reads_json_and_a_run_goes_on() -> None:
    first = json.loads(run(tiny("kuhn"), "-o", "here", "--iterations", "2", "--json").stdout)
    assert first["iteration"] == 2
    assert first["unit"] == "antes"
    second = json.loads(run("kuhn.yaml", "-o", "here", "--resume", "--json").stdout)
    assert second["iteration"] == 4
    assert second["exploitability"] is not None
    assert "are already done" in run("kuhn.yaml", "-o", "here", "--resume").stdout


SLOW = """
game_type: kuhn
training: {iterations: 50, traversals_per_iter: 500, threads: 1, log_interval: 0}
network: {hidden_dim: 32}
sgd: {steps: STEPS, batch_size: 512, learning_rate: 0.01}
memory: {advantage_cap: 50000}
checkpoint: {interval: 1}
"""


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_says_at_once_what_it_finishes_and_a_second_one_keeps_the_last_checkpoint(presses: int) -> None:
    """The steps of an iteration are chosen so that it takes seconds."""
    Path("slow.yaml").write_text(SLOW.replace("STEPS", "1500"))
    command = [sys.executable, "-m", "tahur", "train", "slow.yaml", "-o", "nets"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings())
    assert run.stderr is not None
    log = Path("nets/log.jsonl")
    wait_until(lambda: log.exists() and log.stat().st_size > 0)  # written at the end of an iteration
    done = len(log.read_text().splitlines())
    run.send_signal(signal.SIGINT)
    assert f"finishing iteration {done + 1}, about " in run.stderr.readline()
    if presses == 2:
        run.send_signal(signal.SIGINT)
    pressed = time.monotonic()
    _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    saved = done if presses == 2 else done + 1
    assert f"iteration {saved} is saved; resume with --resume" in err
    assert read_header(Path("nets"))["iteration"] == saved
    assert presses == 1 or time.monotonic() - pressed < 2.0  # a second, and some on a busy machine
    again = trainer_of(config_from_yaml(Path("slow.yaml").read_text(), "slow.yaml"))
    again.iterate(saved)
    kept = read_state(Path("nets"))
    assert all(np.array_equal(array, kept[name]) for name, array in again.arrays().items())


def wait_until(is_done: Callable[[], bool]) -> None:
    """Wait for another process, at most a minute."""
    until = time.monotonic() + 60
    while not is_done():
        assert time.monotonic() < until
        threading.Event().wait(0.02)


def test_another_seed_learns_something_else() -> None:
    one, other = (
        json.loads(run(tiny("kuhn"), "-o", folder, "--seed", seed, "--json").stdout)["last_loss"]
        for folder, seed in (("a", "1"), ("b", "2"))
    )
    assert one != other


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(UnknownName, match="did you mean 'leduc'"):
        run("leducc")
    with pytest.raises(SettingError, match="cannot be read"):
        run("none.yaml")
    with pytest.raises(SettingError, match="did you mean 'sgd'"):
        run(tiny("kuhn", "sdg: {steps: 3}\n"))
    with pytest.raises(StrategyError, match="'tahur train' writes it"):
        run(tiny("kuhn"), "--resume", "-o", "nowhere")


def test_nets_sit_at_their_table_and_at_no_other() -> None:
    run(tiny("leduc"), "-o", "nets")
    player = make_player("net:nets", make("leduc"))
    assert not isinstance(player, Strategy)  # it draws a net for each hand: its chances are not known spot by spot
    records = list(run_match(make("leduc"), [player, Caller()], seed=1, deals=20))
    assert len(records) == 20
    with pytest.raises(PlayerError, match="trained for leduc; the table plays kuhn"):
        make_player("net:nets", make("kuhn"))
    with pytest.raises(PlayerError, match="no folder; write one"):
        make_player("net:")


@pytest.fixture(scope="module")
def flop_nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four iterations of a tiny net for Flop Hold'em."""
    folder = tmp_path_factory.mktemp("flop")
    limit = "game: {num_streets: 2, raise_caps: [3, 4]}\n"
    (folder / "flop.yaml").write_text(
        TINY.replace("GAME", "limit_holdem").replace("interval: 2}", "interval: 0}", 1) + limit
    )
    run(str(folder / "flop.yaml"), "-o", str(folder / "nets"))
    return folder / "nets"


def test_limit_nets_play_in_both_seats_whoever_has_the_button(flop_nets: Path) -> None:
    Path("nets").symlink_to(flop_nets)
    game = make("fhp-3-4")
    players = [make_player("net:nets", game), make_player("net:nets/checkpoint.json", game)]
    records = list(run_match(game, players, seed=3, deals=12))
    assert {record.settings["button"] for record in records} == {0, 1}
    with pytest.raises(PlayerError, match="stacks"):
        make_player("net:nets", make("fhp-3-4", {"stack": 40}))


def test_a_folder_of_nets_is_shown_as_a_strategy_file_is(flop_nets: Path) -> None:
    told = json.loads(shown(str(flop_nets), "--at", "raise", "--json"))
    assert (told["game"], told["iterations"], len(told["hands"])) == ("fhp-3-4", 4, 169)
    assert told == json.loads(shown(f"net:{flop_nets}", "--at", "raise", "--json"))
    earlier = json.loads(shown(f"{flop_nets}/checkpoint.json@2", "--at", "raise", "--json"))
    assert earlier["iterations"] == 2
    assert earlier["average"] != told["average"]
    assert shown(str(flop_nets), "--preflop", "--svg").startswith("<svg")
    with pytest.raises(StrategyError, match="the first is of iteration 1"):
        shown(f"{flop_nets}@0", "--at", "raise")


def test_a_folder_of_nets_alone_is_traced_over_its_iterations(flop_nets: Path) -> None:
    told = json.loads(shown("--trace", str(flop_nets), "--spots", "first-in AA, first-in 72o", "--json"))
    assert told["trace"]["iterations"] == [1, 2, 3, 4]
    whole = json.loads(shown(str(flop_nets), "--at", "", "--json"))
    aces = next(row["probabilities"] for row in whole["hands"] if row["hand"] == "AA")
    last = told["trace"]["spots"][0]["chances"][-1]
    assert list(last.values()) == pytest.approx(list(aces.values()), abs=1e-6)


def test_a_net_is_drawn_for_each_hand_as_it_weighs() -> None:
    from tahur.core.player import View

    run(tiny("kuhn"), "-o", "nets")
    player: Any = make_player("net:nets")
    rng, drawn = np.random.default_rng(0), []
    game = make("kuhn")
    for _ in range(4000):
        player.begin(View(game, game.start(), 0, 0), rng)
        drawn.append(player._net.iteration)
    np.testing.assert_allclose(np.bincount(drawn)[1:] / 4000, np.array([1, 2, 3, 4]) / 10, atol=0.03)
