"""A small card game with folds and showdowns: one street on a full board, a few dozen hands, one size of bet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_of, parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.game import OVER, Fold, Showdown

CHECK_FOLD, BET_CALL = 0, 1
OVERS = {(0, 0), (0, 1, 0), (0, 1, 1), (1, 0), (1, 1)}


@dataclass(frozen=True, slots=True)
class RiverTable:
    history: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        return OVER if self.history in OVERS else len(self.history) % 2

    def actions(self) -> tuple[int, ...]:
        return () if self.turn == OVER else (CHECK_FOLD, BET_CALL)

    def after(self, action: int) -> RiverTable:
        return RiverTable((*self.history, action))


@dataclass(frozen=True)
class RiverSpot:
    """`combos[seat]` are numbers of combos; a hand is one of them. The pot is 2, the bet 1.5; ties pay by `tie`."""

    board: tuple[int, ...]
    combos: tuple[tuple[int, ...], tuple[int, ...]]
    tie: float = 0.0
    name: str = "river"
    seats: int = 2

    def start(self) -> RiverTable:
        return RiverTable()

    def outcomes(self, table: RiverTable, hands: Sequence[int]) -> tuple[int, ...]:
        return ()

    def payoffs(self, table: RiverTable, hands: Sequence[int]) -> tuple[float, float]:
        won = self._won(table.history, *(evaluate((*cards_of(hand), *self.board)) for hand in hands))
        return won, -won

    def _won(self, history: tuple[int, ...], mine: int, theirs: int) -> float:
        if history == (1, 0):
            return 1.0
        if history == (0, 1, 0):
            return -1.0
        chips = 2.5 if sum(history) == 2 else 1.0
        return chips if mine > theirs else -chips if mine < theirs else self.tie

    def hands(self, seat: int) -> tuple[int, ...]:
        return self.combos[seat]

    def prior(self, seat: int) -> NDArray[np.float64]:
        weights = 1.0 + np.arange(len(self.combos[seat])) % 3
        return weights / weights.sum()

    def possible(self, hands: Sequence[int]) -> bool:
        return not {*cards_of(hands[0])} & {*cards_of(hands[1])}

    def terminal(self, table: RiverTable) -> Fold | Showdown:
        if table.history in ((1, 0), (0, 1, 0)):
            return Fold(self._won(table.history, 0, 0))
        strengths = [
            np.array([evaluate((*cards_of(hand), *self.board)) for hand in self.combos[seat]]) for seat in (0, 1)
        ]
        chips = 2.5 if sum(table.history) == 2 else 1.0
        return Showdown((strengths[0], strengths[1]), chips, -chips, self.tie)

    def holdings(self, seat: int) -> NDArray[np.int64]:
        return np.array([[int(card) for card in cards_of(hand)] for hand in self.combos[seat]])

    def shown(self, table: Any, move: int) -> tuple[int, ...]:
        return ()

    def symmetries(self) -> tuple[()]:
        return ()


def river_spot(rng: np.random.Generator, count: int, *, tie: float = 0.0) -> RiverSpot:
    """Some hands for each seat, partly the same ones, on one board."""
    board = tuple(int(card) for card in parse_cards("Td9d6hQc2s"))
    free = [combo for combo in range(1326) if not {*map(int, cards_of(combo))} & {*board}]
    picks = [sorted(int(free[at]) for at in rng.choice(len(free), count, replace=False)) for _ in (0, 1)]
    shared = sorted({*picks[0], *picks[1][: count // 2]})
    return RiverSpot(board, (tuple(shared), tuple(picks[1])), tie)
