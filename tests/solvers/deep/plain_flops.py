"""Flop Hold'em on one flop by plain sums in NumPy: what the kernels are compared with.

What a hand wins at a showdown is found from running sums over the hands in order of strength, less those that share a
card with it: two running sums for its own cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tahur.cards.cards import DECK_SIZE
from tahur.cards.evaluator import evaluate_many
from tahur.core.arrays import Array, Int64s
from tahur.core.towers import SLOTS
from tahur.games.betting import NOT_LEGAL
from tahur.games.encoders.holdem import FLOP_HANDS, combo_cards, flop_hands
from tahur.solvers.deep.flops import FlopTree

HELD: Final = 48  # hands on a flop that hold a given card
FOLDED, SHOWN = -1, -2  # `turn` of the ends


class PlainFlop:
    """One flop: its 1,176 hands, and what sums over them are needed."""

    def __init__(self, cards: Array) -> None:
        self.cards = cards
        self.hands = flop_hands(cards)
        self.holes = combo_cards()[self.hands]
        board = np.broadcast_to(np.asarray(cards, np.uint8), (FLOP_HANDS, 3))
        self.ranks = evaluate_many(np.concatenate([self.holes, board], axis=1)).astype(np.int64)
        self.order = np.argsort(self.ranks, kind="stable")
        ordered = self.ranks[self.order]
        self.low, self.high = (np.searchsorted(ordered, self.ranks, side) for side in ("left", "right"))
        left = np.setdiff1d(np.arange(DECK_SIZE), cards)
        number = np.full(DECK_SIZE, -1)
        number[left] = np.arange(len(left))
        self.first, self.second = number[self.holes[:, 0]], number[self.holes[:, 1]]
        self._hold(ordered)

    def _hold(self, ordered: Int64s) -> None:
        """For each card the hands that hold it, by strength, and where each hand's rank falls among them."""
        holders = np.empty((DECK_SIZE - 3, HELD), np.int64)
        for card in range(DECK_SIZE - 3):
            holders[card] = self.order[(self.first[self.order] == card) | (self.second[self.order] == card)]
        self.holders = holders
        keys = (self.ranks[holders] + 10_000 * np.arange(len(holders))[:, None]).reshape(-1)
        self.bounds = [
            np.searchsorted(keys, 10_000 * card + self.ranks, side) - HELD * card + (HELD + 1) * card
            for card in (self.first, self.second)
            for side in ("left", "right")
        ]

    def against(self, reach: Array) -> Array:
        """(n, 1176): the other's reach, summed over the hands that each hand can meet."""
        cards = reach[:, self.holders].sum(axis=2)
        total: Array = reach.sum(axis=1, keepdims=True) - cards[:, self.first] - cards[:, self.second] + reach
        return total

    def shown(self, reach: Array, against: Array) -> Array:
        """(n, 1176): the other's reach where it loses, less where it wins; `against` as above."""
        sums = np.zeros((len(reach), FLOP_HANDS + 1), reach.dtype)
        np.cumsum(reach[:, self.order], axis=1, out=sums[:, 1:])
        held = np.zeros((len(reach), DECK_SIZE - 3, HELD + 1), reach.dtype)
        np.cumsum(reach[:, self.holders], axis=2, out=held[:, :, 1:])
        flat: Array = held.reshape(len(reach), -1)
        below_first, upto_first, below_second, upto_second = (flat[:, bound] for bound in self.bounds)
        lost = sums[:, self.low] - below_first - below_second
        upto = sums[:, self.high] - upto_first - upto_second + reach
        result: Array = lost + upto - against
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Swept:
    """What one flop says to a role: regrets (3, decisions, hands), the other's reach there, values at the roots."""

    regrets: Array
    against: Array  # (decisions, hands)
    values: Array  # (lines, hands)


def swept(
    where: FlopTree,
    flop: PlainFlop,
    policies: tuple[Array, Array],
    reach: tuple[Array, Array],
    *,
    best: bool = False,
) -> tuple[Swept, Swept]:
    """Walk all lines of a flop. policies: (3, decisions, hands) of each role; reach: (lines, hands) of each.

    With `best` each role answers the other as well as it can, instead of by its own policy.
    """
    lines = len(where.roots)
    places = {int(node): (role, place) for role in (0, 1) for place, node in enumerate(where.mine[role])}
    chances = [policy.reshape(SLOTS, -1, lines, FLOP_HANDS) for policy in policies]
    reaches = _reaches(where, places, chances, reach)
    first, second = (_ups(where, flop, places, chances[role], reaches[1 - role], role, best) for role in (0, 1))
    return first, second


def _reaches(where: FlopTree, places: Any, chances: Any, reach: tuple[Array, Array]) -> tuple[Array, Array]:
    """(local nodes, lines, hands) of each role."""
    found = [np.empty((len(where.turn), *each.shape), np.float32) for each in reach]
    for role in (0, 1):
        found[role][0] = reach[role]
    for node in range(len(where.turn)):
        if (turn := where.turn[node]) < 0:
            continue
        place = places[node][1]
        for slot, child in enumerate(where.children[node]):
            if child != NOT_LEGAL:
                found[1 - turn][child] = found[1 - turn][node]
                np.multiply(found[turn][node], chances[turn][slot, place], out=found[turn][child])
    return found[0], found[1]


def _ups(where: FlopTree, flop: PlainFlop, places: Any, chances: Array, others: Array, role: int, best: bool) -> Swept:
    lines = len(where.roots)
    against = flop.against(others.reshape(-1, FLOP_HANDS)).reshape(others.shape)
    values = np.zeros_like(others)
    _pay(where, flop, others, against, values, role)
    regrets = np.zeros_like(chances)
    for node in range(len(where.turn) - 1, -1, -1):
        if where.turn[node] < 0:
            continue
        slots = [slot for slot in range(SLOTS) if where.children[node][slot] != NOT_LEGAL]
        below = values[where.children[node][slots]]
        if where.turn[node] != role:
            values[node] = below.sum(axis=0)
            continue
        place = places[node][1]
        worth = below.max(axis=0) if best else (chances[slots, place] * below).sum(axis=0)
        values[node] = worth
        regrets[slots, place] = below - worth
    mine = against[where.mine[role]]
    return Swept(regrets.reshape(SLOTS, -1, FLOP_HANDS), mine.reshape(-1, FLOP_HANDS), values[0].reshape(lines, -1))


def _pay(where: FlopTree, flop: PlainFlop, others: Array, against: Array, values: Array, role: int) -> None:
    """What the role wins at the ends, all hands at once."""
    sign = 1 - 2 * role
    folded, shown = (np.flatnonzero(where.turn == kind) for kind in (FOLDED, SHOWN))
    stake = where.betting.stake[where.nodes].astype(np.float32)
    values[folded] = sign * stake[folded][:, :, None] * against[folded]
    won = flop.shown(others[shown].reshape(-1, FLOP_HANDS), against[shown].reshape(-1, FLOP_HANDS))
    values[shown] = stake[shown][:, :, None] * won.reshape(len(shown), len(where.roots), FLOP_HANDS)


def compatible(reach: Array) -> Array:
    """(1326,): the reach of all hands that share no card with each."""
    high, low = combo_cards().T
    cards = np.bincount(high, reach, DECK_SIZE) + np.bincount(low, reach, DECK_SIZE)
    total: Array = reach.sum() - cards[high] - cards[low] + reach
    return total
