"""What a mood does to a menu: shifts it one step along fold - check - call - raises - all-in, and rewords it.

Mild and moderate moods add one option at their end; an extreme one also removes one from the other end. Nothing is
removed that would leave an unreasonable menu: fewer than two options, only bluffs, or only the whole stack with a
hopeless hand.
"""

from __future__ import annotations

from typing import Final, assert_never

import numpy as np

from tahur.players.bounded.blocking import is_safe
from tahur.players.bounded.generate import deed_words, fold_option, raise_option
from tahur.players.bounded.layers import LEAST_OPTIONS
from tahur.players.bounded.mood import Mood, MoodState, Severity
from tahur.players.bounded.options import Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.phrases import FRAMINGS, Pool, category_of, leaning_of, nudges_for
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Situation
from tahur.players.bounded.sizes import RaiseSize, all_in_of, next_size

Rng = np.random.Generator

ALL_IN_FROM: Final = 0.60  # of the stack: a larger size is treated as all-in
ALL_IN_SPR: Final = 1.0  # at or below this stack-to-pot ratio any size is treated as all-in


def nudge(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """Replace the technical words by the profile's own."""
    pools = [nudges_for(profile.name, category_of(option)) for option in menu.options]
    return _reworded(menu, situation, pools, rng)


def shift(
    menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile, mood: Mood, voiced: bool = False
) -> Menu:
    """Add an option at the mood's end; if extreme, remove one at the other. `voiced`: reword it like the others."""
    shifted = _shifted(menu, situation, profile, mood)
    if not voiced:
        return shifted
    here = {id(option) for option in menu.options}  # by identity: comparing values would dominate the time
    new = Menu(tuple([option for option in shifted.options if id(option) not in here]))
    old = [option for option in shifted.options if id(option) in here]
    return shifted.having((*old, *nudge(new, situation, rng, profile=profile).options))


def frame(menu: Menu, situation: Situation, rng: Rng, *, mood: Mood) -> Menu:
    """Reword the menu by the mood, from moderate severity on; dissociated shows the bare actions."""
    if mood.severity < Severity.MODERATE:
        return menu
    if mood.state is MoodState.DISSOCIATED:
        return _reworded(menu, situation, [()] * len(menu.options), rng)
    framings = FRAMINGS[mood.state]
    return _reworded(menu, situation, [framings[leaning_of(option)] for option in menu.options], rng)


def _shifted(menu: Menu, situation: Situation, profile: OptionProfile, mood: Mood) -> Menu:
    extreme = mood.severity is Severity.EXTREME
    match mood.state:
        case MoodState.TILTED:
            bolder = _with_larger(menu, situation, profile)
            return _without(bolder, situation, _passive_end(bolder, situation)) if extreme else bolder
        case MoodState.OVERCONFIDENT:
            bolder = _with_larger(menu, situation, profile)
            return _without(bolder, situation, bolder.of(OptionKind.FOLD)) if extreme else bolder
        case MoodState.SHAKEN:
            meeker = _with_fold(menu, situation)
            return _without(meeker, situation, _largest_raise(meeker)) if extreme else meeker
        case MoodState.DISSOCIATED:
            meeker = _with_fold(menu, situation)
            return _without_raises(meeker, situation) if extreme else meeker
        case MoodState.COMPOSED:
            return menu
        case _:
            assert_never(mood.state)


def _reworded(menu: Menu, situation: Situation, pools: list[Pool], rng: Rng) -> Menu:
    """The action, then a phrase of its pool; a bluff is always marked as one."""
    options = []
    for option, pool in zip(menu.options, pools, strict=True):
        text = f"{deed_words(option.act, option.raise_to, situation)}."
        if pool:
            text = f"{text} {pool[int(rng.random() * len(pool))]}"
        if option.aggressive and option.label is Label.NEGATIVE and "bluff" not in text.lower():
            text = f"{text} (A bluff.)"
        options.append(option.reworded(text))
    return Menu(tuple(options), menu.blocked)


def _with_larger(menu: Menu, situation: Situation, profile: OptionProfile) -> Menu:
    """Add the next size above the largest raise; all-in instead if it is close to that."""
    largest = _largest_raise(menu)
    above = largest.raise_to if largest is not None and largest.raise_to is not None else situation.bet
    chips = next_size(situation, profile, above)
    if chips is None:
        return menu
    everything = all_in_of(situation)
    deep = chips - situation.street_bet > ALL_IN_FROM * situation.stack or situation.spr <= ALL_IN_SPR
    if everything is not None and deep:
        chips = everything
    return menu.having((*menu.options, raise_option(situation, profile, RaiseSize(chips, Style.AGGRESSIVE))))


def _with_fold(menu: Menu, situation: Situation) -> Menu:
    """Add a fold; a free check is always on the menu, so only a fold can be missing."""
    if not situation.cost or menu.is_blocked(OptionKind.FOLD) or menu.of(OptionKind.FOLD) is not None:
        return menu
    return menu.having((*menu.options, fold_option(situation)))


def _passive_end(menu: Menu, situation: Situation) -> Option | None:
    return menu.of(OptionKind.FOLD if situation.cost else OptionKind.CHECK)


def _largest_raise(menu: Menu) -> Option | None:
    return next((option for option in reversed(menu.options) if option.aggressive), None)


def _without(menu: Menu, situation: Situation, gone: Option | None) -> Menu:
    """The menu without that option, if the rest is still reasonable."""
    if gone is None or len(menu.options) <= LEAST_OPTIONS:
        return menu
    left = menu.having([option for option in menu.options if option is not gone])
    return left if is_safe(left, situation) else menu


def _without_raises(menu: Menu, situation: Situation) -> Menu:
    """Remove all raises, the largest first, as long as two options remain."""
    while (largest := _largest_raise(menu)) is not None and len(menu.options) > LEAST_OPTIONS:
        left = _without(menu, situation, largest)
        if left is menu:
            break
        menu = left
    return menu
