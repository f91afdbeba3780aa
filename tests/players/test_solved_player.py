"""`strategy:FILE`: plays as often as the file says, at its own game only, in matches too."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from solved_games import game_of, solution
from tahur.arena.luck import Luck
from tahur.arena.match import Match
from tahur.arena.series import MatchGoal, play
from tahur.arena.stats import intervals
from tahur.arena.work import Workers
from tahur.core.errors import PlayerError, StrategyError
from tahur.core.player import View
from tahur.core.scoring import Scoring
from tahur.core.solution import write_solution
from tahur.core.strategy import Strategy
from tahur.games.registry import make
from tahur.players.registry import make_player


@pytest.fixture
def leduc(tmp_path: Path) -> str:
    write_solution(tmp_path / "leduc.tahur", solution("leduc"))
    return f"strategy:{tmp_path / 'leduc.tahur'}"


def test_it_plays_each_action_as_often_as_the_file_says(leduc: str) -> None:
    player, game, rng = make_player(leduc), game_of("leduc"), np.random.default_rng(5)
    assert isinstance(player, Strategy)
    draws = 4000
    for history, seat, hand in (((), 0, 0), ((2,), 1, 4), ((1, 1, 3), 0, 5)):
        table = game.start()
        for action in history:
            table = table.after(action)
        view = View(game, table, seat, hand)
        chances = player.probabilities(view)
        assert sum(chances.values()) == pytest.approx(1)
        assert chances == solution("leduc").probabilities(view)
        seen = Counter(player.act(view, rng).action for _ in range(draws))
        for action, chance in chances.items():
            assert abs(seen[action] / draws - chance) < 5 * np.sqrt(chance * (1 - chance) / draws) + 1e-9


def test_it_is_refused_at_another_game_before_the_match(leduc: str) -> None:
    make_player(leduc, make("leduc"))
    with pytest.raises(
        PlayerError, match=r"strategy:.*leduc.tahur: this strategy was solved for leduc; the table plays kuhn"
    ):
        make_player(leduc, make("kuhn"))


def test_it_is_refused_with_other_settings_before_the_match(tmp_path: Path) -> None:
    write_solution(tmp_path / "dice.tahur", solution("liars-dice"))
    name = f"strategy:{tmp_path / 'dice.tahur'}"
    make_player(name, make("liars-dice", {"faces": 3}))
    with pytest.raises(
        PlayerError, match="solved for liars-dice with faces=3; the table plays liars-dice with faces=6"
    ):
        make_player(name, make("liars-dice"))


def test_a_file_that_is_not_there_or_not_named_is_told() -> None:
    with pytest.raises(PlayerError, match="no file; write one"):
        make_player("strategy:")
    with pytest.raises(StrategyError, match=r"none\.tahur cannot be read: No such file"):
        make_player("strategy:none.tahur")


@pytest.mark.parametrize("workers", [1, 2])
def test_in_a_match_it_beats_a_random_player_by_what_the_tree_says(leduc: str, workers: int) -> None:
    """The exact value comes from the solver's own tree; the match is duplicate with luck taken out."""
    from solved_games import tree_of
    from tahur.players.simple import RandomPlayer
    from tahur.solvers.response import flatten, judge_of

    tree, ours = tree_of("leduc", merge=False), make_player(leduc)
    judge, other = judge_of(tree), RandomPlayer()
    assert isinstance(ours, Strategy)
    exact = (judge.value(flatten(tree, ours, other)) - judge.value(flatten(tree, other, ours))) / 2
    makers = (partial(make_player, leduc), partial(make_player, "random"))
    match = Match(
        game=game_of("leduc"),
        scoring=Scoring("antes/hand"),
        names=("solved", "random"),
        makers=makers,
        seed=3,
        duplicate=True,
        luck=Luck.FULL,
    )
    *_, last = play(match, MatchGoal(600), Workers(workers))
    interval = intervals(last.fair)[0]
    mean, error = float(last.fair.means[0]), interval.half_width / 1.96
    assert exact > 0.5
    assert abs(mean - exact) < 4 * error
