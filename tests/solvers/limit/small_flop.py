"""Flop Hold'em with a small deck, for the solver that knows no game: the rules of the house, a flop dealt at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from tahur.cards.cards import cards_of, combo_of
from tahur.cards.evaluator import evaluate
from tahur.core.game import CHANCE, NOT_HERE, OVER, Fold, Showdown
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import HoldemTable

# Queens to aces of three suits: flops of one suit, three of a kind and ties, and suits that are alike.
NINE_CARDS = tuple(4 * rank + suit for rank in (10, 11, 12) for suit in (0, 1, 2))
# Suits that are not alike; straights and, in clubs, flushes.
EIGHT_CARDS = (20, 24, 28, 32, 36, 21, 25, 34)


@dataclass(frozen=True)
class SmallTable:
    """The real table, but chance deals three cards in one move, by their number."""

    table: HoldemTable
    flops: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    history: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        return self.table.turn

    def actions(self) -> Sequence[int]:
        return list(self.table.actions())

    def after(self, action: int) -> SmallTable:
        table = self.table
        for each in self.flops[action] if table.turn == CHANCE else (action,):
            table = table.after(each)
        return SmallTable(table, self.flops, (*self.history, action))


@dataclass(frozen=True)
class SmallFlop:
    game: Holdem
    cards: tuple[int, ...]
    name: str = "small flop"
    seats: int = 2

    @cached_property
    def flops(self) -> tuple[tuple[int, ...], ...]:
        return tuple(combinations(sorted(self.cards), 3))

    @cached_property
    def combos(self) -> tuple[int, ...]:
        return tuple(sorted(combo_of(pair) for pair in combinations(self.cards, 2)))

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def start(self) -> SmallTable:
        return SmallTable(self.game.start(), self.flops)

    def outcomes(self, table: SmallTable, hands: Sequence[int]) -> list[int]:
        held = {int(card) for hand in hands for card in cards_of(hand)}
        return [number for number, flop in enumerate(self.flops) if not held & {*flop}] if table.turn == CHANCE else []

    def payoffs(self, table: SmallTable, hands: Sequence[int]) -> tuple[float, ...]:
        return self.game.payoffs(table.table, hands)

    def hands(self, seat: int) -> tuple[int, ...]:
        return self.combos

    def prior(self, seat: int) -> np.ndarray:
        return np.full(len(self.combos), 1 / len(self.combos))

    def possible(self, hands: Sequence[int]) -> bool:
        return not {*cards_of(hands[0])} & {*cards_of(hands[1])}

    def terminal(self, table: SmallTable) -> Fold | Showdown:
        assert table.turn == OVER
        real = table.table
        lost = real.stakes.stacks[0] - real.stacks[0]
        if len(real.live) == 1:
            return Fold(float(-lost if real.live[0] == 1 else real.stakes.stacks[1] - real.stacks[1]))
        ranks = _ranks(self.combos, real.board)
        return Showdown((ranks, ranks), float(lost), float(-lost), 0.0)

    def holdings(self, seat: int) -> np.ndarray:
        return np.array([[int(card) for card in cards_of(hand)] for hand in self.combos])

    def shown(self, table: SmallTable, move: int) -> tuple[int, ...]:
        return self.flops[move]

    def symmetries(self) -> tuple[()]:
        return ()


@lru_cache
def _ranks(hands: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    def rank(hand: int) -> int:
        return NOT_HERE if {*map(int, cards_of(hand))} & {*board} else evaluate((*cards_of(hand), *board))

    return np.array([rank(hand) for hand in hands])
