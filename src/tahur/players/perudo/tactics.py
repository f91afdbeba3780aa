"""Which bids a mind thinks of: the standard strategies, the four special tactics, and how it opens a round.

A tactic proposes bids that are legal and says what score they start from; `utility` decides between them. The lowest
legal raise is always among them, so nobody is driven to dudo for want of a bid. In palifico it is the only one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Final

from tahur.games.perudo.bids import ACE, bid, count_of
from tahur.games.perudo.reading import SQUEEZE_JUMP, is_squeezing
from tahur.players.perudo.personalities import Personality
from tahur.players.perudo.situation import Situation, best_face
from tahur.players.perudo.utility import Candidate, Tactic

OTHER_FACES: Final = (2, 3, 4, 5, 6)

Draw = Callable[[], float]  # a number from 0 to 1, another one each time

BORING_LEAD: Final = 3.0  # dice ahead of the average opponent
BORING_MINIMUM: Final = 5.0  # what the lowest bid gains by it
LEAP_DICE: Final = 4
LEAP_OTHERS: Final = 2
LEAP_SUCCESS: Final = 0.35
FLUSH_BIDS: Final = 4
FLUSH_SUCCESS: Final = 0.4
SWITCHES: Final = 0.4  # how often it thinks of changing to or from aces
CAP: Final = 0.85  # of the prior expectation, above which no bid is competitive
MINIMUM_BASE: Final = 2.0
COMPETITIVE_BASE: Final = 4.0
SQUEEZE_BASE: Final = 3.0
FLUSH_BASE: Final = 3.0


def candidates(mind: Personality, situation: Situation, draw: Draw) -> list[Candidate]:
    """Every bid that comes to mind; none only where no bid is legal. In a boring game the mind is its boring self."""
    if situation.lowest[0] is None:
        return []
    if not situation.wild:
        return [palifico(situation)]
    found = openings(mind, situation, draw) if situation.standing is None else raises(mind, situation, draw)
    leap = liars_leap(mind, situation, draw)
    return found if leap is None else [*found, leap]


def openings(mind: Personality, situation: Situation, draw: Draw) -> list[Candidate]:
    """The lowest bid, one for each face it holds and, sometimes, one for a face that it does not hold."""
    found = minimum(situation, None)
    for face in held_faces(situation, best_face(situation)):
        count = opening_count(mind, situation, face, draw())
        found.append(Candidate(Tactic.VALUE, bid(count, face), value_base(situation.matches[face])))
    if draw() < mind.bluff and (unheld := unheld_faces(situation)):
        face = unheld[int(draw() * len(unheld))]
        count = opening_count(mind, situation, face, draw())
        found.append(Candidate(Tactic.BLUFF, bid(count, face), bluff_base(mind)))
    return found


def raises(mind: Personality, situation: Situation, draw: Draw) -> list[Candidate]:
    """What it may answer to the standing bid."""
    best = best_face(situation)
    found = minimum(situation, best) + value(situation, best)
    others = (
        competitive(situation, best, draw),
        aggressive(mind, situation, best, draw),
        bluff(mind, situation, draw),
        switch(situation, best, draw),
        squeeze(mind, situation),
        ace_flush(mind, situation),
    )
    found += [each for each in others if each is not None]
    return found


# ---- the standard strategies ---------------------------------------------------------------------


def minimum(situation: Situation, best: int | None) -> list[Candidate]:
    """The lowest legal bid; over aces both the next number of aces and the lowest bid on its best other face."""
    base = MINIMUM_BASE + (BORING_MINIMUM if is_boring(situation) else 0.0)
    lows = [situation.lowest[0]]
    if situation.face == ACE:
        lows = [situation.lowest[ACE], None if best is None else situation.lowest[best]]
    return [Candidate(Tactic.MINIMUM, low, base) for low in lows if low is not None]


def competitive(situation: Situation, best: int | None, draw: Draw) -> Candidate | None:
    """A jump to a level at which the next seat has to think; from 55 % of the prior expectation on there is none."""
    ratio = _standing_ratio(situation)
    if best is None or ratio >= 0.55:
        return None
    low, high = (0.40, 0.55) if ratio < 0.35 else (0.55, 0.70)
    prior = situation.prior(best)
    count = max(_lowest_count(situation, best), round(prior * _between(low, high, draw())))
    return Candidate(Tactic.COMPETITIVE, bid(count, best), COMPETITIVE_BASE) if count <= floor(CAP * prior) else None


def aggressive(mind: Personality, situation: Situation, best: int | None, draw: Draw) -> Candidate | None:
    """Two or three dice more, on its best face."""
    if mind.aggression < 0.5 or best is None:
        return None
    level = 2 * situation.count if situation.face == ACE else situation.count  # in dice of that face
    count = level + (2 if draw() < 0.5 else 3)
    if not _lowest_count(situation, best) <= count <= situation.total:
        return None
    return Candidate(Tactic.AGGRESSIVE, bid(count, best), aggressive_base(mind))


def value(situation: Situation, best: int | None) -> list[Candidate]:
    """The lowest bid on each face that it holds."""
    lowest, matches = situation.lowest, situation.matches
    return [
        Candidate(Tactic.VALUE, low, value_base(matches[face]))
        for face in held_faces(situation, best)
        if (low := lowest[face]) is not None
    ]


def bluff(mind: Personality, situation: Situation, draw: Draw) -> Candidate | None:
    """The lowest bid on a face that none of its dice shows."""
    if draw() >= mind.bluff or not (unheld := unheld_faces(situation)):
        return None
    low = situation.lowest[unheld[int(draw() * len(unheld))]]
    return None if low is None else Candidate(Tactic.BLUFF, low, bluff_base(mind))


def switch(situation: Situation, best: int | None, draw: Draw) -> Candidate | None:
    """To aces, or from aces to its best face."""
    if draw() >= SWITCHES:
        return None
    face = best if situation.face == ACE else ACE
    low = None if face is None else situation.lowest[face]
    if face is None or low is None:
        return None
    return Candidate(Tactic.SWITCH, low, switch_base(situation.shown[face]))


def aggressive_base(mind: Personality) -> float:
    return 2 + mind.aggression * 2


def value_base(matches: int) -> float:
    return 3 + matches * 1.5


def bluff_base(mind: Personality) -> float:
    return 1 + mind.bluff * 3


def switch_base(shown: int) -> float:
    """More if it holds a die for it."""
    return 3.0 if shown else 2.0


def leap_base(mind: Personality) -> float:
    return 3 + mind.bluff * 4


def opening_count(mind: Personality, situation: Situation, face: int, draw: float) -> int:
    """30 to 50 % of the prior expectation, more for own dice and for aggression, and never bold."""
    aim = _between(0.3, 0.5, draw) * situation.prior(face) + 0.7 * situation.matches[face] + 2 * mind.aggression - 1
    most = max(1, round(0.6 * situation.expected(face)))
    return min(max(1, round(aim)), most)


# ---- the four special tactics, and palifico ------------------------------------------------------


def squeeze(mind: Personality, situation: Situation) -> Candidate | None:
    """Two dice more on the same face, when the bid is bold and the next seat has two dice or fewer."""
    if mind.positional < 0.5:
        return None
    count = situation.count + SQUEEZE_JUMP
    if count > situation.total or not is_squeezing(_standing_ratio(situation), situation.next_dice):
        return None
    return Candidate(Tactic.SQUEEZE, bid(count, situation.face), SQUEEZE_BASE)


def ace_flush(mind: Personality, situation: Situation) -> Candidate | None:
    """Early in the round, with an ace in hand: half as many aces, so that the others show what they have."""
    low = situation.lowest[ACE]
    if situation.face == ACE or not situation.shown[ACE] or low is None:
        return None
    if len(situation.table.history) > FLUSH_BIDS or (mind.adaptability < 0.4 and mind.unpredictability < 0.3):
        return None
    return Candidate(Tactic.ACE_FLUSH, low, FLUSH_BASE) if situation.success(low) >= FLUSH_SUCCESS else None


def liars_leap(mind: Personality, situation: Situation, draw: Draw) -> Candidate | None:
    """With four dice or more, against two at most in every other cup: a bid on nothing that could yet be true."""
    if situation.own < LEAP_DICE or (mind.bluff < 0.4 and mind.aggression < 0.6):
        return None
    if situation.unknown > LEAP_OTHERS * (situation.seats - 1) or situation.strongest > LEAP_OTHERS:
        return None
    faces = [face for face in unheld_faces(situation) if not situation.matches[face]]
    if not faces:
        return None
    face = faces[int(draw() * len(faces))]
    count = max(_lowest_count(situation, face), round(_between(0.35, 0.50, draw()) * situation.prior(face)))
    if count > situation.total or situation.success(bid(count, face)) < LEAP_SUCCESS:
        return None
    return Candidate(Tactic.LIARS_LEAP, bid(count, face), leap_base(mind))


def is_boring(situation: Situation) -> bool:
    """Whether it is three dice or more ahead of the average opponent, and should take no risks."""
    return situation.own > BORING_LEAD and situation.own - situation.unknown / (situation.seats - 1) >= BORING_LEAD


def palifico(situation: Situation) -> Candidate:
    """The lowest raise; as an opening one die of its best face, for the face will be locked."""
    low = situation.lowest[0]
    if situation.standing is None and (best := best_face(situation)) is not None:
        low = situation.lowest[best]
    assert low is not None
    return Candidate(Tactic.MINIMUM, low, MINIMUM_BASE)


# ---- faces ---------------------------------------------------------------------------------------


def held_faces(situation: Situation, best: int | None) -> list[int]:
    """The faces, aces apart, that its dice show and that it may bid; with nothing but aces, its best face."""
    shown, lowest = situation.shown, situation.lowest
    held = [face for face in OTHER_FACES if shown[face] and lowest[face] is not None]
    return held if held or best is None or not shown[ACE] else [best]


def unheld_faces(situation: Situation) -> list[int]:
    """The faces, aces apart, that none of its dice shows and that it may bid."""
    shown, lowest = situation.shown, situation.lowest
    return [face for face in OTHER_FACES if not shown[face] and lowest[face] is not None]


def _standing_ratio(situation: Situation) -> float:
    return situation.count * situation.per_match[situation.face] / situation.total


def _lowest_count(situation: Situation, face: int) -> int:
    low = situation.lowest[face]
    return situation.total + 1 if low is None else count_of(low)


def _between(low: float, high: float, draw: float) -> float:
    return low + (high - low) * draw
