"""The candidate bids of a mind: standard strategies, four special tactics, and openings.

A tactic proposes legal bids with a base score; `utility` decides between them. The lowest legal raise is always among
them, so a mind never calls dudo only for lack of a bid. In palifico it is the only one.
"""

from __future__ import annotations

from functools import cache
from math import floor
from typing import Final

from tahur.games.perudo.bids import ACE, SQUEEZE_JUMP, bid, count_of, is_squeezing
from tahur.players.perudo.personalities import Personality
from tahur.players.perudo.situation import PerudoSituation
from tahur.players.perudo.utility import Candidate, Draw, Tactic

MINIMUM, COMPETITIVE, AGGRESSIVE, VALUE, BLUFF, SWITCH, LIARS_LEAP, SQUEEZE, ACE_FLUSH = Tactic  # short names
candidate: Final = cache(Candidate)  # the same few recur all the time

BORING_LEAD: Final = 3.0  # dice ahead of the average opponent
BORING_MINIMUM: Final = 5.0  # bonus of the lowest bid in a boring game
LEAP_DICE: Final = 4
LEAP_OTHERS: Final = 2
LEAP_SUCCESS: Final = 0.35
FLUSH_BIDS: Final = 4
FLUSH_SUCCESS: Final = 0.4
SWITCHES: Final = 0.4  # how often it considers changing to or from aces
CAP: Final = 0.85  # of the prior expectation, above which no bid is competitive
MINIMUM_BASE: Final = 2.0
COMPETITIVE_BASE: Final = 4.0
SQUEEZE_BASE: Final = 3.0
FLUSH_BASE: Final = 3.0


def candidates(mind: Personality, situation: PerudoSituation, draw: Draw) -> list[Candidate]:
    """All candidate bids; empty only if no bid is legal. In a boring game the mind uses its boring variant."""
    if situation.lowest[0] is None:
        return []
    if not situation.wild:
        return [palifico(situation)]
    bids = openings(mind, situation, draw) if situation.standing is None else raises(mind, situation, draw)
    leap = liars_leap(mind, situation, draw)
    return bids if leap is None else [*bids, leap]


def openings(mind: Personality, situation: PerudoSituation, draw: Draw) -> list[Candidate]:
    """The lowest bid, one for each face it holds and, sometimes, one for a face that it does not hold."""
    bids = minimum(situation)
    for face in situation.faces.held:
        count = opening_count(mind, situation, face, draw())
        bids.append(candidate(VALUE, bid(count, face), value_base(situation.matches[face])))
    if draw() < mind.bluff and (unheld := situation.faces.unheld):
        face = unheld[int(draw() * len(unheld))]
        count = opening_count(mind, situation, face, draw())
        bids.append(candidate(BLUFF, bid(count, face), bluff_base(mind)))
    return bids


def raises(mind: Personality, situation: PerudoSituation, draw: Draw) -> list[Candidate]:
    """The possible answers to the standing bid."""
    bids = [*minimum(situation), *value(situation)]
    for proposal in (
        competitive(situation, draw),
        aggressive(mind, situation, draw),
        bluff(mind, situation, draw),
        switch(situation, draw),
        squeeze(mind, situation),
        ace_flush(mind, situation),
    ):
        if proposal is not None:
            bids.append(proposal)
    return bids


# ---- the standard strategies ---------------------------------------------------------------------


def minimum(situation: PerudoSituation) -> list[Candidate]:
    """The lowest legal bid; over aces both the next number of aces and the lowest bid on its best other face."""
    base = MINIMUM_BASE + (BORING_MINIMUM if is_boring(situation) else 0.0)
    lowest, best = situation.lowest, situation.faces.best
    if situation.face != ACE:
        return [] if lowest[0] is None else [candidate(MINIMUM, lowest[0], base)]
    lows = lowest[ACE], None if best is None else lowest[best]
    return [candidate(MINIMUM, low, base) for low in lows if low is not None]


def competitive(situation: PerudoSituation, draw: Draw) -> Candidate | None:
    """A jump to a level that makes the next seat think; not from 55 % of the prior expectation on."""
    ratio, best = situation.ratio, situation.faces.best
    if best is None or ratio >= 0.55:
        return None
    low, high = (0.40, 0.55) if ratio < 0.35 else (0.55, 0.70)
    prior = situation.prior(best)
    count = max(_lowest_count(situation, best), round(prior * _between(low, high, draw())))
    return candidate(COMPETITIVE, bid(count, best), COMPETITIVE_BASE) if count <= floor(CAP * prior) else None


def aggressive(mind: Personality, situation: PerudoSituation, draw: Draw) -> Candidate | None:
    """Two or three dice more, on its best face."""
    best = situation.faces.best
    if mind.aggression < 0.5 or best is None:
        return None
    level = 2 * situation.count if situation.face == ACE else situation.count  # in dice of that face
    count = level + (2 if draw() < 0.5 else 3)
    if not _lowest_count(situation, best) <= count <= situation.total:
        return None
    return candidate(AGGRESSIVE, bid(count, best), aggressive_base(mind))


def value(situation: PerudoSituation) -> list[Candidate]:
    """The lowest bid on each face that it holds."""
    lowest, matches = situation.lowest, situation.matches
    return [
        candidate(VALUE, low, value_base(matches[face]))
        for face in situation.faces.held
        if (low := lowest[face]) is not None
    ]


def bluff(mind: Personality, situation: PerudoSituation, draw: Draw) -> Candidate | None:
    """The lowest bid on a face that none of its dice shows."""
    if draw() >= mind.bluff or not (unheld := situation.faces.unheld):
        return None
    low = situation.lowest[unheld[int(draw() * len(unheld))]]
    return None if low is None else candidate(BLUFF, low, bluff_base(mind))


def switch(situation: PerudoSituation, draw: Draw) -> Candidate | None:
    """The lowest bid on aces or, if aces are bid, on the mind's best face; None if it is not drawn or not possible."""
    if draw() >= SWITCHES:
        return None
    face = situation.faces.best if situation.face == ACE else ACE
    low = None if face is None else situation.lowest[face]
    if face is None or low is None:
        return None
    return candidate(SWITCH, low, switch_base(situation.shown[face]))


def aggressive_base(mind: Personality) -> float:
    return 2 + mind.aggression * 2


def value_base(matches: int) -> float:
    return 3 + matches * 1.5


def bluff_base(mind: Personality) -> float:
    return 1 + mind.bluff * 3


def switch_base(shown: int) -> float:
    """Higher if it holds a die for it."""
    return 3.0 if shown else 2.0


def leap_base(mind: Personality) -> float:
    return 3 + mind.bluff * 4


def opening_count(mind: Personality, situation: PerudoSituation, face: int, draw: float) -> int:
    """30 to 50 % of the prior expectation, more for own dice and for aggression, and never bold."""
    aim = _between(0.3, 0.5, draw) * situation.prior(face) + 0.7 * situation.matches[face] + 2 * mind.aggression - 1
    most = max(1, round(0.6 * situation.expected(face)))
    return min(max(1, round(aim)), most)


# ---- the four special tactics, and palifico ------------------------------------------------------


def squeeze(mind: Personality, situation: PerudoSituation) -> Candidate | None:
    """Two dice more on the same face, when the bid is bold and the next seat has two dice or fewer."""
    if mind.positional < 0.5:
        return None
    count = situation.count + SQUEEZE_JUMP
    if count > situation.total or not is_squeezing(situation.ratio, situation.next_dice):
        return None
    return candidate(SQUEEZE, bid(count, situation.face), SQUEEZE_BASE)


def ace_flush(mind: Personality, situation: PerudoSituation) -> Candidate | None:
    """Early in the round, with an ace in hand: half as many aces, so that the others reveal what they have."""
    low = situation.lowest[ACE]
    if situation.face == ACE or not situation.shown[ACE] or low is None:
        return None
    if len(situation.table.history) > FLUSH_BIDS or (mind.adaptability < 0.4 and mind.unpredictability < 0.3):
        return None
    return candidate(ACE_FLUSH, low, FLUSH_BASE) if situation.success(low) >= FLUSH_SUCCESS else None


def liars_leap(mind: Personality, situation: PerudoSituation, draw: Draw) -> Candidate | None:
    """With four dice or more, against at most two in every other cup: an unsupported bid that could still be true."""
    if situation.own < LEAP_DICE or (mind.bluff < 0.4 and mind.aggression < 0.6):
        return None
    if situation.unknown > LEAP_OTHERS * (situation.seats - 1) or situation.strongest > LEAP_OTHERS:
        return None
    faces = [face for face in situation.faces.unheld if not situation.matches[face]]
    if not faces:
        return None
    face = faces[int(draw() * len(faces))]
    count = max(_lowest_count(situation, face), round(_between(0.35, 0.50, draw()) * situation.prior(face)))
    if count > situation.total or situation.success(bid(count, face)) < LEAP_SUCCESS:
        return None
    return candidate(LIARS_LEAP, bid(count, face), leap_base(mind))


def is_boring(situation: PerudoSituation) -> bool:
    """Whether it is three dice or more ahead of the average opponent and should take no risks."""
    return situation.own > BORING_LEAD and situation.own - situation.unknown / (situation.seats - 1) >= BORING_LEAD


def palifico(situation: PerudoSituation) -> Candidate:
    """The lowest raise; as an opening one die of its best face, since the face will be locked."""
    low = situation.lowest[0]
    if situation.standing is None and (best := situation.faces.best) is not None:
        low = situation.lowest[best]
    assert low is not None
    return candidate(MINIMUM, low, MINIMUM_BASE)


# ---- shared helpers ------------------------------------------------------------------------------


def _lowest_count(situation: PerudoSituation, face: int) -> int:
    low = situation.lowest[face]
    return situation.total + 1 if low is None else count_of(low)


def _between(low: float, high: float, draw: float) -> float:
    return low + (high - low) * draw
