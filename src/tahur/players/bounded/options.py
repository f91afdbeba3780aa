"""What stands on a menu: options, each with its label, its chips and its words, and what was kept off it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final


class OptionKind(Enum):
    """What an option does. An all-in is a bet or raise of everything; a call for the whole stack is still a call."""

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


_PLACES: Final = {OptionKind.FOLD: 0, OptionKind.CHECK: 1, OptionKind.CALL: 2}

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
    """One line of a menu: `raise_to` in chips for bets, raises and all-ins; `chip_ev` against folding, in chips.

    `folds` is how often a bet, raise or all-in is taken to make everybody fold: its chip EV rests on that.
    """

    act: OptionKind
    raise_to: int | None
    label: Label
    style: Style
    chip_ev: float
    text: str
    folds: float | None = None

    @property
    def aggressive(self) -> bool:
        """A bet, a raise or an all-in; all else is passive."""
        return self.raise_to is not None

    @property
    def place(self) -> int:
        """Where it stands from passive to aggressive: fold, check, call, then raises by their size."""
        return _PLACES[self.act] if self.raise_to is None else 3 + self.raise_to

    def retold(self, text: str, label: Label | None = None) -> Option:
        """The same in other words, and perhaps with another label; `replace` would take four times as long."""
        new = self.label if label is None else label
        return Option(
            act=self.act,
            raise_to=self.raise_to,
            label=new,
            style=self.style,
            chip_ev=self.chip_ev,
            text=text,
            folds=self.folds,
        )

    def told(self, number: int) -> dict[str, object]:
        """As JSON has it, for logs and commands; `number` is its line on the menu, from 1."""
        return {
            "number": number,
            "action": self.act.value,
            "raise_to": self.raise_to,
            "ev": self.label.text,
            "chip_ev": round(self.chip_ev, 2),
            "style": self.style.value,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Blocked:
    """An action that is not to be offered at this decision, by whatever mood, and why."""

    act: OptionKind
    reason: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Options from passive to aggressive, unless a layer ordered them otherwise, and what was blocked."""

    options: tuple[Option, ...] = ()
    blocked: tuple[Blocked, ...] = ()

    @property
    def forced(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self.options) == 1

    def of(self, act: OptionKind) -> Option | None:
        """The option that does this, the least aggressive one."""
        return next((option for option in self.options if option.act is act), None)

    def is_blocked(self, act: OptionKind) -> bool:
        return any(each.act is act for each in self.blocked)

    def having(self, options: Iterable[Option]) -> Menu:
        """The same menu with other options, from passive to aggressive."""
        return Menu(tuple(sorted(options, key=_place)), self.blocked)


def _place(option: Option) -> int:
    return option.place
