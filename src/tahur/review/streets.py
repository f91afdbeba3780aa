"""Solving the streets after the flop of a hand that was played, and judging decisions by the solutions.

Each street is a spot of its own: the board, the ranges with which both seats come to it, and as bet sizes a few usual
ones and those that were really made. A seat's range is multiplied by the probabilities of its actions in the solution,
but no action excludes a hand, and the hero's own hand never leaves its range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tahur.cards.cards import Card
from tahur.cards.equity.removal import alive_hands
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.core.game import CHANCE, OVER, Action, Hand, Seat
from tahur.games.holdem.history import History
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.review.values import JudgedAction, JudgedDecision
from tahur.review.words import STREET_NAMES, action_text
from tahur.solvers.nolimit.playing import BlueprintStrategy
from tahur.solvers.nolimit.resolving import position
from tahur.solvers.nolimit.subgames import Ranges, effective, possible_ranges
from tahur.solvers.postflop.grading import MoveQuality, NodeValues
from tahur.solvers.postflop.line import BoardNode, moved, node_at, start, strategy_at
from tahur.solvers.postflop.sizes import BetSize, BetSizes, Street, Unit, parse_street
from tahur.solvers.postflop.solve import PostflopSolution, solve
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Move

FLOP: Final = 1
LEAST: Final = 1e-3  # what an action multiplies the weight of a hand by at least
ALIKE: Final = 1.4  # the ratio up to which two sizes are much the same
OWN: Final = 0.02  # the least weight of the hero's hand in its range

Played = tuple[tuple[HoldemTable, Action], ...]


@dataclass(frozen=True, slots=True)
class StreetSettings:
    """The usual sizes of a street and of those after it, and the accuracy to reach in % of the pot."""

    sizes: str
    later: str
    target: float
    raise_cap: int = 0  # beyond the raises that were made


SETTINGS: Final = {
    1: StreetSettings("50% / 100%", "75%", target=1.0, raise_cap=2),
    2: StreetSettings("33%,75% / 100%", "75% / a", target=0.5),
    3: StreetSettings("33%,75%,150% / 75%,a", "", target=0.2),
}


@dataclass(frozen=True, slots=True, eq=False)
class PlayedStreet:
    """A street of the hand: its actions, and the solution with the node of each."""

    number: int  # 1 flop to 3 river
    actions: Played
    solution: PostflopSolution
    nodes: tuple[BoardNode, ...]  # of the actions

    @property
    def range_texts(self) -> tuple[str, str, str]:
        """The street, and both ranges at its beginning."""
        oop, ip = (weights.text() for weights in self.solution.spot.ranges)
        return STREET_NAMES[self.number], oop, ip


def solved_streets(history: History, hero: Seat, strategy: BlueprintStrategy) -> Iterator[PlayedStreet]:
    """The streets after the flop on which there was a decision, solved from the ranges that come to each."""
    ranges: Ranges | None = None
    for actions in _streets(history):
        table = actions[0][0]
        if ranges is None:
            ranges = strategy.read(table).ranges[::-1]
        ranges = _with_hand(_without_board(ranges, table), position(table, hero), history.hands[hero])
        street = _solved(table, actions, ranges)
        yield street
        ranges = _after(street, ranges)


def judge_street(decision: JudgedDecision, table: HoldemTable, hand: Hand, street: PlayedStreet) -> JudgedDecision:
    """The decision with the values of the street's solution."""
    place = [known for known, _action in street.actions].index(table)
    values = NodeValues(street.solution, street.nodes[place])
    try:
        grade = values.grade(hand, _choice(table, values.moves, decision.action))
    except SolverError as reason:
        return replace(decision, why=str(reason))
    names = [_move_text(table, move) for move in values.moves]
    error = grade.error + street.solution.exploitability / 100 * street.solution.spot.pot
    is_close = 0 < grade.lost <= error
    return replace(
        decision,
        actions=tuple(
            JudgedAction(name, float(values.strategy[at, hand]), float(values.evs[at, hand]))
            for at, name in enumerate(names)
        ),
        best=names[values.moves.index(grade.best)],
        lost=0.0 if is_close else grade.lost,
        error=error,
        quality=MoveQuality.CLOSE if is_close else grade.verdict,
        why=grade.why,
        how=f"{STREET_NAMES[street.number]} solved to {street.solution.exploitability:.2f} % of the pot",
    )


def _streets(history: History) -> Iterator[Played]:
    """The actions of each street after the flop on which somebody had a choice."""
    actions: list[tuple[HoldemTable, Action]] = []
    for table, action in zip(list(history.tables()), (*history.table.history, None), strict=True):
        if table.turn in (CHANCE, OVER) or action is None:
            if actions:
                yield tuple(actions)
            actions = []
        elif table.street >= FLOP:
            actions.append((table, action))


def _solved(table: HoldemTable, actions: Played, ranges: Ranges) -> PlayedStreet:
    """Solve a street from its first decision."""
    settings = SETTINGS[table.street]
    street = _with_actual(parse_street(settings.sizes), actions)
    later = parse_street(settings.later) if settings.later else Street()
    flop, turn, river = (
        street if number == table.street else later if number > table.street else Street() for number in (1, 2, 3)
    )
    raises = sum(action > CALL for _table, action in actions)
    spot = Spot(
        board=tuple(map(Card, table.board)),
        ranges=possible_ranges(ranges, table.board),
        pot=table.pot,
        stack=effective(table),
        streets=(flop, turn, river),
        raise_cap=max(settings.raise_cap, raises + 1) if settings.raise_cap else 0,
    )
    solution = solve(spot, target=settings.target, merge_rivers=table.street == FLOP)
    nodes, state = [], start(solution.engine)
    for before, action in actions:
        nodes.append(state)
        moves = node_at(solution.engine, state).moves
        if (before, action) != actions[-1]:
            state = moved(solution.engine, state, _choice(before, moves, action))
    return PlayedStreet(table.street, actions, solution, tuple(nodes))


def _with_actual(street: Street, actions: Played) -> Street:
    """The sizes of a street and those that were really made on it."""
    both = [street.oop, street.ip]
    for table, action in actions:
        if action > CALL:
            seat = position(table, table.turn)
            percent = 100 * (action - 1 - table.bet) / (table.pot + table.to_call)
            both[seat] = _with_size(both[seat], _size(table, action), percent, is_raise=table.bet > 0)
    return Street(*both)


def _with_size(sizes: BetSizes, size: BetSize, percent: float, *, is_raise: bool) -> BetSizes:
    """The sizes with another one, of so many percent of the pot, instead of a usual one that is much the same."""
    known = sizes.raises if is_raise else sizes.bets
    others = tuple([usual for usual in known if usual != size and not _is_much_the_same(usual, percent)])
    return replace(sizes, raises=(*others, size)) if is_raise else replace(sizes, bets=(*others, size))


def _is_much_the_same(usual: BetSize, percent: float) -> bool:
    return usual.unit is Unit.POT and 1 / ALIKE < percent / usual.number < ALIKE


def _size(table: HoldemTable, action: Action) -> BetSize:
    """A bet or raise of the table as a size of a spot: in chips on top of the bet, or all-in."""
    total = action - 1
    return BetSize(Unit.ALL_IN) if total >= effective(table) else BetSize(Unit.CHIPS, total - table.bet)


def _choice(table: HoldemTable, moves: Sequence[Move], action: Action) -> int:
    """The index of an action of the table among the moves of its node."""
    if action == FOLD:
        wanted = [move.deed is Deed.FOLD for move in moves]
    elif action == CALL:
        wanted = [move.deed in (Deed.CHECK, Deed.CALL) for move in moves]
    elif action - 1 >= effective(table):
        wanted = [move.deed is Deed.ALL_IN for move in moves]
    else:
        wanted = [move.to == action - 1 for move in moves]
    if True not in wanted:
        raise SolverError(f"the solved tree has no '{action_text(table, action)}'")
    return wanted.index(True)


def _move_text(table: HoldemTable, move: Move) -> str:
    if move.deed is Deed.FOLD:
        return action_text(table, FOLD)
    if move.deed in (Deed.CHECK, Deed.CALL) or not table.raises:
        return action_text(table, CALL)
    return action_text(table, min(max(move.to, table.raises[0]), table.raises[-1]) + 1)


def _after(street: PlayedStreet, ranges: Ranges) -> Ranges:
    """The ranges after the street's actions."""
    both, engine = list(ranges), street.solution.engine
    for (table, action), state in zip(street.actions, street.nodes, strict=True):
        seat = position(table, table.turn)
        choice = _choice(table, node_at(engine, state).moves, action)
        both[seat] = both[seat] * np.maximum(strategy_at(engine, state)[choice], LEAST)
    return both[0], both[1]


def _with_hand(ranges: Ranges, seat: int, hand: Hand) -> Ranges:
    """The ranges with the hero's hand in its own."""
    own = ranges[seat].copy()
    own[hand] = max(own[hand], OWN * own.max())
    return (own, ranges[1]) if seat == 0 else (ranges[0], own)


def _without_board(ranges: Ranges, table: HoldemTable) -> Ranges:
    alive: Float64s = alive_hands(tuple(table.board))
    return ranges[0] * alive, ranges[1] * alive
