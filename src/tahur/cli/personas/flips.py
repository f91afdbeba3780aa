"""Uniformly random choices from menus: the frequency of each move, and which moves were offered.

The random parts of a menu (the mood's roll, the generator's bluffs) are not sampled: every outcome counts with its
probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.players.bounded.menu import layers_for
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import CALM, IMPAIRED, Mood
from tahur.players.bounded.options import Menu, Option
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import EquityEstimate, Situation
from tahur.solvers.postflop.tree import Move

Key = tuple[str, Mood, float]
WORDS: Final = ("nudges", "framing", "order")  # layers that do not change the options
QUIET: Final = Flags(composed_nudges=False)


@dataclass(frozen=True, slots=True)
class Worst:
    """The costliest option: its cost in chips, and where it occurs."""

    chips: float
    line: str = ""
    hand: int = -1
    option: str = ""


@dataclass(frozen=True, slots=True)
class FlipCost:
    """The costs of one profile in one mood: the costliest option, and the loss of random choices per hand, in chips."""

    profile: str
    mood: str
    worst: Worst
    coins: float


@dataclass(frozen=True, slots=True)
class FlipSubject:
    """The profile and the mood whose menus are measured."""

    profile: OptionProfile
    mood: Mood


@dataclass(frozen=True, slots=True)
class Spread:
    """Uniformly random choices over all possible menus: the frequency of each move, and which were offered."""

    shares: Float64s
    offered: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class FlipTally:
    """The running costs of one chooser."""

    worst: Worst = Worst(0.0)
    coins: float = 0.0

    def witness(
        self, line: str, lost: Float64s, spreads: Sequence[Spread], names: NDArray[np.int64], hands: NDArray[np.int64]
    ) -> None:
        """Update the worst option by what these hands were offered; `lost` is (moves, hands), `names` their numbers."""
        for hand in hands.tolist():
            for at, option in spreads[hand].offered:
                if lost[at, hand] > self.worst.chips:
                    self.worst = Worst(float(lost[at, hand]), line, int(names[hand]), option)


def cost_of(chooser: FlipSubject, tally: FlipTally, share: float) -> FlipCost:
    """The costs, with the loss of random choices multiplied by `share`."""
    return FlipCost(chooser.profile.name, chooser.mood.text, tally.worst, tally.coins * share)


def spread(
    moves: Sequence[Move], chooser: FlipSubject, situation: Situation, equity: float, known: dict[Key, Spread]
) -> Spread:
    """What a hand with this equity does in the situation. `known` caches a profile's menus without mood."""
    impaired = IMPAIRED[chooser.mood.severity]
    shares, offered = np.zeros(len(moves)), dict[int, str]()
    for chance, mood in ((1 - impaired, CALM), (impaired, chooser.mood)):
        if not chance:
            continue
        key = chooser.profile.name, mood, equity
        if key not in known:
            known[key] = _flipped(moves, chooser.profile, mood, replace(situation, estimate=EquityEstimate(equity)))
        shares = shares + chance * known[key].shares
        offered |= dict(known[key].offered)
    return Spread(shares, tuple(offered.items()))


def _flipped(moves: Sequence[Move], profile: OptionProfile, mood: Mood, situation: Situation) -> Spread:
    """Random choices over all menus that the generator can produce in this mood."""
    shares, offered = np.zeros(len(moves)), dict[int, str]()
    for chance, dice in _throws(profile):
        menu = _written(profile, mood, situation, dice)
        for option in menu.options:
            at = _move_of(moves, option)
            shares[at] += chance / len(menu.options)
            offered[at] = option.act.value if option.raise_to is None else f"{option.act.value} {option.raise_to}"
    return Spread(shares, tuple(offered.items()))


def _throws(profile: OptionProfile) -> list[tuple[float, tuple[float, ...]]]:
    """The possible outcomes: no bluff, or a bluff of one of up to four sizes."""
    bluffs = profile.bluff_frequency
    picks = [(bluffs / 4, (0.0, (2 * pick + 1) / 8)) for pick in range(4)] if bluffs else []
    return [(1 - bluffs, (1.0,)), *picks]


def _written(profile: OptionProfile, mood: Mood, situation: Situation, dice: tuple[float, ...]) -> Menu:
    menu, rng = Menu(), cast(np.random.Generator, _Dice(dice))
    for name, layer in layers_for(profile, mood, QUIET):
        if name not in WORDS:
            menu = layer(menu, situation, rng)
    return menu


class _Dice:
    """A stand-in for a random generator that returns fixed outcomes."""

    def __init__(self, shows: tuple[float, ...]) -> None:
        self._shows = iter(shows)

    def random(self) -> float:
        return next(self._shows)


def _move_of(moves: Sequence[Move], option: Option) -> int:
    """The move of the solved tree that matches the option; for sizes, the nearest by ratio."""
    if option.raise_to is None:
        return next(at for at, move in enumerate(moves) if move.deed.value == option.act.value)
    return min((abs(log(move.to / option.raise_to)), at) for at, move in enumerate(moves) if move.to)[1]
