"""How much to bet or raise to: a profile's three shares of the pot in legal chips, and what comes after the largest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tahur.players.bounded.options import OptionKind, Style
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Situation

STYLES: Final = (Style.CONSERVATIVE, Style.STANDARD, Style.AGGRESSIVE)
OVERBET: Final = 1.5  # times the large size is the next one
SWALLOWED: Final = (0.0, 0.5, 1.0)  # of the pot above the least raise, where that swallows small and medium
SHORT: Final = 20  # big blinds; below it all-in is always a thought


@dataclass(frozen=True, slots=True)
class RaiseSize:
    """Chips to raise to, in what spirit."""

    raise_to: int
    style: Style


def sizes_of(situation: Situation, profile: OptionProfile) -> tuple[RaiseSize, ...]:
    """Small, medium and large, the least first, equal ones merged; all of them legal."""
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
    found: dict[int, Style] = {}
    for chips, style in zip(wanted, STYLES, strict=True):
        found.setdefault(min(most, max(least, chips)), style)
    return tuple([RaiseSize(chips, style) for chips, style in found.items()])


def next_size(situation: Situation, profile: OptionProfile, above: int) -> int | None:
    """The least size of the profile above that, an overbet if there is none; None if no raise is larger."""
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
    """A raise, or all-in if it is everything."""
    return OptionKind.ALL_IN if raise_to >= situation.whole else OptionKind.RAISE


def all_in_of(situation: Situation) -> int | None:
    """What all-in comes to, if it is a legal raise."""
    raises = situation.raises
    return raises[-1] if raises and raises[-1] == situation.whole else None


def is_short(situation: Situation) -> bool:
    return situation.stack < SHORT * situation.big_blind


def _lone_style(situation: Situation) -> Style:
    """Where there is but one size: at limit the usual thing to do, at no-limit all one has."""
    return Style.AGGRESSIVE if situation.raises[0] == situation.whole else Style.STANDARD
