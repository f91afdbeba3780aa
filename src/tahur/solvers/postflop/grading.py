"""What a choice costs, for one hand at one decision of a solution.

A move is worth what the hand earns after it against the solution's other seat, playing on as well as it can. The cost
of a choice is measured against the hand's own value: what the hand earns there if it does what the solution does.

A solution is only so exact, and less so for hands and lines that it rarely reaches. So each hand has its own error
there: what the best play would earn with it more than the solution does. A cost of no more than that is "too close to
call", and a move that the solution makes at least `PLAYED` of the time with the hand is never a mistake. The sentence
that says why is made from the solution's own numbers: EVs, how often the other folds to this hand, equity against what
goes on, and the price of a call.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np

from tahur.cards.cards import cards_of, cards_text
from tahur.cards.equity.tables import combos
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.postflop.line import BoardNode, locked_at, moved, node_at, share, strategy_at
from tahur.solvers.postflop.results import best_and_own_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Move, NodeKind

BLUNDER: Final = 5.0  # % of the pot on the table
PLAYED: Final = 0.10  # a move that the solution makes so often with a hand is no mistake
RARE: Final = 0.001  # lines that come less often were hardly trained
RIVER: Final = 5  # cards on the board
FINEST: Final = 1e-5  # of the pot: float32 knows no better


class MoveQuality(StrEnum):
    """From good to bad; `close` is not told from the best."""

    BEST = "best"
    CLOSE = "close"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Grade:
    """One choice. `lost` in the spot's unit and `pct` of the pot on the table, both 0 when it is no mistake.

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
    """A place of a solution with what every move is worth to the seat that decides; asked once, for all hands.

    Amounts are in the spot's unit, chips or big blinds.
    """

    def __init__(self, solution: PostflopSolution, place: BoardNode) -> None:
        self.solution = solution
        self.place = place
        self.node = node_at(solution.engine, place)
        if self.node.kind is not NodeKind.DECISION:
            raise SolverError(f"nobody decides after {','.join(map(str, place.line))}")

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
        """On the table, bets counted."""
        return self.spot.in_unit(self.spot.pot + 2 * self.node.bet + to_call(self.node))

    @property
    def behind(self) -> float:
        """What the seat that decides can still bet."""
        return self.spot.in_unit(self.spot.stack - self.node.bet)

    @property
    def spot(self) -> Spot:
        return self.solution.spot

    @property
    def evs(self) -> Float64s:
        """(moves, 1326) playing on as well as one can; folding is 0."""
        return self._values[0]

    @cached_property
    def own(self) -> Float64s:
        """(1326,) what each hand earns as the solution plays it; a hand that is locked, what it could earn."""
        locked = locked_at(self.solution.engine, self.place)
        own: Float64s = np.where(locked, self.evs.max(axis=0), self._values[1])
        return own

    @cached_property
    def _values(self) -> tuple[Float64s, Float64s]:
        best, own = best_and_own_evs(self.solution.engine, self.place)
        scale = self.spot.big_blind or 1
        return best / scale, own / scale

    @cached_property
    def strategy(self) -> Float64s:
        """(moves, 1326) what the solution does."""
        return strategy_at(self.solution.engine, self.place)

    def grade(self, hand: int, choice: int) -> Grade:
        """What choosing a move, by its number, costs with a hand."""
        evs = self.evs[:, hand]
        if not np.isfinite(evs).all():
            raise SolverError(f"{cards_text(cards_of(hand))} cannot be there: it meets no hand of the other seat")
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
            why=self._why(hand, choice, best),
        )

    def error(self, hand: int) -> float:
        """What the best play earns more with the hand, from here on, than the solution does."""
        return max(float(self.evs[:, hand].max() - self.own[hand]), FINEST * self.pot)

    def is_played(self, hand: int, choice: int) -> bool:
        """Whether the solution, of its own accord, makes the move often enough for it to be no mistake."""
        told = locked_at(self.solution.engine, self.place)[hand]
        return not told and bool(self.strategy[choice, hand] >= PLAYED - FINEST)

    def _is_fine(self, hand: int, choice: int) -> bool:
        cost = float(self.own[hand] - self.evs[choice, hand])
        return self.is_played(hand, choice) or cost <= self.error(hand)

    # ---- the sentence ----------------------------------------------------------------------------------------

    def _why(self, hand: int, choice: int, best: int) -> str:
        evs = self.evs[:, hand]
        other = best if choice != best else self._rival(hand, best)
        if other is None:
            return f"{_doing(self.moves[choice])} is all there is"
        mix = self._mix(hand, choice, other)
        first, second = (best, choice) if choice != best else (choice, other)
        one, two = (self.figure(evs[each]) for each in (first, second))
        told = f"{_doing(self.moves[first])} earns {one}, {_doing(self.moves[second])} {two}"
        near = self._is_fine(hand, second)
        reasons = mix if near else "; ".join(filter(None, (self._reason(hand, each) for each in (second, first))))
        close = "too close to call: " if near and choice != best and not self.is_played(hand, choice) else ""
        known = f", known to {self.error(hand):.2g} {self.spot.unit}" if close else ""
        then = "; " if near else ": "
        return f"{close}{told}{known}{then if reasons else ''}{reasons}{self._caution()}"

    def figure(self, ev: float) -> str:
        """An EV with a decimal, or with two in big blinds; never -0.0."""
        digits = 2 if self.spot.big_blind else 1
        return f"{round(float(ev), digits) + 0.0:.{digits}f}"

    def _rival(self, hand: int, best: int) -> int | None:
        """The second best move."""
        order = np.argsort(self.evs[:, hand])[::-1]
        return int(order[1]) if len(order) > 1 else None

    def _mix(self, hand: int, choice: int, other: int) -> str:
        """How the solution mixes two moves that are not told apart."""
        often = self.strategy[:, hand]
        if self.is_played(hand, choice) and self.is_played(hand, other):
            both = (f"{self._often(hand, each)}" for each in (choice, other))
            return f"the solution {' and '.join(both)}, both are fine"
        most = int(often.argmax())
        return f"the solution {self._often(hand, most)}, and nothing hangs on it"

    def _often(self, hand: int, choice: int) -> str:
        return f"{_does(self.moves[choice])} {self.strategy[choice, hand]:.0%}"

    def _reason(self, hand: int, choice: int) -> str:
        """What a move lives on, in numbers."""
        match self.moves[choice].deed:
            case Deed.FOLD:
                return ""
            case Deed.CHECK:
                return f"unbet, you have {self.equity(hand):.0%} against their range"
            case Deed.CALL:
                price = self.to_call / (self.pot + self.to_call)
                later = "" if len(self.place.board) == RIVER else " before later bets"
                return f"the call needs {price:.0%} and you have {self.equity(hand):.0%}{later}"
            case Deed.BET | Deed.RAISE | Deed.ALL_IN:
                folds, against = self.answered(hand, choice)
                name = f"{_noun(self.moves[choice])} is folded to {folds:.0%}"
                return name if folds > 1 - 1e-6 else f"{name} and has {against:.0%} against what goes on"

    def equity(self, hand: int) -> float:
        """Of the pot, against the other's range here, if nobody bets any more."""
        return share(hand, self._theirs(self.place, hand), self.place.board)

    def answered(self, hand: int, choice: int) -> tuple[float, float]:
        """How often the other folds to a bet of this hand, and the hand's equity against what does not fold."""
        engine = self.solution.engine
        after = moved(engine, self.place, choice)
        fold = strategy_at(engine, after)[[move.deed for move in node_at(engine, after).moves].index(Deed.FOLD)]
        theirs = self._theirs(after, hand)
        folds = float(theirs @ fold / theirs.sum()) if theirs.sum() else 0.0
        return folds, share(hand, theirs * (1 - fold), after.board)

    def _theirs(self, place: BoardNode, hand: int) -> Float64s:
        """The other's reach with hands that this one leaves."""
        left: Float64s = place.reach[1 - self.seat] * ((combos().mask & combos().mask[hand]) == 0)
        return left

    def _caution(self) -> str:
        return "" if self.place.frequency >= RARE else f" (the solution comes here {self.place.frequency:.2%})"


def grade(solution: PostflopSolution, place: BoardNode, hand: int, action: int) -> Grade:
    """What a move, by its number at the place, costs with a hand: `grade(solution, walk(engine, "check"), 17, 0)`."""
    return NodeValues(solution, place).grade(hand, action)


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
