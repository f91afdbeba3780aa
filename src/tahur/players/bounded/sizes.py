"""Bet and raise sizes: a profile's three fractions of the pot in legal chips, and the next size above the largest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tahur.players.bounded.options import OptionKind, Style
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Situation

STYLES: Final = (Style.CONSERVATIVE, Style.STANDARD, Style.AGGRESSIVE)
OVERBET: Final = 1.5  # the next size, as a multiple of the large one
SWALLOWED: Final = (0.0, 0.5, 1.0)  # of the pot above the minimum raise, if that exceeds the small and medium sizes
SHORT: Final = 20  # big blinds; below it all-in is always considered


@dataclass(frozen=True, slots=True)
class RaiseSize:
    """The total of a raise, and its style."""

    raise_to: int
    style: Style


def sizes_of(situation: Situation, profile: OptionProfile) -> tuple[RaiseSize, ...]:
    """Small, medium and large, smallest first, duplicates merged; all of them legal."""
    raises = situation.raises
    if not raises:
        return ()
    if len(raises) == 1:
        return (RaiseSize(raises[0], _lone_style(situation)),)
    least, most = raises[0], raises[-1]
    base = situation.pot + situation.cost
    wanted = [situation.bet + int(share * base + 0.5) for share in profile.sizing]
    if wanted[1] <= least:
        wanted = [least + int(share * base + 0.5) for share in SWALLOWED]
    styles: dict[int, Style] = {}
    for chips, style in zip(wanted, STYLES, strict=True):
        styles.setdefault(min(most, max(least, chips)), style)
    return tuple([RaiseSize(chips, style) for chips, style in styles.items()])


def next_size(situation: Situation, profile: OptionProfile, above: int) -> int | None:
    """The profile's next size above `above`, else an overbet; None if no raise is larger."""
    raises = situation.raises
    if not raises or above >= raises[-1]:
        return None
    larger = [size.raise_to for size in sizes_of(situation, profile) if size.raise_to > above]
    if larger:
        return larger[0]
    base = situation.pot + situation.cost
    overbet = situation.bet + int(OVERBET * max(profile.sizing) * base + 0.5)
    if overbet <= above:
        overbet = above + max(1, base)
    return min(overbet, raises[-1])


def act_of(situation: Situation, raise_to: int) -> OptionKind:
    """A raise, or all-in if it is the whole stack."""
    return OptionKind.ALL_IN if raise_to >= situation.whole else OptionKind.RAISE


def all_in_of(situation: Situation) -> int | None:
    """The total of all-in, if it is a legal raise."""
    raises = situation.raises
    return raises[-1] if raises and raises[-1] == situation.whole else None


def is_short(situation: Situation) -> bool:
    return situation.stack < SHORT * situation.big_blind


def _lone_style(situation: Situation) -> Style:
    """The style if there is only one size: in limit standard, in no-limit all-in."""
    return Style.AGGRESSIVE if situation.raises[0] == situation.whole else Style.STANDARD
