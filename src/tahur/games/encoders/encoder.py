"""The `Encoder` protocol, which turns a game state into network inputs, and the betting features common to all games.

A net has three outputs: fold, check or call, bet or raise (`core/towers.py`). An `Encoder` says which action each of
them is at a table, and encodes the table in two rows: the betting so far, and a hand together with the board. It is
given only the table and the seat's own hand, so a row cannot contain hidden information.
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
STEPS: Final = 6  # most actions on a street: check, bet, three raises, call
PER_STEP: Final = 2  # whether it was taken, and the chips it put in as a fraction of the pot
HISTORY_WIDTH: Final = STREETS * STEPS * PER_STEP
BET_WIDTH: Final = HISTORY_WIDTH + 2 + STREETS + 2  # then the seat, the street, the pot and the amount to call


class BettingStep(NamedTuple):
    """One action of a seat: its street, the chips it put in, and the pot before it."""

    street: int
    chips: int
    pot: int


class SlotReader(Protocol):
    """How the tables of a game with fold, call and raise are read."""

    @property
    def streets(self) -> int: ...

    def street(self, table: Any) -> int: ...

    def slots(self, table: Any) -> Slots:
        """The actions for fold, call and raise at this table; None where illegal."""
        ...

    def committed(self, table: Any) -> tuple[int, ...]:
        """The chips that each seat has put in."""
        ...


class Encoder(SlotReader, Protocol):
    """The network inputs and outputs of one game."""

    @property
    def card_width(self) -> int: ...

    def role(self, game: Any, seat: Seat) -> int:
        """Which of the two nets plays the seat: 0 for the seat that acts first in the deal."""
        ...

    def betting(self, table: Any) -> Float32s:
        """(BET_WIDTH,): the betting so far and the situation of the seat to act."""
        ...

    def cards(self, table: Any, hands: NDArray[np.int64]) -> Float32s:
        """(n, card_width): each of the hands, together with the board."""
        ...


def bet_row(steps: Sequence[BettingStep], role: int, street: int, pot: float, owed: float) -> Float32s:
    """The actions street by street, the seat to act and the price; `pot` and `owed` are in units of the first pot."""
    row = np.zeros(BET_WIDTH, np.float32)
    history = row[:HISTORY_WIDTH].reshape(STREETS, STEPS, PER_STEP)
    taken = [0] * STREETS
    for step in steps:
        if taken[step.street] == STEPS:
            raise SettingError(f"more than {STEPS} actions on a street; nets encode at most {STEPS}")
        history[step.street, taken[step.street]] = 1.0, step.chips / step.pot
        taken[step.street] += 1
    row[HISTORY_WIDTH + role] = 1.0
    row[HISTORY_WIDTH + 2 + street] = 1.0
    row[HISTORY_WIDTH + 2 + STREETS :] = pot / 10, owed / pot
    return row


def one_hot(columns: NDArray[Any], width: int) -> Float32s:
    """(n, width): rows with a 1 in the given columns."""
    rows = np.zeros((len(columns), width), np.float32)
    rows[np.arange(len(columns)), columns] = 1
    return rows
