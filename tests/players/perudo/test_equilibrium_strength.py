"""`equilibrium` beats every other mind heads-up, on rounds solved as `tahur perudo prepare` does if nothing is said."""

from __future__ import annotations

from math import sqrt

import pytest
from ten_lines import matches_won

from tahur.cli.perudo.values import solve_missing_rounds
from tahur.games.perudo.game import perudo
from tahur.players.registry import make_player

OTHERS = ("shark", "turtle", "chaos", "calculator", "bluffer", "trapper", "odds", "timeout", "random")
GAMES = 500


@pytest.mark.slow(minutes=45)  # the first one solves the rounds that the player needs
@pytest.mark.parametrize("name", OTHERS)
def test_equilibrium_beats_every_other_mind_with_95_per_cent_confidence(name: str) -> None:
    solve_missing_rounds(perudo(), ["equilibrium"])  # some minutes, once: they are kept
    won = matches_won([make_player("equilibrium"), make_player(name)], GAMES)
    assert won - 1.96 * sqrt(won * (1 - won) / GAMES) > 0.5
