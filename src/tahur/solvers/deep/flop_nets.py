"""The strategy of nets at Flop Hold'em, for all hands at once. It does not need PyTorch.

A stored net is a table of preflop regrets, by class of starting hand, and the towers from the flop on; in paper mode
the towers are used before the flop too. `FlopAverage` is the strategy of drawing one net per hand: each net is weighted
by its weight and by its own seat's reach, before the flop and on it.

`FlopSums` are sums of many nets, one flop after another, in the layout of the exact solver's kernels. Each net has its
own reach of every decision; its strategy there is weighted by its weight and that reach. The kernels compute both when
they walk down a flop, so a net costs little more than its outputs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Array, Float32s
from tahur.core.game import Game
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import SLOTS, Towers
from tahur.games.betting import NOT_LEGAL
from tahur.games.encoders.holdem import FLOP_HANDS, combo_cards
from tahur.solvers.deep.flop_outputs import FlopHands, KernelNet
from tahur.solvers.deep.flops import FlopTree, HandsOfFlop, Preflop, flop_tree, policy_by_slots
from tahur.solvers.deep.game import training_game
from tahur.solvers.limit.engine import BEST, UPDATE, LimitLayout, PreflopWalk, Walker, work_for
from tahur.solvers.limit.evaluate import start_of
from tahur.solvers.limit.flow import LANES
from tahur.solvers.rows import aligned


class FlopNet:
    """One role's net, with the betting tower already evaluated for every decision."""

    def __init__(self, where: FlopTree, role: int, towers: Towers, *, uniform: bool = False) -> None:
        factors, added = towers.bets_for_hidden(where.rows[role])
        self.legal = where.legal[role]
        self._towers, self._uniform = towers, uniform
        self._factors = np.ascontiguousarray(factors.transpose(1, 0, 2)).reshape(-1, towers.width)
        self._added = np.ascontiguousarray(added.T).reshape(-1, 1)

    def regrets(self, rows: Array) -> Array:
        """(3, decisions, hands) the net's regrets for some rows of cards."""
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
        chances = np.zeros((self.where.betting.first[1], COMBOS, SLOTS), np.float32)
        for role in (0, 1):
            sums = sum(
                weighed(weight, self._preflop.own_reach(policies[role], role), policies[role])
                for weight, (policies, _, _) in zip(self._weights, self._nets, strict=True)
            )
            shares = _shares(np.asarray(sums), self._preflop.legal(role))
            for index, node in enumerate(self._preflop.decisions[role]):
                chances[node] = shares[:, index].T
        return chances

    def flop(self, cards: tuple[int, int, int]) -> NDArray[np.float32]:
        """(decisions on the flop, 1326, 3), in the order of the tree; hands that share a card with it have zeros."""
        flop = HandsOfFlop(np.array(cards, np.uint8))
        shares, where = self.on(flop), self.where
        chances = np.zeros((len(where.betting.of_street(1)), COMBOS, SLOTS), np.float32)
        for role in (0, 1):
            indices = where.nodes[where.mine[role]].reshape(-1) - where.betting.first[1]
            chances[indices[:, None], flop.hands[None, :]] = shares[role].transpose(1, 2, 0)
        return chances

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
        averages = []
        for role in (0, 1):
            sums = np.zeros((SLOTS, len(self.where.rows[role]), FLOP_HANDS), np.float32)
            for weight, (_, reaches, ready) in zip(self._weights, self._nets, strict=True):
                policy = ready[role].policy(rows)
                reach = own_reach(self.where, policy, reaches[role][:, flop.hands], role)
                sums += weighed(weight, reach, policy)
            averages.append(_shares(sums, self.where.legal[role]))
        return averages[0], averages[1]

    def _ready(self, net: KeptNet, uniform: bool) -> tuple[Any, Any, Any]:
        policies = [self._before(net, role, uniform) for role in (0, 1)]
        reaches = self._preflop.reaches((policies[0], policies[1]))
        ready = [FlopNet(self.where, role, net.towers[role], uniform=uniform) for role in (0, 1)]
        return policies, [reach.astype(np.float32) for reach in reaches], ready

    def _before(self, net: KeptNet, role: int, uniform: bool) -> Array:
        """(3, decisions, 1326) a net's preflop policy of a role."""
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
    indices = {int(node): index for index, node in enumerate(where.mine[role])}
    reach = np.empty((len(where.turn), *start.shape), policy.dtype)
    reach[0] = start
    for node in range(where.decisions):
        for slot, child in enumerate(where.children[node]):
            if child != NOT_LEGAL:
                own = where.turn[node] == role
                reach[child] = reach[node] * chances[slot, indices[node]] if own else reach[node]
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


@dataclass(frozen=True, slots=True, eq=False)
class SummedNet:
    """One net of the average."""

    weight: float
    nets: tuple[KernelNet, KernelNet]
    before: tuple[Float32s, Float32s]  # (classes * lanes) each role's own reach at the start of the flop


class FlopSums:
    """The average of nets, flop by flop."""

    def __init__(self, hands: FlopHands, nets: list[SummedNet]) -> None:
        """Allocate the buffers for one flop, which all flops share."""
        self.hands, self.nets = hands, nets
        layout = hands.layout
        self._data = 2 * layout.flop.data_rows * LANES
        size = self._data * int(np.diff(hands.starts).max())
        self._work = work_for(layout)
        self._played, self._spare, self._found = aligned(size), aligned(size), aligned(size)
        self._out = np.zeros(layout.deck.classes * LANES)
        self._places, self._none = np.zeros(hands.flops, np.int64), np.zeros(3)

    def on(self, flop: int) -> Float32s:
        """The flop's part of a book."""
        *_, last = self.along(flop)
        return last

    def along(self, flop: int) -> Iterator[Float32s]:
        """The same after each net: running sums."""
        layout, (begin, end) = self.hands.layout, self.hands.starts[flop : flop + 2]
        size = self._data * int(end - begin)
        shape = (2, layout.flop.data_rows, int(end - begin), LANES)
        rows, sums = self.hands.card_rows(flop, flop + 1), aligned(size)
        for net in self.nets:
            for one, part in zip(net.nets, self._played[:size].reshape(shape), strict=True):
                one.write(rows, part)
            for role in (0, 1):
                half = slice(role * size // 2, (role + 1) * size // 2)
                self._walk(flop, 1 - role, net.before[role], size)
                self._found[half] *= np.float32(net.weight)
                sums[half] += self._found[half]
            yield sums

    def _walk(self, flop: int, role: int, before: Float32s, size: int) -> None:
        """Walk down the flop for the role: computes the other's reach times its choices."""
        from tahur.solvers.limit.kernels.flops import traverse

        layout = self.hands.layout
        self._spare[:size] = self._played[:size]
        traverse(
            layout.deck.flops, layout.flows[role], flop, flop + 1, UPDATE, self._played, self._spare, self._found,
            self._places, self._none, before, self._work, self._out,
        )  # fmt: skip


def curve(
    layout: LimitLayout, nets: NetSet, game: Game[Any], marks: Sequence[int]
) -> Generator[float, None, list[float]]:
    """(BR1 + BR2) / 2 in chips of the average of the first nets, one for each mark (a number of nets); yields
    progress."""
    from tahur.solvers.limit.kernels.flops import traverse

    walker, deck = Walker(layout), layout.deck
    books = [start_of(layout, FlopAverage(replace(nets, kept=nets.kept[:mark]), game)) for mark in marks]
    starts = [[PreflopWalk(layout, me, book) for me in (0, 1)] for book in books]
    befores = [[start.before() for start in pair] for pair in starts]
    outs = np.zeros((len(marks), 2, deck.classes * LANES))
    sums = FlopAverage(replace(nets, kept=nets.kept[: max(marks)]), game).sums(layout)
    indices, nothing = np.zeros(len(deck.boards), np.int64), np.zeros(3)
    for flop in range(len(deck.boards)):
        for count, part in enumerate(sums.along(flop), start=1):
            for index in [index for index, mark in enumerate(marks) if mark == count]:
                for me in (0, 1):
                    traverse(
                        deck.flops, layout.flows[me], flop, flop + 1, BEST, part, part, part, indices, nothing,
                        befores[index][me], walker.work, outs[index, me],
                    )  # fmt: skip
        yield (flop + 1) / len(deck.boards)
    return [
        sum(walker.mean(pair[me].back(BEST, book, walker.of_hands(out[me]), nothing)) for me in (0, 1)) / 2
        for pair, book, out in zip(starts, books, outs, strict=True)
    ]
