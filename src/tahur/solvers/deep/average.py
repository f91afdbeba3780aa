"""The average strategy of a set of nets, computed explicitly: NumPy only.

At a decision, net t is weighted by its weight times its own seat's reach there: the probability that this net's own
choices lead to it. That is what drawing one net per hand and playing it throughout does on average; without the reach
it would be a different, worse strategy.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.core.arrays import Array, Float32s, Float64s
from tahur.core.game import CHANCE, OVER, Solvable
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import SLOTS, Towers, policy_of
from tahur.games.betting import Betting, betting_of
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.games.encoders.holdem import combo_cards
from tahur.games.encoders.registry import encoder_of
from tahur.games.holdem.rules import Holdem
from tahur.solvers.deep.kernels import average_policies
from tahur.solvers.limit.bounds import CARDS
from tahur.solvers.response import Judge, Measure, judge_of, normalise
from tahur.solvers.tree import ROOT, Tree
from tahur.solvers.unroll import unroll


class TreeAverage:
    """For games that fit in memory: sums up nets, one by one, and evaluates their average by best responses."""

    def __init__(self, game: Solvable[Any], *, uniform: bool = False) -> None:
        self.tree = unroll(game, merge=False)
        self.uniform = uniform
        self.sums = np.zeros(self.tree.size)
        self._told = _DecisionRows(self.tree)
        self._judge: Judge | None = None

    def add(self, net: KeptNet) -> None:
        """Add one net, for both roles."""
        for role in (0, 1):
            for node, chances, reach in self._walk(net.towers[role], role):
                self.tree.part(self.sums, node)[:] += weighed(net.weight, reach, chances)

    def strategy(self) -> Float64s:
        """The average in the tree's layout, as probabilities."""
        return normalise(self.tree, self.sums)

    def measure(self) -> Measure:
        """Exact best responses to the average."""
        self._judge = self._judge or judge_of(self.tree)
        return self._judge.measure(self.sums)

    def _walk(self, towers: Towers, role: int) -> Any:
        """Each decision of the role with the net's probabilities (actions, hands) and the role's own reach (hands)."""
        tree, policies = self.tree, self._told.policies(towers, role, uniform=self.uniform)
        reach = {ROOT: np.ones(tree.hands[role])}
        for node in range(len(tree.actions)):
            reach_here = reach.pop(node)
            chances = policies.get(node)
            for row, child in enumerate(tree.children(node)):
                reach[child] = reach_here if chances is None else reach_here * chances[row]
            if chances is not None:
                yield node, chances, reach_here


def weighed(weight: float, reach: Float64s, chances: Float64s) -> Float64s:
    """A net's contribution to the sums of a decision: its weight times its own reach times its probabilities."""
    return weight * reach * chances


class _DecisionRows:
    """The input rows of all decisions and hands of a tree, for each role."""

    def __init__(self, tree: Tree) -> None:
        """Walk the tree once, and encode every decision for each hand of the seat that acts."""
        encoder = encoder_of(tree.game)
        self.hands = tree.hands
        self.nodes: tuple[list[int], list[int]] = ([], [])
        self.slots: dict[int, list[int]] = {}
        bets: tuple[list[Float32s], list[Float32s]] = ([], [])
        cards: tuple[list[Float32s], list[Float32s]] = ([], [])
        tables = {ROOT: tree.game.start()}
        for node in range(len(tree.actions)):
            if node != ROOT:
                tables[node] = tables[int(tree.nodes.parent[node])].after(int(tree.actions[node]))
            table = tables[node]
            if table.turn not in (CHANCE, OVER):
                role = encoder.role(tree.game, table.turn)
                slots = encoder.slots(table)
                self.nodes[role].append(node)
                self.slots[node] = [slots.index(action) for action in tree.menu(node)]
                bets[role].append(encoder.betting(table))
                cards[role].append(encoder.cards(table, np.array(tree.game.hands(table.turn))))
        self.bets = [np.array(rows).reshape(-1, BET_WIDTH) for rows in bets]
        self.cards = [np.concatenate(rows) for rows in cards]

    def policies(self, towers: Towers, role: int, *, uniform: bool) -> dict[int, Float64s]:
        """For each decision of the role, (actions, hands) the probabilities that a net gives."""
        hands = self.hands[role]
        factors, added = towers.bets(self.bets[role])
        cards = towers.cards(self.cards[role]).reshape(len(factors), hands, -1)
        regrets = np.einsum("nhd,nsd->nhs", cards, factors, optimize=True) + added[:, None, :]
        rows = {}
        for row, node in enumerate(self.nodes[role]):
            slots = self.slots[node]
            legal = np.isin(np.arange(SLOTS), slots)
            rows[node] = policy_of(regrets[row].astype(float), legal, uniform=uniform)[:, slots].T
        return rows


# ---- limit hold'em -------------------------------------------------------------------------------
# The average strategy of a set of nets at limit hold'em, for all hands at one decision: NumPy and one kernel. As
# `flop_nets.py` for Flop Hold'em: each net is weighted by its weight and by its own seat's reach. Nothing is computed
# before it is needed. The decisions that one seat has on a street after the same line are computed in one batch,
# because evaluation needs most of them anyway; card towers and batches of the boards just seen are cached.


Board = tuple[int, ...]
ROOM: Final = 320  # boards times nets whose card towers are cached: 0.7 MB each at width 128
NONE: Final = -1


class DecisionBatch(NamedTuple):
    """The decisions that one seat has on a street after the same line into it, ancestors first."""

    decisions: tuple[int, ...]
    above: NDArray[np.int64]  # the seat's previous decision, as an index in this batch; NONE: the entry
    slots: NDArray[np.int64]  # the action taken at that decision
    entry: tuple[int, int] | None  # the seat's last decision before the street and the action taken; None at the start


class LimitAverage:
    """The explicit average of a set of nets, for bounds and pictures."""

    def __init__(self, nets: NetSet, game: Holdem) -> None:
        self.nets, self.game = nets, game
        self.betting: Betting = betting_of(game)
        self._encoder: Any = encoder_of(game)
        self._card_towers = lru_cache(maxsize=max(16, ROOM // len(nets.kept)))(self._read_cards)
        self._betting_towers = lru_cache(maxsize=None)(self._read_betting)
        self._computed = lru_cache(maxsize=256)(self._compute)

    def chances(self, decision: int, board: Board) -> Array:
        """(1326, 3) the probability of each slot at a decision; hands that share a card with the board get arbitrary
        ones."""
        number, row = self._places[decision]
        mean: Array = self._computed(number, board)[2][:, row]
        return mean

    def _compute(self, number: int, board: Board) -> tuple[Array, Array, Array]:
        """For one batch: each net's policies (nets, 1326, decisions, 3), its reach, and the average of all nets."""
        batch = self._batches[number]
        factors, added = self._betting_towers(number)
        role = self._roles[batch.decisions[0]]
        regrets = np.matmul(self._card_towers(role, board), factors) + added[:, None]
        policies = regrets.reshape(len(self.nets.kept), COMBOS, -1, SLOTS)
        reach = np.empty(policies.shape[:3], np.float32)
        mean = np.zeros(policies.shape[1:])
        average_policies(
            policies,
            self.betting.legal[list(batch.decisions)],
            self.nets.uniform,
            self._start(batch, board),
            batch.above,
            batch.slots,
            reach,
            mean,
        )
        return policies, reach, mean

    def _start(self, batch: DecisionBatch, board: Board) -> NDArray[np.float32]:
        """(nets, 1326): each net's weight times its seat's reach of the street."""
        if batch.entry is None:
            weights = np.asarray(self.nets.weights, np.float32)
            return np.ascontiguousarray(np.broadcast_to(weights[:, None], (len(weights), COMBOS)))
        decision, slot = batch.entry
        number, row = self._places[decision]
        policies, reach, _ = self._computed(number, board[: CARDS[self.betting.street[decision]]])
        return np.ascontiguousarray(reach[:, :, row] * policies[:, :, row, slot])

    def _read_cards(self, role: int, board: Board) -> Array:
        """(nets, 1326, width): the card towers' output for all hands on a board."""
        boards = np.broadcast_to(np.array(board, np.uint8), (COMBOS, len(board)))
        rows = self._encoder.rows(combo_cards(), boards)
        return np.stack([net.towers[role].cards(rows) for net in self.nets.kept])

    def _read_betting(self, number: int) -> tuple[Array, Array]:
        """(nets, width, decisions * 3) and (nets, decisions * 3): the betting towers' output, the same for any
        board."""
        decisions = self._batches[number].decisions
        rows = np.array([self._encoder.betting(self.betting.tables[decision]) for decision in decisions])
        outputs = [net.towers[self._roles[decisions[0]]].bets(rows) for net in self.nets.kept]
        factors = np.stack([factors.reshape(-1, factors.shape[-1]).T for factors, _ in outputs])
        return np.ascontiguousarray(factors), np.stack([added.reshape(-1) for _, added in outputs])

    @cached_property
    def _roles(self) -> list[int]:
        return [self._encoder.role(self.game, int(seat)) for seat in self.betting.seat[: self.betting.decisions]]

    @cached_property
    def _batches(self) -> list[DecisionBatch]:
        groups: dict[tuple[int, int], list[int]] = {}
        for decision in range(self.betting.decisions):
            groups.setdefault((self._street_entry(decision), int(self.betting.seat[decision])), []).append(decision)
        return [self._batch(decisions) for decisions in groups.values()]

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        """For each decision: the index of its batch, and its index there."""
        return {
            decision: (number, row)
            for number, batch in enumerate(self._batches)
            for row, decision in enumerate(batch.decisions)
        }

    def _batch(self, decisions: list[int]) -> DecisionBatch:
        """Decisions that are computed together, and for each the one before it of the same seat."""
        lasts = [self._own_last(decision) for decision in decisions]
        inside = [last is not None and last[0] in decisions for last in lasts]
        entry = next((last for last, own in zip(lasts, inside, strict=True) if not own), None)
        pairs = [last if last is not None and own else None for last, own in zip(lasts, inside, strict=True)]
        return DecisionBatch(
            decisions=tuple(decisions),
            above=np.array([NONE if pair is None else decisions.index(pair[0]) for pair in pairs], np.int64),
            slots=np.array([0 if pair is None else pair[1] for pair in pairs], np.int64),
            entry=entry,
        )

    def _street_entry(self, decision: int) -> int:
        """The first decision of the street on the path to this one."""
        betting, node = self.betting, decision
        while betting.parent[node] >= 0 and betting.street[betting.parent[node]] == betting.street[decision]:
            node = int(betting.parent[node])
        return node

    def _own_last(self, decision: int) -> tuple[int, int] | None:
        """The previous decision of the same seat, with the action taken."""
        betting, node = self.betting, decision
        while betting.parent[node] >= 0:
            above = int(betting.parent[node])
            if betting.seat[above] == betting.seat[decision]:
                return above, int(betting.slot[node])
            node = above
        return None
