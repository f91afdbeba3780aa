"""`equilibrium`: plays solved rounds where they exist; otherwise, and with more than two seats, one-step odds.

Solved rounds are files in a folder, named by a signature of the round's legal actions and payoffs; commands write them.
Small rounds are solved exactly, larger ones with imperfect recall of the bids.
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
    """Remembers nothing but the solved rounds it has loaded."""

    learns = False

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or kept_folder(FOLDER)
        self._known: dict[str, RoundStrategy | None] = {}

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        """Draw an action of the solved round; without one, choose by the odds given the bids."""
        strategy = self.strategy_for(view)
        if strategy is None:
            chosen = best_heard(view)
            return Decision(chosen.action, thought(chosen))
        chances = strategy.probabilities(view)
        action = draw(chances, rng)
        kind = "solved" if strategy.recall is None else f"solved, {strategy.recall.bids} bids remembered"
        choice = f"{view.game.label(view.table, action)} {100 * chances[action]:.0f} %"
        return Decision(action, f"[Equilibrium] {strategy.name}, {kind}: {choice}")

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        strategy = self.strategy_for(view)
        return {best_heard(view).action: 1.0} if strategy is None else strategy.probabilities(view)

    def strategy_for(self, view: View) -> RoundStrategy | None:
        """The solved round for the view, if there is a file for it."""
        round_: Round = view.table.round
        if len(round_.order) != 2:
            return None
        name = kept_name(round_)
        if name not in self._known:
            self._known[name] = kept_round(self._folder, name)
        return self._known[name]


@lru_cache(maxsize=1024)
def kept_name(round_: Round) -> str:
    """The file name of a round: its signature, and the rules of the match, which determine the value of a die."""
    rules = hashlib.sha256(repr(replace(round_.rules, name="")).encode()).hexdigest()
    return f"{signature(round_)}-{rules[:6]}"


def whole_file(folder: Path, name: str) -> Path:
    """The file of a round that was solved with perfect recall."""
    return folder / f"{name}.tahur"


def recalled_file(folder: Path, name: str) -> Path:
    """The file of a round that was solved with imperfect recall."""
    return folder / f"{name}-recall.tahur"


def kept_round(folder: Path, name: str) -> RoundStrategy | None:
    """The stored solution of a round: with perfect recall or, if there is none, with imperfect recall."""
    for path in (whole_file(folder, name), recalled_file(folder, name)):
        try:
            return read_round(path)
        except StrategyError:
            continue
    return None
