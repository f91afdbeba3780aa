"""`unroll(game)` walks the rules once and builds a flat `Tree`.

It rejects what cannot be solved: more or fewer than two seats, thousands of raise sizes, more memory than the caller
allows (checked as the tree grows, before any buffer is allocated), chance that is not of product form (each outcome
equally likely, and ruled out by one seat's hand alone), and games from outside this package whose parts contradict each
other on sampled deals (`core/check.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.check import check_game
from tahur.core.errors import SolverError, TreeTooLarge
from tahur.core.game import CHANCE, OVER, Action, Solvable, Symmetry
from tahur.solvers.terminals import Collector, collector_of, possible_pairs
from tahur.solvers.tree import CHANCE_NODE, Dealings, Nodes, Tree

MOST_ACTIONS: Final = 128  # of one decision; a no-limit table has more, and needs a menu of bets
MOST_BYTES: Final = 4 << 30  # of regrets and averages together, by default
DENSE: Final = 600  # pairs of hands up to which a matrix is faster than counting
CHECKED: Final = 12  # hands of each seat for which chance is checked pair by pair

KIND, PARENT, CHILD_NUMBER, END, CHILDREN, BLOCK, FIRST, SECOND, DEALING = range(len(Nodes._fields))  # in `nodes`

Masks = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def unroll(
    game: Solvable[Any], *, most_bytes: int = MOST_BYTES, itemsize: int = 8, merge: bool = True, dense: int = DENSE
) -> Tree:
    """The tree of a game. `merge`: represent symmetric chance outcomes by one of them.

    `most_bytes` limits the memory of regrets and averages, at `itemsize` bytes per number. Strategies that need not
    respect the symmetries, such as a player's, must be measured on a tree that is not merged.
    """
    if game.seats != 2:
        raise SolverError(f"{game.name}: {game.seats} seats; solvers support exactly 2")
    if not _is_ours(game):
        check_game(game)
    builder = _Builder(game, most_bytes // (2 * itemsize), tuple(game.symmetries()) if merge else (), dense)
    builder.visit(game.start(), -1, 0, -1, -1)
    return builder.finish()


def _is_ours(game: object) -> bool:
    """Whether the game is part of this package and therefore checked by its tests."""
    return type(game).__module__.split(".")[0] == "tahur"


@dataclass(slots=True)
class _Builder:
    """Lists that grow during the walk; `finish` turns them into arrays."""

    game: Solvable[Any]
    most: int  # limit of numbers in one buffer
    symmetries: tuple[Symmetry, ...]
    dense: int
    nodes: list[list[int]] = field(default_factory=list)  # one row for each node, with the fields of `Nodes`
    actions: list[Action] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    masks: dict[bytes, tuple[int, Masks]] = field(default_factory=dict)
    mask_of: list[int] = field(default_factory=list)  # by dealing: its mask
    renamings: list[list[int]] = field(default_factory=list)  # by dealing: one for each outcome that it represents
    aliases: dict[tuple[int, Action], tuple[int, int]] = field(default_factory=dict)
    size: int = 0
    depth: int = 0
    rows: int = 0
    collector: Collector = field(init=False)
    hands: tuple[int, int] = field(init=False)
    holdings: tuple[Any, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.collector = collector_of(self.game, self.dense)
        self.hands = len(self.game.hands(0)), len(self.game.hands(1))
        self.holdings = self.game.holdings(0), self.game.holdings(1)

    def visit(
        self, table: Any, parent: int, place: int, action: Action, dealing: int, way: tuple[int, int] = (0, 1)
    ) -> None:
        """`way`: levels and scratch rows used on the path from the root."""
        node = len(self.nodes)
        self.depth, self.rows = max(self.depth, way[0]), max(self.rows, way[1])
        self.actions.append(action)
        row = [CHANCE_NODE, parent, place, 0, 0, 0, 0, 0, dealing]
        self.nodes.append(row)
        if table.turn == OVER:
            kind, first, second = self.collector.add(self.game.terminal(table))
            row[KIND], row[FIRST], row[SECOND] = kind, first, second
        elif table.turn == CHANCE:
            self._deal(table, node, way)
        else:
            self._decide(table, node, way)
        row[END] = len(self.nodes)

    def _decide(self, table: Any, node: int, way: tuple[int, int]) -> None:
        """Add a decision and everything after it."""
        actions = table.actions()
        if len(actions) > MOST_ACTIONS:
            raise SolverError(
                f"{self.game.name}: {len(actions):,} legal actions after {list(table.history)}; "
                f"a solver allows up to {MOST_ACTIONS}: use a game with a menu of bets"
            )
        row = self.nodes[node]
        row[KIND], row[CHILDREN], row[BLOCK] = table.turn, len(actions), self.size
        self.size += len(actions) * self.hands[table.turn]
        self._check_size(table)
        for place, action in enumerate(actions):
            self.visit(table.after(action), node, place, action, -1, (way[0] + 1, way[1] + len(actions)))

    def _check_size(self, table: Any) -> None:
        if self.size > self.most:
            raise TreeTooLarge(
                f"{self.game.name}: more than {self.most:,} regrets, with the tree unrolled only up to "
                f"{list(table.history)[:12]}; allow more memory or use a smaller game"
            )

    def _deal(self, table: Any, node: int, way: tuple[int, int]) -> None:
        """Add a chance node; of isomorphic outcomes only one is walked."""
        chance, masks = self._outcomes(table, self._open(node))
        fixed = [symmetry for symmetry in self.symmetries if self._keeps(symmetry, node)]
        standing = _representatives(list(masks), fixed, self.symmetries)
        self.nodes[node][CHILDREN] = len(standing)
        for place, (outcome, stood_for) in enumerate(standing.items()):
            child = len(self.nodes)
            self.chances.append(chance)
            self.mask_of.append(self._mask(masks[outcome]))
            self.renamings.append([0, *(row for _, row in stood_for)])
            self.aliases.update({(node, other): (child, row) for other, row in stood_for})
            dealing = len(self.chances) - 1
            self.visit(table.after(outcome), node, place, outcome, dealing, (way[0] + 2, way[1] + 1))

    def _keeps(self, symmetry: Symmetry, node: int) -> bool:
        """Whether the symmetry leaves every card on the table unchanged."""
        while node > 0:
            if self.nodes[node][DEALING] >= 0 and symmetry.moves[self.actions[node]] != self.actions[node]:
                return False
            node = self.nodes[node][PARENT]
        return True

    def _mask(self, masks: Masks) -> int:
        key = masks[0].tobytes() + masks[1].tobytes()
        return self.masks.setdefault(key, (len(self.masks), masks))[0]

    def _open(self, node: int) -> Masks:
        """The hands that no dealing on the path to a node has ruled out."""
        masks = np.ones(self.hands[0], bool), np.ones(self.hands[1], bool)
        pairs = [pair for _, pair in self.masks.values()]
        while node > 0:
            if self.nodes[node][DEALING] >= 0:
                one, other = pairs[self.mask_of[self.nodes[node][DEALING]]]
                masks = masks[0] & one, masks[1] & other
            node = self.nodes[node][PARENT]
        return masks

    def _outcomes(self, table: Any, here: Masks) -> tuple[float, dict[Action, Masks]]:
        """The probability of each possible outcome, and for each outcome the hands that it leaves possible."""
        outcomes = list(self.game.outcomes(table, ()))
        if self.holdings[0] is None:
            masks = _masks_by_pairs(self.game, table, outcomes, here)
        else:
            masks = {outcome: self._masks_by_cards(table, outcome) for outcome in outcomes}
        return 1 / _check_product(self.game, table, masks, here), masks

    def _masks_by_cards(self, table: Any, outcome: Action) -> Masks:
        shown = self.game.shown(table, outcome)
        one, other = (np.asarray(~np.isin(holdings, shown).any(axis=1)) for holdings in self.holdings)
        return one, other

    def finish(self) -> Tree:
        table = np.array(self.nodes, np.int64).T
        columns: list[Any] = [
            np.ascontiguousarray(column, np.int64 if at == BLOCK else np.int32) for at, column in enumerate(table)
        ]
        priors = self.game.prior(0).astype(float), self.game.prior(1).astype(float)
        return Tree(
            game=self.game,
            nodes=Nodes(*columns),
            actions=np.array(self.actions, np.int64),
            dealings=self._dealings(),
            terminals=self.collector.finish(),
            priors=priors,
            mass=float(priors[0] @ possible_pairs(self.game) @ priors[1]),
            size=self.size,
            depth=self.depth,
            rows=self.rows,
            symmetries=self.symmetries,
            aliases=self.aliases,
        )

    def _dealings(self) -> Dealings:
        """The chance outcomes met during the walk, as the arrays that `Dealings` describes."""
        identity = [np.arange(count) for count in self.hands]
        renamings = [
            np.array([identity[seat], *(symmetry.hands[seat] for symmetry in self.symmetries)], np.int32)
            for seat in (0, 1)
        ]
        masks = [pair for _, pair in self.masks.values()]
        possible = [
            np.array([pair[seat] for pair in masks], float).reshape(len(masks), self.hands[seat]) for seat in (0, 1)
        ]
        return Dealings(
            chance=np.array(self.chances),
            mask=np.array(self.mask_of, np.int32),
            open=(possible[0], possible[1]),
            renaming_start=np.cumsum([0, *map(len, self.renamings)]).astype(np.int32),
            renaming_rows=np.array([row for rows in self.renamings for row in rows], np.int32),
            renamings=(renamings[0], renamings[1]),
        )


def _representatives(
    outcomes: Sequence[Action], fixed: Sequence[Symmetry], symmetries: Sequence[Symmetry]
) -> dict[Action, list[tuple[Action, int]]]:
    """The outcomes to store and, for each, the outcomes it represents with the renaming that leads to it."""
    standing: dict[Action, list[tuple[Action, int]]] = {}
    for outcome in outcomes:
        symmetry = next((symmetry for symmetry in fixed if symmetry.moves[outcome] in standing), None)
        if symmetry is None:
            standing[outcome] = []
        else:
            row = next(at for at, other in enumerate(symmetries) if other is symmetry) + 1
            standing[symmetry.moves[outcome]].append((outcome, row))
    return standing


def _masks_by_pairs(
    game: Solvable[Any], table: Any, outcomes: Sequence[Action], masks_here: Masks
) -> dict[Action, Masks]:
    """For games without cards: a hand allows an outcome if it does so together with some hand of the other seat."""
    masks = {outcome: tuple(np.zeros(len(game.hands(seat)), bool) for seat in (0, 1)) for outcome in outcomes}
    for (one, first), (other, second) in product(*(_listed(game, seat, masks_here) for seat in (0, 1))):
        if game.possible((first, second)):
            for outcome in game.outcomes(table, (first, second)):
                masks[outcome][0][one] = masks[outcome][1][other] = True
    return {outcome: (pair[0], pair[1]) for outcome, pair in masks.items()}


def _check_product(game: Solvable[Any], table: Any, masks: dict[Action, Masks], masks_here: Masks) -> int:
    """The number of outcomes that any two hands leave, which must be constant, and given by the masks."""
    counts = set()
    for (one, first), (other, second) in product(*(_spread(_listed(game, seat, masks_here)) for seat in (0, 1))):
        if game.possible((first, second)):
            left = _left(masks, one, other)
            if sorted(game.outcomes(table, (first, second))) != left:
                raise SolverError(f"{game.name}: chance after {list(table.history)} is not of product form")
            counts.add(len(left))
    if len(counts) != 1:
        raise SolverError(
            f"{game.name}: chance after {list(table.history)} has {sorted(counts)} outcomes, depending on the hands"
        )
    return counts.pop()


def _left(masks: dict[Action, Masks], one: int, other: int) -> list[Action]:
    return sorted(outcome for outcome, (mine, theirs) in masks.items() if mine[one] and theirs[other])


def _listed(game: Solvable[Any], seat: int, masks_here: Masks) -> list[tuple[int, int]]:
    """The hands that are still possible, each with its index."""
    return [(place, hand) for place, hand in enumerate(game.hands(seat)) if masks_here[seat][place]]


def _spread(hands: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """All hands if there are few, else an evenly spaced sample."""
    if len(hands) <= CHECKED:
        return hands
    return [hands[int(at)] for at in np.linspace(0, len(hands) - 1, CHECKED).round()]
