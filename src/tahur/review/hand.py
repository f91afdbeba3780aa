"""The review of one hand of heads-up no-limit hold'em.

Before the flop the decisions are compared with the blueprint of the nearest depth. Each later street is solved from the
ranges of both seats, with the bets that were really made among its sizes: the flop in a coarse tree (one bet on later
streets), the turn with every river, the river alone. The ranges come from the blueprint's preflop strategy and are
carried on by the solutions. What cannot be judged is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tahur.core.game import CHANCE, OVER, Action, Seat
from tahur.games.holdem.history import History
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import RIVER, NoLimit
from tahur.games.holdem.story import player_names
from tahur.games.holdem.table import HoldemTable
from tahur.review.preflop import judge_preflop
from tahur.review.streets import PlayedStreet, judge_street, solved_streets
from tahur.review.values import HandReview, JudgedDecision
from tahur.review.words import action_text
from tahur.solvers.nolimit.abstraction import nearest_depth
from tahur.solvers.nolimit.playing import BlueprintStrategy
from tahur.solvers.nolimit.shipped import shipped_strategy

Blueprints = Callable[[int], BlueprintStrategy]


@dataclass(frozen=True, slots=True)
class HeroAction:
    """A decision of the hero: the table, the action, and its number in the history."""

    table: HoldemTable
    action: Action
    number: int


def review(history: History, hero: Seat, *, blueprints: Blueprints = shipped_strategy) -> HandReview:
    """Judge every decision of a seat, whose hand must be known."""
    actions = list(_actions(history, hero))
    reason = why_not(history, hero)
    decisions = [_open(history, decided) for decided in actions]
    ranges: tuple[tuple[str, str, str], ...] = ()
    if reason is not None:
        decisions = [replace(decision, why=reason) for decision in decisions]
    elif actions:
        strategy = blueprints(nearest_depth(_depth(history)))
        streets = list(solved_streets(history, hero, strategy))
        decisions = [_judge(history, hero, decided, decision, strategy, streets)
                     for decided, decision in zip(actions, decisions, strict=True)]  # fmt: skip
        ranges = tuple([street.range_texts for street in streets])
    return HandReview(
        hero=hero,
        name=player_names(history)[hero],
        hand=history.hands[hero],
        won=history.payoffs[hero],
        big_blind=history.game.stakes.blinds[1],
        decisions=tuple(decisions),
        ranges=ranges,
    )


def why_not(history: History, hero: Seat) -> str | None:
    """Why a hand cannot be judged, as a sentence; None if it can."""
    stakes = history.game.stakes
    if not isinstance(stakes.structure, NoLimit) or stakes.showdown_board != RIVER:
        return "only no-limit hold'em is judged"
    if len(stakes.order) != 2:
        return f"only heads-up hands are judged; {len(stakes.order)} players were dealt in"
    if stakes.ante:
        return "hands with an ante are not judged"
    if history.hands[hero] == NO_HAND:
        return "the hand is unknown"
    return None


def _depth(history: History) -> float:
    stakes = history.game.stakes
    return min(stakes.stacks[seat] for seat in stakes.order) / stakes.blinds[1]


def _actions(history: History, hero: Seat) -> Iterator[HeroAction]:
    """The decisions of a seat at which there was a choice."""
    tables = list(history.tables())
    for number, (table, action) in enumerate(zip(tables, history.table.history, strict=False)):
        if table.turn == hero and table.turn not in (CHANCE, OVER):
            yield HeroAction(table, action, number)


def _open(history: History, decided: HeroAction) -> JudgedDecision:
    """A decision before it is judged."""
    table = decided.table
    return JudgedDecision(
        number=decided.number,
        street=table.street,
        board=tuple(table.board),
        pot=table.pot,
        to_call=table.to_call,
        action=decided.action,
        chosen=action_text(table, decided.action),
    )


def _judge(
    history: History, hero: Seat, decided: HeroAction, decision: JudgedDecision, strategy: BlueprintStrategy,
    streets: list[PlayedStreet],
) -> JudgedDecision:  # fmt: skip
    hand = history.hands[hero]
    if decided.table.street == 0:
        return judge_preflop(decision, decided.table, hand, strategy)
    street = next(street for street in streets if street.number == decided.table.street)
    return judge_street(decision, decided.table, hand, street)
