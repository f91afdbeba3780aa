"""Removes luck from results with ranges: a seat whose strategy is known is taken to hold all hands that it could hold.

The method is AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018, "AIVAT: A New Variance Reduction Technique for
Agent Evaluation in Imperfect Information Games") for two seats. The public actions of a deal and the strategies give
the probability of each hand that a seat could hold (its range, by Bayes' rule). The result of the deal is the
mean payoff over these hands, with the actual hand of a seat whose strategy is unknown. From that are subtracted the
luck of the cards and of the actions that were drawn: the value of the table after the draw, minus the mean of the
values over all draws. Both are computed with ranges, by the game's `range_worth`.

The mean of the results is that of the payoffs, whoever plays and whatever the values are: the mean payoff over all
hands is what the deal pays on average given the public actions, and the luck of a draw averages to zero. This requires
that an action depends on the public state and on the seat's hand alone, and that the probabilities are those from
which it was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, Action
from tahur.core.player import View
from tahur.core.record import Record
from tahur.core.resolver import Resolving
from tahur.core.scoring import RangeAppraised
from tahur.core.strategy import Strategy

MOST_CHOICES: Final = 16  # actions evaluated at one decision; with more, neighbours are grouped
_ROUNDING: Final = 1e-6

Mix = Mapping[Action, Float64s]  # the probability of an action with each hand
Ranges = tuple[Float64s, Float64s]


def remove_range_luck(
    game: RangeAppraised[Any], record: Record, strategies: Sequence[Strategy | None]
) -> tuple[float, ...]:
    """The payoffs of a deal without its luck. `strategies`: each seat's strategy, None if unknown."""
    if reason := game.ranges_misfit():
        raise SettingError(reason)
    first = _RangedDeal(game, record, strategies).payoff()
    return first, -first


class _RangedDeal:
    """A record, followed action by action with the ranges of both seats."""

    def __init__(self, game: RangeAppraised[Any], record: Record, strategies: Sequence[Strategy | None]) -> None:
        self.game, self.record = game, record
        self.strategies = strategies or (None,) * game.seats
        self.ranges: Ranges = (self._first_range(0), self._first_range(1))
        self.luck = game.range_luck_of_deal(self.ranges)

    def payoff(self) -> float:
        """The payoff of seat 0 without luck."""
        tables = tuple(self.record.replay(self.game))
        before_cards: float | None = None
        for at, action in enumerate(self.record.actions):
            table, after = tables[at], tables[at + 1]
            if table.turn != CHANCE:
                self._follow_decision(at, table, action)
                continue
            if before_cards is None:
                before_cards = self.game.range_worth(table, self.ranges)
            self._follow_card(after)
            if after.turn != CHANCE:  # the values between the cards of a street would cancel out
                self.luck += self.game.range_worth(after, self.ranges) - before_cards
                before_cards = None
        return self.game.range_worth(tables[-1], self.ranges) - self.luck

    def _first_range(self, seat: int) -> Float64s:
        """All hands, or the actual hand if the strategy is unknown."""
        if self.strategies[seat] is not None:
            prior: Float64s = self.game.prior(seat)
            return prior
        return np.array([float(hand == self.record.hands[seat]) for hand in self.game.hands(seat)])

    def _follow_card(self, after: Any) -> None:
        free = self.game.holdable(after)
        self.ranges = (self.ranges[0] * free, self.ranges[1] * free)

    def _follow_decision(self, at: int, table: Any, played: Action) -> None:
        """Add the luck of an action, and update the range of the seat that acted."""
        seat: int = table.turn
        strategy = self.strategies[seat]
        if strategy is None:
            return
        mix = self._mix(strategy, self._view(at, table))
        self._check(table, mix, played)
        held = self.ranges[seat] * self.game.meeting(self.ranges[1 - seat])
        chances = {action: float(held @ row) for action, row in mix.items()}
        self._check_sum(table, sum(chances.values()) / float(held.sum()))
        if len(chances) > 1:
            self.luck += self._luck_of_choice(table, mix, chances, played)
        self.ranges = self._after(seat, mix[played])

    def _luck_of_choice(self, table: Any, mix: Mix, chances: Mapping[Action, float], played: Action) -> float:
        """The value after the action played minus the mean over all actions."""
        mean = drawn = 0.0
        total = sum(chances.values())
        for group in groups(chances):
            chance = sum(chances[action] for action in group)
            if not chance:
                continue
            example = max(group, key=chances.__getitem__)
            ranges = self._after(table.turn, sum((mix[action] for action in group), np.zeros(1)))
            worth = self.game.range_worth(table.after(example), ranges)
            mean += chance / total * worth
            drawn = worth if played in group else drawn
        return drawn - mean

    def _after(self, seat: int, chosen: Float64s) -> Ranges:
        """The ranges after an action that a seat takes with these probabilities."""
        left = self.ranges[seat] * chosen
        left = left / left.max()
        return (left, self.ranges[1]) if seat == 0 else (self.ranges[0], left)

    def _mix(self, strategy: Strategy, view: View) -> Mix:
        """What each hand of the range does."""
        resolver = strategy.resolver_for(view.game) if isinstance(strategy, Resolving) else None
        if resolver is not None:
            decision = resolver.resolve(view.table)
            return dict(zip(decision.actions, decision.mix.astype(np.float64), strict=True))
        hands = self.game.hands(view.seat)
        mix: dict[Action, Float64s] = {}
        for index in np.flatnonzero(self.ranges[view.seat]).tolist():
            for action, chance in strategy.probabilities(view._replace(hand=hands[index])).items():
                if action not in mix:
                    mix[action] = np.zeros(len(hands))
                mix[action][index] = chance
        return dict(sorted(mix.items()))

    def _view(self, at: int, table: Any) -> View:
        """The view of the seat to act, as the referee gave it."""
        record, seat = self.record, table.turn
        talk = tuple(line for line in record.talk if line.at < at)
        return View(self.game, table, seat, record.hands[seat], record.names, talk)

    def _check(self, table: Any, mix: Mix, played: Action) -> None:
        """Check that the strategy is the one that played; another one would bias the results unnoticed."""
        index = self.game.hands(table.turn).index(self.record.hands[table.turn])
        if played not in mix or mix[played][index] <= 0:
            label = self.game.label(table, played)
            raise SettingError(
                f"{self.game.name}: seat {table.turn} played '{label}', which its strategy never does here"
            )

    def _check_sum(self, table: Any, total: float) -> None:
        if abs(total - 1) > _ROUNDING:
            raise SettingError(
                f"{self.game.name}: the probabilities of seat {table.turn} add up to {total:.6f} instead of 1"
            )


def groups(chances: Mapping[Action, float]) -> list[list[Action]]:
    """The actions one by one; if they are many, in groups of neighbours that are about equally likely.

    The groups do not depend on which action was drawn.
    """
    if len(chances) <= MOST_CHOICES:
        return [[action] for action in chances]
    total, cumulative = sum(chances.values()), 0.0
    grouped: dict[int, list[Action]] = {}
    for action in sorted(chances):
        place = int((cumulative + chances[action] / 2) / total * MOST_CHOICES)
        grouped.setdefault(place, []).append(action)
        cumulative += chances[action]
    return list(grouped.values())
