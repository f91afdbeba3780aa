"""The opponents' ranges, by what they have done, and the equity of a hand against them.

`range_model` defines the ranges. Seats that have not acted before the flop are not all counted, or aces would look weak
at a table of nine: only as many as are expected to call, with their calling ranges, and at least one.

The equity is enumerated where that is cheap: two seats on the flop, the turn or the river. Otherwise it is sampled,
with its standard error, from a stream that depends on the cards: the same question has the same answer, and is cached.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from tahur.cards.cards import COMBOS, cards_of
from tahur.cards.equity import equity
from tahur.cards.equity.tables import combos
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_of_combos
from tahur.core.game import Game, Hand, Seat
from tahur.core.player import View
from tahur.core.record import decisions
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.players.bounded.position import Position, position_of
from tahur.players.bounded.range_model import USUAL, RangeModel
from tahur.players.bounded.situation import EquityEstimate
from tahur.players.odds.equities import equity_against, range_on
from tahur.players.odds.opponents import MOST_BETS, OpponentRange

PREFLOP_SAMPLES: Final = 4_000  # cached permanently, so more: an error of 0.8 % of the pot at most
BOARD_SAMPLES: Final = 2_000  # 1.1 % at most
HEADS_UP: Final = 2.0  # width factor with two seats

Board = tuple[int, ...]


@dataclass(slots=True)
class _Acts:
    """A seat's actions: the factor of the tightest one before the flop, and the number of bets after it."""

    factor: float | None = None
    bets: int = 0


def estimate_of(view: View, model: RangeModel = USUAL) -> EquityEstimate:
    """The equity of the seat to act against all other live seats."""
    table: HoldemTable = view.table
    assert view.hand is not None
    return estimate(view.hand, table.board, opponents_of(view.game, table, model), last=table.stakes.showdown_board)


def opponents_of(game: Game[Any], table: HoldemTable, model: RangeModel = USUAL) -> tuple[OpponentRange, ...]:
    """The ranges that the seat to act has to beat, the tightest first; at least one."""
    acts = _acts(game, table, model)
    others = [seat for seat in table.live if seat != table.turn]
    known = [seat for seat in others if table.street or acts[seat].factor is not None or seat not in table.pending]
    waiting = [seat for seat in others if seat not in known]
    raises = min(2, table.raised)
    coming = sorted((_width(table, seat, model.factors[raises, False], model) for seat in waiting), reverse=True)
    expected = max(int(sum(coming) + 0.5), 0 if known else 1)
    ranges = [_opponent(table, seat, acts[seat], model) for seat in known]
    return tuple(sorted(ranges + [OpponentRange(width) for width in coming[:expected]]))


def opponents_stated(
    board: Board, seats: int, street_raises: int, model: RangeModel = USUAL
) -> tuple[OpponentRange, ...]:
    """The ranges in a situation given by numbers: one opponent made all raises, the rest called, or may yet call.

    Positions are unknown, so all are assumed to be in late position.
    """
    late = model.opens[Position.LATE] * (HEADS_UP if seats == 2 else 1.0)
    came = min(1.0, late * model.factors[0, False])
    if board:
        return tuple(sorted([OpponentRange(came, min(street_raises, MOST_BETS)), *[OpponentRange(came)] * (seats - 2)]))
    raiser = late * model.factors[min(2, street_raises - 1), True] if street_raises else 1.0
    coming = max(model.tightest, late * model.factors[min(2, street_raises), False])
    rest = int(coming * (seats - 2) + 0.5)
    return tuple(
        sorted([OpponentRange(min(1.0, max(model.tightest, raiser))), *[OpponentRange(min(1.0, coming))] * rest])
    )


def estimate(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...], *, last: int = 5) -> EquityEstimate:
    """The share of the pot that the hand wins on average. `last`: the number of board cards at a showdown."""
    if len(board) == last and len(opponents) == 1:
        return EquityEstimate(equity_against(hand, board, opponents, last=last))
    if not board:
        return _before_the_flop(_classes()[hand], opponents)
    return _on_board(hand, tuple(sorted(board)), opponents)


def estimate_against(hand: Hand, board: Board, ranges: tuple[Range, ...]) -> EquityEstimate:
    """The same against explicit ranges."""
    own, samples = Range.of_hand(cards_of(hand)), None if board and len(ranges) == 1 else BOARD_SAMPLES
    answer = equity(own, *ranges, board=board, samples=samples, rng=np.random.default_rng(_seed(hand, board)))
    return EquityEstimate(answer.players[0].equity, answer.stderr or 0.0)


@lru_cache(maxsize=1 << 16)
def _before_the_flop(number: int, opponents: tuple[OpponentRange, ...]) -> EquityEstimate:
    """By the class of the hand, represented by any of its combos."""
    hand = _examples()[number]
    rng = np.random.default_rng(_seed(hand, ()))
    own, ranges = Range.of_hand(cards_of(hand)), [_range(each, (), hand) for each in opponents]
    answer = equity(own, *ranges, samples=PREFLOP_SAMPLES, rng=rng)
    return EquityEstimate(answer.players[0].equity, answer.stderr or 0.0)


@lru_cache(maxsize=1 << 13)
def _on_board(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...]) -> EquityEstimate:
    return estimate_against(hand, board, tuple(_range(each, board, hand) for each in opponents))


def _range(opponent: OpponentRange, board: Board, hand: Hand) -> Range:
    """The range of an opponent; all hands, if every hand of it contains a board card or one of ours."""
    opponent_range = _range_on_board(opponent, board)
    free = combos().mask[opponent_range.indices] & combos().mask[hand] == 0
    return opponent_range if free.any() else _range_on_board(OpponentRange(1.0), board)


@lru_cache(maxsize=1 << 10)
def _range_on_board(opponent: OpponentRange, board: Board) -> Range:
    vector = np.zeros(COMBOS)
    indices, weights = range_on(opponent, board)
    vector[indices] = weights
    return Range.from_vector(vector)


def _opponent(table: HoldemTable, seat: Seat, acts: _Acts, model: RangeModel) -> OpponentRange:
    width = 1.0 if acts.factor is None else _width(table, seat, acts.factor, model)
    return OpponentRange(width, min(acts.bets, MOST_BETS))


def _width(table: HoldemTable, seat: Seat, factor: float, model: RangeModel) -> float:
    width = model.opens[position_of(table.stakes, seat)] * factor
    if len(table.stakes.order) == 2:
        width *= HEADS_UP
    return round(min(1.0, max(model.tightest, width)), 4)  # rounded for the cache


def _acts(game: Game[Any], table: HoldemTable, model: RangeModel) -> dict[Seat, _Acts]:
    acts = {seat: _Acts() for seat in table.stakes.order}
    for before, action in decisions(game, table.history):
        done, raised = acts[before.turn], action > CALL
        if before.street:
            done.bets += raised
        elif raised or (action == CALL and before.to_call):
            factor = model.factors[min(2, before.raised), raised]
            done.factor = factor if done.factor is None else min(done.factor, factor)
    return acts


@cache
def _classes() -> tuple[int, ...]:
    return tuple(class_of_combos().tolist())


@cache
def _examples() -> dict[int, Hand]:
    """One combo of each class."""
    return {number: hand for hand, number in enumerate(_classes())}


def _seed(hand: Hand, board: Board) -> int:
    place = hand
    for card in board:
        place = place << 6 | card
    return place
