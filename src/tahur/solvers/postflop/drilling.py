"""Practice hands: dealt in a solved spot, with the solution in the other seat and a question at each own decision.

`hand` is a generator: it yields a `NodeValues` with the hand held, is sent the index of the chosen move, and returns
the outcome of the deal. Hands are dealt by both ranges' reach at the node where the drill begins; no card is dealt
twice.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np

from tahur.cards.cards import Card
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.postflop.grading import Grade, MoveQuality, NodeValues
from tahur.solvers.postflop.line import BoardNode, met, moved, node_at, strategy_at, with_card
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import Node, NodeKind

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A decision to be made with a hand."""

    decision: NodeValues
    hand: int


@dataclass(frozen=True, slots=True)
class Ending:
    """The outcome of a deal: chips won or lost since the spot's start, half of its pot counted as own investment."""

    hands: tuple[int, int]
    board: tuple[Card, ...]
    folded: int | None  # the seat that folded
    won: float


@dataclass(frozen=True, slots=True)
class DrillAnswer:
    """An answered question."""

    question: DrillQuestion
    grade: Grade


@dataclass(slots=True)
class Score:
    """The totals over all answers."""

    answers: list[DrillAnswer] = field(default_factory=list)

    @property
    def lost(self) -> float:
        """The mean loss per decision, in the spot's unit."""
        return sum(each.grade.lost for each in self.answers) / max(len(self.answers), 1)

    @property
    def pct(self) -> float:
        """The mean loss per decision, in % of the pot."""
        return sum(each.grade.pct for each in self.answers) / max(len(self.answers), 1)

    def count(self, verdict: MoveQuality) -> int:
        return sum(each.grade.verdict is verdict for each in self.answers)

    def worst(self, most: int = 3) -> list[DrillAnswer]:
        """The most expensive mistakes, in descending order."""
        costly = [each for each in self.answers if each.grade.lost > 0]
        return sorted(costly, key=lambda each: -each.grade.pct)[:most]


class Drill:
    """A solution to practise from a given node on. The values of moves are computed once for each decision reached."""

    def __init__(self, solution: PostflopSolution, state: BoardNode) -> None:
        if not met(*state.reach).sum() > 0:
            raise SolverError("no pair of hands reaches that line; begin the drill at another one")
        self.solution = solution
        self.state = state
        self._known: dict[tuple[object, ...], NodeValues] = {}

    def hand(self, seat: int, rng: Rng) -> Generator[DrillQuestion, int, Ending]:
        """One deal; `seat` is the one that answers questions (0 is out of position)."""
        engine = self.solution.engine
        hands = deal(self.state, rng)
        state, node = self.state, node_at(engine, self.state)
        while node.kind in (NodeKind.DECISION, NodeKind.DEAL):
            if node.kind is NodeKind.DEAL:
                state = with_card(engine, state, _card(state, hands, rng))
            elif node.seat == seat:
                state = moved(engine, state, (yield DrillQuestion(self.decision(state), hands[seat])))
            else:
                state = moved(engine, state, _drawn(strategy_at(engine, state)[:, hands[node.seat]], rng))
            node = node_at(engine, state)
        return self._ending(node, state, hands, seat)

    def decision(self, state: BoardNode) -> NodeValues:
        """Cached by line and board."""
        key = state.line, state.board
        if key not in self._known:
            self._known[key] = NodeValues(self.solution, state)
        return self._known[key]

    def _ending(self, node: Node, state: BoardNode, hands: tuple[int, int], seat: int) -> Ending:
        spot = self.solution.spot
        stake = spot.pot / 2 + node.bet
        rake = spot.rake.of(2 * stake)
        if node.kind is NodeKind.FOLD:
            won = -stake if node.seat == seat else stake - rake
            return Ending(hands, state.board, node.seat, spot.in_unit(won))
        mine, theirs = (
            evaluate((*combos().cards[each].tolist(), *state.board)) for each in (hands[seat], hands[1 - seat])
        )
        lead = (mine > theirs) - (mine < theirs)
        return Ending(hands, state.board, None, spot.in_unit(lead * (stake - rake / 2) - rake / 2))


def deal(state: BoardNode, rng: Rng) -> tuple[int, int]:
    """Two hands drawn by the joint reach of both seats at a node."""
    first = _drawn(met(*state.reach), rng)
    return first, _drawn(state.reach[1] * ((combos().mask & combos().mask[first]) == 0), rng)


def _card(state: BoardNode, hands: tuple[int, int], rng: Rng) -> Card:
    gone = {*state.board, *combos().cards[list(hands)].ravel().tolist()}
    left = [card for card in range(52) if card not in gone]
    return Card(left[int(rng.random() * len(left))])


def _drawn(weights: Float64s, rng: Rng) -> int:
    upto = weights.cumsum()
    return int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))
