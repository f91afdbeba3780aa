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
from tahur.solvers.terminals import TerminalCollector, collector_of, possible_pairs
from tahur.solvers.tree import CHANCE_NODE, Dealings, Nodes, Tree

MOST_ACTIONS: Final = 128  # of one decision; a no-limit table has more, and needs a menu of bets
MOST_BYTES: Final = 4 << 30  # of regrets and averages together, by default
DENSE: Final = 600  # pairs of hands up to which a payoff matrix is faster than counting
CHECKED_HANDS: Final = 12  # hands of each seat for which chance is checked pair by pair

KIND, PARENT, CHILD_NUMBER, END, CHILDREN, BLOCK, FIRST, SECOND, DEALING = range(len(Nodes._fields))  # in `nodes`

Masks = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def unroll(
    game: Solvable[Any], *, most_bytes: int = MOST_BYTES, itemsize: int = 8, merge: bool = True, dense: int = DENSE
) -> Tree:
    """The tree of a game. `merge`: represent symmetric chance outcomes by one of them.

    `most_bytes` limits the memory of regrets and averages, at `itemsize` bytes per number. Games with at most `dense`
    pairs of hands store every terminal as a matrix. Strategies that need not respect the symmetries, such as a
    player's, must be measured on a tree that is not merged.
    """
    if game.seats != 2:
        raise SolverError(f"{game.name}: {game.seats} seats; solvers support exactly 2")
    if not _is_ours(game):
        check_game(game)
    builder = _TreeBuilder(game, most_bytes // (2 * itemsize), tuple(game.symmetries()) if merge else (), dense)
    builder.add_node(game.start(), parent=-1, child_number=0, action=-1, dealing=-1, levels=0, scratch_rows=1)
    return builder.finish()


def _is_ours(game: object) -> bool:
    """Whether the game is part of this package and therefore checked by its tests."""
    return type(game).__module__.split(".")[0] == "tahur"


@dataclass(slots=True)
class _TreeBuilder:
    """Builds a tree by walking the rules: lists that grow node by node, which `finish` turns into arrays."""

    game: Solvable[Any]
    most_numbers: int  # limit of numbers in one buffer
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
    collector: TerminalCollector = field(init=False)
    hands: tuple[int, int] = field(init=False)
    holdings: tuple[Any, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.collector = collector_of(self.game, self.dense)
        self.hands = len(self.game.hands(0)), len(self.game.hands(1))
        self.holdings = self.game.holdings(0), self.game.holdings(1)

    def add_node(
        self, table: Any, *, parent: int, child_number: int, action: Action, dealing: int, levels: int,
        scratch_rows: int,
    ) -> None:  # fmt: skip
        """Add the node of a table and its whole subtree.

        `levels` and `scratch_rows` are those that a walk uses on the path from the root to this node.
        """
        node = len(self.nodes)
        self.depth, self.rows = max(self.depth, levels), max(self.rows, scratch_rows)
        self.actions.append(action)
        row = [CHANCE_NODE, parent, child_number, 0, 0, 0, 0, 0, dealing]
        self.nodes.append(row)
        if table.turn == OVER:
            kind, first, second = self.collector.add(self.game.terminal(table))
            row[KIND], row[FIRST], row[SECOND] = kind, first, second
        elif table.turn == CHANCE:
            self._add_deals(table, node, levels, scratch_rows)
        else:
            self._add_decision(table, node, levels, scratch_rows)
        row[END] = len(self.nodes)

    def _add_decision(self, table: Any, node: int, levels: int, scratch_rows: int) -> None:
        """Fill in the row of a decision, and add the subtrees of its actions."""
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
        for number, action in enumerate(actions):
            self.add_node(
                table.after(action), parent=node, child_number=number, action=action, dealing=-1, levels=levels + 1,
                scratch_rows=scratch_rows + len(actions),
            )  # fmt: skip

    def _check_size(self, table: Any) -> None:
        if self.size > self.most_numbers:
            raise TreeTooLarge(
                f"{self.game.name}: more than {self.most_numbers:,} regrets, with the tree unrolled only up to "
                f"{list(table.history)[:12]}; allow more memory or use a smaller game"
            )

    def _add_deals(self, table: Any, node: int, levels: int, scratch_rows: int) -> None:
        """Fill in the row of a chance node, and add the subtrees of its outcomes, one for each isomorphic class."""
        chance, masks = self._outcomes(table, self._possible_hands(node))
        fixed = [symmetry for symmetry in self.symmetries if self._keeps(symmetry, node)]
        representatives = _representatives(list(masks), fixed, self.symmetries)
        self.nodes[node][CHILDREN] = len(representatives)
        for number, (outcome, represented) in enumerate(representatives.items()):
            child = len(self.nodes)
            self.chances.append(chance)
            self.mask_of.append(self._mask_number(masks[outcome]))
            self.renamings.append([0, *(row for _, row in represented)])
            self.aliases.update({(node, other): (child, row) for other, row in represented})
            self.add_node(
                table.after(outcome), parent=node, child_number=number, action=outcome, dealing=len(self.chances) - 1,
                levels=levels + 2, scratch_rows=scratch_rows + 1,
            )  # fmt: skip

    def _keeps(self, symmetry: Symmetry, node: int) -> bool:
        """Whether the symmetry leaves every card on the table unchanged."""
        while node > 0:
            if self.nodes[node][DEALING] >= 0 and symmetry.moves[self.actions[node]] != self.actions[node]:
                return False
            node = self.nodes[node][PARENT]
        return True

    def _mask_number(self, masks: Masks) -> int:
        """The number under which a pair of masks is stored; equal ones are stored once."""
        key = masks[0].tobytes() + masks[1].tobytes()
        return self.masks.setdefault(key, (len(self.masks), masks))[0]

    def _possible_hands(self, node: int) -> Masks:
        """For each seat, a mask of the hands that no dealing on the path to a node has ruled out."""
        masks = np.ones(self.hands[0], bool), np.ones(self.hands[1], bool)
        pairs = [pair for _, pair in self.masks.values()]
        while node > 0:
            if self.nodes[node][DEALING] >= 0:
                first, second = pairs[self.mask_of[self.nodes[node][DEALING]]]
                masks = masks[0] & first, masks[1] & second
            node = self.nodes[node][PARENT]
        return masks

    def _outcomes(self, table: Any, masks_here: Masks) -> tuple[float, dict[Action, Masks]]:
        """The probability of each possible outcome, and for each outcome the hands that it leaves possible."""
        outcomes = list(self.game.outcomes(table, ()))
        if self.holdings[0] is None:
            masks = _masks_by_pairs(self.game, table, outcomes, masks_here)
        else:
            masks = {outcome: self._masks_by_cards(table, outcome) for outcome in outcomes}
        return 1 / _check_product(self.game, table, masks, masks_here), masks

    def _masks_by_cards(self, table: Any, outcome: Action) -> Masks:
        """For each seat, a mask of the hands that share no card with those that an outcome shows."""
        shown = self.game.shown(table, outcome)
        first, second = (np.asarray(~np.isin(holdings, shown).any(axis=1)) for holdings in self.holdings)
        return first, second

    def finish(self) -> Tree:
        """The finished tree."""
        table = np.array(self.nodes, np.int64).T
        columns: list[Any] = [
            np.ascontiguousarray(column, np.int64 if field == BLOCK else np.int32) for field, column in enumerate(table)
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
    """The outcomes to store; for each, the isomorphic outcomes that are not stored, with a row of `renamings`.

    `fixed` are those of the symmetries that leave the cards on the table unchanged. The row is that of the symmetry
    which maps the outcome to its representative; row 0 is the identity.
    """
    representatives: dict[Action, list[tuple[Action, int]]] = {}
    for outcome in outcomes:
        symmetry = next((symmetry for symmetry in fixed if symmetry.moves[outcome] in representatives), None)
        if symmetry is None:
            representatives[outcome] = []
        else:
            row = next(number for number, other in enumerate(symmetries) if other is symmetry) + 1
            representatives[symmetry.moves[outcome]].append((outcome, row))
    return representatives


def _masks_by_pairs(
    game: Solvable[Any], table: Any, outcomes: Sequence[Action], masks_here: Masks
) -> dict[Action, Masks]:
    """For games without cards: a hand allows an outcome if it does so together with some hand of the other seat."""
    masks = {outcome: tuple(np.zeros(len(game.hands(seat)), bool) for seat in (0, 1)) for outcome in outcomes}
    for (first_index, first), (second_index, second) in product(
        *(_possible(game, seat, masks_here) for seat in (0, 1))
    ):
        if game.possible((first, second)):
            for outcome in game.outcomes(table, (first, second)):
                masks[outcome][0][first_index] = masks[outcome][1][second_index] = True
    return {outcome: (pair[0], pair[1]) for outcome, pair in masks.items()}


def _check_product(game: Solvable[Any], table: Any, masks: dict[Action, Masks], masks_here: Masks) -> int:
    """Check that chance is of product form, and return the number of outcomes.

    Any two hands must leave the same number of outcomes possible: those that the masks of both seats allow.
    """
    counts = set()
    for (first_index, first), (second_index, second) in product(
        *(_sample(_possible(game, seat, masks_here)) for seat in (0, 1))
    ):
        if game.possible((first, second)):
            allowed = sorted(
                outcome for outcome, pair in masks.items() if pair[0][first_index] and pair[1][second_index]
            )
            if sorted(game.outcomes(table, (first, second))) != allowed:
                raise SolverError(f"{game.name}: chance after {list(table.history)} is not of product form")
            counts.add(len(allowed))
    if len(counts) != 1:
        raise SolverError(
            f"{game.name}: chance after {list(table.history)} has {sorted(counts)} outcomes, depending on the hands"
        )
    return counts.pop()


def _possible(game: Solvable[Any], seat: int, masks_here: Masks) -> list[tuple[int, int]]:
    """The hands that are still possible, each with its index."""
    return [(index, hand) for index, hand in enumerate(game.hands(seat)) if masks_here[seat][index]]


def _sample(hands: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """All hands if there are few, else an evenly spaced sample."""
    if len(hands) <= CHECKED_HANDS:
        return hands
    return [hands[int(index)] for index in np.linspace(0, len(hands) - 1, CHECKED_HANDS).round()]
