"""What a mood does to a menu: shifts it one step along fold - check - call - raises - all-in, and rewords it.

Mild and moderate moods add one option at their end; an extreme one also removes one from the other end. Nothing is
removed that would leave an unreasonable menu: fewer than two options, only bluffs, or only the whole stack with a
hopeless hand.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, assert_never

import numpy as np

from tahur.players.bounded.blocking import is_safe
from tahur.players.bounded.generate import deed_words, fold_option, raise_option
from tahur.players.bounded.layers import LEAST_OPTIONS
from tahur.players.bounded.mood import Mood, MoodState, Severity
from tahur.players.bounded.options import Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Situation
from tahur.players.bounded.sizes import RaiseSize, all_in_of, next_size

Rng = np.random.Generator

ALL_IN_FROM: Final = 0.60  # of the stack: a larger size is treated as all-in
ALL_IN_SPR: Final = 1.0  # at or below this stack-to-pot ratio any size is treated as all-in


def nudge(menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile) -> Menu:
    """Describe each option of the menu in the words of the profile, drawn at random, instead of technical terms."""
    pools = [nudges_for(profile.name, category_of(option)) for option in menu.options]
    return _reword(menu, situation, pools, rng)


def shift(
    menu: Menu, situation: Situation, rng: Rng, *, profile: OptionProfile, mood: Mood, voiced: bool = False
) -> Menu:
    """Add an option that the mood favours; if the mood is extreme, remove one that it does not.

    `voiced`: describe the new option in the profile's words, as `nudge` did the others.
    """
    shifted = _add_or_remove(menu, situation, profile, mood)
    if not voiced:
        return shifted
    known = {id(option) for option in menu.options}  # by identity: comparing values would dominate the time
    new = Menu(tuple([option for option in shifted.options if id(option) not in known]))
    old = [option for option in shifted.options if id(option) in known]
    return shifted.having((*old, *nudge(new, situation, rng, profile=profile).options))


def frame(menu: Menu, situation: Situation, rng: Rng, *, mood: Mood) -> Menu:
    """Reword the menu by the mood, from moderate severity on; dissociated shows the bare actions."""
    if mood.severity < Severity.MODERATE:
        return menu
    if mood.state is MoodState.DISSOCIATED:
        return _reword(menu, situation, [()] * len(menu.options), rng)
    framings = FRAMINGS[mood.state]
    return _reword(menu, situation, [framings[leaning_of(option)] for option in menu.options], rng)


def _add_or_remove(menu: Menu, situation: Situation, profile: OptionProfile, mood: Mood) -> Menu:
    """The menu with what a mood adds or, if it is extreme, takes away."""
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


def _reword(menu: Menu, situation: Situation, pools: list[Pool], rng: Rng) -> Menu:
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
    """The menu without raises: removed from the largest down, while two options remain and the rest is reasonable."""
    while (largest := _largest_raise(menu)) is not None and len(menu.options) > LEAST_OPTIONS:
        left = _without(menu, situation, largest)
        if left is menu:  # `_without` refused to remove it
            break
        menu = left
    return menu


# ---- phrases -------------------------------------------------------------------------------------
# The phrases in which a profile describes options, and the ones by which a mood replaces them. A nudge is selected by
# an option's action, label and style (`Category`), from the profile's pool or, if that has none, from the default's.
# From moderate severity on a mood's framing replaces the nudge. A phrase for a bluff always contains the word.


Pool = tuple[str, ...]


class Category(Enum):
    """The kinds of options that nudges distinguish."""

    RAISE_VALUE = "raise_value"
    RAISE_PROBE = "raise_probe"
    RAISE_BLUFF = "raise_bluff"
    CALL_STRONG = "call_strong"
    CALL_CLOSE = "call_close"
    CALL_LIGHT = "call_light"
    CHECK_SLOW = "check_slow"
    CHECK_PASSIVE = "check_passive"
    CHECK_FREE = "check_free"
    FOLD_CORRECT = "fold_correct"
    FOLD_TOUGH = "fold_tough"
    ALL_IN = "all_in"


class Leaning(Enum):
    """The kinds of options that framings distinguish."""

    AGGRESSIVE = "aggressive"
    STAYING = "staying"  # check, call
    FOLDING = "folding"


def category_of(option: Option) -> Category:
    """The category of an option, by action, label and style."""
    label = option.label
    match option.act:
        case OptionKind.ALL_IN:
            return Category.ALL_IN
        case OptionKind.RAISE:
            if label is Label.POSITIVE:
                return Category.RAISE_VALUE
            return Category.RAISE_PROBE if label is Label.NEUTRAL else Category.RAISE_BLUFF
        case OptionKind.CALL:
            if label is Label.POSITIVE:
                return Category.CALL_STRONG
            return Category.CALL_CLOSE if label is Label.MARGINAL else Category.CALL_LIGHT
        case OptionKind.CHECK:
            if option.style is Style.TRAPPY:
                return Category.CHECK_SLOW
            return Category.CHECK_PASSIVE if label <= Label.MARGINAL else Category.CHECK_FREE
        case _:
            return Category.FOLD_TOUGH if label is Label.NEGATIVE else Category.FOLD_CORRECT


def leaning_of(option: Option) -> Leaning:
    if option.aggressive:
        return Leaning.AGGRESSIVE
    return Leaning.FOLDING if option.act is OptionKind.FOLD else Leaning.STAYING


def nudges_for(profile: str, category: Category) -> Pool:
    """The profile's phrases, or the default's for a profile without its own."""
    return NUDGES.get(profile, NUDGES["default"]).get(category) or NUDGES["default"][category]


NUDGES: Final[dict[str, dict[Category, Pool]]] = {
    "default": {
        Category.RAISE_VALUE: ("You are ahead often enough; charge them for the next card.", "Good hand, fair price."),
        Category.RAISE_PROBE: ("See where you stand.", "A bet now answers a question."),
        Category.RAISE_BLUFF: ("A bluff: it works only if they let go.", "Tell the story as a bluff."),
        Category.CALL_STRONG: ("The price is kind to you.", "Plenty of hand for what they ask."),
        Category.CALL_CLOSE: ("Near the line; you could see it either way.", "Not a bargain, not a robbery."),
        Category.CALL_LIGHT: ("You would be paying to find out.", "Thin, and you know it."),
        Category.CHECK_SLOW: ("Hide it for a street.", "Let them think it is safe."),
        Category.CHECK_PASSIVE: ("You could, though the hand wants more.", "Quiet, maybe too quiet."),
        Category.CHECK_FREE: ("Costs nothing.", "Take the card they give you."),
        Category.FOLD_CORRECT: ("Nothing here for you.", "Save it for a better spot."),
        Category.FOLD_TOUGH: ("It hurts, and it may be wrong.", "Lay it down if you must."),
        Category.ALL_IN: ("Everything in the middle.", "One decision, no more after it."),
    },
    "tight_passive": {
        Category.RAISE_VALUE: ("Even you bet this one.", "A hand like this comes once an orbit."),
        Category.RAISE_PROBE: ("A small one, to keep them honest.", "If you bet, bet little."),
        Category.RAISE_BLUFF: ("A bluff, and bluffs keep you awake at night.", "Bluff? You? They might believe it."),
        Category.CALL_STRONG: ("You waited for this; stay in.", "Solid. Pay and look."),
        Category.CALL_CLOSE: ("Only if you can spare it.", "You have let better ones go."),
        Category.CALL_LIGHT: ("Curiosity is expensive.", "You know what they have."),
        Category.CHECK_SLOW: ("No need to scare anybody.", "Strong hands can wait, like you."),
        Category.CHECK_PASSIVE: ("A small pot is a good pot.", "Nobody ever lost a stack by checking."),
        Category.CHECK_FREE: ("Free is your favourite price.", "Keep it small, keep it safe."),
        Category.FOLD_CORRECT: ("There is always another hand.", "Patience pays; this does not."),
        Category.FOLD_TOUGH: ("Safe, if a little timid.", "You might be throwing away the winner."),
        Category.ALL_IN: ("Only with the best of it.", "All those hours, on one card."),
    },
    "tight_aggressive": {
        Category.RAISE_VALUE: ("Yours. Take the lead and build it.", "Strong hands bet; make them guess."),
        Category.RAISE_PROBE: ("Keep the initiative.", "Whoever bets decides."),
        Category.RAISE_BLUFF: ("A bluff they have to respect: you never do this.", "Bluff with the image you have."),
        Category.CALL_STRONG: ("Well ahead of the price.", "Call, and take it away later."),
        Category.CALL_CLOSE: ("Close; position and plan decide.", "Call only with a next step in mind."),
        Category.CALL_LIGHT: ("This is how chips leak.", "No plan behind it but hope."),
        Category.CHECK_SLOW: ("Set the trap.", "Let them bet it for you."),
        Category.CHECK_PASSIVE: ("You give up the lead by this.", "A check says you have nothing; is that so?"),
        Category.CHECK_FREE: ("Nothing to win yet; look at one more.", "Wait for your spot."),
        Category.FOLD_CORRECT: ("Discipline. Next.", "Folding here is a bet on tomorrow."),
        Category.FOLD_TOUGH: ("The numbers say stay.", "You would be folding a profit."),
        Category.ALL_IN: ("Put them to the test.", "End it here, on your terms."),
    },
    "loose_passive": {
        Category.RAISE_VALUE: ("This one is worth more than a call.", "You hit it; let them pay for once."),
        Category.RAISE_PROBE: ("A little something for the pot.", "Why not, just a small one."),
        Category.RAISE_BLUFF: ("A bluff? It would surprise everybody.", "Bluff, and hope nobody is like you."),
        Category.CALL_STRONG: ("Of course you call.", "You came to see cards, and this is good."),
        Category.CALL_CLOSE: ("Could be good. Find out.", "You have seen worse win."),
        Category.CALL_LIGHT: ("One more card, who knows.", "They might just be fooling."),
        Category.CHECK_SLOW: ("Somebody will bet it for you.", "No hurry; enjoy it."),
        Category.CHECK_PASSIVE: ("See what happens.", "No need to make trouble."),
        Category.CHECK_FREE: ("A card for free, lovely.", "Stay and look."),
        Category.FOLD_CORRECT: ("Even you can see it.", "Let this one go, dinner is waiting."),
        Category.FOLD_TOUGH: ("And never know what they had?", "You hate folding these."),
        Category.ALL_IN: ("What a story it would be.", "All of it, and a prayer."),
    },
    "loose_aggressive": {
        Category.RAISE_VALUE: ("Blow it up.", "They never believe you. Good."),
        Category.RAISE_PROBE: ("Lean on them.", "Pressure first, questions later."),
        Category.RAISE_BLUFF: ("Bluff. They cannot have it every time.", "A bluff with your name on it."),
        Category.CALL_STRONG: ("Call now, strike later.", "Float along; you hold plenty."),
        Category.CALL_CLOSE: ("In, to take it away on the next card.", "Stay close to the money."),
        Category.CALL_LIGHT: ("Loose, even for you.", "You would need a plan, or nerve."),
        Category.CHECK_SLOW: ("For once, say nothing.", "They expect a bet; disappoint them."),
        Category.CHECK_PASSIVE: ("Is that really you?", "You leave money on the table."),
        Category.CHECK_FREE: ("Breathe, look, then pounce.", "One free card before the storm."),
        Category.FOLD_CORRECT: ("Fine, pick another fight.", "Not this one; the next five."),
        Category.FOLD_TOUGH: ("You never let go of these.", "Fold, and they will run over you."),
        Category.ALL_IN: ("Let them sweat for everything.", "All of it. Watch their hands shake."),
    },
}

FRAMINGS: Final[dict[MoodState, dict[Leaning, Pool]]] = {
    MoodState.TILTED: {
        Leaning.AGGRESSIVE: ("They have had it coming all night.", "Hit back. Harder than they did."),
        Leaning.STAYING: ("So you will just sit there and take it?", "Meek. They are counting on it."),
        Leaning.FOLDING: ("Run away again, then.", "Give it to them, as you always do."),
    },
    MoodState.OVERCONFIDENT: {
        Leaning.AGGRESSIVE: ("You cannot miss tonight; press on.", "The pot is yours, it only has to be fetched."),
        Leaning.STAYING: ("Slow, for somebody who wins anyway.", "You see right through them; why wait?"),
        Leaning.FOLDING: ("Fold? With your run? Unthinkable.", "Winners like you do not fold."),
    },
    MoodState.SHAKEN: {
        Leaning.AGGRESSIVE: ("So many chips. What if they have it again?", "You felt sure the last time, too."),
        Leaning.STAYING: ("Nothing sudden. Stay small.", "Just get through this one."),
        Leaning.FOLDING: ("Out of harm's way.", "Let it go; nobody can hurt you then."),
    },
}
"""Dissociated has no phrases: only the bare action is shown."""
