"""Lower bounds on the exploitability of a limit policy, for games where a full best response is out of reach.

Any fixed strategy wins at most what a best response wins, so its mean winnings against the policy are a lower bound on
exploitability. Each bound here is such a strategy. Boards are sampled; hands are not: on each board the result is
summed over all hands of both seats.

    best response           checks and calls before a street, then plays a best response to the end
    local best response     on every street the best action if both check and call from there on (Lisy and Bowling 2017)
    a known policy          what one policy wins from another (`FixedPolicy`)

`clairvoyant` is different: it sees the other hand and the cards to come, so it is not a lower bound. It is the result
of taking a maximum deal by deal, which is often mistaken for exploitability, and is far above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.cards.equity.tables import combos
from tahur.cards.tables import load
from tahur.core.arrays import Float64s, Int64s
from tahur.games.betting import FOLDED, SLOTS, Betting
from tahur.games.betting import Board as Board
from tahur.games.betting import LimitPolicy as LimitPolicy
from tahur.solvers.limit.kernels.flops import duels, meetings, sorted_hands

CARDS: Final = (0, 3, 4, 5)  # on the board of each street
CARDS_HELD: Final = 4  # by the two seats
FOLD, CALL, RAISE = range(len(SLOTS))


@dataclass(frozen=True, slots=True)
class Ranks:
    """The hands that are possible on a final board, weakest first."""

    count: int
    ranks: Int64s
    held: Int64s

    @classmethod
    def on(cls, board: Sequence[int]) -> Ranks:
        ranks, held = np.empty(COMBOS, np.int64), np.empty(COMBOS, np.int64)
        return cls(sorted_hands(np.array(board, np.int64), combos(), load(), ranks, held), ranks, held)

    def duel(self, weights: Float64s) -> Float64s:
        """(1326,) for each hand, the weight of a range that it beats minus the weight that beats it."""
        out = np.empty(COMBOS)
        duels(self.count, self.ranks, self.held, weights[None], combos(), out[None])
        return out


def against(weights: Float64s) -> Float64s:
    """(1326,) for each hand, the weight of all hands that the other seat may hold."""
    out = np.empty(COMBOS)
    meetings(weights[None], combos(), out[None])
    return out


def hands_without(board: Sequence[int]) -> Float64s:
    """(1326,) 1 for hands without a card of the board."""
    mask = sum(1 << card for card in board)
    left: Float64s = (combos().mask & mask == 0).astype(np.float64)
    return left


def deals(board: Sequence[int]) -> int:
    """The number of pairs of hands that are possible on a board."""
    left = 52 - len(board)
    return left * (left - 1) // 2 * ((left - 2) * (left - 3) // 2)


def _sum(parts: Sequence[Float64s]) -> Float64s:
    total: Float64s = np.add.reduce(parts)
    return total


def _most(parts: Sequence[Float64s]) -> Float64s:
    most: Float64s = np.maximum.reduce(parts)
    return most


@dataclass(slots=True)
class Exploiter:
    """One seat, with all its hands, against the policy's range on one board."""

    betting: Betting
    policy: LimitPolicy
    seat: int
    ranks: dict[Board, Ranks] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """Cards on the board at the showdown; more than on the last street if the remaining cards are dealt without
        betting."""
        return int(self.betting.game.stakes.showdown_board)

    def terminal_value(self, node: int, board: Board, reach: Float64s) -> Float64s:
        """The payoff of a terminal for each of the seat's hands against the policy's weights; missing cards are run
        out."""
        lost = float(self.betting.committed[node].min())
        if self.betting.kind[node] == FOLDED:
            return (-lost if self.betting.seat[node] == self.seat else lost) * against(reach)
        return lost * self._showdown(board, reach)

    def _showdown(self, board: Board, reach: Float64s) -> Float64s:
        """(1326,) the weight each hand beats minus the weight that beats it, averaged over all run-outs."""
        to_come = self.last - len(board)
        if not to_come:
            return self.ranked(board).duel(reach)
        total = np.zeros(COMBOS)
        for cards in combinations(sorted(set(range(52)) - set(board)), to_come):
            compatible = hands_without(cards)
            total += compatible * self.ranked((*board, *cards)).duel(reach * compatible)
        mean: Float64s = total / comb(52 - len(board) - CARDS_HELD, to_come)
        return mean

    def ranked(self, board: Board) -> Ranks:
        if board not in self.ranks:
            self.ranks[board] = Ranks.on(board)
        return self.ranks[board]

    def below(self, node: int) -> list[tuple[int, int]]:
        """The legal slots of a decision and the nodes they lead to."""
        return [(slot, int(child)) for slot, child in enumerate(self.betting.children[node]) if child >= 0]

    def policy_at(self, node: int, board: Board) -> NDArray[Any]:
        """The policy's probabilities at its decision, given the cards of that street only."""
        return self.policy.chances(node, board[: CARDS[self.betting.street[node]]])


@dataclass(slots=True)
class BestResponse(Exploiter):
    """Checks and calls before a street; from there on plays a best response that sees each card as it is dealt."""

    street: int = 0

    def value(self, node: int, board: Board, reach: Float64s) -> Float64s:
        """(1326,) chips won by each hand, summed over the policy's weights."""
        betting = self.betting
        if node >= betting.decisions:
            return self.terminal_value(node, board, reach)
        if len(board) < CARDS[betting.street[node]]:
            return self._mean_over_next_card(node, board, reach)
        if betting.seat[node] != self.seat:
            chances = self.policy_at(node, board)
            parts = [self.value(child, board, reach * chances[:, slot]) for slot, child in self.below(node)]
            return _sum(parts)
        if betting.street[node] < self.street:
            return self.value(int(betting.children[node, CALL]), board, reach)
        return _most([self.value(child, board, reach) for _, child in self.below(node)])

    def _mean_over_next_card(self, node: int, board: Board, reach: Float64s) -> Float64s:
        """The mean over the next card."""
        total = np.zeros(COMBOS)
        for card in sorted(set(range(52)) - set(board)):
            compatible = hands_without((card,))
            total += compatible * self.value(node, (*board, card), reach * compatible)
        mean: Float64s = total / (52 - len(board) - CARDS_HELD)
        return mean


@dataclass(slots=True)
class LocalBestResponse(Exploiter):
    """Takes the action that would be best if both seats checked and called from there on, for each hand.

    It knows the policy's range, and how much of it folds to a raise. Before the last card it uses a few sampled
    run-outs, which are independent of the cards that are dealt.
    """

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    outs: int = 24
    drawn: dict[Board, list[Board]] = field(default_factory=dict)

    def value(self, node: int, board: Board, mine: Float64s, reach: Float64s) -> Float64s:
        """(1326,) chips won by the hands in `mine`, summed over the policy's weights."""
        betting = self.betting
        if node >= betting.decisions:
            return mine * self.terminal_value(node, board, reach)
        if betting.seat[node] != self.seat:
            chances = self.policy_at(node, board)
            parts = [self.value(child, board, mine, reach * chances[:, slot]) for slot, child in self.below(node)]
            return _sum(parts)
        below = self.below(node)
        seen = board[: CARDS[betting.street[node]]]
        best = np.argmax([self._value_if_checked_down(node, slot, child, seen, reach) for slot, child in below], axis=0)
        taken = [(child, mine * (best == index)) for index, (_, child) in enumerate(below)]
        return _sum([self.value(child, board, hands, reach) for child, hands in taken if hands.any()])

    def _value_if_checked_down(self, node: int, slot: int, child: int, seen: Board, reach: Float64s) -> Float64s:
        """The value of an action if both seats check and call afterwards."""
        mine, others = self.betting.committed[node][[self.seat, 1 - self.seat]]
        if slot == FOLD:
            hoped: Float64s = -float(mine) * against(reach)
        elif slot == CALL:
            hoped = float(others) * self._checked_down(seen, reach)
        else:
            folds = self.policy_at(child, seen)[:, FOLD]
            to = float(self.betting.committed[child][self.seat])
            hoped = float(others) * against(reach * folds) + to * self._checked_down(seen, reach * (1 - folds))
        return hoped

    def _checked_down(self, seen: Board, reach: Float64s) -> Float64s:
        """The weight each hand beats at the showdown minus the weight that beats it."""
        if len(seen) == self.last:
            return self.ranked(seen).duel(reach)
        won, met = np.zeros(COMBOS), np.zeros(COMBOS)
        for board in self._run_outs_of(seen):
            left = reach * hands_without(board[len(seen) :])
            won += self.ranked(board).duel(left)
            met += hands_without(board[len(seen) :]) * against(left)
        share: Float64s = np.divide(won, met, out=np.zeros(COMBOS), where=met > 0)
        return share * against(reach)

    def _run_outs_of(self, seen: Board) -> list[Board]:
        if seen not in self.drawn:
            left = np.array(sorted(set(range(52)) - set(seen)))
            more = self.last - len(seen)
            self.drawn[seen] = [(*seen, *self.rng.choice(left, more, replace=False).tolist()) for _ in range(self.outs)]
        return self.drawn[seen]


@dataclass(slots=True)
class FixedPolicy(Exploiter):
    """The seat plays a policy of its own, `own`."""

    own: LimitPolicy | None = None

    def value(self, node: int, board: Board, mine: Float64s, reach: Float64s) -> Float64s:
        """(1326,) the chips that each hand wins, times its weight in `mine`, summed over the weights in `reach`.

        `mine` and `reach`: (1326,) the weights of the seat's hands and of the policy's at this node.
        """
        assert self.own is not None
        if node >= self.betting.decisions:
            return mine * self.terminal_value(node, board, reach)
        if self.betting.seat[node] == self.seat:
            chances = self.own.chances(node, board[: CARDS[self.betting.street[node]]])
            parts = [self.value(child, board, mine * chances[:, slot], reach) for slot, child in self.below(node)]
        else:
            chances = self.policy_at(node, board)
            parts = [self.value(child, board, mine, reach * chances[:, slot]) for slot, child in self.below(node)]
        return _sum(parts)


@dataclass(slots=True)
class Clairvoyant(Exploiter):
    """Sees the other hand and every card to come: not a strategy of the game, and not a measure of exploitability."""

    def values(self, node: int, board: Board, mine: Int64s, theirs: Int64s) -> Float64s:
        """(deals,) the most chips it can win with each of its hands against the paired hand."""
        betting = self.betting
        if node >= betting.decisions:
            return self._terminal_payoffs(node, board, mine, theirs)
        parts = [self.values(child, board, mine, theirs) for _, child in self.below(node)]
        if betting.seat[node] == self.seat:
            return _most(parts)
        chances = self.policy_at(node, board)[theirs]
        return _sum([chances[:, slot] * part for (slot, _), part in zip(self.below(node), parts, strict=True)])

    def _terminal_payoffs(self, node: int, board: Board, mine: Int64s, theirs: Int64s) -> Float64s:
        """What the seat wins at a terminal with each pair of hands."""
        lost = float(self.betting.committed[node].min())
        if self.betting.kind[node] == FOLDED:
            return np.full(len(mine), -lost if self.betting.seat[node] == self.seat else lost)
        ranked = self.ranked(board)
        rank = np.zeros(COMBOS, np.int64)
        rank[ranked.held[: ranked.count]] = ranked.ranks[: ranked.count]
        signs: Float64s = lost * np.sign(rank[mine] - rank[theirs])
        return signs
