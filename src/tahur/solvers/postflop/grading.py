"""What a choice costs: the EV of the best move less that of the chosen one, for one hand at one decision of a solution.

A move is worth what the hand earns after it against the solution's other seat, playing on as well as it can. Where the
solution itself makes the move this is its EV, to within its exploitability; where it never does with that hand, what it
would do later was never trained, and nobody is blamed for that.

A solution is only so exact: what its own best responses could still win, its exploitability, is noise. So no loss of
less than twice that is counted; it is "too close to call". The sentence that says why is made from the solution's own
numbers: EVs, how often the other folds to this hand, equity against what goes on, and the price of a call.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np

from tahur.cards.cards import cards_of, cards_text
from tahur.cards.equity.tables import combos
from tahur.core.errors import SolverError
from tahur.solvers.postflop.line import Place, moved, node_at, share, strategy_at
from tahur.solvers.postflop.results import Numbers, move_evs, to_call
from tahur.solvers.postflop.solve import Solution
from tahur.solvers.postflop.tree import Deed, Kind, Move

BLUNDER: Final = 5.0  # % of the pot on the table
MIXED: Final = 0.05  # a move that the solution makes less often is no part of a mix
RARE: Final = 0.001  # lines that come less often were hardly trained
RIVER: Final = 5  # cards on the board
FINEST: Final = 1e-5  # of the pot: float32 knows no better


class Verdict(StrEnum):
    """From good to bad; `close` is not told from the best."""

    BEST = "best"
    CLOSE = "close"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Grade:
    """One choice. `lost` in chips and `pct` of the pot on the table, both 0 when it is too close to call."""

    chosen: Move
    best: Move
    lost: float
    pct: float
    verdict: Verdict
    why: str


class Decision:
    """A place of a solution with what every move is worth to the seat that decides; asked once, for all hands."""

    def __init__(self, solution: Solution, place: Place) -> None:
        self.solution = solution
        self.place = place
        self.node = node_at(solution.engine, place)
        if self.node.kind is not Kind.DECISION:
            raise SolverError(f"nobody decides after {','.join(map(str, place.line))}")

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.node.moves

    @property
    def seat(self) -> int:
        return self.node.seat

    @property
    def to_call(self) -> int:
        return to_call(self.node)

    @property
    def pot(self) -> int:
        """On the table, bets counted."""
        return self.solution.spot.pot + 2 * self.node.bet + self.to_call

    @property
    def behind(self) -> int:
        """What the seat that decides can still bet."""
        return self.solution.spot.stack - self.node.bet

    @property
    def tolerance(self) -> float:
        """Chips below which two moves are not told apart."""
        return tolerance(self.solution)

    @cached_property
    def evs(self) -> Numbers:
        """(moves, 1326) in chips; folding is 0."""
        return move_evs(self.solution.engine, self.place, best=True)

    @cached_property
    def strategy(self) -> Numbers:
        """(moves, 1326) what the solution does."""
        return strategy_at(self.solution.engine, self.place)

    def grade(self, hand: int, choice: int) -> Grade:
        """What choosing a move, by its number, costs with a hand."""
        evs = self.evs[:, hand]
        if not np.isfinite(evs).all():
            raise SolverError(f"{cards_text(cards_of(hand))} cannot be there: it meets no hand of the other seat")
        best = int(evs.argmax())
        raw = float(evs[best] - evs[choice])
        lost = raw if raw > self.tolerance else 0.0
        percent = lost / self.pot * 100
        if choice == best:
            verdict = Verdict.BEST
        elif not lost:
            verdict = Verdict.CLOSE
        else:
            verdict = Verdict.BLUNDER if percent >= BLUNDER else Verdict.MISTAKE
        return Grade(self.moves[choice], self.moves[best], lost, percent, verdict, self._why(hand, choice, best))

    # ---- the sentence ----------------------------------------------------------------------------------------

    def _why(self, hand: int, choice: int, best: int) -> str:
        evs = self.evs[:, hand]
        other = best if choice != best else self._rival(hand, best)
        if other is None:
            return f"{_doing(self.moves[choice])} is all there is"
        mix = self._mix(hand, choice, other)
        first, second = (best, choice) if choice != best else (choice, other)
        one, two = (f"{evs[each]:.1f}".replace("-0.0", "0.0") for each in (first, second))
        told = f"{_doing(self.moves[first])} earns {one}, {_doing(self.moves[second])} {two}"
        near = abs(evs[first] - evs[second]) <= self.tolerance
        reasons = mix if near else "; ".join(filter(None, (self._reason(hand, each) for each in (second, first))))
        close = "too close to call: " if near and choice != best else ""
        then = "; " if near else ": "
        return f"{close}{told}{then if reasons else ''}{reasons}{self._caution()}"

    def _rival(self, hand: int, best: int) -> int | None:
        """The second best move."""
        order = np.argsort(self.evs[:, hand])[::-1]
        return int(order[1]) if len(order) > 1 else None

    def _mix(self, hand: int, choice: int, other: int) -> str:
        """How the solution mixes two moves that are worth the same."""
        often = self.strategy[:, hand]
        if min(often[choice], often[other]) >= MIXED:
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

    def _theirs(self, place: Place, hand: int) -> Numbers:
        """The other's reach with hands that this one leaves."""
        left: Numbers = place.reach[1 - self.seat] * ((combos().mask & combos().mask[hand]) == 0)
        return left

    def _caution(self) -> str:
        return "" if self.place.frequency >= RARE else f" (the solution comes here {self.place.frequency:.2%})"


def grade(solution: Solution, place: Place, hand: int, action: int) -> Grade:
    """What a move, by its number at the place, costs with a hand: `grade(solution, walk(engine, "check"), 17, 0)`."""
    return Decision(solution, place).grade(hand, action)


def tolerance(solution: Solution) -> float:
    """Chips: twice what best responses win of the solution."""
    return max(2 * solution.exploitability / 100, FINEST) * solution.spot.pot


_DOING: Final = {
    Deed.FOLD: ("folding", "folds", "the fold"),
    Deed.CHECK: ("checking", "checks", "the check"),
    Deed.CALL: ("calling", "calls", "the call"),
    Deed.BET: ("betting {}", "bets {}", "the bet of {}"),
    Deed.RAISE: ("raising to {}", "raises to {}", "the raise to {}"),
    Deed.ALL_IN: ("going all-in", "goes all-in", "the all-in"),
}


def _doing(move: Move) -> str:
    return _DOING[move.deed][0].format(move.to)


def _does(move: Move) -> str:
    return _DOING[move.deed][1].format(move.to)


def _noun(move: Move) -> str:
    return _DOING[move.deed][2].format(move.to)
