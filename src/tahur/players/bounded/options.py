"""The content of a menu: options with label, chips and words, and the blocked actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final


class OptionKind(Enum):
    """What an option does. An all-in is a bet or raise of the whole stack; such a call is still a call."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all-in"


class Label(IntEnum):
    """How good an option looks. A total order, used everywhere."""

    NEGATIVE = 0
    MARGINAL = 1
    NEUTRAL = 2
    POSITIVE = 3

    @property
    def text(self) -> str:
        """The label as text for people."""
        return LABEL_TEXTS[self]


_PLACES: Final = {OptionKind.FOLD: 0, OptionKind.CHECK: 1, OptionKind.CALL: 2}

LABEL_TEXTS: Final = {
    Label.NEGATIVE: "-EV",
    Label.MARGINAL: "marginal",
    Label.NEUTRAL: "neutral",
    Label.POSITIVE: "+EV",
}


class Style(Enum):
    """The style in which an option is played."""

    CONSERVATIVE = "conservative"
    STANDARD = "standard"
    AGGRESSIVE = "aggressive"
    TRAPPY = "trappy"


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu: `raise_to` in chips for bets, raises and all-ins; `chip_ev` relative to folding, in chips.

    `folds` is the assumed probability that everybody folds to a bet, raise or all-in; its chip EV depends on it.
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
        """Whether it is a bet, a raise or an all-in."""
        return self.raise_to is not None

    @property
    def order(self) -> int:
        """The sort key from passive to aggressive: fold, check, call, then raises by their size."""
        return _PLACES[self.act] if self.raise_to is None else 3 + self.raise_to

    def reworded(self, text: str, label: Label | None = None) -> Option:
        """The same option in other words, optionally with another label; four times as fast as `replace`."""
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

    def as_json(self, number: int) -> dict[str, object]:
        """The option as JSON values, for logs and commands; `number` is its line on the menu, from 1."""
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
    """An action that must not be offered at this decision in any mood, and why."""

    act: OptionKind
    reason: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Options from passive to aggressive, unless a layer reordered them, and the blocked actions."""

    options: tuple[Option, ...] = ()
    blocked: tuple[Blocked, ...] = ()

    @property
    def forced(self) -> bool:
        """Whether there is no choice."""
        return len(self.options) == 1

    def of(self, act: OptionKind) -> Option | None:
        """The least aggressive option of that kind."""
        return next((option for option in self.options if option.act is act), None)

    def is_blocked(self, act: OptionKind) -> bool:
        return any(option.act is act for option in self.blocked)

    def having(self, options: Iterable[Option]) -> Menu:
        """The same menu with other options, from passive to aggressive."""
        return Menu(tuple(sorted(options, key=_order)), self.blocked)


def _order(option: Option) -> int:
    return option.order
