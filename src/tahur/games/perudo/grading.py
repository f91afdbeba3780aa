"""Exact values of every action of a round against a solved opponent, and the cost of each mistake.

At a decision the opponent's hands are weighted by their probability under its strategy given the bids so far. An action
is worth what it pays against them, in dice of lead, if the graded seat plays optimally afterwards; a mistake costs the
difference to the best action. So the average cost per round is exactly the difference between the results of a best
response to the strategy and of the graded player, and the best response wins the value of the round plus at most the
strategy's NashConv.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.errors import StrategyError
from tahur.core.game import OVER, Action, Hand, Seat
from tahur.games.perudo.bids import CALZA, DUDO
from tahur.games.perudo.ladder import ROOT
from tahur.games.perudo.solved import RoundStrategy, known_ladder
from tahur.games.perudo.table import PerudoTable, hands_of, prior

NOTHING: Final = 1e-9  # dice of lead: actions that differ by less count as equal


class MistakeKind(Enum):
    """The kinds of mistakes."""

    BAD_DUDO = "bad dudo"
    MISSED_DUDO = "missed dudo"
    BAD_BID = "bad bid"
    BAD_CALZA = "bad calza"
    MISSED_CALZA = "missed calza"


@dataclass(frozen=True, slots=True)
class PerudoGrade:
    """One decision: the action taken, the best action, and the cost of the difference in dice of lead."""

    action: Action
    best: Action
    cost: float

    @property
    def kind(self) -> MistakeKind | None:
        """The kind of mistake; None if it cost nothing."""
        if self.cost <= NOTHING:
            return None
        if self.action in (DUDO, CALZA):
            return MistakeKind.BAD_DUDO if self.action == DUDO else MistakeKind.BAD_CALZA
        missed = {DUDO: MistakeKind.MISSED_DUDO, CALZA: MistakeKind.MISSED_CALZA}
        return missed.get(self.best, MistakeKind.BAD_BID)


@dataclass(frozen=True, slots=True)
class Worth:
    """The actions at a decision, and their values: one row per action, one column per own hand."""

    menu: tuple[Action, ...]
    values: Float64s


class Grader:
    """Grades one seat of a round (0 opens) against the strategy of the other; caches what it has computed."""

    def __init__(self, strategy: RoundStrategy, seat: Seat) -> None:
        """Reject a strategy that is not a full solution; convert the ladder's arrays to lists, which are faster to
        index."""
        round_ = strategy.game.round
        ladder = known_ladder(round_)
        if len(strategy.weights) != ladder.size:
            raise StrategyError(f"perudo: {strategy.name} is not a full solution of its round; grading needs one")
        self.strategy, self.seat, self._ladder = strategy, seat, ladder
        self._dice = round_.cups[round_.order[seat]], round_.cups[round_.order[1 - seat]]
        self._calls, self._first = ladder.calls.tolist(), ladder.first.tolist()
        self._children, self._shifts = ladder.children.tolist(), ladder.shifts.tolist()
        self._paid: dict[tuple[int, Action, int], Float64s] = {}
        self._known: dict[int, Worth] = {}

    def best_value(self) -> float:
        """What a best response to the strategy wins in the round, in dice of lead."""
        return float(prior(self._dice[0]) @ self._walk(ROOT, 0, prior(self._dice[1])))

    def worth(self, bids: Sequence[Action]) -> Worth | None:
        """The values of all actions after these bids, at the seat's own turn; None if the strategy never gets there."""
        rung, offset = self._ladder.find(bids)
        if self._ladder.rows(rung) == 0:
            return Worth(self._ladder.menu(rung), np.zeros((1, len(hands_of(self._dice[0])))))
        if offset not in self._known:
            reach = self._reach(bids)
            if not reach.any():
                return None
            self._walk(rung, offset, reach)
        return self._known[offset]

    def grades(self, history: Sequence[Action], hand: Hand) -> Iterator[PerudoGrade]:
        """A grade for each decision of the seat in a finished round in which it held that hand."""
        column = hand - hands_of(self._dice[0]).start
        for at in range(self.seat, len(history), 2):
            worth = self.worth(history[:at])
            if worth is None:
                raise StrategyError(f"perudo: {self.strategy.name} never makes the bids of this round")
            values, taken = worth.values[:, column], worth.menu.index(history[at])
            best = int(values.argmax())
            yield PerudoGrade(history[at], worth.menu[best], float(values[best] - values[taken]))

    def _reach(self, bids: Sequence[Action]) -> Float64s:
        """The reach of each of the opponent's hands: its prior times the probability of its bids."""
        reach = prior(self._dice[1])
        for at in range(1 - self.seat, len(bids), 2):
            menu, chances = self.strategy.block(bids[:at])
            reach = reach * chances[menu.index(bids[at])]
        return reach

    def _walk(self, rung: int, offset: int, reach: Float64s) -> Float64s:
        """What each own hand wins from a decision on, weighted by the opponent's reach."""
        state, depth = rung % self._ladder.states, rung // self._ladder.states
        ours, calls = depth % 2 == self.seat, self._calls[rung]
        raises = range(self._first[rung], self._first[rung + 1])
        reaches: Any = [reach] * (calls + len(raises)) if ours else reach * self._chances(rung, offset)
        rows = [self._payoffs(depth, call, state) @ reaches[call] for call in range(calls)]
        for row, raised in enumerate(raises, start=calls):
            if ours or reaches[row].any():
                child = (depth + 1) * self._ladder.states + self._children[raised]
                rows.append(self._walk(child, offset + self._shifts[raised], reaches[row]))
        if not ours:
            return np.sum(rows, axis=0) if rows else np.zeros(len(hands_of(self._dice[0])))
        values = np.array(rows)
        if len(rows) > 1:
            self._known[offset] = Worth(self._ladder.menu(rung), values / reach.sum())
        best: Float64s = values.max(axis=0)
        return best

    def _chances(self, rung: int, offset: int) -> Float64s:
        """The opponent's probabilities at a decision: one row per action, one column per hand."""
        rows, hands = self._ladder.rows(rung), len(hands_of(self._dice[1]))
        if rows == 0:
            return np.ones((1, hands))
        weights = self.strategy.weights[offset : offset + rows * hands].reshape(rows, hands).astype(np.float64)
        total = weights.sum(axis=0)
        return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / rows)

    def _payoffs(self, depth: int, call: Action, state: int) -> Float64s:
        """What calling the bid pays the graded seat: own hands in rows, the opponent's in columns."""
        key = depth % 2, call, state
        payoffs = self._paid.get(key)
        if payoffs is None:
            payoffs = self._paid[key] = self._all_payoffs(*key)
        return payoffs

    def _all_payoffs(self, caller: int, call: Action, state: int) -> Float64s:
        """(own hands, other's hands) the graded seat's lead in payoffs when `caller` makes a call in a state of the
        ladder."""
        ladder, game = self._ladder, self.strategy.game
        bid = ladder.bids[state - 1]
        actions = (bid, bid, call) if caller == 0 else (bid, call)  # only the last bid and whose turn it is matter
        pays = game.terminal(PerudoTable(game.round, OVER, actions)).pays
        mine, yours = game.round.order[self.seat], game.round.order[1 - self.seat]
        counts = ladder.matches[self.seat][state][:, None] + ladder.matches[1 - self.seat][state]
        lead: Float64s = (pays[:, mine] - pays[:, yours])[counts]
        return lead
