"""Named bet-size presets: common bet trees, so that a first spot needs no size grammar.

A preset gives the bets and raises of each street and the thresholds for adding or forcing all-ins. It stands for those
arguments of `spot`, and explicit arguments override it: `spot(sizes="standard", river="75% / a", ...)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from tahur.core.errors import UnknownName

ADD_ALL_IN: Final = 1.5  # pots
FORCE_ALL_IN: Final = 0.15  # pots
_NAME: Final = re.compile(r"[a-z][a-z_-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SizePreset:
    """The sizes of the three streets, as text, and one sentence about them."""

    name: str
    about: str
    flop: str
    turn: str
    river: str
    raise_cap: int = 0

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of `spot` that the preset stands for."""
        return {
            "flop": self.flop,
            "turn": self.turn,
            "river": self.river,
            "add_all_in": ADD_ALL_IN,
            "force_all_in": FORCE_ALL_IN,
            "raise_cap": self.raise_cap,
        }


PRESETS: Final[Mapping[str, SizePreset]] = {
    preset.name: preset
    for preset in (
        SizePreset(
            name="simple",
            about="One bet of half the pot and one raise: the smallest tree that still distinguishes bets from checks.",
            flop="50% / 60%",
            turn="50% / 60%",
            river="50% / 60%",
            raise_cap=2,
        ),
        SizePreset(
            name="standard",
            about="A small and a big bet on each street, growing towards the river: the usual study tree.",
            flop="33%,75% / 60%",
            turn="50%,100% / 60%",
            river="50%,100% / 60%",
            raise_cap=3,
        ),
        SizePreset(
            name="polar",
            about="Big bets alone, over the pot on the river: for ranges of strong hands and bluffs.",
            flop="75% / a",
            turn="100% / a",
            river="150%,a / a",
        ),
        SizePreset(
            name="small-ball",
            about="Small bets and small raises: for deep stacks, wide ranges and many cheap streets.",
            flop="25% / 3x",
            turn="33% / 3x",
            river="33%,66% / 3x",
            raise_cap=2,
        ),
        SizePreset(
            name="geometric",
            about="The same part of the pot on every street, chosen so that the last bet is all-in.",
            flop="e / a",
            turn="e / a",
            river="e / a",
        ),
    )
}


def with_preset(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a spot with its preset, if any, expanded; explicit arguments take precedence."""
    sizes = arguments.get("sizes")
    if not isinstance(sizes, str) or not _NAME.fullmatch(sizes.strip()):
        return dict(arguments)
    rest = {name: value for name, value in arguments.items() if name != "sizes"}
    return preset(sizes.strip()).settings | rest


def preset(name: str) -> SizePreset:
    """The preset with that name; the error for an unknown name lists the valid ones."""
    found = PRESETS.get(name.lower().replace("_", "-"))
    if found is None:
        near = get_close_matches(name.lower(), PRESETS, 1)
        meant = f"did you mean '{near[0]}'? " if near else ""
        raise UnknownName(
            f"no sizes '{name}'; {meant}presets are {', '.join(PRESETS)}, or write sizes: '50%,a / 60%,a'"
        )
    return found
