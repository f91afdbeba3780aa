"""Local best response at heads-up no-limit hold'em (Lisy and Bowling 2017, "Equilibrium Approximation Quality of
Current No-Limit Poker Bots"): a lower bound on what a strategy loses to a best response.

The local best response knows the strategy and keeps the opponent's range by Bayes' rule. At each of its decisions it
takes the action that would be best if both seats checked and called from then on: a bet wins the pot as often as the
range folds to it, and otherwise goes to a showdown with the hands that do not fold. What it really wins is measured by
playing on. On streets on which it does not play it checks and calls.

A deal is one board, played from both seats with every hand. The opponent is a `Resolver`, whose answers do not depend
on hands, so all hands of the local best response meet the same answers: where they choose different actions, each
action is followed with the hands that chose it. The opponent's hand is not drawn either. Its folds, and all its actions
on the last street, are averaged; on earlier streets one of its other actions is drawn. Showdowns are averaged over the
range, and over the rest of the board after an all-in. The mean is that of play with drawn hands, with less variance.

Values are counterfactual: for each own hand the chips won with each hand of the opponent, times the probability that
the opponent plays to there with it, averaged over all hands that it can hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, inf, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE
from tahur.cards.equity.hand import equity_matrix
from tahur.cards.equity.removal import alive_hands, meeting
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

Board = tuple[int, ...]
Hands = NDArray[np.bool_]  # (1326,)


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


def dealt_board(seed: int, deal: int) -> Board:
    """The five cards of one of the deals of a seed."""
    cards = np.random.default_rng([seed, deal]).choice(DECK_SIZE, RIVER, replace=False)
    return tuple(cards.tolist())


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
    values = []
    for seat in (0, 1):
        rng = np.random.default_rng([seed, deal, 1 + seat])
        responder = LocalResponder(resolver, options, dealt_board(seed, deal), seat, rng=rng)
        values.append(float(responder.root_values(game).mean()))
    return values[0], values[1]


class LocalResponder:
    """The local best response in one seat of one deal, with all hands.

    `reach` is (1326,): the probability of the opponent's actions so far with each hand. Values are (1326,) chips of
    each own hand, as a sum over the opponent's hands; `root_values` divides by their number.
    """

    def __init__(
        self, resolver: Resolver, options: ResponseOptions, board: Board, seat: Seat, *, rng: np.random.Generator
    ) -> None:
        self.resolver, self.options, self.board, self.seat, self.rng = resolver, options, board, seat, rng
        self._answers: dict[HoldemTable, ResolvedDecision] = {}

    def root_values(self, game: Holdem) -> Float64s:
        """(1326,) the chips that each hand wins in this deal; their mean over many deals is what it wins."""
        return self.values(game.start(), np.ones(COMBOS), np.ones(COMBOS, np.bool_)) / comb(50, 2)

    def values(self, table: HoldemTable, reach: Float64s, hands: Hands) -> Float64s:
        """The values at a table of the hands that come there, 0 for others."""
        if table.turn == OVER or (table.turn == CHANCE and not min(table.stacks)):
            return hands * min(table.committed) * self._lead(table, reach)
        if table.turn == CHANCE:
            return self._dealt(table, reach, hands)
        if table.turn != self.seat:
            return self._answered(table, reach, hands)
        total = np.zeros(COMBOS)
        for action, chosen in self.choices(table, reach, hands):
            if action == FOLD:
                total -= chosen * table.committed[self.seat] * meeting(reach)
            else:
                total += self.values(table.after(action), reach, chosen)
        return total

    def choices(self, table: HoldemTable, reach: Float64s, hands: Hands) -> list[tuple[Action, Hands]]:
        """The actions with the highest local value, of equal ones the first, each with the hands that choose it."""
        if table.street not in self.options.streets:
            return [(CALL, hands)]
        values = self.local_values(table, reach)
        best = np.argmax(np.array(list(values.values())), axis=0)
        chosen = [(action, hands & (best == place)) for place, action in enumerate(values)]
        return [(action, those) for action, those in chosen if those.any()]

    def local_values(self, table: HoldemTable, reach: Float64s) -> dict[Action, Float64s]:
        """The chips that each action would win if both seats checked and called after the opponent's answer to it."""
        mine, theirs = table.committed[self.seat], table.committed[1 - self.seat]
        values = {CALL: min(mine + table.to_call, theirs) * self._lead(table, reach)}
        if table.to_call:
            values[FOLD] = -float(mine) * meeting(reach)
        situation = fourteen.situation_of(table)
        mask = fourteen.legal_mask(situation)
        for index in BET_SETS[self.options.bets]:
            if mask[index]:
                action = fourteen.action_of(situation, index)
                values[action] = self._bet(table.after(action), reach)
        return values

    def _bet(self, table: HoldemTable, reach: Float64s) -> Float64s:
        """The local value of a bet, at the table where the opponent answers it: it folds, or it calls."""
        answer = self.answer(table)
        folding = answer.mix[answer.actions.index(FOLD)] if FOLD in answer.actions else np.zeros(COMBOS)
        alive = reach * alive_hands(table.board)
        called = min(table.committed[self.seat], table.committed[1 - self.seat] + table.to_call)
        folds: Float64s = table.committed[1 - self.seat] * meeting(alive * folding)
        return folds + called * self._lead(table, reach * (1 - folding))

    def answer(self, table: HoldemTable) -> ResolvedDecision:
        """The opponent's strategy at its decision; each is resolved once."""
        if table not in self._answers:
            self._answers[table] = self.resolver.resolve(table)
        return self._answers[table]

    def _dealt(self, table: HoldemTable, reach: Float64s, hands: Hands) -> Float64s:
        """The values after the deal's next card. The fewer pairs of hands it leaves, the more each of them counts."""
        card = self.board[len(table.board)]
        left = DECK_SIZE - len(table.board)
        alive = alive_hands((card,))
        pairs = left / (left - 4)  # cards to choose it from, with the hands of both seats known or not
        return pairs * self.values(table.after(card), reach * alive, hands & (alive > 0))

    def _answered(self, table: HoldemTable, reach: Float64s, hands: Hands) -> Float64s:
        """The values at a decision of the opponent: its folds are averaged, of its other actions one is drawn."""
        answer = self.answer(table)
        alive = reach * alive_hands(table.board)
        often = np.clip(answer.mix @ (alive * meeting(hands.astype(np.float64))), 0, None)
        total, others = np.zeros(COMBOS), []
        for choice, action in enumerate(answer.actions):
            if action == FOLD:
                total += hands * table.committed[1 - self.seat] * meeting(alive * answer.mix[choice])
            elif often[choice] > NEVER * often.sum():
                others.append(choice)
        weights = np.ones(len(answer.actions))
        if table.street < self.options.averaged_from and others:
            pots = np.array([max(table.after(answer.actions[choice]).committed) for choice in others])
            chances = often[others] * pots / (often[others] @ pots)
            drawn = int(self.rng.choice(len(others), p=chances))
            others = [others[drawn]]
            weights[others] = 1 / chances[drawn]
        for choice in others:
            after = table.after(answer.actions[choice])
            total += weights[choice] * self.values(after, reach * answer.mix[choice], hands)
        return total

    def _lead(self, table: HoldemTable, reach: Float64s) -> Float64s:
        """What each hand wins on average of a stake of 1 at a showdown with no more betting, over the reach."""
        alive = reach * alive_hands(table.board)
        won = equity_matrix(table.board) @ alive.astype(np.float32)
        return 2 * won.astype(np.float64) - meeting(alive)
