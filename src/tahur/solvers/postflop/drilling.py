"""Hands to practise on: dealt in a solved spot, the solution in the other seat, a question at each own decision.

`hand` is a generator: it yields a `NodeValues` with the hand held, is sent the number of the chosen move, and returns
how the deal ended. Hands are dealt by both ranges' reach at the node where the drill begins; no card is used twice.
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
    """How a deal ended: what was won or lost since the spot's start, half of its pot counted as put in."""

    hands: tuple[int, int]
    board: tuple[Card, ...]
    folded: int | None  # the seat that did
    won: float


@dataclass(frozen=True, slots=True)
class DrillAnswer:
    """A question that was answered."""

    question: DrillQuestion
    grade: Grade


@dataclass(slots=True)
class Score:
    """What the answers add up to."""

    answers: list[DrillAnswer] = field(default_factory=list)

    @property
    def lost(self) -> float:
        """The mean of a decision, in the spot's unit."""
        return sum(each.grade.lost for each in self.answers) / max(len(self.answers), 1)

    @property
    def pct(self) -> float:
        """Mean percent of the pot a decision."""
        return sum(each.grade.pct for each in self.answers) / max(len(self.answers), 1)

    def count(self, verdict: MoveQuality) -> int:
        return sum(each.grade.verdict is verdict for each in self.answers)

    def worst(self, most: int = 3) -> list[DrillAnswer]:
        """The dearest mistakes, the dearest first."""
        costly = [each for each in self.answers if each.grade.lost > 0]
        return sorted(costly, key=lambda each: -each.grade.pct)[:most]


class Drill:
    """A solution to be drilled from a place on; what moves are worth is reckoned once for each decision met."""

    def __init__(self, solution: PostflopSolution, place: BoardNode) -> None:
        if not met(*place.reach).sum() > 0:
            raise SolverError("no two hands of the ranges can come to that line together; begin the drill elsewhere")
        self.solution = solution
        self.place = place
        self._known: dict[tuple[object, ...], NodeValues] = {}

    def hand(self, seat: int, rng: Rng) -> Generator[DrillQuestion, int, Ending]:
        """One deal; `seat` is whom to ask (0 out of position)."""
        engine = self.solution.engine
        hands = deal(self.place, rng)
        place, node = self.place, node_at(engine, self.place)
        while node.kind in (NodeKind.DECISION, NodeKind.DEAL):
            if node.kind is NodeKind.DEAL:
                place = with_card(engine, place, _card(place, hands, rng))
            elif node.seat == seat:
                place = moved(engine, place, (yield DrillQuestion(self.decision(place), hands[seat])))
            else:
                place = moved(engine, place, _drawn(strategy_at(engine, place)[:, hands[node.seat]], rng))
            node = node_at(engine, place)
        return self._ending(node, place, hands, seat)

    def decision(self, place: BoardNode) -> NodeValues:
        """Remembered, for the same line on the same board."""
        key = place.line, place.board
        if key not in self._known:
            self._known[key] = NodeValues(self.solution, place)
        return self._known[key]

    def _ending(self, node: Node, place: BoardNode, hands: tuple[int, int], seat: int) -> Ending:
        spot = self.solution.spot
        stake = spot.pot / 2 + node.bet
        rake = spot.rake.of(2 * stake)
        if node.kind is NodeKind.FOLD:
            won = -stake if node.seat == seat else stake - rake
            return Ending(hands, place.board, node.seat, spot.in_unit(won))
        mine, theirs = (
            evaluate((*combos().cards[each].tolist(), *place.board)) for each in (hands[seat], hands[1 - seat])
        )
        lead = (mine > theirs) - (mine < theirs)
        return Ending(hands, place.board, None, spot.in_unit(lead * (stake - rake / 2) - rake / 2))


def deal(place: BoardNode, rng: Rng) -> tuple[int, int]:
    """Two hands by the reach of both seats at a place, with the chance that they come there together."""
    first = _drawn(met(*place.reach), rng)
    return first, _drawn(place.reach[1] * ((combos().mask & combos().mask[first]) == 0), rng)


def _card(place: BoardNode, hands: tuple[int, int], rng: Rng) -> Card:
    gone = {*place.board, *combos().cards[list(hands)].ravel().tolist()}
    left = [card for card in range(52) if card not in gone]
    return Card(left[int(rng.random() * len(left))])


def _drawn(weights: Float64s, rng: Rng) -> int:
    upto = weights.cumsum()
    return int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))
