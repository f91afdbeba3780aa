"""What nets play at full limit hold'em, decision by decision for all hands: NumPy only.

As `flop_nets.py` says it for Flop Hold'em: each net counts by its weight and by how its own seat comes to the decision
with it. Nothing is worked out before it is asked for; what the cards say is remembered for the boards just seen.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.core.net_file import NetSet
from tahur.core.towers import SLOTS, policy_of
from tahur.games.encoders.holdem import combo_cards
from tahur.games.encoders.registry import encoder_of
from tahur.games.holdem.limit_betting import Betting, betting_of
from tahur.games.holdem.rules import Holdem
from tahur.solvers.limit.asked import table_at
from tahur.solvers.limit.bounds import CARDS

Numbers = NDArray[Any]
Board = tuple[int, ...]


class LimitAverage:
    """The explicit average of a set of nets, as the bounds and the pictures ask for it."""

    def __init__(self, nets: NetSet, game: Holdem) -> None:
        self.nets, self.game = nets, game
        self.betting: Betting = betting_of(game)
        self._encoder: Any = encoder_of(game)
        self._read = lru_cache(maxsize=8 * 2 * len(nets.kept))(self._cards)
        self._told = lru_cache(maxsize=None)(self._bets)
        self._played = lru_cache(maxsize=512)(self._policy)

    def chances(self, decision: int, board: Board) -> Numbers:
        """(1326, 3); hands with a card of the board are given something."""
        sums, even = np.zeros((COMBOS, SLOTS)), self.betting.legal[decision] / self.betting.legal[decision].sum()
        for number, weight in enumerate(self.nets.weights):
            reach = np.full(COMBOS, weight)
            for above, slot in self._own_way(decision):
                reach *= self._played(number, above, board[: CARDS[self.betting.street[above]]])[:, slot]
            sums += reach[:, None] * self._played(number, decision, board)
        total = sums.sum(axis=1, keepdims=True)
        found: Numbers = np.where(total > 0, sums / np.where(total > 0, total, 1.0), even)
        return found

    def _own_way(self, decision: int) -> list[tuple[int, int]]:
        """The decisions of the same seat on the way there, with what was done."""
        betting, way, node = self.betting, [], decision
        while betting.parent[node] >= 0:
            above = int(betting.parent[node])
            if betting.seat[above] == betting.seat[decision]:
                way.append((above, int(betting.slot[node])))
            node = above
        return way

    def _policy(self, number: int, decision: int, board: Board) -> Numbers:
        """What one net does with each hand."""
        role = self._roles[decision]
        factors, added = self._told(number, decision)
        regrets = self._read(number, role, board) @ factors[0].T + added[0]
        return policy_of(regrets, self.betting.legal[decision], uniform=self.nets.uniform)

    def _cards(self, number: int, role: int, board: Board) -> Numbers:
        """What a net's card tower says of all hands on a board."""
        boards = np.broadcast_to(np.array(board, np.uint8), (COMBOS, len(board)))
        return self.nets.kept[number].towers[role].cards(self._encoder.rows(combo_cards(), boards))

    def _bets(self, number: int, decision: int) -> tuple[Numbers, Numbers]:
        """What a net's betting tower says of a decision; the cards of the board do not matter."""
        cards = tuple(range(CARDS[self.betting.street[decision]]))
        row = self._encoder.betting(table_at(self.betting, decision, cards))
        return self.nets.kept[number].towers[self._roles[decision]].bets(row[None])

    @cached_property
    def _roles(self) -> list[int]:
        return [self._encoder.role(self.game, int(seat)) for seat in self.betting.seat[: self.betting.decisions]]
