"""What is fixed before the deal: the stacks, blinds, ante and button, and the betting structure.

A seat with no chips is not dealt in: it posts nothing, holds no hand and never acts, but it keeps its number, so that
the records of a match have the same seats. With two seats dealt in the button posts the small blind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tahur.core.errors import SettingError
from tahur.core.game import Seat

MOST_SEATS: Final = 9
FLOP: Final = 3  # board cards; the turn and the river add one each
RIVER: Final = 5


@dataclass(frozen=True, slots=True)
class NoLimit:
    """Bets from the big blind up to the whole stack, any number of times."""

    @property
    def rounds(self) -> int:
        return 4

    def least_bets(self, big_blind: int) -> tuple[int, ...]:
        """The smallest bet of each street, in chips; a raise adds at least as much."""
        return (big_blind,) * self.rounds

    def sizes(self, least: int, most: int, *, street: int, raised: int) -> range:
        """The legal raise totals between `least` and `most` chips, after `raised` bets and raises on the street."""
        return range(least, most + 1)


@dataclass(frozen=True, slots=True)
class Limit:
    """One bet size per street, `small_bet` before the turn and `big_bet` from then on, a capped number of times.

    A cap counts the bets and raises of its street, including all-ins; the big blind does not count. There are as many
    rounds of betting as caps.
    """

    small_bet: int
    big_bet: int
    caps: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.caps) <= 4 or min(self.caps) < 0:
            raise SettingError(f"caps {list(self.caps)}; expected one per round of betting (1 to 4), none negative")
        if min(self.small_bet, self.big_bet) < 1:
            raise SettingError(f"bets {[self.small_bet, self.big_bet]}; both must be one chip or more")

    @property
    def rounds(self) -> int:
        return len(self.caps)

    def least_bets(self, big_blind: int) -> tuple[int, ...]:
        return (self.small_bet, self.small_bet, self.big_bet, self.big_bet)[: self.rounds]

    def sizes(self, least: int, most: int, *, street: int, raised: int) -> range:
        return range(least, least + 1) if raised < self.caps[street] else range(0)


Structure = NoLimit | Limit


@dataclass(frozen=True)
class Stakes:
    """The seats and their chips, the forced bets, the betting structure, and the number of board cards at showdown."""

    stacks: tuple[int, ...]
    blinds: tuple[int, int] = (1, 2)
    ante: int = 0
    button: Seat = 0
    structure: Structure = NoLimit()
    showdown_board: int = RIVER
    free_folds: bool = False  # whether a seat may fold when it owes nothing; never here, but in imported hands

    def __post_init__(self) -> None:
        """Reject stacks, blinds, antes, buttons and boards that hold'em does not allow."""
        if not 2 <= len(self.stacks) <= MOST_SEATS:
            raise SettingError(f"{len(self.stacks)} seats; hold'em is played with 2 to {MOST_SEATS}")
        if min(self.stacks) < 0 or len(self.order) < 2:
            raise SettingError(f"stacks {list(self.stacks)}; none may be negative, and at least two seats need chips")
        if len(self.blinds) != 2 or not 0 <= self.blinds[0] <= self.blinds[1] or self.blinds[1] < 1:
            raise SettingError(f"blinds {list(self.blinds)}; expected a small and a big one, such as [1, 2]")
        if self.ante < 0:
            raise SettingError(f"ante {self.ante}; valid: 0 (none) or more")
        if self.button not in self.order:
            raise SettingError(f"button {self.button}; seats with chips are {sorted(self.order)}")
        if not max(FLOP, self.structure.rounds + 1) <= self.showdown_board <= RIVER:
            raise SettingError(f"showdown_board {self.showdown_board}; valid: {FLOP} to {RIVER}, all that are bet on")

    @cached_property
    def order(self) -> tuple[Seat, ...]:
        """The seats dealt in, starting left of the button, the button last."""
        seats = len(self.stacks)
        around = ((self.button + step) % seats for step in range(1, seats + 1))
        return tuple(seat for seat in around if self.stacks[seat])

    @property
    def blind_seats(self) -> tuple[Seat, Seat]:
        """The seats that post the small and the big blind."""
        small, big = self.order[:2]
        return (big, small) if len(self.order) == 2 else (small, big)

    @cached_property
    def least_bets(self) -> tuple[int, ...]:
        return self.structure.least_bets(self.blinds[1])

    @cached_property
    def betting_boards(self) -> range:
        """The numbers of board cards, from the flop on, at which there is a round of betting."""
        return range(FLOP, self.structure.rounds + 2)


# ---- settings from JSON or a person --------------------------------------------------------------
# Validation of settings from JSON or from a person: nothing is rounded, truncated or guessed.


def whole_numbers(name: str, values: Any) -> tuple[int, ...]:
    """A setting that is a list of whole numbers."""
    if not isinstance(values, Sequence) or not all(type(value) is int for value in values):
        raise SettingError(f"{name} {values!r}; a list of whole numbers, such as [200, 200], was expected")
    return tuple(values)


def two_numbers(name: str, values: Any) -> tuple[int, int]:
    """A setting that is two whole numbers."""
    numbers = whole_numbers(name, values)
    if len(numbers) != 2:
        raise SettingError(f"{name} {values!r}; two whole numbers, such as [1, 2], were expected")
    return numbers[0], numbers[1]


def whole_number(name: str, value: Any) -> int:
    """A setting that is one whole number."""
    if type(value) is not int:
        raise SettingError(f"{name} {value!r}; a whole number was expected")
    return value


def yes_or_no(name: str, value: Any) -> bool:
    """A setting that is true or false."""
    if type(value) is not bool:
        raise SettingError(f"{name} {value!r}; true or false was expected")
    return value


def stacks_of(stacks: Any, seats: Any, stack: Any, *, usual: tuple[int, int]) -> tuple[int, ...]:
    """The stacks as given, or one stack for each of `seats`; `usual` are the default seats and stack."""
    if stacks is None:
        same = whole_number("stack", usual[1] if stack is None else stack)
        return (same,) * whole_number("seats", usual[0] if seats is None else seats)
    if seats is not None or stack is not None:
        raise SettingError("give either stacks, one for each seat, or seats and one stack for all of them")
    return whole_numbers("stacks", stacks)
