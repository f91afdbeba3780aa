"""The utility of dudo, calza and bids to a personality: each is a sum of terms, and each term a small function.

Every term takes only what it needs, so that a figure in a thought can be checked by hand. `draw` is a number from 0 to
1 from the seat's own random stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from math import inf
from typing import Final, NamedTuple

from tahur.core.game import Action
from tahur.games.perudo.bids import FACES, FIRST_BID, bid, bids_in_order, count_of, face_of, increment, ratio_of
from tahur.games.perudo.rules import MOST_DICE, MOST_SEATS
from tahur.players.perudo.memory import ENOUGH_BIDS, OpponentMemory, deviation_of
from tahur.players.perudo.personalities import Personality
from tahur.players.perudo.situation import PerudoSituation

Draw = Callable[[], float]  # returns a new number from 0 to 1 each time

DUDO_CLIP: Final = 0.5
CALZA_CLIP: Final = 0.3
BID_CLIP: Final = 1.0

LAST_DICE: Final = {1: -2.0, 2: -1.0}  # the cost of calza by the number of dice left
LEAP: Final = -2.0
LONGEST_STEP: Final = 3  # largest raise in dice that is not a leap
MOST_COUNT: Final = MOST_SEATS * MOST_DICE
UNLIKELY: Final = 0.3  # a bid with a lower probability of being true is a long shot
CERTAINLY_TRUE: Final = -100.0  # the own dice already meet the bid
CALZA_PENALTY: Final = -3.0


class Tactic(Enum):
    """The tactic that proposes a bid."""

    MINIMUM = "minimum"
    COMPETITIVE = "competitive"
    AGGRESSIVE = "aggressive"
    VALUE = "value"
    BLUFF = "bluff"
    SWITCH = "switch"
    LIARS_LEAP = "Liar's Leap"
    SQUEEZE = "squeeze"
    ACE_FLUSH = "ace flush"

    __hash__ = object.__hash__  # by identity: Enum's own is written in Python, and slow


class MindOption(NamedTuple):
    """An action a mind considers: its utility, and the probability that it is right or true."""

    action: Action
    utility: float
    probability: float
    tactic: Tactic | None = None  # for a bid


class Candidate(NamedTuple):
    """A bid that a tactic proposes, and its base score."""

    tactic: Tactic
    bid: Action
    base: float


# ---- the utilities -------------------------------------------------------------------------------


def dudo_utility(mind: Personality, situation: PerudoSituation, failure: float, opponent: float, draw: float) -> float:
    """The utility of doubting the standing bid; `opponent` is the term for what is known of its bidder."""
    count, face = situation.count, situation.face
    matches = situation.matches[face]
    return (
        doubt(failure, mind.dudo)
        + opponent * 10
        + dudo_position(situation.ratio, matches, count, situation.own)
        + dudo_risk(mind.risk)
        + variance(mind.unpredictability, DUDO_CLIP, draw)
        + (CERTAINLY_TRUE if matches >= count else 0.0)
    )


def calza_utility(mind: Personality, situation: PerudoSituation, exact: float, draw: float) -> float:
    """The utility of calza; `exact` is the probability that the standing bid is exactly right."""
    count, face = situation.count, situation.face
    return (
        exact * 15
        + crowd(situation.bids_on) * 5
        + calza_tolerance(count, situation.expected(face), mind.calza)
        + calza_position(situation.own, situation.full)
        + calza_support(situation.matches[face], count)
        + calza_risk(mind.risk)
        + variance(mind.unpredictability, CALZA_CLIP, draw)
        + CALZA_PENALTY
    )


def best_bid(mind: Personality, situation: PerudoSituation, bids: Sequence[Candidate], draw: Draw) -> MindOption | None:
    """The bid with the highest utility, the first if tied; None if there are no bids.

    All bids are evaluated together because a mind spends most of its time here: what depends only on the personality or
    on the number of dice is computed once, from the terms below.
    """
    suits, risk, swing = temper_of(mind)
    matches, tails, unknown, wild = situation.matches, situation.tails, situation.unknown, situation.wild
    sheet, longest = sheet_of(situation.total, wild), longest_steps(situation.standing, wild)
    best, most, likely = None, -inf, 0.0
    for candidate in bids:
        tactic, bid, base = candidate
        face, count, bold = sheet[bid]
        mine = matches[face]
        needed = count - mine
        success = 1.0 if needed <= 0 else tails[face][needed] if needed <= unknown else 0.0
        worth = base + success * 8 + suits[tactic] + mine * 1.5 + bold + risk * (1 - success) + swing * (2 * draw() - 1)
        if count > longest[face]:
            worth += LEAP
        if success < UNLIKELY:
            worth += long_shot(tactic)
        if worth > most:
            best, most, likely = candidate, worth, success
    return None if best is None else MindOption(best[1], most, likely, best[0])


class Temper(NamedTuple):
    """What a personality adds to every bid."""

    suits: Mapping[Tactic, float]
    risk: float  # for a bid that is certainly false
    swing: float  # the largest random term


@cache
def temper_of(mind: Personality) -> Temper:
    """The terms of a bid that depend on the personality alone."""
    swing = variance(mind.unpredictability, BID_CLIP, 1.0)  # no personality reaches the clip
    return Temper({tactic: alignment(tactic, mind) for tactic in Tactic}, bid_risk(mind.risk, 0.0), swing)


# ---- shared terms --------------------------------------------------------------------------------


def variance(unpredictability: float, clip: float, draw: float) -> float:
    """Twice a uniform number within 0.3 of the unpredictability, limited by the clip."""
    swing = (2 * draw - 1) * unpredictability * 0.3
    return 2 * (clip if swing > clip else -clip if swing < -clip else swing)


# ---- terms of dudo -------------------------------------------------------------------------------


def doubt(failure: float, threshold: float) -> float:
    """Positive from the probability of failure at which it tends to call."""
    return (failure - threshold) * 10


def bluff_term(opponent: OpponentMemory, deviation: float, adaptability: float) -> float:
    """How much the bidder's record suggests doubting; 0 before three bids of it are known."""
    if opponent.bids < ENOUGH_BIDS:
        return 0.0
    overextends = 0.05 if opponent.aggression > 0.6 else 0.0
    return (opponent.bluff_rate - 0.5) * 0.30 + overextends + deviation * 0.12 * adaptability


def opponent_term(mind: Personality, opponent: OpponentMemory, face: int, *, opening: bool) -> float:
    """The same for a bid on the face, by what its bidder usually bids."""
    return bluff_term(opponent, deviation_of(opponent, face, opening=opening), mind.adaptability)


def dudo_position(ratio: float, matches: int, count: int, own: int) -> float:
    """A bold bid favours dudo unless the own dice are half of it; with two dice or fewer it is more careful."""
    bold = 2.0 if ratio > 0.85 else 1.0 if ratio > 0.75 else 0.0
    return (bold if matches < count / 2 else 0.0) - (1.0 if own <= 2 else 0.0)


def dudo_risk(risk: float) -> float:
    return (risk - 0.5) * 2


# ---- terms of calza ------------------------------------------------------------------------------


def crowd(bids: int) -> float:
    """A bonus for three or more bids on the face this round."""
    return 0.05 if bids >= 3 else 0.0


def calza_tolerance(count: int, expectation: float, tolerance: float) -> float:
    """Whether the bid is as near to the expected count as the personality requires."""
    return 2.0 if abs(count - expectation) < tolerance else -2.0


def calza_position(own: int, full: int) -> float:
    """There is nothing to win with a full cup, and much to lose with the last dice."""
    if own == full:
        return -3.0
    return LAST_DICE.get(own, 0.0)


def calza_support(matches: int, count: int) -> float:
    """A bonus for holding two fifths of the bid."""
    return 1.0 if matches >= 0.4 * count else 0.0


def calza_risk(risk: float) -> float:
    return (risk - 0.5) * 3


# ---- terms of a bid ------------------------------------------------------------------------------


def alignment(tactic: Tactic, mind: Personality) -> float:
    """How well a tactic suits the personality."""
    if tactic is Tactic.MINIMUM:
        return (1 - mind.aggression) * 2
    if tactic is Tactic.AGGRESSIVE:
        return mind.aggression * 3
    if tactic is Tactic.SQUEEZE:
        return mind.aggression * 3 + squeeze_position(mind.positional)
    return mind.bluff * 4 if tactic is Tactic.BLUFF else 0.0


def squeeze_position(positional: float) -> float:
    """A squeeze is proposed only where it works: on a bold bid, before a weak seat."""
    return 2 * positional


def boldness(ratio: float) -> float:
    """Bids near the prior expectation are dangerous, those below half of it safe."""
    if ratio > 0.9:
        return -3.0
    return -1.0 if ratio > 0.75 else 1.0 if ratio < 0.5 else 0.0


@cache
def sheet_of(total: int, wild: bool) -> tuple[tuple[int, int, float], ...]:
    """For each bid on `total` dice, by its number: the face, the count, and its boldness."""
    numbers = range(FIRST_BID, max(bids_in_order(total, wild=wild)) + 1)
    bids = [(face_of(number), count_of(number), boldness(ratio_of(number, total, wild=wild))) for number in numbers]
    return ((0, 0, 0.0),) * FIRST_BID + tuple(bids)


def long_shot(tactic: Tactic) -> float:
    """The term for a bid that is true less than three times in ten: only a bluff may be so unlikely."""
    return 0.0 if tactic is Tactic.BLUFF else -5.0


def leap(jump: int) -> float:
    """The penalty for raising by more than three dice at once."""
    return LEAP if jump > LONGEST_STEP else 0.0


@cache
def longest_steps(standing: Action | None, wild: bool) -> tuple[int, ...]:
    """For each face (index 1 to 6; 0 is unused): the highest count to bid that is not a leap over the standing bid.

    An opening bid is never a leap.
    """
    if standing is None:
        return (MOST_COUNT,) * 7
    counts = range(1, MOST_COUNT + 1)
    fits = (max((n for n in counts if not leap(increment(standing, bid(n, face), wild))), default=0) for face in FACES)
    return (0, *fits)


def bid_risk(risk: float, success: float) -> float:
    """Personalities that like risk prefer unlikely bids."""
    return (risk - 0.5) * 2 * (1 - success)
