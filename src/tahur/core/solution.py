"""A solved two-seat game as a value: the probabilities at every decision, and how they were computed.

Solvers produce it; players and `show` read it. The public tree is stored depth first, a node before its children, with
every outcome of chance included. Each decision has a block `[action][hand]` of `chances`, and the blocks follow the
order of the nodes, so a view is looked up by walking its history.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import STRATEGY, kind_of, once_per_file, reading, write_archive
from tahur.core.arrays import Float64s, Int64s
from tahur.core.errors import StrategyError
from tahur.core.game import CHANCE, OVER, Action, Game, Seat, Settings
from tahur.core.player import View
from tahur.core.strategy import PLAYED

ROOT: Final = 0
_KINDS: Final[Mapping[str, type]] = {
    **dict.fromkeys(("game", "schedule", "unit", "made_by"), str),
    **dict.fromkeys(("planned", "iterations"), int),
    "settings": dict,
}  # types of the header's fields; all others are floats
SLACK: Final = 1e-9  # how far a sum of probabilities may be from 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What was solved, how far, and how well; `exploitability`, `nashconv` and `value` are in `unit` per deal."""

    game: str
    settings: Settings
    schedule: str
    planned: int  # total iterations, for schedules whose weights depend on it; else 0
    iterations: int
    exploitability: float  # half of nashconv: what a best response wins, averaged over the seats
    nashconv: float
    value: float  # to the first seat
    unit: str
    made_by: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Facts:
        """The facts written by `to_json`; raises `StrategyError` for anything else."""
        if set(value) != {field.name for field in fields(cls)}:
            raise StrategyError(f"the header has the fields {', '.join(value) or '(none)'}")
        for name, entry in value.items():
            kind = _KINDS.get(name, float)
            if type(entry) is not kind or (type(entry) is float and not isfinite(entry)):
                raise StrategyError(f"the header has {name} = {entry!r}; expected {kind.__name__}")
        return cls(**value)

    def misfit(self, game: Game[Any], *, now: str = PLAYED) -> str | None:
        """Why a strategy with this header cannot be played in that game; None if it can."""
        if game.name != self.game:
            return f"this strategy was solved for {self.game}; {now} {game.name}"
        ours, theirs = _plain(self.settings), _plain(game.settings)
        differ = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        if not differ:
            return None
        solved, played = (
            ", ".join(f"{name}={json.dumps(settings.get(name))}" for name in differ) for settings in (ours, theirs)
        )
        return f"this strategy was solved for {self.game} with {solved}; {now} {game.name} with {played}"


@dataclass(frozen=True, eq=False)
class Solution:
    """Action probabilities for both seats of a game, together with its public tree; a `Strategy`."""

    facts: Facts
    turns: Int64s  # for each node: a seat, CHANCE or OVER
    ends: Int64s  # for each node: the first node after its subtree
    actions: Int64s  # for each node: the action, of a seat or of chance, that leads to it
    hands: tuple[Int64s, Int64s]  # the hands of each seat, in the order of the blocks' columns
    chances: Float64s  # the blocks of all decisions, concatenated

    def __post_init__(self) -> None:
        """Reject arrays that do not fit together, and probabilities that do not add up to 1."""
        if not len(self.turns) == len(self.ends) == len(self.actions) > 0:
            raise StrategyError(f"{len(self.turns)} turns, {len(self.ends)} ends, {len(self.actions)} actions")
        if not np.isin(self.turns, (0, 1, CHANCE, OVER)).all():
            raise StrategyError("turns other than seat 0, seat 1, chance or the end of the deal")
        blocks = self._blocks
        if len(self.chances) != blocks[-1]:
            raise StrategyError(f"{len(self.chances):,} probabilities; the tree has {blocks[-1]:,}")
        if not ((self.chances >= 0) & (self.chances <= 1 + SLACK)).all():
            raise StrategyError("probabilities below 0, above 1 or not finite")
        for node in self.decisions:
            if np.abs(self.block(node).sum(axis=0) - 1).max(initial=0.0) > SLACK:
                raise StrategyError(f"the probabilities after {list(self.history(node))} do not add up to 1")

    @cached_property
    def decisions(self) -> tuple[int, ...]:
        """The nodes where a seat acts, in order."""
        return tuple(np.flatnonzero(self.turns >= 0).tolist())

    def turn(self, node: int) -> Seat:
        return int(self.turns[node])

    def children(self, node: int) -> Iterator[int]:
        child, end = node + 1, int(self.ends[node])
        while child < end:
            yield child
            child = int(self.ends[child])

    def menu(self, node: int) -> tuple[Action, ...]:
        """The actions at a node, in the order of its block's rows."""
        return tuple(int(self.actions[child]) for child in self.children(node))

    def history(self, node: int) -> tuple[Action, ...]:
        """All actions from the start to the node, including chance's."""
        actions: list[Action] = []
        while node != ROOT:
            actions.append(int(self.actions[node]))
            node = self._parents[node]
        return tuple(reversed(actions))

    def block(self, node: int) -> Float64s:
        """The probabilities at a decision: one row per action of its menu, one column per hand of the seat."""
        block = self.chances[self._blocks[node] : self._blocks[node + 1]]
        return block.reshape(-1, len(self.hands[self.turn(node)]))

    def find(self, history: Sequence[Action]) -> int:
        """The node that a history leads to."""
        node = ROOT
        for index, action in enumerate(history):
            child = self._steps.get((node, action))
            if child is None:
                raise StrategyError(
                    f"the strategy for {self.facts.game} has no action {action} after {list(history[:index])}; "
                    f"it has {', '.join(map(str, self.menu(node))) or 'nothing more'}"
                )
            node = child
        return node

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot be played in that game; None if it can."""
        return self.facts.misfit(game)

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action for the hand of the view."""
        if view.game is not self._checked.get("game"):
            if reason := self.facts.misfit(view.game):
                raise StrategyError(reason)
            self._checked["game"] = view.game
        node = self.find(view.table.history)
        column = self._columns[view.seat].get(view.hand) if self.turn(node) == view.seat else None
        if column is None:
            raise StrategyError(
                f"the strategy for {self.facts.game} has nothing for hand {view.hand} in seat {view.seat} "
                f"after {list(view.table.history)}"
            )
        return dict(zip(self.menu(node), self.block(node)[:, column].tolist(), strict=True))

    @cached_property
    def _parents(self) -> list[int]:
        """The parent of each node (-1 for the root).

        The subtree of node i is the nodes i to ends[i] - 1; raises `StrategyError` if these are not nested.
        """
        ends, parents, ancestors = self.ends.tolist(), [], [-1]
        for node, end in enumerate(ends):
            while ancestors[-1] >= 0 and ends[ancestors[-1]] <= node:
                ancestors.pop()
            limit = ends[ancestors[-1]] if node else len(ends)
            if not node < end <= limit or (node and ancestors[-1] < 0) or (node == 0 and end != len(ends)):
                raise StrategyError(f"node {node} ends at {end}: the nodes do not form a tree")
            parents.append(ancestors[-1])
            ancestors.append(node)
        return parents

    @cached_property
    def _blocks(self) -> list[int]:
        """The offset of each node's block in `chances`, and the total size; only decisions have blocks."""
        children = np.bincount(np.array(self._parents, int) + 1, minlength=len(self.turns) + 1)[1:]
        sizes = np.array([len(self.hands[0]), len(self.hands[1]), 0, 0])[self.turns]  # CHANCE, OVER: the last two
        return [0, *np.cumsum(children * sizes).tolist()]

    @cached_property
    def _steps(self) -> dict[tuple[int, Action], int]:
        return {key: node for node, key in enumerate(zip(self._parents, self.actions.tolist(), strict=True)) if node}

    @cached_property
    def _columns(self) -> tuple[dict[int | None, int], dict[int | None, int]]:
        first, second = ({hand: column for column, hand in enumerate(hands.tolist())} for hands in self.hands)
        return first, second

    @cached_property
    def _checked(self) -> dict[str, Game[Any]]:
        """The last game that was found to match; comparing its settings at every decision would be slow."""
        return {}


def _plain(settings: Settings) -> dict[str, Any]:
    """The settings as they come back from JSON: tuples become lists."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(settings)))
    return plain


# ---- solutions as files --------------------------------------------------------------------------
# Strategy files: a `Solution`, and the solver's state for resuming, as an archive (`core/archive.py`). The header holds
# the facts of the solution. Probabilities and solver state are float64, so nothing is lost and a resumed run continues
# bit for bit. The state (`memory/`) is opaque here and read only when resuming; it is in the same file because a
# strategy and a state of different ages would be worse than none.


MEMORY: Final = "memory/"
ARRAYS: Final = {"turns": "int8", "ends": "int64", "actions": "int64", "hands_0": "int64", "hands_1": "int64"}

Memory = Mapping[str, NDArray[Any]]


def write_solution(path: Path, solution: Solution, memory: Memory | None = None) -> None:
    """Write the file; replaces an existing strategy file, refuses to overwrite any other file."""
    arrays = solution.turns, solution.ends, solution.actions, *solution.hands
    stored = {name: array.astype(kind) for (name, kind), array in zip(ARRAYS.items(), arrays, strict=True)}
    stored |= {"chances": solution.chances, **{MEMORY + name: array for name, array in (memory or {}).items()}}
    write_archive(path, STRATEGY, solution.facts.to_json(), stored.items())


@once_per_file(4)
def read_solution(path: Path) -> Solution:
    """The solution in a file; cached while the file does not change."""
    with reading(path, STRATEGY) as archive:
        facts = Facts.from_json(archive.header)
        turns, ends, actions, first, second = (archive.array(name).astype(np.int64) for name in ARRAYS)
        return Solution(
            facts=facts,
            turns=turns,
            ends=ends,
            actions=actions,
            hands=(first, second),
            chances=archive.array("chances").astype(np.float64),
        )


def read_memory(path: Path) -> dict[str, NDArray[Any]]:
    """The solver's state by name; empty if the file has none."""
    with reading(path, STRATEGY) as archive:
        return archive.arrays(MEMORY)


def is_strategy_file(path: Path) -> bool:
    """Whether it is a strategy file of any version, valid or not."""
    return kind_of(path) == STRATEGY.name
