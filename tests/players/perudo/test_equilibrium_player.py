"""`equilibrium` plays the solved round that is at hand, for its own seat, and by the odds where there is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tahur.core.chance import RandomDealer
from tahur.core.player import View
from tahur.core.referee import play
from tahur.games.perudo.bids import DUDO, bid
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.recall import Recall
from tahur.games.perudo.solved import write_round
from tahur.players.perudo.equilibrium import Equilibrium, kept_name, recalled_file, whole_file
from tahur.players.perudo.expectation import best_heard
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver


def view_of(game: Perudo, seat: int, hand: int, *said: int) -> View:
    table = game.start()
    for action in said:
        table = table.after(action)
    return View(game, table, seat, hand)


def keep(game: Perudo, folder: Path) -> None:
    solver = RoundSolver(game)
    solver.iterate(5)
    write_round(whole_file(folder, kept_name(game.round)), solver.strategy(solver.measure()))


def keep_recalled(game: Perudo, folder: Path) -> None:
    solver = RecallSolver(game, Recall(2))
    solver.iterate(2)
    write_round(recalled_file(folder, kept_name(game.round)), solver.strategy(solver.measure(1.0)))


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
        assert player.probabilities(view) == {best_heard(view).action: 1.0}


def test_a_seat_that_is_out_does_not_keep_two_others_from_their_round(folder: Path) -> None:
    game = perudo(cups=(1, 0, 1), opener=2)
    assert Equilibrium(folder).strategy_for(view_of(game, 2, 1)) is not None


def test_a_round_that_is_remembered_in_part_is_played_from_either_seat(tmp_path: Path) -> None:
    game = perudo(cups=(2, 1), rules="classic")
    keep_recalled(game, tmp_path)
    player = Equilibrium(tmp_path)
    opening, answer = view_of(game, 0, 7), view_of(game, 1, 2, bid(1, 2))
    assert set(player.probabilities(opening)) < set(opening.table.actions())  # three aces are never bid
    assert "2 bids remembered" in player.act(answer, np.random.default_rng(1)).thought
    assert player.probabilities(view_of(game, 1, 2, bid(3, 1))) == {DUDO: 1.0}


def test_a_round_that_was_solved_whole_goes_before_one_that_is_remembered_in_part(tmp_path: Path) -> None:
    game = perudo(cups=(1, 1), rules="classic")
    keep_recalled(game, tmp_path)
    keep(game, tmp_path)
    found = Equilibrium(tmp_path).strategy_for(view_of(game, 0, 2))
    assert found is not None
    assert found.recall is None


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
