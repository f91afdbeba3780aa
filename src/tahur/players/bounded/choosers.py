"""Choosers that need no model: the best option by EV, a random draw shaped by the persona, or a script.

`Softmax` draws in three steps, so that each trait controls one thing: looseness whether to stay, aggression whether to
bet rather than check or call, and aggression again how much. The labels of the options are weighted by `WORTH` in all
three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, Protocol

import numpy as np

from tahur.core.errors import UnknownName
from tahur.core.player import View
from tahur.players.bounded.mood import Mood
from tahur.players.bounded.options import Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.personas import Persona
from tahur.players.bounded.situation import Situation

WORTH: Final = {Label.NEGATIVE: 0.0, Label.MARGINAL: 1.2, Label.NEUTRAL: 1.9, Label.POSITIVE: 3.2}  # nats
STAYING: Final = 4.0  # nats between looseness 0 and 1
BETTING: Final = 8.0  # nats between aggression 0 and 1
TEMPER: Final = 0.6  # weight of the labels in that step: betting is more a matter of temper than staying is
SIZING: Final = 3.0
ALL_IN_AWE: Final = 1.5  # nats by which an all-in must be better
_MIDDLE: Final = 0.5
_SIZES: Final = {Style.CONSERVATIVE: 0.0, Style.TRAPPY: 0.0, Style.STANDARD: 0.5, Style.AGGRESSIVE: 1.0}


@dataclass(frozen=True, slots=True)
class Page:
    """The input of a chooser. `plan` is this hand's, in one line; `lean`: the mode asks for a short prompt."""

    persona: Persona
    mood: Mood
    situation: Situation
    menu: Menu
    view: View
    plan: str = ""
    lean: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """An option's number, from 1; who chose it, and why. Empty talk: the persona's own; empty plan: unchanged."""

    number: int
    by: str
    thought: str = ""
    talk: str | None = None
    plan: str | None = None


class Chooser(Protocol):
    """Chooses from menus of more than one option."""

    def begin(self) -> None:
        """Called when a hand starts."""
        ...

    def choose(self, page: Page, rng: np.random.Generator) -> Choice: ...


def best_number(page: Page) -> int:
    """The best option by label, then by chips, then by the style that suits the persona; the first if tied."""
    wanted = page.persona.aggression

    def rank(index: int) -> tuple[float, ...]:
        option = page.menu.options[index]
        return option.label, option.chip_ev, -abs(_SIZES[option.style] - wanted), -index

    return 1 + max(range(len(page.menu.options)), key=rank)


@dataclass(frozen=True, slots=True)
class ByEv:
    """Always the best option."""

    def begin(self) -> None:
        """Does nothing."""

    def choose(self, page: Page, rng: np.random.Generator) -> Choice:
        return Choice(best_number(page), "by_ev")


@dataclass(frozen=True, slots=True)
class Softmax:
    """Draws an option: better ones are likelier, shifted by the persona's traits."""

    def begin(self) -> None:
        """Does nothing."""

    def choose(self, page: Page, rng: np.random.Generator) -> Choice:
        """Draw an option by its probability."""
        chances = chances_of(page.menu.options, page.persona)
        roll, number = float(rng.random()), 0
        for number, chance in enumerate(chances, start=1):  # noqa: B007  rounding may leave a little after the last
            roll -= chance
            if roll < 0:
                break
        summary = ", ".join(f"{index} {chance:.0%}" for index, chance in enumerate(chances, start=1))
        return Choice(number, "softmax", summary)


@dataclass(frozen=True, slots=True)
class Scripted:
    """Chooses given numbers in a cycle; a number beyond the menu means its last option."""

    numbers: tuple[int, ...]
    _asked: list[int]

    @classmethod
    def of(cls, *numbers: int) -> Scripted:
        return cls(numbers, [0])

    def begin(self) -> None:
        """Does nothing."""

    def choose(self, page: Page, rng: np.random.Generator) -> Choice:
        number = self.numbers[self._asked[0] % len(self.numbers)]
        self._asked[0] += 1
        return Choice(max(1, min(number, len(page.menu.options))), "scripted")


def chooser_named(name: str) -> Chooser:
    """`softmax`, `by_ev`, or `scripted:1,2`."""
    word, _, rest = name.strip().lower().partition(":")
    numbers = [part.strip() for part in rest.split(",")]
    match word.replace("-", "_"):
        case "softmax" if not rest:
            return Softmax()
        case "by_ev" if not rest:
            return ByEv()
        case "scripted" if all(part.isdecimal() for part in numbers):
            return Scripted.of(*map(int, numbers))
    raise UnknownName(f"no chooser '{name}'; choosers: softmax, by_ev, scripted:1,2")


def chances_of(options: Sequence[Option], persona: Persona) -> list[float]:
    """The probability of each option; they add up to one."""
    loose, bold = persona.looseness - _MIDDLE, persona.aggression - _MIDDLE
    folds = [option for option in options if option.act is OptionKind.FOLD]
    waits = [option for option in options if option.act in (OptionKind.CHECK, OptionKind.CALL)]
    bets = [option for option in options if option.act in (OptionKind.RAISE, OptionKind.ALL_IN)]
    stay = _between(_best(waits + bets), _best(folds), STAYING * loose)
    bet = stay * _between(_best(bets), _best(waits), BETTING * bold, TEMPER)
    sizes = _shares(bets, bold)
    chances = []
    for option in options:
        if option.act is OptionKind.FOLD:
            chances.append((1 - stay) / len(folds))
        elif option.act in (OptionKind.CHECK, OptionKind.CALL):
            chances.append((stay - bet) / len(waits))
        else:
            chances.append(bet * sizes[bets.index(option)])
    return chances


def _best(options: Sequence[Option]) -> float | None:
    return max([WORTH[option.label] for option in options], default=None)


def _between(this: float | None, other: float | None, lean: float, weight: float = 1.0) -> float:
    """The probability of the first of two alternatives, from the values of those that exist."""
    if other is None:
        return 1.0
    return 0.0 if this is None else 1 / (1 + exp(weight * (other - this) - lean))


def _shares(bets: Sequence[Option], bold: float) -> list[float]:
    """The probabilities of the bets: by label, by size as far as the persona is bold, all-in less often."""
    weights = [
        exp(WORTH[bet.label] + SIZING * bold * _size(bet) - ALL_IN_AWE * (bet.act is OptionKind.ALL_IN)) for bet in bets
    ]
    total = sum(weights)
    return [weight / total for weight in weights]


def _size(bet: Option) -> float:
    return 1.0 if bet.act is OptionKind.ALL_IN else _SIZES[bet.style]
