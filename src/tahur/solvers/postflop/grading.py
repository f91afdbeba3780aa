"""The cost of a choice, for one hand at one decision of a solution.

The value of a move is what the hand earns after it against the solution's other seat, with best play from then on. The
cost of a choice is measured against the hand's own value: what it earns there when it plays as the solution does.

A solution has limited accuracy, and less for hands and lines that it rarely reaches. So each hand has its own error at
each decision: what best play would earn with it beyond what the solution earns. A cost of no more than that is "too
close to call", and a move that the solution plays at least `PLAYED` of the time with the hand is never a mistake. The
sentence that explains a grade is made from the solution's own numbers: EVs, how often the other seat folds to this
hand, equity against the hands that continue, and the price of a call.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.postflop.line import (
    BoardNode,
    locked_at,
    meeting_weights,
    moved,
    node_at,
    share,
    strategy_at,
    with_card,
)
from tahur.solvers.postflop.results import best_and_own_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Move, Node, NodeKind

BLUNDER: Final = 5.0  # % of the pot on the table
PLAYED: Final = 0.10  # a move that the solution plays this often with a hand is not a mistake
RARE: Final = 0.001  # lines reached less often were trained little
RIVER: Final = 5  # cards on the board
FINEST: Final = 1e-5  # of the pot: the resolution of float32


class MoveQuality(StrEnum):
    """From good to bad; `close` cannot be distinguished from the best move."""

    BEST = "best"
    CLOSE = "close"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of one choice. `lost`, in the spot's unit, and `pct`, in % of the pot, are both 0 if it is no mistake.

    `value`: what the hand earns there as the solution plays it; `error`: by how much that may be wrong.
    """

    chosen: Move
    best: Move
    lost: float
    pct: float
    value: float
    error: float
    verdict: MoveQuality
    why: str


class NodeValues:
    """The values of every move at one node of a solution, for all hands of the seat that acts.

    Amounts are in the spot's unit, chips or big blinds.
    """

    def __init__(self, solution: PostflopSolution, state: BoardNode) -> None:
        self.solution = solution
        self.state = state
        self.node = node_at(solution.engine, state)
        if self.node.kind is not NodeKind.DECISION:
            raise SolverError(f"no seat acts after {','.join(map(str, state.line))}")

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.node.moves

    @property
    def seat(self) -> int:
        return self.node.seat

    @property
    def to_call(self) -> float:
        return self.spot.in_unit(to_call(self.node))

    @property
    def pot(self) -> float:
        """The pot, bets on the table included."""
        return self.spot.in_unit(self.spot.pot + 2 * self.node.bet + to_call(self.node))

    @property
    def behind(self) -> float:
        """What the seat that acts can still bet."""
        return self.spot.in_unit(self.spot.stack - self.node.bet)

    @property
    def spot(self) -> Spot:
        return self.solution.spot

    @property
    def evs(self) -> Float64s:
        """(moves, 1326) the EV of each move with best play from then on; folding is 0."""
        return self._values[0]

    @cached_property
    def own(self) -> Float64s:
        """(1326,) the EV of each hand as the solution plays it; for a locked hand, the best it could earn."""
        locked = locked_at(self.solution.engine, self.state)
        own: Float64s = np.where(locked, self.evs.max(axis=0), self._values[1])
        return own

    @cached_property
    def _values(self) -> tuple[Float64s, Float64s]:
        best, own = best_and_own_evs(self.solution.engine, self.state)
        scale = self.spot.big_blind or 1
        return best / scale, own / scale

    @cached_property
    def strategy(self) -> Float64s:
        """(moves, 1326) the solution's strategy."""
        return strategy_at(self.solution.engine, self.state)

    def grade(self, hand: int, choice: int) -> Grade:
        """The cost of choosing a move, by its index, with a hand."""
        evs = self.evs[:, hand]
        if not np.isfinite(evs).all():
            raise SolverError(f"{cards_text(cards_of(hand))} is impossible there: no hand of the other seat meets it")
        best = int(evs.argmax())
        lost = 0.0 if self._is_fine(hand, choice) else float(self.own[hand] - evs[choice])
        percent = lost / self.pot * 100
        if choice == best:
            verdict = MoveQuality.BEST
        elif not lost:
            verdict = MoveQuality.CLOSE
        else:
            verdict = MoveQuality.BLUNDER if percent >= BLUNDER else MoveQuality.MISTAKE
        return Grade(
            chosen=self.moves[choice],
            best=self.moves[best],
            lost=lost,
            pct=percent,
            value=float(self.own[hand]),
            error=self.error(hand),
            verdict=verdict,
            why=self._explanation(hand, choice, best),
        )

    def error(self, hand: int) -> float:
        """What best play earns with the hand, from here on, beyond what the solution earns."""
        return max(float(self.evs[:, hand].max() - self.own[hand]), FINEST * self.pot)

    def is_played(self, hand: int, choice: int) -> bool:
        """Whether the solution, without a lock, plays the move often enough for it to be no mistake."""
        is_locked = locked_at(self.solution.engine, self.state)[hand]
        return not is_locked and bool(self.strategy[choice, hand] >= PLAYED - FINEST)

    def _is_fine(self, hand: int, choice: int) -> bool:
        """Whether a choice is no mistake: the solution plays it, or its cost is within the error."""
        cost = float(self.own[hand] - self.evs[choice, hand])
        return self.is_played(hand, choice) or cost <= self.error(hand)

    # ---- the explanation -------------------------------------------------------------------------------------

    def _explanation(self, hand: int, choice: int, best: int) -> str:
        """The sentence that compares a choice with the best move, or the best one with its rival."""
        evs = self.evs[:, hand]
        other = best if choice != best else self._rival(hand, best)
        if other is None:
            return f"{_doing(self.moves[choice])} is the only move"
        mix = self._mix(hand, choice, other)
        first, second = (best, choice) if choice != best else (choice, other)
        one, two = (self.figure(evs[move]) for move in (first, second))
        summary = f"{_doing(self.moves[first])} earns {one}, {_doing(self.moves[second])} {two}"
        near = self._is_fine(hand, second)
        reasons = mix if near else "; ".join(filter(None, (self._reason(hand, move) for move in (second, first))))
        close = "too close to call: " if near and choice != best and not self.is_played(hand, choice) else ""
        known = f", accurate to {self.error(hand):.2g} {self.spot.unit}" if close else ""
        then = "; " if near else ": "
        return f"{close}{summary}{known}{then if reasons else ''}{reasons}{self._caution()}"

    def figure(self, ev: float) -> str:
        """An EV with a decimal, or with two in big blinds; never -0.0."""
        digits = 2 if self.spot.big_blind else 1
        return f"{round(float(ev), digits) + 0.0:.{digits}f}"

    def _rival(self, hand: int, best: int) -> int | None:
        """The second best move."""
        order = np.argsort(self.evs[:, hand])[::-1]
        return int(order[1]) if len(order) > 1 else None

    def _mix(self, hand: int, choice: int, other: int) -> str:
        """How the solution mixes two moves of indistinguishable value."""
        frequencies = self.strategy[:, hand]
        if self.is_played(hand, choice) and self.is_played(hand, other):
            both = (f"{self._move_with_frequency(hand, move)}" for move in (choice, other))
            return f"the solution {' and '.join(both)}, both are fine"
        most = int(frequencies.argmax())
        return f"the solution {self._move_with_frequency(hand, most)}, and the difference does not matter"

    def _move_with_frequency(self, hand: int, choice: int) -> str:
        return f"{_does(self.moves[choice])} {self.strategy[choice, hand]:.0%}"

    def _reason(self, hand: int, choice: int) -> str:
        """The numbers that a move depends on."""
        match self.moves[choice].deed:
            case Deed.FOLD:
                return ""
            case Deed.CHECK:
                return f"unbet, you have {self.equity(hand):.0%} against their range"
            case Deed.CALL:
                price = self.to_call / (self.pot + self.to_call)
                later = "" if len(self.state.board) == RIVER else " before later bets"
                return f"the call needs {price:.0%} and you have {self.equity(hand):.0%}{later}"
            case Deed.BET | Deed.RAISE | Deed.ALL_IN:
                folds, against = self.after_bet(hand, choice)
                name = f"{_noun(self.moves[choice])} is folded to {folds:.0%}"
                return name if folds > 1 - 1e-6 else f"{name} and has {against:.0%} against hands that continue"

    def equity(self, hand: int) -> float:
        """The share of the pot against the other seat's range, if there is no further betting."""
        return share(hand, self._theirs(self.state, hand), self.state.board)

    def after_bet(self, hand: int, choice: int) -> tuple[float, float]:
        """How often the other seat folds to this bet, and the hand's equity against the hands that do not fold."""
        engine = self.solution.engine
        after = moved(engine, self.state, choice)
        fold = strategy_at(engine, after)[[move.deed for move in node_at(engine, after).moves].index(Deed.FOLD)]
        theirs = self._theirs(after, hand)
        folds = float(theirs @ fold / theirs.sum()) if theirs.sum() else 0.0
        return folds, share(hand, theirs * (1 - fold), after.board)

    def _theirs(self, state: BoardNode, hand: int) -> Float64s:
        """The other seat's reach, restricted to hands that share no card with this one."""
        left: Float64s = state.reach[1 - self.seat] * ((combos().mask & combos().mask[hand]) == 0)
        return left

    def _caution(self) -> str:
        """A warning if the solution rarely reaches this line, else empty."""
        return (
            ""
            if self.state.frequency >= RARE
            else f" (the solution reaches this line {self.state.frequency:.2%} of the time)"
        )


def grade(solution: PostflopSolution, state: BoardNode, hand: int, action: int) -> Grade:
    """The cost of a move, by its index at the node, with a hand: `grade(solution, walk(engine, "check"), 17, 0)`."""
    return NodeValues(solution, state).grade(hand, action)


_DOING: Final = {
    Deed.FOLD: ("folding", "folds", "the fold"),
    Deed.CHECK: ("checking", "checks", "the check"),
    Deed.CALL: ("calling", "calls", "the call"),
    Deed.BET: ("betting {}", "bets {}", "the bet of {}"),
    Deed.RAISE: ("raising to {}", "raises to {}", "the raise to {}"),
    Deed.ALL_IN: ("going all-in", "goes all-in", "the all-in"),
}


def _doing(move: Move) -> str:
    return _DOING[move.deed][0].format(move.amount)


def _does(move: Move) -> str:
    return _DOING[move.deed][1].format(move.amount)


def _noun(move: Move) -> str:
    return _DOING[move.deed][2].format(move.amount)


# ---- hands to practise ---------------------------------------------------------------------------
# Practice hands: dealt in a solved spot, with the solution in the other seat and a question at each own decision.
# `hand` is a generator: it yields a `NodeValues` with the hand held, is sent the index of the chosen move, and returns
# the outcome of the deal. Hands are dealt by both ranges' reach at the node where the drill begins; no card is dealt
# twice.


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
        return sum(answer.grade.lost for answer in self.answers) / max(len(self.answers), 1)

    @property
    def pct(self) -> float:
        """The mean loss per decision, in % of the pot."""
        return sum(answer.grade.pct for answer in self.answers) / max(len(self.answers), 1)

    def count(self, verdict: MoveQuality) -> int:
        return sum(answer.grade.verdict is verdict for answer in self.answers)

    def worst(self, most: int = 3) -> list[DrillAnswer]:
        """The most expensive mistakes, in descending order."""
        costly = [answer for answer in self.answers if answer.grade.lost > 0]
        return sorted(costly, key=lambda answer: -answer.grade.pct)[:most]


class Drill:
    """A solution to practise from a given node on. The values of moves are computed once for each decision reached."""

    def __init__(self, solution: PostflopSolution, state: BoardNode) -> None:
        if not meeting_weights(*state.reach).sum() > 0:
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
                state = moved(engine, state, _draw_index(strategy_at(engine, state)[:, hands[node.seat]], rng))
            node = node_at(engine, state)
        return self._ending(node, state, hands, seat)

    def decision(self, state: BoardNode) -> NodeValues:
        """Cached by line and board."""
        key = state.line, state.board
        if key not in self._known:
            self._known[key] = NodeValues(self.solution, state)
        return self._known[key]

    def _ending(self, node: Node, state: BoardNode, hands: tuple[int, int], seat: int) -> Ending:
        """The result of a deal at a terminal, for the seat."""
        spot = self.solution.spot
        stake = spot.pot / 2 + node.bet
        rake = spot.rake.of(2 * stake)
        if node.kind is NodeKind.FOLD:
            won = -stake if node.seat == seat else stake - rake
            return Ending(hands, state.board, node.seat, spot.in_unit(won))
        mine, theirs = (
            evaluate((*combos().cards[combo].tolist(), *state.board)) for combo in (hands[seat], hands[1 - seat])
        )
        lead = (mine > theirs) - (mine < theirs)
        return Ending(hands, state.board, None, spot.in_unit(lead * (stake - rake / 2) - rake / 2))


def deal(state: BoardNode, rng: Rng) -> tuple[int, int]:
    """Two hands drawn by the joint reach of both seats at a node."""
    first = _draw_index(meeting_weights(*state.reach), rng)
    return first, _draw_index(state.reach[1] * ((combos().mask & combos().mask[first]) == 0), rng)


def _card(state: BoardNode, hands: tuple[int, int], rng: Rng) -> Card:
    """A random card that is neither on the board nor in a hand."""
    known_cards = {*state.board, *combos().cards[list(hands)].ravel().tolist()}
    remaining = [card for card in range(52) if card not in known_cards]
    return Card(remaining[int(rng.random() * len(remaining))])


def _draw_index(weights: Float64s, rng: Rng) -> int:
    """A random index, with probabilities in proportion to the weights."""
    cumulative = weights.cumsum()
    return int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
