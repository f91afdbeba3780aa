"""What the seat to act sees, as numbers for a learner: its own two cards, the board so far, and the public table.

Seats are told from its point of view: itself first, then those to its left. Chips are in big blinds.
"""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Float32s, Records
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import NEVER_REACHED, Row, Rules


class FeatureLayout(NamedTuple):
    """Where each group of features begins in a row."""

    hole: int  # 52, the two own cards
    flop: int  # 52
    turn_card: int  # 52
    river_card: int  # 52
    street: int  # 4, one of them 1
    position: int  # seats, one of them 1; the button is the first
    pot: int  # 1, chips
    to_call: int  # 1, chips, no more than the stack
    stacks: int  # seats, chips
    live: int  # seats, 1 who has not folded
    bets: int  # 4 streets x seats, chips
    raised: int  # 4, bets and raises on each street
    raiser: int  # 4 streets x seats, 1 who made the last of them


@kernel
def observe(rows: Records, rules: Records, layout: FeatureLayout, features: Float32s) -> None:
    """features: (n, width)."""
    features[:] = 0.0
    for at in range(features.shape[0]):
        _see_cards(at, rows[at], layout, features)
        _see_table(at, rows[at], rules[0], layout, features)
        _see_seats(at, rows[at], rules[0], layout, features)
        _see_raises(at, rows[at], rules[0], layout, features)


@kernel
def _see_cards(at: int, row: Row, layout: FeatureLayout, features: Float32s) -> None:
    for place in range(2):
        features[at, layout.hole + row.hole[row.turn, place]] = 1.0
    if row.street >= 1:
        for place in range(3):
            features[at, layout.flop + row.board[place]] = 1.0
    if row.street >= 2:
        features[at, layout.turn_card + row.board[3]] = 1.0
    if row.street >= 3:
        features[at, layout.river_card + row.board[4]] = 1.0


@kernel
def _see_table(at: int, row: Row, rules: Rules, layout: FeatureLayout, features: Float32s) -> None:
    owed = min(row.bet - row.bets[row.street, row.turn], row.stacks[row.turn])
    features[at, layout.street + row.street] = 1.0
    features[at, layout.position + (row.turn - row.button) % rules.seats] = 1.0
    features[at, layout.pot] = row.pot / rules.big_blind
    features[at, layout.to_call] = owed / rules.big_blind


@kernel
def _see_seats(at: int, row: Row, rules: Rules, layout: FeatureLayout, features: Float32s) -> None:
    for place in range(rules.seats):
        seat = (row.turn + place) % rules.seats
        features[at, layout.stacks + place] = row.stacks[seat] / rules.big_blind
        features[at, layout.live + place] = row.live >> seat & 1
        for street in range(row.street + 1):
            features[at, layout.bets + street * rules.seats + place] = row.bets[street, seat] / rules.big_blind


@kernel
def _see_raises(at: int, row: Row, rules: Rules, layout: FeatureLayout, features: Float32s) -> None:
    for street in range(row.street + 1):
        features[at, layout.raised + street] = row.raised[street]
        if row.raiser[street] != NEVER_REACHED:
            place = (row.raiser[street] - row.turn) % rules.seats
            features[at, layout.raiser + street * rules.seats + place] = 1.0
