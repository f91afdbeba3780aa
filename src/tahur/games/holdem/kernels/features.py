"""What the seat to act sees, as numbers for a learner: its own two cards, the board so far, and the public table.

Seats are relative to the seat to act: itself first, then those to its left. Chips are in big blinds.
"""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Float32s, Records
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import NOBODY, Row, Rules


class FeatureLayout(NamedTuple):
    """The offset of each group of features in a row."""

    hole: int  # 52, the seat's own two cards
    flop: int  # 52
    turn_card: int  # 52
    river_card: int  # 52
    street: int  # 4, one-hot
    position: int  # seats, one-hot; the button is the first
    pot: int  # 1, chips
    to_call: int  # 1, chips, at most the stack
    stacks: int  # seats, chips
    live: int  # seats, 1 if it has not folded
    bets: int  # 4 streets x seats, chips
    raised: int  # 4, bets and raises on each street
    raiser: int  # 4 streets x seats, one-hot: the seat that made the last of them


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
    """Write the hole cards and the board of the seat to act."""
    for index in range(2):
        features[at, layout.hole + row.hole[row.turn, index]] = 1.0
    if row.street >= 1:
        for index in range(3):
            features[at, layout.flop + row.board[index]] = 1.0
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
    """Write stacks, bets and who is still in, from the seat to act on."""
    for offset in range(rules.seats):
        seat = (row.turn + offset) % rules.seats
        features[at, layout.stacks + offset] = row.stacks[seat] / rules.big_blind
        features[at, layout.live + offset] = row.live >> seat & 1
        for street in range(row.street + 1):
            features[at, layout.bets + street * rules.seats + offset] = row.bets[street, seat] / rules.big_blind


@kernel
def _see_raises(at: int, row: Row, rules: Rules, layout: FeatureLayout, features: Float32s) -> None:
    for street in range(row.street + 1):
        features[at, layout.raised + street] = row.raised[street]
        if row.raiser[street] != NOBODY:
            offset = (row.raiser[street] - row.turn) % rules.seats
            features[at, layout.raiser + street * rules.seats + offset] = 1.0
