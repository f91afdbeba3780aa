"""Small games played through branch by branch, and a strategy that mixes: what tests of luck are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from tahur.core.game import CHANCE, OVER, Action
from tahur.core.player import Decision, View
from tahur.core.record import Record, Seen
from tahur.core.strategy import draw


class Mixed:
    """A strategy, and the player that draws from it: some chance for each action, by the hand and what was played."""

    def __init__(self, seed: int, most: int = 4) -> None:
        self._seed = seed
        self._most = most
        self._made: dict[tuple[int, ...], Mapping[Action, float]] = {}

    def probabilities(self, view: View) -> Mapping[Action, float]:
        assert view.hand is not None
        situation = (self._seed, view.seat, view.hand, *view.table.history)
        if situation not in self._made:
            actions = view.table.actions()[: self._most]
            weights = np.random.default_rng(situation).random(len(actions)) ** 2 + 0.01
            self._made[situation] = dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
        return self._made[situation]

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


Deals = Sequence[tuple[float, tuple[int, ...]]]  # each with its chance


def card_deals(cards: int, seats: int) -> Deals:
    deals = list(permutations(range(cards), seats))
    return [(1 / len(deals), hands) for hands in deals]


def dice_deals(game: Any) -> Deals:
    chances = [dict(zip(game.hands(seat), game.prior(seat).tolist(), strict=True)) for seat in range(game.seats)]
    return [
        (float(np.prod([chances[seat][hand] for seat, hand in enumerate(hands)])), hands)
        for hands in product(*(game.hands(seat) for seat in range(game.seats)))
    ]


def all_ways(game: Any, table: Any, hands: tuple[int, ...], mixed: Sequence[Mixed]) -> Iterator[tuple[float, Record]]:
    """Every way the deal can go, and how likely it is."""
    if table.turn == OVER:
        yield (
            1.0,
            Record(
                game=game.name,
                settings=game.settings,
                hands=hands,
                actions=table.history,
                payoffs=game.payoffs(table, hands),
            ),
        )
        return
    if table.turn == CHANCE:
        outcomes = game.outcomes(table, hands)
        moves: Mapping[Action, float] = dict.fromkeys(outcomes, 1 / len(outcomes))
    else:
        moves = mixed[table.turn].probabilities(View(game, table, table.turn, hands[table.turn]))
    for move, chance in moves.items():
        for more, record in all_ways(game, table.after(move), hands, mixed):
            yield chance * more, record
