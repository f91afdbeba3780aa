"""The rules in plain words, for a new player: every line follows from a rule of the table."""

from __future__ import annotations

from typing import assert_never

from tahur.games.perudo.bids import Raising
from tahur.games.perudo.rules import FEWEST_SEATS, MOST_SEATS, PRESETS, Calza, Palifico, PerudoRules


def rule_card(rules: PerudoRules) -> str:
    """The rules, one paragraph per line."""
    lines = (
        _title(rules),
        f"{FEWEST_SEATS} to {MOST_SEATS} seats. Each starts with {_dice(rules.dice)}, rolled unseen under a cup.",
        "A bid says: under all cups together, at least so many dice show this face. Aces are wild: they count for it.",
        "The opener bids. Then each seat in turn raises the bid or calls dudo" + _or_calza(rules.calza),
        _raising(rules.raising),
        "To aces: at least half the count, rounded up. From aces: at least double the count plus one, on any face.",
        "Aces over aces: a higher count. No bid may exceed the dice in play.",
        _opening(rules),
        "Dudo: all cups are lifted. If the bid is met, the caller loses a die; if not, the bidder does.",
        _calza(rules),
        *_palifico(rules.palifico),
        _next_to_open(rules.calza),
        "The last seat with dice wins.",
    )
    return "\n".join(lines)


def _title(rules: PerudoRules) -> str:
    changed = ", with changes" if rules.name in PRESETS and rules != PRESETS[rules.name] else ""
    return f"Perudo, {rules.name} rules{changed}"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _or_calza(calza: Calza) -> str:
    return "." if calza is Calza.OFF else " or calza."


def _raising(raising: Raising) -> str:
    """The rule for raises, in a sentence."""
    match raising:
        case Raising.ANY_FACE:
            return "A raise, aces apart, is a higher count of any face, or the same count of a higher face."
        case Raising.FACE_NEVER_FALLS:
            return (
                "A raise, aces apart, is a higher count of the same or a higher face, or the same count of a higher "
                "face: the face never falls. After sixes only sixes or aces are left."
            )
        case Raising.FACE_LOCKED:
            return "A raise is a higher count of the same face."
        case _:
            assert_never(raising)


def _opening(rules: PerudoRules) -> str:
    if rules.aces_open:
        return "The first bid of a round may be on any face, aces too."
    return "The first bid of a round may not be on aces" + (", except in palifico." if rules.palifico else ".")


def _calza(rules: PerudoRules) -> str:
    """The rule for calza, in a sentence or two."""
    price = (
        "on your turn, you say that the last bid is exactly right. "
        f"Right, you win a die, but never hold more than {rules.dice}; wrong, you lose one."
    )
    match rules.calza:
        case Calza.OFF:
            return "There is no calza."
        case Calza.THREE_LEFT:
            return f"Calza: {price} Not when only two seats are left."
        case Calza.ALWAYS:
            return f"Calza: {price} Also when only two seats are left."
        case _:
            assert_never(rules.calza)


def _next_to_open(calza: Calza) -> str:
    who = "lost a die" if calza is Calza.OFF else "lost a die, or called calza rightly,"
    return f"Whoever {who} opens the next round; if out of dice, the next seat still in does."


def _palifico(palifico: Palifico | None) -> tuple[str, ...]:
    """The rules for palifico rounds, one sentence for each."""
    if palifico is None:
        return ("There is no palifico.",)
    when = (
        "Palifico: the round after a seat first drops to one die, once for each seat."
        if palifico.once
        else "Palifico: every round opened by a seat with exactly one die."
    )
    who = (
        "only a seat with one die may change it, aces being the lowest face and nothing halved or doubled."
        if palifico.one_die_changes
        else "nobody may change it."
    )
    two_left = "Also" if palifico.two_left else "Not"
    return (
        f"{when} {two_left} when only two seats are left.",
        f"In palifico aces are not wild. The opener chooses any face, aces too, and {who}",
    )
