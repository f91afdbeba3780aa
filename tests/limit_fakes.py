"""A policy for any limit game that nobody trained: chances by hand, board and decision, the same each time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.rankings import class_of_combos
from tahur.games.betting import Betting, betting_of
from tahur.games.registry import make


@cache
def betting(name: str = "fhp") -> Betting:
    game: Any = make(name, {})
    return betting_of(game)


@dataclass(frozen=True)
class FakePolicy:
    """Of the 169 hands each has its own chances; `seed` makes another policy."""

    betting: Betting
    seed: int = 1

    def chances(self, decision: int, board: tuple[int, ...]) -> np.ndarray:
        rng = np.random.default_rng([self.seed, decision, *sorted(board)])
        weights = rng.random((169, 3))[class_of_combos()] ** 3 * self.betting.legal[decision]
        assert weights.shape == (COMBOS, 3)
        return weights / weights.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class EvenPolicy:
    """Every legal action equally often."""

    betting: Betting

    def chances(self, decision: int, board: tuple[int, ...]) -> np.ndarray:
        legal = self.betting.legal[decision].astype(float)
        return np.tile(legal / legal.sum(), (COMBOS, 1))
