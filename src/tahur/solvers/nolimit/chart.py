"""Preflop charts: what each of the 169 starting hands does at a decision, and the ranges that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.flops import start_classes
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Float64s
from tahur.core.errors import StrategyError
from tahur.games.holdem import fourteen
from tahur.solvers.nolimit.blueprint import Blueprint
from tahur.solvers.nolimit.tree import DECISION, BettingTree

# Names of bets before the flop, and the actions up to and including them.
FACING: Final[Mapping[str, tuple[str, ...]]] = {
    "limp": ("call",),
    "open": ("raise",),
    "3bet": ("raise", "raise"),
    "4bet": ("raise", "raise", "raise"),
    "all-in": ("all-in",),
}


@dataclass(frozen=True, slots=True, eq=False)
class PreflopChart:
    """A decision before the flop; hands in the order of the 13x13 matrix, row by row."""

    weights: Float64s  # (169,) the probability that the seat's own actions before lead here
    shares: Float64s  # (actions, 169) the probability of each action
    frequencies: tuple[float, ...]  # of each action, over all hands that come here
    values: Float64s | None = None  # (actions, 169) big blinds compared with folding; None if unknown

    def range_of(self, action: int) -> Range:
        """The hands that take an action, by the probability of all their actions so far; in steps of 1 %."""
        weights = np.round(self.weights * self.shares[action], 2)
        return Range.from_vector(weights[class_of_combos()])


def action_names(tree: BettingTree, node: int) -> tuple[str, ...]:
    """The names of a decision's actions: fold, check, call, raise (or raise75 if there are several), all-in."""
    menu = tree.menus[node]
    sizes = [index for index in menu if fourteen.CALL < index < fourteen.ALL_IN]
    names = {fourteen.FOLD: "fold", fourteen.CALL: "call" if fourteen.FOLD in menu else "check"}
    names |= {fourteen.ALL_IN: "all-in"}
    for index in sizes:
        percent = fourteen.PERCENTS[index - fourteen.FIRST_PERCENT]
        names[index] = "raise" if len(sizes) == 1 else f"raise{percent}"
    return tuple(names[index] for index in menu)


def node_of(tree: BettingTree, line: str) -> int:
    """The decision before the flop that a line such as `raise,raise` leads to; the empty line is the root."""
    node = 0
    walked: list[str] = []
    for word in [word.strip().lower() for word in line.split(",") if word.strip()]:
        names = action_names(tree, node)
        if word not in names:
            after = f"after {','.join(walked)}" if walked else "first"
            raise StrategyError(f"no action '{word}' {after}; valid: {', '.join(names)}")
        node = int(tree.arrays.child[node, names.index(word)])
        walked.append(word)
        if tree.arrays.kind[node] != DECISION or tree.arrays.street[node] != 0:
            raise StrategyError(
                f"the line {','.join(walked)} ends the betting before the flop; leave out its last word"
            )
    return node


def line_facing(tree: BettingTree, bet: str) -> str:
    """The line to the seat that faces an open raise, a 3-bet and so on, each of the smallest size."""
    if bet not in FACING:
        raise StrategyError(f"no decision against '{bet}'; valid: {', '.join(FACING)}")
    words: list[str] = []
    for kind in FACING[bet]:
        names = action_names(tree, node_of(tree, ",".join(words)))
        if (word := next((name for name in names if name.startswith(kind)), None)) is None:
            after = f"after {','.join(words)}" if words else "first"
            raise StrategyError(f"this strategy has no {kind} {after}; its actions: {', '.join(names)}")
        words.append(word)
    return ",".join(words)


def preflop_chart(blueprint: Blueprint, node: int) -> PreflopChart:
    """The chart of a decision before the flop."""
    tree, seat = blueprint.tree, int(blueprint.tree.arrays.seat[node])
    reach, child = np.ones(COMBOS), node
    while child:
        parent = int(tree.parent[child])
        if tree.arrays.seat[parent] == seat:
            choice = tree.arrays.child[parent].tolist().index(child)
            reach = reach * blueprint.mix(parent, ())[choice]
        child = parent
    mix = blueprint.mix(node, ())
    first = np.unique(class_of_combos(), return_index=True)[1]  # one combo of each class
    frequencies = mix @ reach / reach.sum() if reach.sum() > 0 else mix.mean(axis=1)
    by_class = blueprint.preflop_values(node)
    values = None if by_class is None else by_class[:, start_classes().member[first]]
    return PreflopChart(reach[first], mix[:, first], tuple(frequencies.tolist()), values)
