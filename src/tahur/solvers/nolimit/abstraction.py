"""Action abstraction: which of the fourteen actions the blueprint may use, by street and by number of raises.

An abstraction is data. Checking, calling and folding are always included; for each street it lists, for each number of
bets and raises already made on the street, the sizes that may follow. Before the flop the big blind is not counted, so
the first list is for opening. The last list of a street also applies to every later raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tahur.core.errors import SolverError, UnknownName
from tahur.games.holdem.fourteen import ALL_IN, FIRST_PERCENT, NAMES, PERCENTS

DEPTHS: Final = (10, 20, 40, 60, 100, 150, 200)  # big blinds for which the project has strategies
STREET_NAMES: Final = ("preflop", "flop", "turn", "river")

Sizes = tuple[int, ...]  # indices of the fourteen actions


def sizes_of(text: str) -> Sizes:
    """The indices for sizes written as percentages of the pot and `a` for all-in: `50 100 a`."""
    names = {str(percent): FIRST_PERCENT + place for place, percent in enumerate(PERCENTS)} | {"a": ALL_IN}
    unknown = [word for word in text.split() if word not in names]
    if unknown:
        raise SolverError(f"'{unknown[0]}' in the sizes '{text}'; valid: {', '.join(names)}")
    return tuple(sorted(names[word] for word in text.split()))


@dataclass(frozen=True, slots=True)
class ActionAbstraction:
    """The sizes of each street. `streets[street][raises]` are the indices that may be bet after so many raises."""

    name: str
    about: str
    streets: tuple[tuple[Sizes, ...], ...]

    def sizes(self, street: int, raises: int) -> Sizes:
        """The bet and raise sizes on a street after so many bets and raises on it."""
        lists = self.streets[street]
        return lists[min(raises, len(lists) - 1)]

    def lines(self) -> list[str]:
        """One line of text for each street, such as `flop: 50 %, 100 %; then 100 %, all-in; then all-in`."""
        return [
            f"{street}: " + "; then ".join(", ".join(NAMES[size] for size in sizes) or "no raise" for sizes in lists)
            for street, lists in zip(STREET_NAMES, self.streets, strict=True)
        ]


def _abstraction(name: str, about: str, *streets: str) -> ActionAbstraction:
    """From texts such as `50 100 / a`: the sizes of one street, with a slash between numbers of raises."""
    parsed = tuple(tuple(sizes_of(part) for part in street.split("/")) for street in streets)
    return ActionAbstraction(name, about, parsed)


PRESETS: Final[Mapping[str, ActionAbstraction]] = {
    preset.name: preset
    for preset in (
        _abstraction(
            "push-fold",
            "All-in or fold before the flop; for very short stacks, and to check the solver against an exact one.",
            "a",
            "a",
            "a",
            "a",
        ),
        _abstraction(
            "small",
            "One opening size, one or two bets after the flop: trains in minutes.",
            "75 / 100 / 75 a / a",
            "50 100 / 100 a / a",
            "75 a / a",
            "75 a / a",
        ),
        _abstraction(
            "standard",
            "Two sizes in most places and an all-in for every last raise.",
            "75 a / 100 a / 75 a / a",
            "33 75 150 / 75 a / a",
            "50 100 a / 100 a / a",
            "50 100 a / a",
        ),
        _abstraction(
            "large",
            "Three sizes in most places; trains for hours.",
            "50 75 150 a / 75 125 a / 50 100 a / a",
            "33 75 125 a / 50 100 a / 100 a / a",
            "33 75 150 a / 75 a / a",
            "33 75 150 a / 75 a / a",
        ),
    )
}


def abstraction_named(name: str) -> ActionAbstraction:
    """The preset of that name."""
    if name not in PRESETS:
        raise UnknownName(f"no action abstraction '{name}'; valid: {', '.join(PRESETS)}")
    return PRESETS[name]


def nearest_depth(big_blinds: float) -> int:
    """The depth of `DEPTHS` whose ratio to the given one is closest to 1."""
    return min(DEPTHS, key=lambda depth: max(depth / big_blinds, big_blinds / depth))
