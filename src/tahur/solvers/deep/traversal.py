"""External sampling by the thousand: many deals walk down the betting tree in step, level by level.

The traverser tries every action, the other draws one from its own net's policy. On the way down each level asks each
seat's net once; on the way up each of the traverser's decisions learns what its actions were worth and regrets what it
did not do. With no nets yet everybody plays any legal action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.towers import SLOTS, Rows, Towers, policy_of
from tahur.solvers.deep.game import Deals, TrainingGame
from tahur.solvers.deep.memory import Samples
from tahur.solvers.deep.tree import NOWHERE, SHOWN, BettingTree

Nets = Sequence[Towers | None]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Deals at nodes, all as many actions from the start; who they came from one level up, by which slot."""

    deals: Places
    nodes: Places
    above: Places
    slots: Places
    policies: Rows = field(default_factory=lambda: np.zeros((0, SLOTS), np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What both nets say: of the betting at every decision, and of the cards of every deal on every street."""

    bets: tuple[tuple[Rows, Rows] | None, tuple[Rows, Rows] | None]
    cards: tuple[tuple[Rows, ...], tuple[Rows, ...]]


def readings(game: TrainingGame, nets: Nets, deals: Deals) -> Readings:
    tree = game.tree
    bets = [None if net is None else net.bets(tree.rows) for net in nets]
    cards = [
        () if net is None else tuple(net.cards(game.rows(deals, role, street)) for street in range(tree.streets))
        for role, net in enumerate(nets)
    ]
    return Readings((bets[0], bets[1]), (cards[0], cards[1]))


def traversed(
    game: TrainingGame, nets: Nets, traverser: int, deals: Deals, rng: np.random.Generator, *, uniform: bool = False
) -> tuple[Places, NDArray[np.int32], Rows]:
    """Deal, decision and three regrets of every decision of the traverser that was come to."""
    told, tree = readings(game, nets, deals), game.tree
    levels = [_first(len(deals))]
    while len(levels[-1].nodes):
        levels[-1] = _decided(levels[-1], tree, told, traverser, uniform)
        levels.append(_next(levels[-1], tree, traverser, rng))
    signs = game.signs(deals)
    return _up(levels[:-1], tree, traverser, signs)


def net_of(turn: int, traverser: int) -> int:
    """Whose net decides: that of the seat whose turn it is, whoever traverses."""
    return turn


def passed_up(policy: Rows, values: Rows) -> NDArray[np.float32]:
    """What a decision of the traverser is worth: its actions' values by how often it plays them."""
    worth: NDArray[np.float32] = (policy * values).sum(axis=1)
    return worth


def _first(deals: int) -> Level:
    none = np.full(deals, NOWHERE, np.int64)
    return Level(np.arange(deals), np.zeros(deals, np.int64), none, none)


def _decided(level: Level, tree: BettingTree, told: Readings, traverser: int, uniform: bool) -> Level:
    """The level with the policies of those that decide."""
    policies = np.zeros((len(level.nodes), SLOTS), np.float32)
    turns = tree.turn[level.nodes]
    for role in (0, 1):
        here = np.flatnonzero(turns == role)
        if len(here):
            decisions = tree.number[level.nodes[here]]
            policies[here] = _policies(tree, told, net_of(role, traverser), level.deals[here], decisions, uniform)
    return Level(level.deals, level.nodes, level.above, level.slots, policies)


def _policies(
    tree: BettingTree, told: Readings, role: int, deals: Places, decisions: NDArray[Any], uniform: bool
) -> Rows:
    legal = tree.legal[decisions]
    bets = told.bets[role]
    if bets is None:
        return np.asarray(legal / legal.sum(axis=1, keepdims=True), np.float32)
    regrets = np.empty((len(deals), SLOTS), np.float32)
    streets = tree.street[tree.decisions[decisions]]
    for street in range(tree.streets):
        here = np.flatnonzero(streets == street)
        if len(here):
            factors, added = bets[0][decisions[here]], bets[1][decisions[here]]
            regrets[here] = products(told.cards[role][street], deals[here], factors) + added
    return policy_of(regrets, legal, uniform=uniform)


def products(cards: Rows, deals: Places, factors: Rows) -> Rows:
    """(n, 3): the product of the two towers, row by row."""
    return np.asarray(np.matmul(factors, cards[deals][:, :, None])[:, :, 0])


def _next(level: Level, tree: BettingTree, traverser: int, rng: np.random.Generator) -> Level:
    """All children of the traverser's decisions, one drawn child of the other's."""
    turns = tree.turn[level.nodes]
    wanted = np.zeros((len(level.nodes), SLOTS), bool)
    mine = turns == traverser
    wanted[mine] = tree.children[level.nodes[mine]] != NOWHERE
    theirs = np.flatnonzero(turns == 1 - traverser)
    wanted[theirs, drawn(level.policies[theirs], rng)] = True
    above, slots = np.nonzero(wanted)
    return Level(level.deals[above], tree.children[level.nodes[above], slots].astype(np.int64), above, slots)


def drawn(policies: Rows, rng: np.random.Generator) -> Places:
    """One slot for each row, by its probabilities."""
    sums = np.cumsum(policies, axis=1)
    least = rng.random(len(policies)) * sums[:, -1]
    return np.asarray(np.minimum((least[:, None] >= sums).sum(axis=1), SLOTS - 1))


def _up(
    levels: Sequence[Level], tree: BettingTree, traverser: int, signs: NDArray[np.float32]
) -> tuple[Places, NDArray[np.int32], Rows]:
    found = []
    values = np.zeros(0, np.float32)
    for at in range(len(levels) - 1, -1, -1):
        level, lower = levels[at], levels[at + 1] if at + 1 < len(levels) else None
        below = np.zeros((len(level.nodes), SLOTS), np.float32)
        if lower is not None:
            below[lower.above, lower.slots] = values
        values = _ends(level, tree, traverser, signs)
        turns = tree.turn[level.nodes]
        theirs, mine = turns == 1 - traverser, np.flatnonzero(turns == traverser)
        values[theirs] = below[theirs].sum(axis=1)  # the one that was drawn; the others are 0
        values[mine] = passed_up(level.policies[mine], below[mine])
        decisions = tree.number[level.nodes[mine]]
        found.append((level.deals[mine], decisions, regretted(below[mine], values[mine], tree.legal[decisions])))
    deals, decisions, regrets = (np.concatenate(each) for each in zip(*reversed(found), strict=True))
    return deals, decisions, regrets


def regretted(values: Rows, worth: NDArray[np.float32], legal: NDArray[np.bool_]) -> Rows:
    """How much better each action would have been than what is played on average; nothing for what is not legal."""
    regrets: Rows = (values - worth[:, None]) * legal
    return regrets


def _ends(level: Level, tree: BettingTree, traverser: int, signs: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the traverser wins where a deal is over, 0 elsewhere."""
    turns = tree.turn[level.nodes]
    won = tree.stake[level.nodes] * np.where(turns == SHOWN, signs[level.deals], 1.0)
    return np.where(turns < 0, won if traverser == 0 else -won, 0.0).astype(np.float32)


def samples_of(
    game: TrainingGame,
    nets: Nets,
    traverser: int,
    deals: Deals,
    rng: np.random.Generator,
    iteration: int,
    *,
    uniform: bool,
) -> Samples:
    """What one batch of deals teaches the traverser."""
    places, decisions, regrets = traversed(game, nets, traverser, deals, rng, uniform=uniform)
    return Samples(deals[places], decisions, regrets, np.full(len(places), iteration, np.int32))
