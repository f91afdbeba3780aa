"""The strategy of nets at Flop Hold'em, for all hands at once: NumPy only.

A stored net is a table of preflop regrets, by class of starting hand, and the towers from the flop on; in paper mode
the towers are used before the flop too. `FlopAverage` is the strategy of drawing one net per hand: each net is weighted
by its weight and by its own seat's reach, before the flop and on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Array
from tahur.core.game import Game
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import SLOTS, Towers
from tahur.games.betting import NOT_LEGAL
from tahur.games.encoders.holdem import FLOP_HANDS, combo_cards
from tahur.solvers.deep.flop_hands import FlopHands
from tahur.solvers.deep.flop_outputs import KernelNet
from tahur.solvers.deep.flop_sums import FlopSums, SummedNet
from tahur.solvers.deep.flops import FlopTree, HandsOfFlop, Preflop, flop_tree, policy_by_slots
from tahur.solvers.deep.game import training_game
from tahur.solvers.limit.engine import LimitLayout
from tahur.solvers.limit.flow import LANES


class FlopNet:
    """One role's net, with the betting tower already evaluated for every decision."""

    def __init__(self, where: FlopTree, role: int, towers: Towers, *, uniform: bool = False) -> None:
        factors, added = towers.folded(where.rows[role])
        self.legal = where.legal[role]
        self._towers, self._uniform = towers, uniform
        self._factors = np.ascontiguousarray(factors.transpose(1, 0, 2)).reshape(-1, towers.width)
        self._added = np.ascontiguousarray(added.T).reshape(-1, 1)

    def regrets(self, rows: Array) -> Array:
        """(3, decisions, hands) of card rows."""
        answers = self._towers.times(self._factors, self._towers.hidden(rows))
        answers += self._added
        return np.asarray(answers.reshape(SLOTS, -1, len(rows)))

    def policy(self, rows: Array) -> Array:
        return policy_by_slots(self.regrets(rows), self.legal, uniform=self._uniform)


def table_policy(preflop: Preflop, table: Array, role: int, *, uniform: bool = False) -> Array:
    """(3, decisions, 1326), from regrets (decisions, 169, 3)."""
    legal = preflop.legal(role)
    regrets = table.transpose(2, 0, 1)
    return policy_by_slots(regrets, legal, uniform=uniform)[:, :, class_of_combos()]


class FlopAverage:
    """The explicit average of a set of nets, as a `FlopPolicy` for exact evaluation."""

    def __init__(self, nets: NetSet, game: Game[Any]) -> None:
        self.training = training_game(game)
        self.where = flop_tree(self.training)
        self._preflop = Preflop(self.where)
        self._weights = nets.weights
        self._uniform, self._kept = nets.uniform, nets.kept
        self._nets = [self._ready(net, nets.uniform) for net in nets.kept]
        self._sums: FlopSums | None = None

    def preflop(self) -> NDArray[np.float32]:
        """(decisions before the flop, 1326, 3), in the order of the betting tree."""
        found = np.zeros((self.where.betting.first[1], COMBOS, SLOTS), np.float32)
        for role in (0, 1):
            sums = sum(
                weighed(weight, self._preflop.own_reach(policies[role], role), policies[role])
                for weight, (policies, _, _) in zip(self._weights, self._nets, strict=True)
            )
            shares = _shares(np.asarray(sums), self._preflop.legal(role))
            for place, node in enumerate(self._preflop.decisions[role]):
                found[node] = shares[:, place].T
        return found

    def flop(self, cards: tuple[int, int, int]) -> NDArray[np.float32]:
        """(decisions on the flop, 1326, 3), in the order of the tree; hands that share a card with it have zeros."""
        flop = HandsOfFlop(np.array(cards, np.uint8))
        shares, where = self.on(flop), self.where
        found = np.zeros((len(where.betting.of_street(1)), COMBOS, SLOTS), np.float32)
        for role in (0, 1):
            places = where.nodes[where.mine[role]].reshape(-1) - where.betting.first[1]
            found[places[:, None], flop.hands[None, :]] = shares[role].transpose(1, 2, 0)
        return found

    def book(self, layout: LimitLayout, number: int) -> NDArray[np.float32]:
        """A flop's part of a book: the same average, by the kernels of the exact solver."""
        return self.sums(layout).on(number)

    def sums(self, layout: LimitLayout) -> FlopSums:
        """All nets, prepared for the kernels."""
        if self._sums is None or self._sums.hands.layout is not layout:
            hands = FlopHands(layout, self.where, self.training.encoder)
            parts = zip(self._weights, self._kept, self._nets, strict=True)
            self._sums = FlopSums(hands, [self._kernel_net(*part, hands) for part in parts])
        return self._sums

    def _kernel_net(self, weight: float, net: KeptNet, ready: Any, hands: FlopHands) -> SummedNet:
        first, second = (KernelNet(hands.outputs[role], net.towers[role], uniform=self._uniform) for role in (0, 1))
        one, other = (_before(hands.layout, reach) for reach in ready[1])
        return SummedNet(weight, (first, second), (one, other))

    def on(self, flop: HandsOfFlop) -> tuple[Array, Array]:
        """(3, decisions, 1176) of each role."""
        rows = flop_rows(self.training, flop)
        found = []
        for role in (0, 1):
            sums = np.zeros((SLOTS, len(self.where.rows[role]), FLOP_HANDS), np.float32)
            for weight, (_, reaches, ready) in zip(self._weights, self._nets, strict=True):
                policy = ready[role].policy(rows)
                reach = own_reach(self.where, policy, reaches[role][:, flop.hands], role)
                sums += weighed(weight, reach, policy)
            found.append(_shares(sums, self.where.legal[role]))
        return found[0], found[1]

    def _ready(self, net: KeptNet, uniform: bool) -> tuple[Any, Any, Any]:
        policies = [self._before(net, role, uniform) for role in (0, 1)]
        reaches = self._preflop.reaches((policies[0], policies[1]))
        ready = [FlopNet(self.where, role, net.towers[role], uniform=uniform) for role in (0, 1)]
        return policies, [each.astype(np.float32) for each in reaches], ready

    def _before(self, net: KeptNet, role: int, uniform: bool) -> Array:
        if net.tables is not None:
            return table_policy(self._preflop, net.tables[role], role, uniform=uniform)
        towers = net.towers[role]
        encoder: Any = self.training.encoder
        rows = encoder.rows(combo_cards(), np.zeros((COMBOS, 0), np.uint8))
        factors, added = towers.bets(self.where.betting_rows[self._preflop.decisions[role]])
        regrets = np.einsum("hd,nsd->snh", towers.cards(rows), factors) + added.T[:, :, None]
        return policy_by_slots(regrets, self._preflop.legal(role), uniform=uniform)


def _before(layout: LimitLayout, reach: Array) -> NDArray[np.float32]:
    """(classes * lanes) from (lines, 1326)."""
    lanes = np.zeros((layout.deck.classes, LANES), np.float32)
    lanes[:, : len(reach)] = reach[:, layout.deck.firsts].T
    return lanes.ravel()


def weighed(weight: float, reach: Array, policy: Array) -> Array:
    """A net's contribution to the sums: its weight times its own reach times its policy."""
    return np.float32(weight) * reach * policy


def own_reach(where: FlopTree, policy: Array, start: Array, role: int) -> Array:
    """(decisions, hands): a role's own reach of each of its decisions; start: (lines, hands)."""
    chances = policy.reshape(SLOTS, -1, where.lines, policy.shape[-1])
    places = {int(node): place for place, node in enumerate(where.mine[role])}
    reach = np.empty((len(where.turn), *start.shape), policy.dtype)
    reach[0] = start
    for node in range(where.decisions):
        for slot, child in enumerate(where.children[node]):
            if child != NOT_LEGAL:
                own = where.turn[node] == role
                reach[child] = reach[node] * chances[slot, places[node]] if own else reach[node]
    return reach[where.mine[role]].reshape(-1, policy.shape[-1])


def flop_rows(training: Any, flop: HandsOfFlop) -> Array:
    """The card rows of the 1,176 hands."""
    board = np.broadcast_to(np.asarray(flop.cards, np.uint8), (FLOP_HANDS, 3))
    return np.asarray(training.encoder.rows(flop.holes, board))


def _shares(sums: Array, legal: Array) -> Array:
    """Probabilities from sums; uniform over legal actions where no net has any reach."""
    total = sums.sum(axis=0)
    even = legal / legal.sum(axis=0)
    return np.where(total > 0, sums / np.where(total > 0, total, 1), even)
