"""A no-limit strategy for two seats from the first card to the last: blueprint first, then solved at the table.

Before the flop and on the flop it follows the blueprint of the nearest depth. On turn and river it solves the rest of
the hand with every card, from the ranges that both seats have there. Ranges are carried through the hand by Bayes' rule
with the strategies that were really used. A bet that the last solution lacks starts a new subgame at the decision where
it was made, with that bet among the sizes (nested subgame solving, Brown and Sandholm 2017), so that no bet is rounded.
The answer to an action comes from the solution in which the other seat chose it: there it must not pay with any hand,
however unlikely it is. The answer depends on the public history only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from tahur.cards.cards import COMBOS, Card
from tahur.cards.equity.removal import alive_hands
from tahur.core.arrays import Float64s
from tahur.core.errors import StrategyError
from tahur.core.game import CHANCE, Action, Game
from tahur.core.player import View
from tahur.core.resolver import ResolvedDecision
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import RIVER, NoLimit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, opening
from tahur.solvers.nolimit.abstraction import nearest_depth
from tahur.solvers.nolimit.playing import LEAST, BlueprintStrategy
from tahur.solvers.nolimit.shipped import shipped_strategy
from tahur.solvers.nolimit.subgames import (
    DOUBTED,
    Doubt,
    Ranges,
    SolvedSubgame,
    SolverBudget,
    budget_named,
    effective,
    root_totals,
    solve_subgame,
)
from tahur.solvers.postflop.line import BoardNode, has_choice, moved, node_at, start, strategy_at, with_card
from tahur.solvers.postflop.results import move_evs, seat_evs
from tahur.solvers.postflop.tree import Deed, Move
from tahur.solvers.solver import Clock

TURN_STREET: Final = 2
REMEMBERED: Final = 16  # histories
LEAST_SHOWN: Final = 0.005  # of the probabilities in a thought
NO_VALUES: Final[Mapping[Action, float]] = {}
LATE: Final = 4  # times the budget
TOLERANCE: Final = 0.1  # pots that a move may cost until a hand that makes it becomes e times less likely
SOLUTIONS: Final = 6  # subgames, of up to some hundred megabytes

Blueprints = Callable[[int], BlueprintStrategy]  # by depth in big blinds, one of `DEPTHS`


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a hand is on turn or river: the ranges, and the node of the last subgame if its solution has it."""

    ranges: Ranges
    begun: tuple[int, ...] = ()  # the totals bet on this street so far, 0 for a check
    last: _Solved | None = None
    bounds: Float64s | None = None  # (1326,) at a street's first decision: the opponent's EV in the solution before

    def bounds_of(self, opponent: int) -> Float64s | None:
        """What the opponent's hands are worth here in the solution so far; None without one."""
        if self.last is None:
            return self.bounds
        return seat_evs(self.last.subgame.engine, self.last.node, opponent, best=True)


@dataclass(frozen=True, eq=False)
class _Solved:
    """A node of a solved subgame."""

    subgame: SolvedSubgame
    node: BoardNode

    @property
    def moves(self) -> tuple[Move, ...]:
        return node_at(self.subgame.engine, self.node).moves

    @cached_property
    def values(self) -> Float64s:
        """(moves, 1326) the EV of each move compared with folding; NaN for hands that were not solved."""
        ranges = self.subgame.engine.layout.spot.ranges
        held = ranges[node_at(self.subgame.engine, self.node).seat].vector > 0
        return np.where(held, move_evs(self.subgame.engine, self.node), np.nan)

    @cached_property
    def least(self) -> Float64s:
        """(moves, 1326) what ranges are multiplied by at least: less for hands that a move costs more."""
        values = np.nan_to_num(self.values, nan=0.0)
        least: Float64s = LEAST * np.exp((values - values.max(axis=0)) / (TOLERANCE * self.subgame.pot))
        return least

    @cached_property
    def strategy(self) -> Float64s:
        """(moves, 1326) probabilities; 0 for hands left out."""
        return strategy_at(self.subgame.engine, self.node)


class NoLimitResolver:
    """Plays both seats of heads-up no-limit hold'em."""

    def __init__(
        self, blueprints: Blueprints, budget: SolverBudget, *, doubted: float = DOUBTED, clock: Clock | None = None
    ) -> None:
        """doubted: the share of the opponent's range in `Doubt`; clock: seconds; with it, a solution that takes `LATE`
        times its budget ends early."""
        self.budget, self.doubted = budget, doubted
        self._blueprints, self._clock = blueprints, clock
        self._decisions = lru_cache(REMEMBERED)(self._new_decision)
        self._places = lru_cache(REMEMBERED)(self._new_place)
        self._solutions = lru_cache(SOLUTIONS)(self._new_solution)

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot play that game; None if it can."""
        if not isinstance(game, Holdem) or not isinstance(game.stakes.structure, NoLimit):
            return f"the solver plays no-limit hold'em; the table plays {game.name}"
        stakes = game.stakes
        if len(stakes.order) != 2:
            return f"the solver plays heads-up, at tables for 2; this one has {len(stakes.order)} seats"
        if stakes.ante or stakes.showdown_board != RIVER:
            return "the solver has strategies for tables without antes and with four streets only"
        return None

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action with the viewer's hand."""
        if view.hand is None:
            raise StrategyError("a spectator has no hand to play")
        if view.table.street < TURN_STREET:
            return self._blueprint(view.table).probabilities(view)
        decision = self.resolve(view.table)
        mix = zip(decision.actions, decision.mix[:, view.hand].tolist(), strict=True)
        return {action: chance for action, chance in mix if chance > 0}

    def thought(self, view: View) -> str:
        """What was solved for which ranges, and the mix and the EVs with the viewer's hand."""
        if view.hand is None:
            return ""
        if view.table.street < TURN_STREET:
            return f"{self._blueprint_note(view.table)}: {_mix_text(view.table, self.probabilities(view))}"
        decision = self.resolve(view.table)
        values = (
            {} if decision.values is None else dict(zip(decision.actions, decision.values[:, view.hand], strict=True))
        )
        text = _mix_text(view.table, self.probabilities(view), values)
        return f"{decision.note}, {_ranges_text(view.table, decision.ranges)}: {text}"

    def resolve(self, table: HoldemTable) -> ResolvedDecision:
        """What every hand of the seat to act does."""
        return self._decisions(table)

    def _new_decision(self, table: HoldemTable) -> ResolvedDecision:
        if table.street < TURN_STREET:
            return replace(self._blueprint(table).resolve(table), note=self._blueprint_note(table))
        place = self._places(table, table.turn)
        return _decision(table, place, self._solved(place, table, table.turn))

    def _blueprint(self, table: HoldemTable) -> BlueprintStrategy:
        stakes = table.stakes
        depth = min(stakes.stacks[seat] for seat in stakes.order) / stakes.blinds[1]
        return self._blueprints(nearest_depth(depth))

    def _blueprint_note(self, table: HoldemTable) -> str:
        """Which blueprint is followed, and how it reads bets that it lacks."""
        blueprint = self._blueprint(table)
        reading = blueprint.note(table)
        return f"blueprint for {blueprint.blueprint.depth:g} bb" + (f", {reading}" if reading else "")

    def _new_place(self, table: HoldemTable, seat: int) -> _Place:
        """The place of a table on turn or river as a seat sees it, from that of the table one step before."""
        before, action = _before(table)
        if before.turn == CHANCE and before.street == TURN_STREET - 1:  # the turn is dealt
            reading = self._blueprint(table).read(before)
            return _Place(_without(reading.ranges[::-1], action))
        place = self._places(before, seat)
        if before.turn == CHANCE:  # the river is dealt
            return _Place(
                _without(place.ranges, action), bounds=_bounds_after(place, action, 1 - position(table, seat))
            )
        return self._acted(place, before, action, seat)

    def _acted(self, place: _Place, table: HoldemTable, action: Action, seat: int) -> _Place:
        """The place after an action of the seat to act."""
        solved = self._solved(place, table, seat, action)
        choice = _choice(table, solved.moves, action)
        assert choice is not None
        chosen = np.maximum(solved.strategy[choice], solved.least[choice])
        oop, ip = place.ranges
        ranges = (oop, ip * chosen) if position(table, table.turn) else (oop * chosen, ip)
        begun = (*place.begun, action - 1 if action > CALL else 0)
        return _Place(ranges, begun, replace(solved, node=moved(solved.subgame.engine, solved.node, choice)))

    def _solved(self, place: _Place, table: HoldemTable, seat: int, action: Action | None = None) -> _Solved:
        """A solution for the decision of a table, which has the action if one is given."""
        last = place.last
        if last is not None and (action is None or _has(table, last.moves, action)):
            return last
        is_extra = action is not None and action > CALL and action - 1 not in root_totals(table, self.budget)
        return self._solutions(table, seat, action - 1 if action is not None and is_extra else 0)

    def _new_solution(self, table: HoldemTable, seat: int, actual: int) -> _Solved:
        """The subgame from a table on, solved for a seat; actual: a total that its root must have as a size, or 0."""
        place, opponent = self._places(table, seat), 1 - position(table, seat)
        deadline = None
        if (clock := self._clock) is not None:
            end = clock() + LATE * self.budget.seconds
            deadline = lambda: clock() > end  # noqa: E731
        doubt = Doubt(opponent, place.bounds_of(opponent), self.doubted) if self.doubted else None
        subgame = solve_subgame(
            table, place.begun, place.ranges, self.budget, doubt=doubt, actual=actual, deadline=deadline
        )
        return _Solved(subgame, start(subgame.engine))


def _bounds_after(place: _Place, card: Action, opponent: int) -> Float64s | None:
    """What the opponent's hands are worth after a card in the solution so far; None if it has no decision there."""
    if place.last is None or not has_choice(node_at(place.last.subgame.engine, place.last.node)):
        return None
    engine = place.last.subgame.engine
    return seat_evs(engine, with_card(engine, place.last.node, Card(card)), opponent, best=True)


def position(table: HoldemTable, seat: int) -> int:
    """The position of a seat after the flop: 0 acts first, 1 has the button."""
    return int(seat == table.stakes.button)


def _before(table: HoldemTable) -> tuple[HoldemTable, Action]:
    """The table one action or card earlier, and that action or card."""
    now = opening(table.stakes)
    for action in table.history[:-1]:
        now = now.after(action)
    return now, table.history[-1]


def _without(ranges: tuple[Float64s, Float64s], card: int) -> Ranges:
    alive = alive_hands((card,))
    return ranges[0] * alive, ranges[1] * alive


def _decision(table: HoldemTable, place: _Place, solved: _Solved) -> ResolvedDecision:
    """The strategy at a node of a solved subgame, in actions of the table."""
    strategy = solved.strategy
    held = strategy.sum(axis=0) > 0
    passive = FOLD if table.to_call else CALL
    chances: dict[Action, Float64s] = {
        passive: np.where(held, 0.0, 1.0)
    }  # hands that the ranges leave out check or fold
    evs: dict[Action, Float64s] = {}
    for number, move in enumerate(solved.moves):
        action = _action(table, move)
        chances[action] = chances.get(action, np.zeros(COMBOS)) + np.where(held, strategy[number], 0.0)
        evs[action] = solved.values[number]
    actions = tuple(sorted(chances))
    return ResolvedDecision(
        actions=actions,
        mix=np.array([chances[action] for action in actions]),
        ranges=tuple(place.ranges[position(table, seat)] for seat in range(len(table.stacks))),
        values=np.array([evs[action] for action in actions]),
        note=_note(table, solved.subgame),
    )


def _choice(table: HoldemTable, moves: tuple[Move, ...], action: Action) -> int | None:
    """Which move an action of the table is; None if it is none of them."""
    if action > CALL and action - 1 >= effective(table):
        return next((number for number, move in enumerate(moves) if move.deed is Deed.ALL_IN), None)
    return next((number for number, move in enumerate(moves) if _action(table, move) == action), None)


def _has(table: HoldemTable, moves: tuple[Move, ...], action: Action) -> bool:
    return _choice(table, moves, action) is not None


def _action(table: HoldemTable, move: Move) -> Action:
    """A move of the subgame as an action of the table."""
    if move.deed is Deed.FOLD:
        return FOLD
    raises = table.raises
    if move.deed in (Deed.CHECK, Deed.CALL) or not raises:
        return CALL
    return min(max(move.to, raises[0]), raises[-1]) + 1


def _note(table: HoldemTable, solved: SolvedSubgame) -> str:
    street = "turn and river" if table.street == TURN_STREET else "river"
    early = ", ended early for want of time" if solved.hurried else ""
    return f"solved {street} to {solved.exploitability:.1f} % of the pot in {solved.iterations} iterations{early}"


def _ranges_text(table: HoldemTable, ranges: tuple[Float64s, ...]) -> str:
    """How many combos come here, each counted with the probability of its actions so far."""
    mine, theirs = ranges[table.turn].sum(), ranges[1 - table.turn].sum()
    return f"with {mine:.0f} combos against {theirs:.0f}"


def _mix_text(table: HoldemTable, mix: Mapping[Action, float], values: Mapping[Action, float] = NO_VALUES) -> str:
    """`check 70 % (EV 3.1 bb), 150 30 % (EV 3.0 bb)`."""
    words = []
    for action, chance in mix.items():
        name = (
            "fold" if action == FOLD else ("call" if table.to_call else "check") if action == CALL else str(action - 1)
        )
        value = values.get(action, math.nan) / table.stakes.blinds[1]
        if chance >= LEAST_SHOWN:
            words.append(f"{name} {chance:.0%}" + ("" if math.isnan(value) else f" (EV {value:.1f} bb)"))
    return ", ".join(words)


def resolver_named(budget: str = "", *, doubted: float = DOUBTED, clock: Clock | None = None) -> NoLimitResolver:
    """A resolver with the blueprints of the package; budget: `fast`, `deep`, or an empty text for `normal`."""
    return NoLimitResolver(shipped_strategy, budget_named(budget or "normal"), doubted=doubted, clock=clock)
