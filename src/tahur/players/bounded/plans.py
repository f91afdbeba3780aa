"""The plan for a hand, in one line: made when the hand begins and again on each street, shown in prompt and thought.

It depends on the strength of the hand against the number of opponents, and on the persona's aggression. It is not
binding. A model may write its own plan, which then stays until the model writes another or the hand is over.
"""

from __future__ import annotations

from typing import Final

from tahur.cards.cards import cards_of
from tahur.core.game import Hand
from tahur.players.bounded.personas import Persona
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.situation import Situation

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
