"""A solved strategy viewed decision by decision: what each hand does there, and how often play reaches it.

A `SolvedGame` is a solution with its game. It finds the decision that a line such as `check,bet` leads to, and builds a
`DecisionTable` from it. Frequencies are exact: over all deals, with both seats playing the strategy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.errors import IllegalAction, StrategyError
from tahur.core.game import CHANCE, OVER, Action, Hand, Seat, Solvable
from tahur.core.solution import ROOT, Solution

MOST_BELOW: Final = 24  # if more lines than this follow, only the next decisions are listed


@dataclass(frozen=True, slots=True)
class HandRow:
    """What a hand does at a decision, in the order of the actions.

    `reach` is the probability that its owner's own choices lead here; `share` is its share of all hands that reach the
    decision.
    """

    hand: Hand
    text: str
    reach: float
    share: float
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Onward:
    """A line that continues from a decision: its actions, how often play reaches it, and whose turn it is."""

    line: tuple[str, ...]
    frequency: float
    turn: Seat


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """One decision. `average` is how often each action is taken here, over the hands that reach it."""

    line: tuple[str, ...]
    seat: Seat
    actions: tuple[str, ...]
    rows: tuple[HandRow, ...]  # only hands that are possible here
    average: tuple[float, ...]
    frequency: float  # how often play reaches this decision
    onward: tuple[Onward, ...]


@dataclass(frozen=True, eq=False)
class SolvedGame:
    """A solution and the game it is for."""

    solution: Solution
    game: Solvable[Any]

    def __post_init__(self) -> None:
        if reason := self.solution.facts.misfit(self.game):
            raise StrategyError(reason)

    def line(self, text: str) -> int:
        """The node of a line: comma-separated labels or prefixes of them; the empty line is the start."""
        node, table, played = ROOT, self.game.start(), list[str]()
        for word in filter(None, (word.strip() for word in text.split(","))):
            action = self._parse_action(node, table, word, played)
            played.append(self.game.label(table, action))
            node, table = self.solution.find((*table.history, action)), self._after(table, action)
        return node

    def spot(self, node: int) -> DecisionTable:
        """The table of a decision; raises `StrategyError` at other nodes, listing what is possible there."""
        table, labels = self._table(node)
        seat = self.solution.turn(node)
        if seat < 0:
            raise StrategyError(self._nobody(node, table, labels))
        reached = self._reach_of_pairs(node)
        total = float(reached.sum())
        block = self.solution.block(node)
        shares = reached.sum(axis=1 - seat) / (total or 1.0)
        average = block @ shares if total else block.mean(axis=1)
        return DecisionTable(
            line=labels,
            seat=seat,
            actions=tuple(self.game.label(table, action) for action in self.solution.menu(node)),
            rows=tuple(self._rows(node, seat, shares)),
            average=tuple(average.tolist()),
            frequency=total,
            onward=tuple(self._onward(node)),
        )

    def below(self, node: int) -> tuple[int, ...]:
        """The decisions below a node, in the order of the tree."""
        solution = self.solution
        return tuple(decision for decision in solution.decisions if node < decision < int(solution.ends[node]))

    def frequency(self, node: int) -> float:
        """How often play reaches a node from the start."""
        return float(self._reach_of_pairs(node).sum())

    def _rows(self, node: int, seat: Seat, shares: Float64s) -> Iterator[HandRow]:
        """A row for each hand that the seat may hold at the node."""
        reach, block = self._reach(node)[seat], self.solution.block(node)
        held = self._deal_probability(node).sum(axis=1 - seat) > 0
        for column, hand in enumerate(self.solution.hands[seat].tolist()):
            if held[column]:
                text, chances = self.game.hand_text(hand), tuple(block[:, column].tolist())
                yield HandRow(
                    hand=hand, text=text, reach=float(reach[column]), share=float(shares[column]), chances=chances
                )

    def _onward(self, node: int) -> Iterator[Onward]:
        below = self.below(node)
        listed = below if len(below) <= MOST_BELOW else tuple(self._next(node))
        for decision in listed:
            yield Onward(self._table(decision)[1], self.frequency(decision), self.solution.turn(decision))

    def _next(self, node: int) -> Iterator[int]:
        """The children of a node; for a child where chance moves, that child's children."""
        for child in self.solution.children(node):
            yield from self.solution.children(child) if self.solution.turn(child) == CHANCE else (child,)

    # ---- frequencies -------------------------------------------------------------------------------

    @cached_property
    def _deals(self) -> Float64s:
        """The probability of each pair of hands being dealt: (hands of seat 0, hands of seat 1)."""
        first, second = (hands.tolist() for hands in self.solution.hands)
        possible = np.array([[self.game.possible((one, other)) for other in second] for one in first], float)
        joint: Float64s = self.game.prior(0)[:, None] * possible * self.game.prior(1)[None, :]
        return np.asarray(joint / joint.sum())

    def _reach_of_pairs(self, node: int) -> Float64s:
        """The probability of each pair of hands at a node when both play the strategy."""
        first, second = self._reach(node)
        reached: Float64s = self._deal_probability(node) * first[:, None] * second[None, :]
        return reached

    def _reach(self, node: int) -> tuple[Float64s, Float64s]:
        """Each seat's own contribution, for each of its hands, to the probability of reaching a node."""
        reach = np.ones(len(self.solution.hands[0])), np.ones(len(self.solution.hands[1]))
        for above, action in self._path(node):
            if (seat := self.solution.turn(above)) >= 0:
                reach[seat][:] *= self.solution.block(above)[self.solution.menu(above).index(action)]
        return reach

    def _deal_probability(self, node: int) -> Float64s:
        """The probability of each pair of hands together with the chance moves on the path to a node."""
        dealt = self._deals
        for above, action in self._path(node):
            if self.solution.turn(above) == CHANCE:
                dealt = dealt * self._outcome(above, action)
        return dealt

    def _outcome(self, node: int, action: Action) -> Float64s:
        """The probability of a chance outcome for every pair of hands."""
        table = self._table(node)[0]
        chance = np.zeros_like(self._deals)
        first, second = (hands.tolist() for hands in self.solution.hands)
        for one, other in np.argwhere(self._deals > 0).tolist():
            outcomes = self.game.outcomes(table, (first[one], second[other]))
            chance[one, other] = (action in outcomes) / len(outcomes) if outcomes else 0.0
        return chance

    def _path(self, node: int) -> Iterator[tuple[int, Action]]:
        """The nodes above, each with the action played there."""
        above = ROOT
        for action in self.solution.history(node):
            yield above, action
            above = next(child for child in self.solution.children(above) if self.solution.actions[child] == action)

    # ---- labels ------------------------------------------------------------------------------------

    def _table(self, node: int) -> tuple[Any, tuple[str, ...]]:
        table, labels = self.game.start(), list[str]()
        for action in self.solution.history(node):
            labels.append(self.game.label(table, action))
            table = self._after(table, action)
        return table, tuple(labels)

    def _after(self, table: Any, action: Action) -> Any:
        try:
            return table.after(action)
        except IllegalAction as error:
            raise StrategyError(f"the file has a line that the rules do not allow: {error}") from None

    def _parse_action(self, node: int, table: Any, word: str, played: Sequence[str]) -> Action:
        """The action that a word names, in full or by a beginning that fits only one."""
        labels = {action: self.game.label(table, action) for action in self.solution.menu(node)}
        candidates = _matching(word, labels)
        if len(candidates) == 1:
            return candidates[0]
        after = f"after '{','.join(played)}'" if played else "at the start"
        if not labels:
            raise StrategyError(f"no '{word}' {after}: the deal is over there")
        what = "could be " + " or ".join(labels[action] for action in candidates) if candidates else "is not possible"
        raise StrategyError(f"'{word}' {what} {after}; possible: {', '.join(labels.values())}")

    def _nobody(self, node: int, table: Any, labels: Sequence[str]) -> str:
        """Why no seat decides at the node, as an error message."""
        line = ",".join(labels)
        if self.solution.turn(node) == OVER:
            return f"nobody decides after '{line}': the deal is over"
        moves = [self.game.label(table, action) for action in self.solution.menu(node)]
        lead = f"{line}," if line else ""
        return f"chance moves after '{line}'; continue with one of: {', '.join(moves)}, such as --at '{lead}{moves[0]}'"


def _matching(word: str, labels: Mapping[Action, str]) -> list[Action]:
    """The actions that a word can mean: a whole label, else its beginning, else its end (`Js` for `deal Js`)."""
    wanted = _normalise(word)
    plain = {action: _normalise(label) for action, label in labels.items()}
    for fits in (str.__eq__, str.startswith, str.endswith):
        if candidates := [action for action, label in plain.items() if fits(label, wanted)]:
            return candidates
    return []


def _normalise(text: str) -> str:
    return "".join(text.lower().split())
