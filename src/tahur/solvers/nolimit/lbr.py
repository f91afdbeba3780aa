"""Local best response at heads-up no-limit hold'em (Lisy and Bowling 2017, "Equilibrium Approximation Quality of
Current No-Limit Poker Bots"): a lower bound on what a strategy loses to a best response.

The local best response knows the strategy and keeps the opponent's range by Bayes' rule. At each of its decisions it
takes the action that would be best if both seats checked and called from then on: a bet wins the pot as often as the
range folds to it, and otherwise goes to a showdown with the hands that do not fold. What it really wins is measured by
playing on. On streets on which it does not play it checks and calls.

The opponent is a `Resolver`, whose answer has the strategy of all hands, so its hand is never drawn. Its folds, and all
its actions on the last street, are averaged; on earlier streets its other actions are drawn with the probability that
its whole range has for them. Showdowns are averaged over the range, and over the rest of the board after an all-in. The
mean is that of play with drawn hands, with less variance.

A deal is one hand and one board, played from both seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS, DECK_SIZE
from tahur.cards.equity.hand import equities
from tahur.cards.equity.tables import combos
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError, StrategyError, UnknownName
from tahur.core.game import CHANCE, OVER, Action, Seat
from tahur.core.quantiles import student_reach
from tahur.core.resolver import ResolvedDecision, Resolver
from tahur.games.holdem import fourteen
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import RIVER
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

STREETS: Final = ("preflop", "flop", "turn", "river")
LAST_STREET: Final = 3
BET_SETS: Final[Mapping[str, tuple[int, ...]]] = {
    "none": (),
    "pot": (fourteen.FIRST_PERCENT + fourteen.PERCENTS.index(100), fourteen.ALL_IN),
    "fourteen": tuple(range(fourteen.MIN_RAISE, len(fourteen.NAMES))),
}
LEVEL: Final = 0.95
FEWEST_DEALS: Final = 10  # for an interval
NEVER: Final = 1e-12  # the probability below which an action of the opponent is not followed


@dataclass(frozen=True, slots=True)
class ResponseOptions:
    """How the local best response plays."""

    bets: str = "pot"  # a name of BET_SETS, in addition to folding and calling
    streets: tuple[int, ...] = (0, 1, 2, 3)  # where it plays; on the others it checks and calls
    averaged_from: int = LAST_STREET  # the first street on which all actions of the opponent are averaged

    def __post_init__(self) -> None:
        if self.bets not in BET_SETS:
            raise UnknownName(f"no bets '{self.bets}'; valid: {', '.join(BET_SETS)}")
        if not self.streets or not set(self.streets) <= set(range(len(STREETS))):
            raise SolverError(f"streets {self.streets}; give some of 0 (preflop) to 3 (river)")


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The cards of a deal: a hand for the local best response, and the board."""

    hand: int
    board: tuple[int, ...]

    @classmethod
    def of(cls, seed: int, deal: int) -> DealtCards:
        """The cards of one of the deals of a seed."""
        rng = np.random.default_rng([seed, deal])
        high, low, *board = rng.choice(DECK_SIZE, 2 + RIVER, replace=False).tolist()
        high, low = max(high, low), min(high, low)
        return cls(high * (high - 1) // 2 + low, tuple(board))


DealResult = tuple[float, float]  # what the local best response wins in seat 0 and in seat 1, in chips


@dataclass(frozen=True, slots=True)
class LbrEstimate:
    """What the local best response won so far, in thousandths of a big blind per hand."""

    deals: int
    by_seat: tuple[float, float]  # in seat 0 and in seat 1
    error: float  # standard error of the mean over deals, each the mean of both seats

    @classmethod
    def of(cls, results: Sequence[DealResult], big_blind: int) -> LbrEstimate:
        """The estimate from the results of whole deals."""
        won = np.array(results) * (1000.0 / big_blind)
        first, second = won.mean(axis=0).tolist()
        error = float(won.mean(axis=1).std(ddof=1)) / sqrt(len(won)) if len(won) > 1 else inf
        return cls(len(won), (first, second), error)

    @property
    def mean(self) -> float:
        return sum(self.by_seat) / 2

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval by Student's t; None with too few deals."""
        if self.deals < FEWEST_DEALS:
            return None
        reach = self.error * student_reach(LEVEL, self.deals - 1)
        return self.mean - reach, self.mean + reach


def local_best_response(
    resolver: Resolver, game: Holdem, options: ResponseOptions, *, deals: range, seed: int
) -> Iterator[DealResult]:
    """Play these deals of a seed against a strategy; yields the result of each."""
    if reason := resolver.misfit(game):
        raise StrategyError(reason)
    for deal in deals:
        yield played(resolver, game, options, seed=seed, deal=deal)


def played(resolver: Resolver, game: Holdem, options: ResponseOptions, *, seed: int, deal: int) -> DealResult:
    """The result of one deal, the same each time."""
    cards = DealtCards.of(seed, deal)
    values = []
    for seat in (0, 1):
        rng = np.random.default_rng([seed, deal, 1 + seat])
        responder = LocalResponder(resolver, options, cards, seat, rng=rng)
        values.append(responder.value(game.start(), np.ones(COMBOS)))
    return values[0], values[1]


class LocalResponder:
    """The local best response in one seat of one deal.

    `reach` is (1326,): the probability of the opponent's actions so far with each hand, up to a factor. Hands that the
    cards exclude are left out where it is used.
    """

    def __init__(
        self, resolver: Resolver, options: ResponseOptions, cards: DealtCards, seat: Seat, *, rng: np.random.Generator
    ) -> None:
        self.resolver, self.options, self.cards, self.seat, self.rng = resolver, options, cards, seat, rng
        self._answers: dict[HoldemTable, ResolvedDecision] = {}

    def value(self, table: HoldemTable, reach: Float64s) -> float:
        """The chips it wins from a table on, on average over the opponent's hands."""
        if _is_settled(table):
            return min(table.committed) * self._lead(table, reach)
        if table.turn == CHANCE:
            return self.value(table.after(self.cards.board[len(table.board)]), reach)
        if table.turn != self.seat:
            return self._answered(table, reach)
        action = self.choose(table, reach)
        return -float(table.committed[self.seat]) if action == FOLD else self.value(table.after(action), reach)

    def choose(self, table: HoldemTable, reach: Float64s) -> Action:
        """The action with the highest local value; of equal ones the first."""
        if table.street not in self.options.streets:
            return CALL
        values = self.local_values(table, reach)
        return max(values, key=values.__getitem__)

    def local_values(self, table: HoldemTable, reach: Float64s) -> dict[Action, float]:
        """The chips that each action would win if both seats checked and called after the opponent's answer to it."""
        mine, theirs = table.committed[self.seat], table.committed[1 - self.seat]
        values = {CALL: min(mine + table.to_call, theirs) * self._lead(table, reach)}
        if table.to_call:
            values[FOLD] = -float(mine)
        situation = fourteen.situation_of(table)
        mask = fourteen.legal_mask(situation)
        for index in BET_SETS[self.options.bets]:
            if mask[index]:
                action = fourteen.action_of(situation, index)
                values[action] = self._bet(table.after(action), reach)
        return values

    def _bet(self, table: HoldemTable, reach: Float64s) -> float:
        """The local value of a bet, at the table where the opponent answers it: it folds, or it calls."""
        answer = self.answer(table)
        folding = answer.mix[answer.actions.index(FOLD)] if FOLD in answer.actions else np.zeros(COMBOS)
        alive = self._alive(table.board)
        folds = float(folding @ (reach * alive)) / float(reach @ alive)
        if folds > 1 - NEVER:
            return float(table.committed[1 - self.seat])
        called = min(table.committed[self.seat], table.committed[1 - self.seat] + table.to_call)
        lead = self._lead(table, reach * (1 - folding))
        return folds * table.committed[1 - self.seat] + (1 - folds) * called * lead

    def answer(self, table: HoldemTable) -> ResolvedDecision:
        """The opponent's strategy at its decision; each is resolved once."""
        if table not in self._answers:
            self._answers[table] = self.resolver.resolve(table)
        return self._answers[table]

    def _answered(self, table: HoldemTable, reach: Float64s) -> float:
        """The value at a decision of the opponent: its folds are averaged, of its other actions one is drawn."""
        answer = self.answer(table)
        held = reach * self._alive(self.cards.board)  # with the cards to come: they are dealt already
        chances = np.clip(answer.mix @ held, 0, None)
        chances /= chances.sum()
        value, others = 0.0, []
        for choice, action in enumerate(answer.actions):
            if action == FOLD:
                value += chances[choice] * table.committed[1 - self.seat]
            elif chances[choice] > NEVER:
                others.append(choice)
        rest = float(chances[others].sum())
        if table.street < self.options.averaged_from and others:
            others = [int(self.rng.choice(others, p=chances[others] / rest))]
            chances[others] = rest
        for choice in others:
            after = reach * answer.mix[choice]
            value += chances[choice] * self.value(table.after(answer.actions[choice]), after / after.max())
        return float(value)

    def _lead(self, table: HoldemTable, reach: Float64s) -> float:
        """The part of the stake that it wins on average at a showdown with no more betting, from -1 to 1."""
        held = reach * self._alive(table.board)
        return 2 * float(held @ equities(self.cards.hand, table.board)) / float(held.sum()) - 1

    def _alive(self, board: tuple[int, ...]) -> Float64s:
        """(1326,) 1 for hands of the opponent that share no card with a board or with its own hand."""
        gone = int(combos().mask[self.cards.hand]) | sum(1 << card for card in board)
        alive: Float64s = (combos().mask & gone == 0).astype(np.float64)
        return alive


def _is_settled(table: HoldemTable) -> bool:
    """Whether both hands go to the showdown without more betting."""
    return table.turn == OVER or (table.turn == CHANCE and not min(table.stacks))
