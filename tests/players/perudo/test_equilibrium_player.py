"""`equilibrium` plays the solved round that is at hand, for its own seat, and by the odds where there is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tahur.core.chance import RandomDealer
from tahur.core.player import View
from tahur.core.referee import play
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.ladder import Limit
from tahur.games.perudo.solved import write_round
from tahur.players.perudo.equilibrium import Equilibrium, kept_name, limited_file, whole_file
from tahur.players.perudo.expectation import best
from tahur.solvers.perudo.solver import RoundSolver


def view_of(game: Perudo, seat: int, hand: int, *said: int) -> View:
    table = game.start()
    for action in said:
        table = table.after(action)
    return View(game, table, seat, hand)


def keep(game: Perudo, folder: Path, limit: Limit | None = None) -> None:
    solver = RoundSolver(game, limit=limit)
    solver.advance(5)
    strategy, name = solver.strategy(solver.measure()), kept_name(game.round)
    write_round(whole_file(folder, name) if limit is None else limited_file(folder, name, limit.seat), strategy)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("rounds")
    keep(perudo(cups=(1, 1), opener=0), found)
    return found


@pytest.mark.parametrize("opener", [0, 1])
def test_a_solved_round_is_played_from_either_chair(folder: Path, opener: int) -> None:
    player, game = Equilibrium(folder), perudo(cups=(1, 1), opener=opener)
    view = view_of(game, opener, 3)
    assert player.strategy_for(view) is not None
    chances = player.probabilities(view)
    assert set(chances) == set(view.table.actions())
    assert sum(chances.values()) == pytest.approx(1)
    assert "solved" in player.act(view, np.random.default_rng(1)).thought


def test_rounds_that_are_not_at_hand_are_played_by_the_odds(folder: Path) -> None:
    player = Equilibrium(folder)
    for game in (perudo(cups=(2, 1)), perudo(cups=(1, 1, 1)), perudo(cups=(1, 1), rules="classic")):
        view = view_of(game, 0, game.hands(0)[0])
        assert player.strategy_for(view) is None
        assert player.probabilities(view) == {best(view).action: 1.0}


def test_a_seat_that_is_out_does_not_keep_two_others_from_their_round(folder: Path) -> None:
    game = perudo(cups=(1, 0, 1), opener=2)
    assert Equilibrium(folder).strategy_for(view_of(game, 2, 1)) is not None


def test_a_limited_strategy_is_played_only_from_its_seat(tmp_path: Path) -> None:
    game = perudo(cups=(1, 1), rules="classic")
    keep(game, tmp_path, Limit(1, 3))
    player = Equilibrium(tmp_path)
    assert player.strategy_for(view_of(game, 0, 2)) is None
    assert player.strategy_for(view_of(game, 1, 2, 2)) is not None


def test_whole_matches_end_whatever_is_at_hand(folder: Path) -> None:
    rng = np.random.default_rng(3)
    player, game = Equilibrium(folder), perudo(dice=2)
    seats = 0
    while game is not None and seats < 100:
        deal = play(game, RandomDealer(rng))
        ask = next(deal)
        try:
            while True:
                ask = deal.send(player.act(ask.view, rng))
        except StopIteration as stop:
            game = game.next(stop.value)
        seats += 1
    assert game is None
