"""The option generator: each action is evaluated by the profile's thresholds and described in plain words.

`generate` is the first layer; the other functions create one option each, for layers that add one later. The words here
are technical; nudges and moods replace them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.players.bounded.blocking import blocked_of
from tahur.players.bounded.options import Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Situation
from tahur.players.bounded.sizes import RaiseSize, act_of, all_in_of, is_short, sizes_of

CLEAR_FOLD: Final = 0.85  # below this fraction of the required equity, folding is clearly right
SHOVE: Final = 0.65  # equity from which all-in is +EV
SHOVE_NEUTRAL: Final = 0.45


def generate(menu: Menu, situation: Situation, rng: np.random.Generator, *, profile: OptionProfile) -> Menu:
    """All reasonable options, from passive to aggressive, and the blocked actions."""
    blocked = blocked_of(situation, profile)
    options = list(passive_options(situation, profile))
    if blocked:
        options = [option for option in options if option.act is not blocked[0].act]
    raises = [raise_option(situation, profile, size) for size in _raise_sizes(situation, profile)]
    options += [option for option in raises if option.label is not Label.NEGATIVE]
    bluffs = [option for option in raises if option.label is Label.NEGATIVE]
    if bluffs and profile.bluff_frequency and rng.random() < profile.bluff_frequency:
        options.append(bluffs[int(rng.random() * len(bluffs))])
    return Menu(blocked=blocked).having(options)


def passive_options(situation: Situation, profile: OptionProfile) -> tuple[Option, ...]:
    """A check, or a fold and a call, whether blocked or not."""
    if not situation.cost:
        return (check_option(situation, profile),)
    return fold_option(situation), call_option(situation, profile)


def check_option(situation: Situation, profile: OptionProfile) -> Option:
    """A check; marginal if the hand should rather bet."""
    equity, worth = situation.equity, call_worth(situation)
    if equity >= profile.value_line(preflop=situation.preflop):
        text = f"Check a strong hand ({equity:.0%} equity) and let them come; a bet would be for value."
        return Option(
            act=OptionKind.CHECK, raise_to=None, label=Label.MARGINAL, style=Style.TRAPPY, chip_ev=worth, text=text
        )
    penalty = profile.check_penalty_threshold
    if penalty is not None and equity >= penalty:
        text = f"Check, though {equity:.0%} equity is enough to bet with."
        return Option(
            act=OptionKind.CHECK,
            raise_to=None,
            label=Label.MARGINAL,
            style=Style.CONSERVATIVE,
            chip_ev=worth,
            text=text,
        )
    text = f"Check for nothing and see what comes ({equity:.0%} equity)."
    return Option(
        act=OptionKind.CHECK, raise_to=None, label=Label.NEUTRAL, style=Style.CONSERVATIVE, chip_ev=worth, text=text
    )


def fold_option(situation: Situation) -> Option:
    """A fold; the worse the call, the better its label."""
    equity, required = situation.equity, situation.required
    odds = f"{required:.0%} needed, {equity:.0%} there"
    if equity < CLEAR_FOLD * required:
        return Option(
            act=OptionKind.FOLD,
            raise_to=None,
            label=Label.POSITIVE,
            style=Style.CONSERVATIVE,
            chip_ev=0.0,
            text=f"Fold; the price is too high: {odds}.",
        )
    if equity < required:
        return Option(
            act=OptionKind.FOLD,
            raise_to=None,
            label=Label.NEUTRAL,
            style=Style.CONSERVATIVE,
            chip_ev=0.0,
            text=f"Fold a close one: {odds}.",
        )
    return Option(
        act=OptionKind.FOLD,
        raise_to=None,
        label=Label.NEGATIVE,
        style=Style.CONSERVATIVE,
        chip_ev=0.0,
        text=f"Fold a hand that may pay: {odds}.",
    )


def call_option(situation: Situation, profile: OptionProfile) -> Option:
    """A call, in three zones by comparing the equity with the required one."""
    equity, required, worth = situation.equity, situation.required, call_worth(situation)
    odds = f"{required:.0%} needed, {equity:.0%} there"
    chips = f"{situation.cost}, all that is left" if situation.cost >= situation.stack else f"{situation.cost}"
    if equity >= profile.call_plus_ev * required and worth >= 0:
        return Option(
            act=OptionKind.CALL,
            raise_to=None,
            label=Label.POSITIVE,
            style=Style.STANDARD,
            chip_ev=worth,
            text=f"Call {chips}; the price is good: {odds}.",
        )
    if equity >= profile.call_marginal * required:
        return Option(
            act=OptionKind.CALL,
            raise_to=None,
            label=Label.MARGINAL,
            style=Style.STANDARD,
            chip_ev=worth,
            text=f"Call {chips}; it is close: {odds}.",
        )
    return Option(
        act=OptionKind.CALL,
        raise_to=None,
        label=Label.NEGATIVE,
        style=Style.STANDARD,
        chip_ev=worth,
        text=f"Call {chips} and hope: {odds}.",
    )


def raise_option(situation: Situation, profile: OptionProfile, size: RaiseSize) -> Option:
    """The option of a bet, a raise or an all-in of that size, with its label (from -EV to +EV), worth and words."""
    act = act_of(situation, size.raise_to)
    label = _shove_label(situation) if act is OptionKind.ALL_IN else _raise_label(situation, profile)
    folds = folds_to(situation, size.raise_to)
    worth = raise_worth(situation, size.raise_to, folds)
    style = Style.AGGRESSIVE if act is OptionKind.ALL_IN else size.style  # whatever size reached it
    text = raise_words(act, size.raise_to, label, situation)
    return Option(act=act, raise_to=size.raise_to, label=label, style=style, chip_ev=worth, text=text, folds=folds)


def relabel(option: Option, label: Label, situation: Situation) -> Option:
    """A bet, raise or all-in with another label and the matching words."""
    return option.reworded(raise_words(option.act, option.raise_to, label, situation), label)


def raise_words(act: OptionKind, raise_to: int | None, label: Label, situation: Situation) -> str:
    """The plain words of a bet, raise or all-in, by its label."""
    what, equity = deed_words(act, raise_to, situation), f"{situation.equity:.0%} equity"
    match label:
        case Label.POSITIVE:
            return f"{what} for value: {equity}."
        case Label.NEUTRAL:
            return f"{what} as a probe: {equity}."
        case Label.MARGINAL:
            return f"{what}, thinly: {equity}."
        case _:
            return f"{what} as a bluff: {equity}, so they must fold."


def deed_words(act: OptionKind, raise_to: int | None, situation: Situation) -> str:
    """The bare act: `Raise to 300`."""
    match act:
        case OptionKind.ALL_IN:
            return f"All-in for {raise_to}"
        case OptionKind.RAISE:
            return f"{'Raise to' if situation.bet else 'Bet'} {raise_to}"
        case OptionKind.CALL:
            return f"Call {situation.cost}"
        case OptionKind.CHECK:
            return "Check"
        case _:
            return "Fold"


def _raise_sizes(situation: Situation, profile: OptionProfile) -> list[RaiseSize]:
    """The profile's sizes, plus all-in if the stack is short."""
    sizes = list(sizes_of(situation, profile))
    everything = all_in_of(situation)
    if everything is not None and is_short(situation) and sizes[-1].raise_to != everything:
        sizes.append(RaiseSize(everything, Style.AGGRESSIVE))
    return sizes


def _raise_label(situation: Situation, profile: OptionProfile) -> Label:
    plus, neutral = profile.raise_lines(preflop=situation.preflop)
    if situation.equity >= plus:
        return Label.POSITIVE
    return Label.NEUTRAL if situation.equity >= neutral else Label.NEGATIVE


def _shove_label(situation: Situation) -> Label:
    equity = situation.equity
    deep_in = 2 * situation.cost > situation.stack and equity >= situation.required
    if equity >= SHOVE or deep_in:
        return Label.POSITIVE
    return Label.NEUTRAL if equity >= SHOVE_NEUTRAL else Label.NEGATIVE


# ---- the worth of an option ----------------------------------------------------------------------
# The chip EV of an option relative to folding, by a simple formula. A call wins its equity of the resulting pot. A
# check is a call that costs nothing. A bet or raise is called by one seat or by none: each opponent is assumed to fold,
# independently, `STUBBORN` times as often as would let a bluff of that size break even, and a caller has better hands,
# so the equity falls by half of the folding probability.


STUBBORN: Final = 0.75  # people call more often than they should


def call_worth(situation: Situation) -> float:
    """The chip EV of a call, or of a check if calling is free."""
    return situation.equity * (situation.pot + situation.cost) - situation.cost


def folds_to(situation: Situation, raise_to: int) -> float:
    """The assumed probability that everybody folds to a bet or raise to `raise_to`."""
    risked = _at_stake(situation, raise_to) - situation.bet
    if risked <= 0:
        return 0.0
    own = risked + situation.cost
    alone = STUBBORN * own / (situation.pot + own)
    return alone ** max(1, situation.opponents)


def raise_worth(situation: Situation, raise_to: int, folds: float) -> float:
    """The chip EV of a bet or raise, if everybody folds with probability `folds` and else one seat calls."""
    reached = _at_stake(situation, raise_to)
    adds, called = reached - situation.street_bet, max(0, reached - situation.bet)
    equity = situation.equity * (1 - folds / 2)
    return folds * situation.pot + (1 - folds) * (equity * (situation.pot + adds + called) - adds)


def _at_stake(situation: Situation, raise_to: int) -> int:
    """The total that is actually at stake if a raise is more than anybody can call."""
    return min(raise_to, max(situation.reach, situation.bet))
