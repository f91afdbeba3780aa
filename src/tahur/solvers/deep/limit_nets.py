"""What nets play at full limit hold'em, decision by decision for all hands: NumPy only.

As `flop_nets.py` says it for Flop Hold'em: each net counts by its weight and by how its own seat comes to the decision
with it. Nothing is worked out before it is asked for; what the cards say is remembered for the boards just seen.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.core.net_file import NetSet
from tahur.core.towers import policy_of
from tahur.games.encoders.holdem import combo_cards
from tahur.games.encoders.registry import encoder_of
from tahur.games.holdem.limit_betting import Betting, betting_of
from tahur.games.holdem.rules import Holdem
from tahur.solvers.limit.asked import table_at
from tahur.solvers.limit.bounds import CARDS

Numbers = NDArray[Any]
Board = tuple[int, ...]
ROOM: Final = 320  # of boards times nets, whose cards are remembered: 0.7 MB each at width 128


class LimitAverage:
    """The explicit average of a set of nets, as the bounds and the pictures ask for it."""

    def __init__(self, nets: NetSet, game: Holdem) -> None:
        self.nets, self.game = nets, game
        self.betting: Betting = betting_of(game)
        self._encoder: Any = encoder_of(game)
        count = len(nets.kept)
        self._read = lru_cache(maxsize=max(16, ROOM // count))(self._cards)
        self._told = lru_cache(maxsize=None)(self._bets)
        self._played = lru_cache(maxsize=512)(self._policies)
        self._come = lru_cache(maxsize=512)(self._reach)

    def chances(self, decision: int, board: Board) -> Numbers:
        """(1326, 3); hands with a card of the board are given something."""
        even = self.betting.legal[decision] / self.betting.legal[decision].sum()
        sums = np.einsum("nh,nhs->hs", self._come(decision, board), self._played(decision, board))
        total = sums.sum(axis=1, keepdims=True)
        found: Numbers = np.where(total > 0, sums / np.where(total > 0, total, 1.0), even)
        return found

    def _reach(self, decision: int, board: Board) -> Numbers:
        """(nets, 1326): each net's weight, and how the seat to act comes here with it by its own choices."""
        last = self._own_last(decision)
        if last is None:
            return np.broadcast_to(np.array(self.nets.weights)[:, None], (len(self.nets.kept), COMBOS))
        above, slot = last
        seen = board[: CARDS[self.betting.street[above]]]
        found: Numbers = self._come(above, seen) * self._played(above, seen)[:, :, slot]
        return found

    def _own_last(self, decision: int) -> tuple[int, int] | None:
        """The decision of the same seat before this one, with what was done."""
        betting, node = self.betting, decision
        while betting.parent[node] >= 0:
            above = int(betting.parent[node])
            if betting.seat[above] == betting.seat[decision]:
                return above, int(betting.slot[node])
            node = above
        return None

    def _policies(self, decision: int, board: Board) -> Numbers:
        """(nets, 1326, 3): what each net does with each hand."""
        factors, added = self._told(decision)
        regrets = np.matmul(self._read(self._roles[decision], board), factors) + added[:, None]
        return policy_of(regrets, self.betting.legal[decision], uniform=self.nets.uniform)

    def _cards(self, role: int, board: Board) -> Numbers:
        """(nets, 1326, width): what the nets' card towers say of all hands on a board."""
        boards = np.broadcast_to(np.array(board, np.uint8), (COMBOS, len(board)))
        rows = self._encoder.rows(combo_cards(), boards)
        return np.stack([each.towers[role].cards(rows) for each in self.nets.kept])

    def _bets(self, decision: int) -> tuple[Numbers, Numbers]:
        """(nets, width, 3) and (nets, 3): what the betting towers say; the cards of the board do not matter."""
        cards = tuple(range(CARDS[self.betting.street[decision]]))
        row = self._encoder.betting(table_at(self.betting, decision, cards))[None]
        said = [each.towers[self._roles[decision]].bets(row) for each in self.nets.kept]
        factors = np.stack([factors[0].T for factors, _ in said])
        return np.ascontiguousarray(factors), np.concatenate([added for _, added in said])

    @cached_property
    def _roles(self) -> list[int]:
        return [self._encoder.role(self.game, int(seat)) for seat in self.betting.seat[: self.betting.decisions]]
