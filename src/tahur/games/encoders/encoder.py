"""The face that a game shows to a net, and the row of numbers that tells the betting, alike for all games.

A net has three outputs: fold, check or call, bet or raise (`core/towers.py`). An `Encoder` says which action each of
them is at a table, and tells the table in two rows: what has been bet, and what a hand is together with the board.
Only the seat's own hand and the table are ever asked for, so nothing hidden can be in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float32s
from tahur.core.errors import SettingError
from tahur.core.game import Action, Seat

Slots = tuple[Action | None, Action | None, Action | None]

STREETS: Final = 4
STEPS: Final = 6  # actions of a street: check, bet, three raises, call
PER_STEP: Final = 2  # whether it was taken, and the chips it put in as a part of the pot
TOLD: Final = STREETS * STEPS * PER_STEP
BET_WIDTH: Final = TOLD + 2 + STREETS + 2  # then the seat, the street, the pot and what there is to call


class BettingStep(NamedTuple):
    """One action of a seat: on which street, the chips it put in, and the pot before it."""

    street: int
    chips: int
    pot: int


class Encoder(Protocol):
    """One game, told to nets."""

    @property
    def card_width(self) -> int: ...

    def role(self, game: Any, seat: Seat) -> int:
        """Which of the two nets plays the seat: 0 for who acts first in the deal."""
        ...

    def street(self, table: Any) -> int: ...

    def slots(self, table: Any) -> Slots:
        """What folding, calling and raising are here; None where it is not legal."""
        ...

    def betting(self, table: Any) -> Float32s:
        """(BET_WIDTH,): what has been bet, and where the seat to act stands."""
        ...

    def cards(self, table: Any, hands: NDArray[np.int64]) -> Float32s:
        """(n, card_width): each of the hands, with the board."""
        ...


def bet_row(steps: Sequence[BettingStep], role: int, street: int, pot: float, owed: float) -> Float32s:
    """The actions street by street, who is to act, and the price; `pot` and `owed` in units of the first pot."""
    row = np.zeros(BET_WIDTH, np.float32)
    told = row[:TOLD].reshape(STREETS, STEPS, PER_STEP)
    taken = [0] * STREETS
    for step in steps:
        if taken[step.street] == STEPS:
            raise SettingError(f"more than {STEPS} actions on a street; nets are told {STEPS} at most")
        told[step.street, taken[step.street]] = 1.0, step.chips / step.pot
        taken[step.street] += 1
    row[TOLD + role] = 1.0
    row[TOLD + 2 + street] = 1.0
    row[TOLD + 2 + STREETS :] = pot / 10, owed / pot
    return row


def one_hot(places: NDArray[Any], width: int) -> Float32s:
    """(n, width): a 1 in each row."""
    rows = np.zeros((len(places), width), np.float32)
    rows[np.arange(len(places)), places] = 1
    return rows
