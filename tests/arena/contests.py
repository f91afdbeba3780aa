"""Matches for the tests of the arena: makers that other processes can make players with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from tahur.arena.luck import Luck
from tahur.arena.match import Maker, Match
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import draw
from tahur.games.registry import GAMES


class Mixer:
    """Fold, call or raise by chances that depend on the hand: a strategy that is known and mixes everywhere."""

    def __init__(self, boldness: float) -> None:
        self._boldness = boldness

    def probabilities(self, view: View) -> Mapping[Action, float]:
        assert view.hand is not None
        actions = view.table.actions()
        weights = [1 + self._boldness * place * (1 + view.hand % 3) for place in range(len(actions))]
        return {action: weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}

    def begin(self, view: View, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        pass


class Grudge(Mixer):
    """Plays on by what it saw before in its sitting, to tell whether it was made anew."""

    def __init__(self) -> None:
        super().__init__(0.1)

    def learn(self, seen: Seen) -> None:
        assert seen.payoffs is not None
        assert seen.seat is not None
        self._boldness += 0.05 * (seen.payoffs[seen.seat] < 0)


TIMID: Maker = partial(Mixer, 0.0)
BOLD: Maker = partial(Mixer, 2.0)


def match_between(
    *makers: Maker,
    game: Game[Any] | None = None,
    unit: int = 0,
    seed: int = 1,
    duplicate: bool = True,
    luck: Luck = Luck.NONE,
) -> Match:
    """A match at Leduc, unless another game is given; `unit` is the place in the list of its units."""
    played = game or GAMES["leduc"].make()
    scoring = GAMES[played.name].scorings(played)[unit]
    names = tuple("abcdefghi"[: len(makers)])
    return Match(game=played, scoring=scoring, names=names, makers=makers, seed=seed, duplicate=duplicate, luck=luck)
