"""What stands on a menu: options, each with its label, its chips and its words, and what was kept off it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final


class Act(Enum):
    """What an option does; an all-in is a raise or a bet of everything, or a call that takes the whole stack."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all-in"


class Label(IntEnum):
    """How good an option looks. One total order, used everywhere."""

    NEGATIVE = 0
    MARGINAL = 1
    NEUTRAL = 2
    POSITIVE = 3

    @property
    def text(self) -> str:
        """As people write it."""
        return LABEL_TEXTS[self]


LABEL_TEXTS: Final = {
    Label.NEGATIVE: "-EV",
    Label.MARGINAL: "marginal",
    Label.NEUTRAL: "neutral",
    Label.POSITIVE: "+EV",
}


class Style(Enum):
    """In what spirit an option is played."""

    CONSERVATIVE = "conservative"
    STANDARD = "standard"
    AGGRESSIVE = "aggressive"
    TRAPPY = "trappy"


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu: `raise_to` in chips for bets, raises and all-ins; `chip_ev` against folding, in chips."""

    act: Act
    raise_to: int | None
    label: Label
    style: Style
    chip_ev: float
    text: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """An action that is not to be offered at this decision, by whatever mood, and why."""

    act: Act
    reason: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Options from passive to aggressive, unless a layer ordered them otherwise, and what was blocked."""

    options: tuple[Option, ...]
    blocked: tuple[Blocked, ...] = ()

    @property
    def forced(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self.options) == 1
