"""A persona at a hold'em table: writes its menu, lets a chooser pick from it, and updates its mood after the hand.

The same persona plays with a formula or with a model; only the chooser differs. Its thought (menu, mood, blocked
actions, the roll, who chose and why) goes into the record, to explain the decision after the hand.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tahur.cards.cards import cards_of
from tahur.core.errors import IllegalAction
from tahur.core.game import Action, Game, Hand
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.registry import make
from tahur.players.bounded.choosers import Choice, Chooser, Page, Softmax
from tahur.players.bounded.menu import Written, write_menu
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import Axes, Heart, Mood, MoodState, after_hand
from tahur.players.bounded.options import Option, OptionKind
from tahur.players.bounded.personas import Persona
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.situation import Situation, situation_of

FORCED: Final = "forced"
_COLD: Final = frozenset({MoodState.SHAKEN, MoodState.DISSOCIATED})
_MOODY: Final = 0.5  # how often a persona in a mood talks about that instead of its action

Rng = np.random.Generator


class BoundedPlayer:
    """A persona at the table. It remembers its mood from hand to hand, and nothing else."""

    def __init__(self, persona: Persona, chooser: Chooser | None = None, flags: Flags | None = None) -> None:
        self.persona = persona
        self._chooser: Chooser = chooser or Softmax()
        self._flags = flags or Flags()
        self._home = Axes(persona.confidence, persona.composure, persona.energy)
        self.heart = Heart(self._home)
        self._street, self._plan = 0, ""
        self._own_plan = False  # whether the chooser wrote the plan; then it stays until the chooser writes another

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem)

    @property
    def mood(self) -> Mood:
        return self.heart.mood

    def begin(self, view: View, rng: Rng) -> None:
        self._chooser.begin()
        dealt_in = view.hand is not None and view.hand != NO_HAND  # a seat without chips is not
        self._street, self._plan = 0, first_plan(self.persona, view.hand or 0) if dealt_in else ""
        self._own_plan = False

    def act(self, view: View, rng: Rng) -> Decision:
        """One decision: judge the situation, write the menu, and let the chooser choose from it."""
        situation = situation_of(view)
        mood = self.mood
        written = write_menu(situation, self.persona.profile, mood, self._flags, rng=rng)
        plan = self._plan_for(view.table, situation)
        page = Page(
            persona=self.persona,
            mood=mood,
            situation=situation,
            menu=written.menu,
            view=view,
            plan=plan,
            lean=self._flags.lean_prompt,
        )
        choice = Choice(1, FORCED) if written.menu.forced else self._chooser.choose(page, rng)
        if choice.plan:
            self._plan, self._own_plan = choice.plan, True
        option = written.menu.options[choice.number - 1]
        talk = self._talk(option, mood if written.impaired else Mood(), rng) if choice.talk is None else choice.talk
        return Decision(action_of(option, view.table), self._thought(page, written, choice), talk)

    def learn(self, seen: Seen) -> None:
        """Update the mood; unchanged if the seat was not dealt in."""
        if seen.seat is not None and seen.hands[seen.seat] not in (None, NO_HAND):
            game = make(seen.game, seen.settings)
            resilience = self.persona.resilience
            self.heart, _ = after_hand(self.heart, game, seen, home=self._home, resilience=resilience)

    def _plan_for(self, table: HoldemTable, situation: Situation) -> str:
        """The plan, renewed on a new street unless the chooser wrote it."""
        if table.street != self._street and not self._own_plan:
            self._plan = plan_for(self.persona, situation)
        self._street = table.street
        return self._plan

    def _talk(self, option: Option, mood: Mood, rng: Rng) -> str:
        """One of its lines, or an empty text; in a mood it often talks about that."""
        speaks, moody, choice = rng.random(3).tolist()
        if speaks >= self.persona.chatter:
            return ""
        feeling = "cold" if mood.state in _COLD else "hot"
        in_mood = mood.state is not MoodState.COMPOSED and moody < _MOODY
        lines = self.persona.lines_for(feeling if in_mood else option.act.value)
        return lines[int(choice * len(lines))] if lines else ""

    def _thought(self, page: Page, written: Written, choice: Choice) -> str:
        """The record of a decision: mood, menu, blocked options, choice and its reason."""
        axes = self.heart.axes
        state = "in its grip" if written.impaired else "lucid"
        feels = f"confidence {axes.confidence:.2f}, composure {axes.composure:.2f}, energy {axes.energy:.2f}"
        menu = ", ".join(
            f"{number} {_words(option)} {option.label.text}" for number, option in enumerate(page.menu.options, start=1)
        )
        blocked = "; ".join(f"{entry.act.value}: {entry.reason}" for entry in page.menu.blocked) or "nothing"
        why = f" ({choice.thought})" if choice.thought else ""
        return (
            f"[{self.persona.name}] {page.situation.equity:.0%} equity, {page.situation.required:.0%} needed"
            f" | mood {page.mood.text} ({feels}; roll {written.roll:.2f}, {state}) | plan {self._plan}"
            f" | menu {menu} | blocked {blocked} | chose {choice.number} by {choice.by}{why}"
        )


def action_of(option: Option, table: HoldemTable) -> Action:
    """The option as an action number of the rules; an all-in that raises nothing is a call."""
    match option.act:
        case OptionKind.FOLD:
            return FOLD
        case OptionKind.CHECK | OptionKind.CALL:
            return CALL
        case OptionKind.ALL_IN if option.raise_to is None or option.raise_to <= table.bet:
            return CALL
    if option.raise_to is None:
        raise IllegalAction(f"a {option.act.value} without chips; a menu says what to raise to")
    return option.raise_to + 1


def _words(option: Option) -> str:
    return option.act.value if option.raise_to is None else f"{option.act.value} to {option.raise_to}"


# ---- plans ---------------------------------------------------------------------------------------
# The plan for a hand, in one line: made when the hand begins and again on each street, shown in prompt and thought. It
# depends on the strength of the hand against the number of opponents, and on the persona's aggression. It is not
# binding. A model may write its own plan, which then stays until the model writes another or the hand is over.


STRONG: Final = 0.55  # of the way from a fair share of the pot to all of it
GOOD: Final = 0.20
FAIR: Final = -0.15
FEW: Final = 0.04  # of all hands are better than a strong one before the flop

_PLANS: Final[dict[str, tuple[str, str, str]]] = {  # passive, in between, aggressive
    "strong": (
        "Let them pay: call along, and bet when they stop.",
        "Build the pot at a steady pace.",
        "Build the pot now, and keep the pressure on.",
    ),
    "good": (
        "See it through cheaply; a second big bet is a reason to think again.",
        "Bet once for value, then look again.",
        "Bet for value and take the lead; give up only to real strength.",
    ),
    "fair": (
        "A cheap look, no more.",
        "Keep the pot small and take what is free.",
        "Small steps; take it away if they show weakness.",
    ),
    "weak": (
        "Get out of the way at the first bet.",
        "Give this one up unless it is free.",
        "Give up, or steal it once if nobody wants it.",
    ),
}


def first_plan(persona: Persona, hand: Hand) -> str:
    """The plan when the cards are dealt: `preflop: Give this one up unless it is free.`"""
    better = strength_of(cards_of(hand))  # the part of all hands that are as good or better
    worth = "strong" if better < FEW else "good" if better < persona.looseness / 2 else "fair"
    return _line("preflop", "weak" if better > persona.looseness else worth, persona)


def plan_for(persona: Persona, situation: Situation) -> str:
    """The plan on a street: `flop: Bet once for value, then look again.`"""
    share = 1 / (situation.opponents + 1)
    edge = (situation.equity - share) / (1 - share)
    worth = "strong" if edge >= STRONG else "good" if edge >= GOOD else "fair" if edge >= FAIR else "weak"
    return _line(situation.street, worth, persona)


def _line(street: str, worth: str, persona: Persona) -> str:
    nerve = 0 if persona.aggression < 0.4 else 1 if persona.aggression < 0.65 else 2
    return f"{street}: {_PLANS[worth][nerve]}"
