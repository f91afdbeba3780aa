"""`tahur train` as somebody at the terminal, or a program, sees it; and what it made, at a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from tahur.arena.match import run as run_match
from tahur.cli.train import train
from tahur.core.errors import PlayerError, SettingError, StrategyError, TahurError, UnknownName
from tahur.core.strategy import Strategy
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.players.simple import Caller

app = typer.Typer(pretty_exceptions_enable=False)
app.command("train")(train)

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
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def tiny(game: str, more: str = "", *, log_interval: int = 2) -> str:
    text = TINY.replace("GAME", game).replace("log_interval: 2", f"log_interval: {log_interval}")
    Path(f"{game}.yaml").write_text(text + more)
    return f"{game}.yaml"


def test_it_says_how_good_the_nets_are_and_what_to_do_next() -> None:
    told = run(tiny("kuhn")).stdout
    assert "kuhn to iteration 4" in told
    assert "exploitability" in told
    assert "loss            first" in told
    assert "tahur match kuhn net:kuhn_nets caller" in told
    assert Path("kuhn_nets/checkpoint.json").exists()
    assert len(Path("kuhn_nets/log.jsonl").read_text().splitlines()) == 4


def test_a_program_reads_json_and_a_run_goes_on() -> None:
    first = json.loads(run(tiny("kuhn"), "-o", "here", "--iterations", "2", "--json").stdout)
    assert first["iteration"] == 2
    assert first["unit"] == "antes"
    second = json.loads(run("kuhn.yaml", "-o", "here", "--resume", "--json").stdout)
    assert second["iteration"] == 4
    assert second["exploitability"] is not None
    assert "were done already" in run("kuhn.yaml", "-o", "here", "--resume").stdout


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
    with pytest.raises(PlayerError, match="which folder"):
        make_player("net:")


def test_limit_nets_play_in_both_seats_whoever_has_the_button() -> None:
    limit = "game: {num_streets: 2, raise_caps: [3, 4]}\n"
    run(tiny("limit_holdem", limit, log_interval=0), "-o", "nets", "--iterations", "2")
    game = make("fhp-3-4")
    players = [make_player("net:nets", game), make_player("net:nets/checkpoint.json", game)]
    records = list(run_match(game, players, seed=3, deals=12))
    assert {record.settings["button"] for record in records} == {0, 1}
    with pytest.raises(PlayerError, match="stacks"):
        make_player("net:nets", make("fhp-3-4", {"stack": 40}))


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
