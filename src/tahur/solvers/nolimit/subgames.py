"""Subgame solving: the rest of a hand from one decision on, with every card, from the ranges of both seats.

A subgame begins at a decision of the turn or river of a real table. The seat to act may bet several of the fourteen
actions there (on the river all of them), and the amount that was actually bet if it is another one; later decisions
have the sizes of a `SolverBudget`. The number of iterations follows from the budget and the size of the subgame, not
from a clock, so that the same table gets the same strategy on every machine. A clock may end it early (`Deadline`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS, Card
from tahur.cards.equity.removal import alive_hands, meeting
from tahur.cards.ranges import Range
from tahur.core.arrays import Float64s
from tahur.core.errors import UnknownName
from tahur.games.holdem.fourteen import ALL_IN, MIN_RAISE, action_of, legal_mask, situation_of
from tahur.games.holdem.table import HoldemTable
from tahur.solvers.nolimit.abstraction import Sizes, sizes_of
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.gadget import EntryGadget
from tahur.solvers.postflop.layout import SpotLayout, lay_out
from tahur.solvers.postflop.layout import meeting_weights as layout_weights
from tahur.solvers.postflop.line import meeting_weights
from tahur.solvers.postflop.results import stake_in
from tahur.solvers.postflop.sizes import BetSize, Street, Unit, parse_street
from tahur.solvers.postflop.spot import Spot, Thresholds
from tahur.solvers.postflop.tree import SubgameRoot

Ranges = tuple[Float64s, Float64s]  # (1326,) weights of the seats out of position and in position
Deadline = Callable[[], bool]  # whether the time for a decision has run out
CELLS_A_SECOND: Final = 4e8  # that one core updates, about
FEWEST: Final = 30  # iterations; with fewer, strategies are noise
MOST: Final = 600
STEP: Final = 10  # iterations between two looks at the deadline
ALL_IN_POTS: Final = 2.5  # a bet of all chips is considered if it is at most that many pots; larger ones converge badly
DOUBTED: Final = 0.2  # the share of the opponent's range that is doubted
NEGLIGIBLE: Final = 1e-3  # hands with less than this part of the largest weight are left out


@dataclass(frozen=True, slots=True)
class SolverBudget:
    """How much work a decision may take, and its bet sizes."""

    name: str
    seconds: float  # of one core
    roots: Mapping[int, Sizes]  # by street: which of the fourteen actions the first decision may bet
    later: Mapping[int, tuple[Street, Street, Street]]  # by the first street: the sizes of later decisions

    def iterations(self, cells: int) -> int:
        """The number of iterations for a subgame of that many numbers."""
        return int(np.clip(self.seconds * CELLS_A_SECOND / max(cells, 1), FEWEST, MOST))


def _budget(name: str, seconds: float, turn_root: str, *, turn: str, river_later: str, river: str) -> SolverBudget:
    """river_later: sizes of the river in subgames that begin on the turn."""
    return SolverBudget(
        name=name,
        seconds=seconds,
        roots={2: sizes_of(turn_root), 3: tuple(range(MIN_RAISE, ALL_IN + 1))},
        later={
            2: (Street(), parse_street(turn), parse_street(river_later)),
            3: (Street(), Street(), parse_street(river)),
        },
    )


BUDGETS: Final = {
    budget.name: budget
    for budget in (
        _budget("fast", 0.3, "75 a", turn="75% / a", river_later="75% / a", river="75% / 100%"),
        _budget("normal", 2.0, "33 75 150 a", turn="66% / 100%", river_later="75% / a", river="50%,100% / 50%,100%"),
        _budget(
            "deep", 15.0, "25 50 75 100 150 200 a",
            turn="50%,100% / 75%", river_later="50%,100% / 100%", river="33%,75%,150% / 50%,100%",
        ),
    )
}  # fmt: skip


def budget_named(name: str) -> SolverBudget:
    """The budget of that name."""
    if name not in BUDGETS:
        raise UnknownName(f"no budget '{name}' for the solver; valid: {', '.join(BUDGETS)}")
    return BUDGETS[name]


@dataclass(frozen=True, slots=True, eq=False)
class SolvedSubgame:
    """The solution of a subgame and how good it is."""

    engine: Engine
    iterations: int
    exploitability: float  # % of the pot at the beginning of the street, of both seats in this subgame
    hurried: bool = False  # the deadline ended it

    @property
    def pot(self) -> int:
        """The pot at the beginning of the street."""
        return self.engine.layout.spot.pot


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """How far the range of the opponent is doubted in a subgame."""

    position: int  # of the opponent: 0 acts first after the flop
    bounds: Float64s | None  # (1326,) the EV that each of its hands had without the subgame; None if unknown
    share: float = DOUBTED  # of its range: 0 is unsafe solving, 1 is CFR-D


def solve_subgame(
    table: HoldemTable, begun: tuple[int, ...], ranges: Ranges, budget: SolverBudget, *,
    doubt: Doubt | None = None, actual: int = 0, deadline: Deadline | None = None,
) -> SolvedSubgame:  # fmt: skip
    """Solve from the decision of a table on.

    begun: the total of each bet already made on the street, 0 for a check; ranges: of the seats out of position and in
    position; actual: the total that was really bet, if the root must have it as a size; doubt: for safe solving.
    """
    doubt = doubt if doubt is not None and doubt.share > 0 else None
    spot = spot_of(table, ranges if doubt is None else _with_all_hands(ranges, doubt.position, table.board), budget)
    totals = root_totals(table, budget) | ({actual} if actual else set())
    begun = tuple(min(total, spot.stack) for total in begun)
    layout = lay_out(spot, start=SubgameRoot(begun, _root_sizes(table, totals)))
    gadget = None if doubt is None else entry_gadget(layout, ranges[doubt.position], doubt)
    engine = Engine(layout, gadget=gadget)
    planned = budget.iterations(layout.cells)
    while engine.iteration < planned and not (engine.iteration >= STEP and deadline is not None and deadline()):
        engine.iterate(min(STEP, planned - engine.iteration))
    _settle(engine)
    return SolvedSubgame(engine, engine.iteration, engine.exploitability(), engine.iteration < planned)


def _with_all_hands(ranges: Ranges, place: int, board: tuple[int, ...]) -> Ranges:
    """The ranges with every hand in that of one position."""
    return (alive_hands(board), ranges[1]) if place == 0 else (ranges[0], alive_hands(board))


def entry_gadget(layout: SpotLayout, believed: Float64s, doubt: Doubt) -> EntryGadget:
    """The choice of the opponent's hands at the root of a layout; believed: (1326,) its range."""
    seat = doubt.position
    hands, size = layout.hands[0].combos[seat][0], len(layout.priors[seat])
    weights, doubted, values = np.zeros(size), np.zeros(size), np.full(size, -np.inf)
    weights[: len(hands)] = believed[hands]
    weights *= (1 - doubt.share) / max(weights.sum(), 1e-300)
    doubted[: len(hands)] = doubt.share / len(hands)
    if doubt.bounds is not None:
        counted_from = stake_in(layout.spot, layout.street_nodes[0].nodes[0], seat)
        values[: len(hands)] = (doubt.bounds[hands] - counted_from) * _met(layout, seat)
    return EntryGadget(seat, weights, doubted, np.where(np.isnan(values), -np.inf, values))


def _met(layout: SpotLayout, seat: int) -> Float64s:
    """(hands,) the weight of all opposing hands that share no card with each hand of a seat at the root."""
    held, theirs = (layout.hands[0].combos[place][0] for place in (seat, 1 - seat))
    weights = np.zeros(COMBOS)
    weights[theirs] = layout.priors[1 - seat][: len(theirs)]
    met: Float64s = meeting(weights)[held]
    return met


def _settle(engine: Engine) -> None:
    """Replace the range of the opponent by what entered on average, and let all of it enter from now on."""
    gadget, layout = engine.gadget, engine.layout
    if gadget is None:
        return
    hands = layout.hands[0].combos[gadget.seat][0]
    entered = np.zeros(COMBOS)
    entered[hands] = gadget.average[: len(hands)]
    ranges, priors = list(layout.spot.ranges), list(layout.priors)
    ranges[gadget.seat], priors[gadget.seat] = Range.from_vector(entered), gadget.average.astype(np.float32)
    engine.layout = replace(
        layout,
        spot=replace(layout.spot, ranges=(ranges[0], ranges[1])),
        priors=(priors[0], priors[1]),
        pairs=float(layout_weights(layout.hands[0], (priors[0], priors[1]), 0).sum()),
    )
    engine.gadget = None


def spot_of(table: HoldemTable, ranges: Ranges, budget: SolverBudget) -> Spot:
    """The street of a table as a spot, with pot and stack as they were at its beginning."""
    return Spot(
        board=tuple(map(Card, table.board)),
        ranges=possible_ranges(ranges, table.board),
        pot=table.pot - sum(table.bets),
        stack=effective(table),
        streets=budget.later[table.street],
        thresholds=Thresholds(add=ALL_IN_POTS),
    )


def effective(table: HoldemTable) -> int:
    """What both seats could bet at the beginning of the street."""
    return min(table.stacks[seat] + table.bets[seat] for seat in table.live)


def possible_ranges(ranges: Ranges, board: tuple[int, ...]) -> tuple[Range, Range]:
    """The ranges without their negligible hands, scaled to at most 1.

    If no two hands of them can meet, since all share cards, every hand on the board is added with a small weight.
    """
    oop, ip = (_trimmed(weights) for weights in ranges)
    if meeting_weights(oop, ip).any():
        return Range.from_vector(oop), Range.from_vector(ip)
    alive = alive_hands(board)
    return Range.from_vector(np.maximum(oop, NEGLIGIBLE * alive)), Range.from_vector(np.maximum(ip, NEGLIGIBLE * alive))


def _trimmed(weights: Float64s) -> Float64s:
    top = weights.max()
    return np.where(weights >= NEGLIGIBLE * top, weights / top, 0.0) if top > 0 else np.zeros(COMBOS)


def root_totals(table: HoldemTable, budget: SolverBudget) -> set[int]:
    """The totals that the first decision of a subgame may bet or raise to: some of the fourteen actions."""
    situation = situation_of(table)
    mask = legal_mask(situation)
    totals = {action_of(situation, index) - 1 for index in budget.roots[table.street] if mask[index]}
    most = table.bet + ALL_IN_POTS * (table.pot + table.to_call)
    return {total for total in totals if total < effective(table) or effective(table) <= most or table.bet}


def _root_sizes(table: HoldemTable, totals: set[int]) -> tuple[BetSize, ...]:
    """Totals as sizes of a spot: in chips on top of the bet, or all-in."""
    all_in = effective(table)
    chips = tuple(BetSize(Unit.CHIPS, total - table.bet) for total in sorted(totals) if total < all_in)
    return (*chips, BetSize(Unit.ALL_IN)) if any(total >= all_in for total in totals) else chips
