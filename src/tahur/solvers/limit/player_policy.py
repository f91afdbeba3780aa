"""Players as policies for Flop Hold'em: queried view by view for their action probabilities, once per class of hands.

A player that ignores its hand (`blind = True`) is queried once per decision. Any other player is queried for all 72
million information sets; that takes hours, and is done flop by flop, as the evaluation proceeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, combo_of
from tahur.cards.flops import Flop, canonical_flop, hand_classes, start_classes
from tahur.core.arrays import Float32s
from tahur.core.errors import SolverError
from tahur.core.game import CHANCE
from tahur.core.player import View
from tahur.core.strategy import Strategy
from tahur.games.betting import NOT_LEGAL, SLOTS, Betting, betting_of
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import HoldemTable
from tahur.solvers.limit.bounds import CARDS
from tahur.solvers.limit.evaluate import FlopPolicy

PROBE: Final[Flop] = (0, 4, 9)  # two suits: 2c, 3c, 4d


@dataclass(frozen=True, eq=False)
class PlayerPolicy:
    """A `FlopPolicy` made from any player with known action probabilities."""

    strategy: Strategy
    game: Holdem

    @cached_property
    def betting(self) -> Betting:
        return betting_of(self.game)

    @property
    def blind(self) -> bool:
        return bool(getattr(self.strategy, "blind", False))

    def preflop(self) -> Float32s:
        classes = start_classes()
        return self._answers(0, (), classes.firsts)[:, classes.member]

    def flop(self, cards: Flop) -> Float32s:
        if self.blind:
            return self._blind_flop
        classes = hand_classes(cards)
        return self._answers(1, cards, classes.firsts)[:, classes.member]

    def chances(self, decision: int, board: tuple[int, ...]) -> Float32s:
        """(1326, 3) at any decision of any limit game; hands with a card of the board are queried like the others."""
        if self.blind:
            return np.broadcast_to(self._strategy_without_hand(decision), (COMBOS, len(SLOTS)))
        table = self._table(decision, board)
        return np.array([self._ask(decision, table, hand) for hand in range(COMBOS)], np.float32)

    @cached_property
    def _strategy_without_hand(self) -> Callable[[int], Float32s]:
        """A cached function: (3,) the strategy at a decision of a player that ignores its hand and the board."""

        @cache
        def answer(decision: int) -> Float32s:
            board = tuple(range(CARDS[self.betting.street[decision]]))  # any board and any hand will do
            return np.array(self._ask(decision, self._table(decision, board), COMBOS - 1), np.float32)

        return answer

    @cached_property
    def _blind_flop(self) -> Float32s:
        """The strategy on the flop, which is the same for every flop."""
        return np.repeat(self._answers(1, PROBE, np.array([combo_of((50, 51))])), COMBOS, axis=1)

    def check_suits(self) -> None:
        """Reject a player that distinguishes suits, tested on one flop: the evaluation uses suit isomorphism."""
        if self.blind:
            return
        classes = hand_classes(PROBE)
        open_ = np.flatnonzero(classes.member >= 0)
        node = self.betting.of_street(1)[0]
        every = np.array([self._ask(node, self._table(node, PROBE), int(hand)) for hand in open_])
        if np.abs(every - every[np.searchsorted(open_, classes.firsts[classes.member[open_]])]).max() > 0:
            raise SolverError("the player distinguishes suits; only players that treat suits alike are evaluated")

    def _answers(self, street: int, cards: tuple[int, ...], hands: NDArray[np.int64]) -> Float32s:
        """(decisions of the street, hands, 3) the player's probabilities on a board."""
        nodes = self.betting.of_street(street)
        chances = np.zeros((len(nodes), len(hands), len(SLOTS)), np.float32)
        for index, node in enumerate(nodes):
            table = self._table(node, cards)
            if self.blind:
                chances[index] = self._ask(node, table, int(hands[0]))
            else:
                chances[index] = [self._ask(node, table, hand) for hand in hands.tolist()]
        return chances

    def _table(self, node: int, cards: tuple[int, ...]) -> HoldemTable:
        return table_at(self.betting, node, cards)

    def _ask(self, node: int, table: HoldemTable, hand: int) -> list[float]:
        """The player's probabilities of the three slots at a node, 0 for those that are not legal."""
        chances = self.strategy.probabilities(View(self.game, table, table.turn, hand))
        actions: Any = self.betting.actions[node].tolist()
        return [0.0 if action == NOT_LEGAL else chances.get(action, 0.0) for action in actions]


def table_at(betting: Betting, node: int, cards: tuple[int, ...]) -> HoldemTable:
    """The game state at a node of the betting tree, with these cards on the board."""
    table: HoldemTable = betting.game.start()
    path, cards_to_come = [node], list(cards)
    while betting.parent[path[-1]] >= 0:
        path.append(int(betting.parent[path[-1]]))
    for above, below in zip(path[:0:-1], path[-2::-1], strict=True):
        table = table.after(int(betting.actions[above, betting.slot[below]]))
        while table.turn == CHANCE:
            table = table.after(cards_to_come.pop(0))
    return table


@dataclass(frozen=True, eq=False)
class UniformPolicy:
    """Every legal action equally often."""

    game: Holdem

    def preflop(self) -> Float32s:
        return self._even(0)

    def flop(self, cards: Flop) -> Float32s:
        return self._even(1)

    def _even(self, street: int) -> Float32s:
        """(decisions, 1326, 3) equal probabilities of all legal actions."""
        betting = betting_of(self.game)
        nodes = betting.of_street(street)
        legal = betting.legal[nodes.start : nodes.stop].astype(np.float32)
        even = legal / legal.sum(axis=1, keepdims=True)
        return np.repeat(even[:, None, :], COMBOS, axis=1)


@dataclass(frozen=True, eq=False)
class AnyFlopPolicy:
    """A `FlopPolicy` as a `LimitPolicy`: queried decision by decision and for any flop, as the bounds require."""

    policy: FlopPolicy
    betting: Betting

    def chances(self, decision: int, board: tuple[int, ...]) -> Float32s:
        """(1326, 3) the probabilities of fold, call and raise with each hand, at a decision before or on the flop."""
        if not board:
            preflop: Float32s = self._preflop[decision]
            return preflop
        flop, combo_there = canonical_flop(board)  # chances are computed and cached on the canonical flop
        rows: Float32s = self._recent(flop)[decision - self.betting.first[1]][combo_there]
        return rows

    @cached_property
    def _preflop(self) -> Float32s:
        return self.policy.preflop()

    @cached_property
    def _recent(self) -> Callable[[Flop], Float32s]:
        return lru_cache(maxsize=4)(self.policy.flop)
