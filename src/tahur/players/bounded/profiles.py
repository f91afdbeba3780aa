"""Playing styles as thresholds: the equity that a hand needs for a call, a raise, a bluff or a fold.

A profile is one frozen value. The five presets are at the end; `profile_for` selects one by two character traits. A
postflop field that is None means: as before the flop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tahur.core.errors import UnknownName

TIGHT_BELOW: Final = 0.45  # looseness
LOOSE_ABOVE: Final = 0.65  # looseness; between the two a style is neither tight nor loose
AGGRESSIVE_FROM: Final = 0.50  # aggression


class CheckPromotion(Enum):
    """When a check may be marked as the best option, if nothing else is."""

    DEFAULT = "default"  # if it is the best option
    ALWAYS = "always"  # whenever it is legal
    CONDITIONAL = "conditional"  # only if no raise is neutral or better
    SUPPRESS_IF_RAISES = "suppress_if_raises"  # never if there is a raise


@dataclass(frozen=True, slots=True)
class OptionProfile:
    """Equities and shares of the pot are from 0 to 1; the multipliers apply to the equity that a call requires."""

    name: str
    looseness: float  # the part of all hands that it likes to play before the flop, from late position
    fold_equity_multiplier: float = 2.0  # above this multiple of the required equity a fold is blocked
    call_plus_ev: float = 1.7
    call_marginal: float = 0.85
    raise_plus_ev: float = 0.60
    raise_neutral: float = 0.45
    sizing: tuple[float, float, float] = (0.33, 0.67, 1.0)  # small, medium, large; of the pot
    value_bet_threshold: float = 0.65
    bluff_frequency: float = 0.0
    postflop_raise_plus_ev: float | None = None
    postflop_raise_neutral: float | None = None
    postflop_value_bet_threshold: float | None = None
    postflop_max_raise_options: int | None = None
    check_penalty_threshold: float | None = None
    check_promotion: CheckPromotion = CheckPromotion.DEFAULT
    shows_labels: bool = True  # whether the prompt shows the EV labels

    def raise_lines(self, *, preflop: bool) -> tuple[float, float]:
        """The equities from which a raise is +EV and neutral."""
        if preflop:
            return self.raise_plus_ev, self.raise_neutral
        plus, neutral = self.postflop_raise_plus_ev, self.postflop_raise_neutral
        return self.raise_plus_ev if plus is None else plus, self.raise_neutral if neutral is None else neutral

    def value_line(self, *, preflop: bool) -> float:
        """The equity from which a bet is for value, so that a check is a trap."""
        postflop = self.postflop_value_bet_threshold
        return self.value_bet_threshold if preflop or postflop is None else postflop


def profile_for(looseness: float, aggression: float) -> OptionProfile:
    """The preset of that character, with its looseness replaced."""
    manner = "aggressive" if aggression >= AGGRESSIVE_FROM else "passive"
    if looseness < TIGHT_BELOW:
        preset = PROFILES[f"tight_{manner}"]
    elif looseness > LOOSE_ABOVE:
        preset = PROFILES[f"loose_{manner}"]
    else:
        preset = PROFILES["default"]
    return replace(preset, looseness=looseness)


def profile_named(name: str) -> OptionProfile:
    """The preset of that name; hyphens are accepted: `tight-aggressive`."""
    profile = PROFILES.get(name.strip().lower().replace("-", "_"))
    if profile is None:
        raise UnknownName(f"no profile '{name}'; profiles: {', '.join(PROFILES)}")
    return profile


PROFILES: Final[dict[str, OptionProfile]] = {
    profile.name: profile
    for profile in (
        OptionProfile("default", 0.55),
        OptionProfile(
            "tight_passive",
            0.30,
            fold_equity_multiplier=2.5,
            call_plus_ev=2.0,
            call_marginal=1.0,
            raise_plus_ev=0.65,
            raise_neutral=0.50,
            sizing=(0.25, 0.50, 0.75),
            value_bet_threshold=0.70,
            postflop_raise_plus_ev=0.75,
            postflop_raise_neutral=0.60,
            postflop_value_bet_threshold=0.80,
            postflop_max_raise_options=1,
            check_promotion=CheckPromotion.ALWAYS,
        ),
        OptionProfile(
            "tight_aggressive",
            0.30,
            fold_equity_multiplier=2.5,
            call_plus_ev=2.0,
            call_marginal=1.0,
            raise_plus_ev=0.55,
            raise_neutral=0.40,
            sizing=(0.33, 0.75, 1.2),
            value_bet_threshold=0.60,
            postflop_raise_plus_ev=0.42,
            postflop_raise_neutral=0.25,
            postflop_value_bet_threshold=0.55,
            postflop_max_raise_options=2,
            check_penalty_threshold=0.40,
            check_promotion=CheckPromotion.CONDITIONAL,
        ),
        OptionProfile(
            "loose_passive",
            0.75,
            fold_equity_multiplier=1.5,
            call_plus_ev=1.4,
            call_marginal=0.70,
            raise_plus_ev=0.65,
            raise_neutral=0.50,
            sizing=(0.25, 0.50, 0.75),
            value_bet_threshold=0.70,
            postflop_raise_plus_ev=0.70,
            postflop_raise_neutral=0.55,
            postflop_value_bet_threshold=0.75,
            postflop_max_raise_options=1,
            check_promotion=CheckPromotion.ALWAYS,
            shows_labels=False,
        ),
        OptionProfile(
            "loose_aggressive",
            0.75,
            fold_equity_multiplier=1.8,
            call_plus_ev=1.5,
            call_marginal=0.75,
            raise_plus_ev=0.55,
            raise_neutral=0.42,
            sizing=(0.33, 0.75, 1.5),
            value_bet_threshold=0.55,
            bluff_frequency=0.15,
            postflop_raise_plus_ev=0.45,
            postflop_raise_neutral=0.30,
            postflop_value_bet_threshold=0.50,
            postflop_max_raise_options=3,
            check_penalty_threshold=0.35,
            check_promotion=CheckPromotion.SUPPRESS_IF_RAISES,
            shows_labels=False,
        ),
    )
}
