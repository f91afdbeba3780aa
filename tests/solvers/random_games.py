"""Small games made by chance, for properties that must hold in every game: any betting, a public move, any payoffs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.game import CHANCE, OVER, Matrix


@dataclass(frozen=True, slots=True)
class RandomTable:
    game: RandomGame = field(repr=False)
    history: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        return self.game.turns.get(self.history, OVER)

    def actions(self) -> tuple[int, ...]:
        return tuple(range(self.game.counts[self.history])) if self.turn >= 0 else ()

    def after(self, action: int) -> RandomTable:
        return RandomTable(self.game, (*self.history, action))


@dataclass(frozen=True, eq=False)
class RandomGame:
    """Everything is drawn from one seed. Chance may not show the number that either hand is, if it has one there."""

    seed: int
    zero_sum: bool = True
    name: str = "random"
    seats: int = 2
    turns: dict[tuple[int, ...], int] = field(default_factory=dict)
    counts: dict[tuple[int, ...], int] = field(default_factory=dict)
    paid: dict[tuple[int, ...], Matrix] = field(default_factory=dict)
    sizes: tuple[int, int] = (0, 0)
    together: Any = None

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        size = int(rng.integers(4, 6))
        object.__setattr__(self, "sizes", (size, size))
        object.__setattr__(self, "together", ~np.eye(size, dtype=bool))
        self._grow((), rng, 0)

    def _grow(self, history: tuple[int, ...], rng: np.random.Generator, depth: int) -> None:
        kind = rng.random()
        if depth and (depth == 4 or kind < 0.3):
            first, second = rng.normal(size=(2, *self.sizes))
            self.paid[history] = Matrix(first, None if self.zero_sum else second)
            return
        deal = 0.3 < kind < 0.5 and CHANCE not in (self.turns[history[:at]] for at in range(len(history)))
        self.turns[history] = CHANCE if deal else int(rng.integers(2))
        self.counts[history] = self.sizes[0] if deal else int(rng.integers(1, 4))
        for move in range(self.counts[history]):
            self._grow((*history, move), rng, depth + 1)

    def start(self) -> RandomTable:
        return RandomTable(self)

    def outcomes(self, table: RandomTable, hands: Sequence[int]) -> tuple[int, ...]:
        if table.turn != CHANCE:
            return ()
        return tuple(move for move in range(self.counts[table.history]) if move not in hands)

    def payoffs(self, table: RandomTable, hands: Sequence[int]) -> tuple[float, float]:
        return self.paid[table.history].payoffs(*hands)

    def hands(self, seat: int) -> range:
        return range(self.sizes[seat])

    def prior(self, seat: int) -> NDArray[np.float64]:
        weights = np.random.default_rng(self.seed + 7 + seat).random(self.sizes[seat]) + 0.1
        return weights / weights.sum()

    def possible(self, hands: Sequence[int]) -> bool:
        return bool(self.together[hands[0], hands[1]])

    def terminal(self, table: RandomTable) -> Matrix:
        return self.paid[table.history]

    def holdings(self, seat: int) -> None:
        return None

    def shown(self, table: RandomTable, move: int) -> tuple[int, ...]:
        return ()

    def symmetries(self) -> tuple[()]:
        return ()
