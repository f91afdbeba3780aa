"""`equilibrium`: plays solved rounds where there are any; else, and with more than two seats, by the odds of one step.

Solved rounds are files in a folder, named by what can be said in the round and what it pays: a command or a door puts
them there. Small rounds are solved whole, larger ones for seats that remember the last few bids.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tahur.core.cache import kept_folder
from tahur.core.errors import StrategyError
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import draw
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.round import Round
from tahur.games.perudo.solved import RoundStrategy, read_round, signature
from tahur.players.perudo.expectation import best_heard, thought

FOLDER: Final = "perudo-rounds"


class Equilibrium:
    """Remembers nothing but which rounds it has at hand."""

    learns = False

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or kept_folder(FOLDER)
        self._known: dict[str, RoundStrategy | None] = {}

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        strategy = self.strategy_for(view)
        if strategy is None:
            chosen = best_heard(view)
            return Decision(chosen.action, thought(chosen))
        chances = strategy.probabilities(view)
        action = draw(chances, rng)
        kind = "solved" if strategy.recall is None else f"solved, {strategy.recall.bids} bids remembered"
        said = f"{view.game.label(view.table, action)} {100 * chances[action]:.0f} %"
        return Decision(action, f"[Equilibrium] {strategy.name}, {kind}: {said}")

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        strategy = self.strategy_for(view)
        return {best_heard(view).action: 1.0} if strategy is None else strategy.probabilities(view)

    def strategy_for(self, view: View) -> RoundStrategy | None:
        """The solved round that is being played, if it is at hand."""
        round_: Round = view.table.round
        if len(round_.order) != 2:
            return None
        name = kept_name(round_)
        if name not in self._known:
            self._known[name] = kept_round(self._folder, name)
        return self._known[name]


@lru_cache(maxsize=1024)
def kept_name(round_: Round) -> str:
    """What a round is kept under: its own name, and the rules of the match, on which it depends what a die is worth."""
    rules = hashlib.sha256(repr(replace(round_.rules, name="")).encode()).hexdigest()
    return f"{signature(round_)}-{rules[:6]}"


def whole_file(folder: Path, name: str) -> Path:
    """Where a round that was solved whole is kept."""
    return folder / f"{name}.tahur"


def recalled_file(folder: Path, name: str) -> Path:
    """Where a round that was solved for seats that remember the last few bids is kept."""
    return folder / f"{name}-recall.tahur"


def kept_round(folder: Path, name: str) -> RoundStrategy | None:
    """A round that was solved whole or, if there is none, one that is remembered in part."""
    for path in (whole_file(folder, name), recalled_file(folder, name)):
        try:
            return read_round(path)
        except StrategyError:
            continue
    return None
