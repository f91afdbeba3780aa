"""The layers between the generator and the mood; each changes one aspect of a menu.

A layer is a pure function `(menu, situation, rng) -> menu`; other arguments, such as the profile, are bound beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from tahur.players.bounded.blocking import is_safe
from tahur.players.bounded.generate import passive_options, raise_option, raise_words, relabel
from tahur.players.bounded.options import Label, Menu, Option, OptionKind
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.profiles import CheckPromotion, OptionProfile
from tahur.players.bounded.situation import Position, Situation
from tahur.players.bounded.sizes import sizes_of

Rng = np.random.Generator
Layer = Callable[[Menu, Situation, Rng], Menu]

MOST_OPTIONS: Final = 4
LEAST_OPTIONS: Final = 2
RERAISED: Final = 2  # raises on the street that make a pot a re-raised one
PROMOTED_FROM: Final = 0.40  # equity
NARROWEST: Final = 0.05  # of all hands
OFFSETS: Final = {
    Position.EARLY: -0.15,
    Position.MIDDLE: -0.08,
    Position.LATE: 0.0,
    Position.BUTTON: 0.05,
    Position.BLINDS: -0.05,
}
"""The factor on a profile's looseness before the flop, by position."""
PLACES: Final = {
    Position.EARLY: "early position",
    Position.MIDDLE: "middle position",
    Position.LATE: "late position",
    Position.BUTTON: "the button",
    Position.BLINDS: "the blinds",
}


def temper_reraised(menu: Menu, situation: Situation, rng: Rng) -> Menu:
    """After two raises lower a raise by one label, and raise a call by one unless that would overrate it."""
    if situation.street_raises < RERAISED or not situation.cost:
        return menu
    return menu.having([_temper(option, situation) for option in menu.options])


def gate_range(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """Before the flop, with more than two seats: mark a fold as right for hands outside the profile's range.

    If the fold is blocked the price is too good for that, and the menu is unchanged.
    """
    if not situation.preflop or not situation.cost or situation.seats <= 2 or menu.is_blocked(OptionKind.FOLD):
        return menu
    width = range_width(profile, situation.position)
    if strength_of(situation.hole) <= width:
        return menu
    outside = f"outside your {100 * width:.0f} % range from {PLACES[situation.position]}"
    raises = [option for option in menu.options if option.aggressive]
    kept = [option for option in menu.options if not option.aggressive] + raises[:1]
    return menu.having([_outside(option, situation, outside) for option in kept])


def range_width(profile: OptionProfile, position: Position) -> float:
    """The part of all hands that a profile plays from a position."""
    return min(1.0, max(NARROWEST, profile.looseness + OFFSETS[position]))


def limit_raises(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """After the flop, keep only the best raise sizes, as many as the profile considers."""
    most = profile.postflop_max_raise_options
    raises = [option for option in menu.options if option.aggressive]
    if situation.preflop or most is None or len(raises) <= most:
        return menu
    return menu.having([option for option in menu.options if not option.aggressive] + by_merit(raises)[:most])


def promote(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """If nothing is +EV although the hand is playable, promote one option, chosen by the profile."""
    if any(option.label is Label.POSITIVE for option in menu.options):
        return menu
    if situation.equity < PROMOTED_FROM and not menu.is_blocked(OptionKind.FOLD):
        return menu
    best = _to_promote(menu, profile.check_promotion)
    if best is None:
        return menu
    text = best.text
    if best.act is OptionKind.CHECK and profile.check_promotion is CheckPromotion.ALWAYS:
        text = f"Check and keep the pot small ({situation.equity:.0%} equity)."
    promoted = best.reworded(text, Label.POSITIVE)
    if best.aggressive:
        promoted = relabel(best, Label.POSITIVE, situation)
    return menu.having([promoted if option is best else option for option in menu.options])


def truncate(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """At most four options, the best of each kind before a second of any; at least two, if one can be added."""
    if len(menu.options) > MOST_OPTIONS:
        ranked = by_merit(menu.options)
        first = {option.act: option for option in reversed(ranked)}.values()
        rest = [option for option in ranked if option not in first]
        return menu.having([*first, *rest[: MOST_OPTIONS - len(first)]])
    if len(menu.options) < LEAST_OPTIONS:
        return _fill(menu, situation, profile)
    return menu


def apply_blocking(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """Remove blocked options as the last step; if the rest is unsafe, passive options come back."""
    kept = menu
    if menu.blocked:
        kept = menu.having([option for option in menu.options if not menu.is_blocked(option.act)])
    if is_safe(kept, situation):
        return kept
    for option in passive_options(situation, profile):
        if kept.of(option.act) is None and not kept.is_blocked(option.act) and not is_safe(kept, situation):
            kept = kept.having((*kept.options, option))
    return kept


def shuffle(menu: Menu, situation: Situation, rng: Rng) -> Menu:
    """The options in random order."""
    order = rng.permutation(len(menu.options)).tolist()
    return Menu(tuple([menu.options[index] for index in order]), menu.blocked)


def by_merit(options: Iterable[Option]) -> list[Option]:
    """Best first: by label, then by chips."""
    return sorted(options, key=lambda option: (-option.label, -option.chip_ev))


def _temper(option: Option, situation: Situation) -> Option:
    """The option in a re-raised pot: raises are rated one label lower, calls at most one higher."""
    if option.aggressive and option.label is not Label.NEGATIVE:
        return relabel(option, Label(option.label - 1), situation)
    if option.act is OptionKind.CALL and option.label is not Label.POSITIVE:
        higher = Label(option.label + 1)
        if option.chip_ev >= 0 or higher <= Label.MARGINAL:
            return option.reworded(option.text, higher)
    return option


def _outside(option: Option, situation: Situation, outside: str) -> Option:
    if option.act is OptionKind.FOLD:
        return option.reworded(f"Fold: {outside}.", Label.POSITIVE)
    if option.act is OptionKind.CALL:
        return option.reworded(f"Call {situation.cost} with a hand {outside}.", Label.NEGATIVE)
    return relabel(option, Label.NEGATIVE, situation)


def _to_promote(menu: Menu, way: CheckPromotion) -> Option | None:
    """The option to mark +EV, if any qualifies: not a bluff, and not a call that loses chips."""
    check = menu.of(OptionKind.CHECK)
    raises = [option for option in menu.options if option.aggressive]
    if check is not None and way is CheckPromotion.ALWAYS:
        return check
    good_raise = any(option.label >= Label.NEUTRAL for option in raises)
    hidden = (way is CheckPromotion.CONDITIONAL and good_raise) or (way is CheckPromotion.SUPPRESS_IF_RAISES and raises)
    worthy = [
        option
        for option in menu.options
        if not (option is check and hidden)
        and not (option.aggressive and option.label is Label.NEGATIVE)
        and not (option.act is OptionKind.CALL and option.chip_ev < 0)
    ]
    return by_merit(worthy)[0] if worthy else None


def _fill(menu: Menu, situation: Situation, profile: OptionProfile) -> Menu:
    """Add what is legal and not blocked, passive options first; then the smallest raise, marked as a bluff."""
    options = list(menu.options)
    for option in sorted(passive_options(situation, profile), key=lambda candidate: candidate.act is OptionKind.FOLD):
        if len(options) < LEAST_OPTIONS and menu.of(option.act) is None and not menu.is_blocked(option.act):
            options.append(option)
    sizes = sizes_of(situation, profile)
    if len(options) < LEAST_OPTIONS and sizes and not any(option.aggressive for option in options):
        bluff = raise_option(situation, profile, sizes[0])
        options.append(bluff.reworded(raise_words(bluff.act, bluff.raise_to, Label.NEGATIVE, situation)))
    return menu.having(options)
