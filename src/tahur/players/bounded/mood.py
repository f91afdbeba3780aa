"""Moods: a state and its intensity, derived from three axes.

Events of a hand push the axes (`PUSHES`, a table with reasons); every hand they drift back towards the persona's
baseline; their position determines the mood. A mood determines how often, and how, a menu is changed: see `shift`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Any, Final

import numpy as np

from tahur.cards.cards import cards_of
from tahur.cards.evaluator import evaluate
from tahur.core.errors import SettingError, UnknownName
from tahur.core.game import CHANCE, Action, Game, Hand, Seat
from tahur.core.record import Seen, decisions
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.reading import percentile_of

LOW: Final = 0.35  # below it low composure is tilted, low confidence shaken, low energy spent
HIGH: Final = 0.65  # above it composure is detachment, if confidence and energy are low
BOUNDLESS: Final = 0.90  # above it confidence is overconfidence


class MoodState(Enum):
    """The kinds of moods."""

    COMPOSED = "composed"
    TILTED = "tilted"
    OVERCONFIDENT = "overconfident"
    SHAKEN = "shaken"
    DISSOCIATED = "dissociated"


class Severity(IntEnum):
    """How severe a mood is."""

    NONE = 0
    MILD = 1
    MODERATE = 2
    EXTREME = 3

    @property
    def text(self) -> str:
        return self.name.lower()


IMPAIRED: Final = {Severity.NONE: 0.0, Severity.MILD: 0.70, Severity.MODERATE: 0.85, Severity.EXTREME: 0.95}
"""The probability that a mood of that severity affects a decision."""

_INTENSITIES: Final = {Severity.NONE: 0.0, Severity.MILD: 0.2, Severity.MODERATE: 0.5, Severity.EXTREME: 0.85}


@dataclass(frozen=True, slots=True)
class Mood:
    """A state and its intensity, 0 to 1."""

    state: MoodState = MoodState.COMPOSED
    intensity: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.intensity <= 1:
            raise SettingError(f"a mood of intensity {self.intensity}; it must be from 0 to 1")

    @property
    def severity(self) -> Severity:
        if self.state is MoodState.COMPOSED or not self.intensity:
            return Severity.NONE
        if self.intensity < 0.34:
            return Severity.MILD
        return Severity.MODERATE if self.intensity < 0.67 else Severity.EXTREME

    @property
    def text(self) -> str:
        """The mood in the format of `mood_from_text`: `tilted:extreme`."""
        return self.state.value if self.severity is Severity.NONE else f"{self.state.value}:{self.severity.text}"


CALM: Final = Mood()


def mood_from_text(text: str) -> Mood:
    """Parse `composed`, `tilted:extreme`, `shaken:0.4`; a state alone is moderate."""
    name, colon, depth = text.strip().lower().partition(":")
    try:
        state = MoodState(name)
    except ValueError:
        raise UnknownName(f"no mood '{text}'; moods: {', '.join(state.value for state in MoodState)}") from None
    if state is MoodState.COMPOSED and not colon:
        return CALM
    return Mood(state, _intensity(depth if colon else Severity.MODERATE.text))


def is_impaired(mood: Mood, roll: float) -> bool:
    """Whether a decision with that roll, 0 to 1, is affected by the mood."""
    return roll < IMPAIRED[mood.severity]


def _intensity(text: str) -> float:
    """An intensity from 0 to 1, given as a number or as the name of a severity."""
    for severity, intensity in _INTENSITIES.items():
        if severity.text == text:
            return intensity
    try:
        return float(text)
    except ValueError:
        levels = ", ".join(severity.text for severity in Severity)
        raise UnknownName(f"no severity '{text}'; write {levels} or an intensity, 0 to 1") from None


# ---- the axes --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Axes:
    """Three numbers from 0 to 1; also a persona's baseline."""

    confidence: float = 0.6
    composure: float = 0.7
    energy: float = 0.6

    def __post_init__(self) -> None:
        if not all(0 <= axis <= 1 for axis in (self.confidence, self.composure, self.energy)):
            raise SettingError(f"{self}; confidence, composure and energy must be from 0 to 1")


class MoodEvent(Enum):
    """The events of a hand that affect a mood."""

    WON_BIG = "won a big pot"
    LOST_BIG = "lost a big pot"
    BAD_BEAT = "bad beat"
    BLUFF_CAUGHT = "bluff caught"
    BLUFF_WORKED = "bluff worked"
    COLD_CARDS = "cold cards"
    NEMESIS = "nemesis"


@dataclass(frozen=True, slots=True)
class Push:
    """What an event adds to each axis, and why."""

    confidence: float
    composure: float
    energy: float
    why: str


PUSHES: Final[dict[MoodEvent, Push]] = {
    MoodEvent.WON_BIG: Push(
        0.12, 0.06, 0.08, "chips in front of one are proof; three in a row make somebody boundless"
    ),
    MoodEvent.LOST_BIG: Push(-0.10, -0.12, -0.05, "hurts both, composure a little more; one alone should tilt nobody"),
    MoodEvent.BAD_BEAT: Push(
        -0.04, -0.22, 0.04, "the hand was right, so confidence holds; the injustice is what tilts"
    ),
    MoodEvent.BLUFF_CAUGHT: Push(-0.14, -0.06, -0.02, "seen through: it is one's judgement that suffers"),
    MoodEvent.BLUFF_WORKED: Push(0.10, 0.02, 0.06, "they can be pushed around: the quickest way to overconfidence"),
    MoodEvent.COLD_CARDS: Push(-0.03, 0.02, -0.12, "nothing to play: no harm done, but the mind wanders off"),
    MoodEvent.NEMESIS: Push(-0.05, -0.14, 0.06, "the same one again: it is personal now, and that wakes one up"),
}
"""Before resilience. Sized so that a resilient persona needs three or four blows within ten hands to change mood."""


def pushed(axes: Axes, event: MoodEvent, resilience: float) -> Axes:
    """The axes after an event; resilience 1 applies a quarter of it, resilience 0 all of it and a quarter more."""
    push, felt = PUSHES[event], 1.25 - resilience
    return Axes(
        _within(axes.confidence + felt * push.confidence),
        _within(axes.composure + felt * push.composure),
        _within(axes.energy + felt * push.energy),
    )


def drift(axes: Axes, home: Axes, resilience: float) -> Axes:
    """The axes one hand later: 4 % of the way to the baseline, and up to 10 % more with resilience."""
    rate = 0.04 + 0.10 * resilience
    return Axes(
        axes.confidence + rate * (home.confidence - axes.confidence),
        axes.composure + rate * (home.composure - axes.composure),
        axes.energy + rate * (home.energy - axes.energy),
    )


def mood_of(axes: Axes) -> Mood:
    """The mood of the axes. Corners (two or three axes) outrank edges (one); of two edges the deeper counts."""
    unsure, frayed = _below(axes.confidence), _below(axes.composure)
    if unsure and frayed:
        return Mood(MoodState.SHAKEN, (unsure + frayed) / 2)
    detached, spent = (axes.composure - HIGH) / (1 - HIGH), _below(axes.energy)
    if unsure and spent and detached > 0:
        return Mood(MoodState.DISSOCIATED, (unsure + detached + spent) / 3)
    sure = max(0.0, (axes.confidence - BOUNDLESS) / (1 - BOUNDLESS))
    if frayed or sure:
        state = MoodState.TILTED if frayed >= sure else MoodState.OVERCONFIDENT
        return Mood(state, min(1.0, max(frayed, sure)))
    return CALM


def roll_impairment(mood: Mood, rng: np.random.Generator) -> tuple[float, bool]:
    """The roll of one decision, and whether the mood affects it."""
    roll = float(rng.random())
    return roll, is_impaired(mood, roll)


def _below(axis: float) -> float:
    """How deep an axis is below `LOW`, 0 to 1."""
    return max(0.0, (LOW - axis) / LOW)


def _within(axis: float) -> float:
    return min(1.0, max(0.0, axis))


# ---- events of a hand that move the mood ---------------------------------------------------------
# How hands change a persona's mood: events of a hand, the axes they push, and the drift back to the baseline.
# `events_of` uses only what a seat may know of a finished hand; it sees no hand that was not shown. A `Heart` is the
# state carried from hand to hand: the axes, the number of unplayable hands in a row, and who keeps winning.


BIG: Final = 20  # big blinds won or lost; half the stack, if that is less
WEAK: Final = 0.40  # a bet with a hand that beats a smaller share of the others is a bluff
PLAYABLE: Final = 0.30  # the best part of all hands; a hand outside it is a cold one
COLD: Final = 8  # cold hands in a row
RIVALRY: Final = 2  # big pots lost to the same player make it a nemesis


@dataclass(frozen=True, slots=True)
class Heart:
    """The emotional state between two hands."""

    axes: Axes
    cold: int = 0  # hands since the last playable one
    losses: tuple[tuple[str, int], ...] = ()  # names of players who won big pots, and how many

    @property
    def mood(self) -> Mood:
        return mood_of(self.axes)


def after_hand(
    heart: Heart, game: Game[Any], seen: Seen, *, home: Axes, resilience: float
) -> tuple[Heart, tuple[MoodEvent, ...]]:
    """The heart one hand later, and the events that changed it; it drifts first, so that events count in full."""
    events = list(events_of(game, seen))
    hand = seen.hands[_seat(seen)]
    cold = heart.cold + 1 if hand is not None and strength_of(cards_of(hand)) > PLAYABLE else 0
    if cold and cold % COLD == 0:
        events.append(MoodEvent.COLD_CARDS)
    losses = dict(heart.losses)
    if MoodEvent.LOST_BIG in events:
        winner = _winner(seen)
        losses[winner] = losses.get(winner, 0) + 1
        if losses[winner] >= RIVALRY:
            events.append(MoodEvent.NEMESIS)
    axes = drift(heart.axes, home, resilience)
    for event in events:
        axes = pushed(axes, event, resilience)
    return Heart(axes, cold, tuple(losses.items())), tuple(events)


def events_of(game: Game[Any], seen: Seen) -> Iterator[MoodEvent]:
    """What happened to the seat in one finished hand of hold'em."""
    seat = _seat(seen)
    if seen.payoffs is None or seen.hands[seat] is None or seen.hands[seat] < 0:  # type: ignore[operator]
        return
    last, bet = _course(game, seen.actions)  # type: ignore[arg-type]  # games are frozen values, so they can be hashed
    won, big = seen.payoffs[seat], _big(last, seat)
    if won >= big:
        yield MoodEvent.WON_BIG
    if won <= -big:
        yield MoodEvent.LOST_BIG
    shown = len(last.live) > 1 and seat in last.live
    if shown and 2 * won <= -big and _was_ahead(game, seen, last):
        yield MoodEvent.BAD_BEAT
    if _was_a_bluff(bet, seen):
        if last.live == (seat,):
            yield MoodEvent.BLUFF_WORKED
        elif shown and won < 0:
            yield MoodEvent.BLUFF_CAUGHT


def _seat(seen: Seen) -> Seat:
    assert seen.seat is not None, "a spectator has no mood"
    return seen.seat


def _winner(seen: Seen) -> str:
    assert seen.payoffs is not None
    seat = max(range(len(seen.payoffs)), key=lambda candidate: seen.payoffs[candidate])  # type: ignore[index]
    return seen.names[seat] if seat < len(seen.names) else f"seat {seat + 1}"


@lru_cache(maxsize=2)  # every seat at the table asks in turn
def _course(game: Game[Any], actions: tuple[Action, ...]) -> tuple[HoldemTable, HoldemTable | None]:
    """The table at the end, and the one on which the last bet or raise was made."""
    table, bet = game.start(), None
    for action in actions:
        bet = table if table.turn != CHANCE and action > CALL else bet
        table = table.after(action)
    return table, bet


def _big(table: HoldemTable, seat: Seat) -> float:
    return min(BIG * table.stakes.blinds[1], table.stakes.stacks[seat] / 2)


def _was_ahead(game: Game[Any], seen: Seen, last: HoldemTable) -> bool:
    """Whether the seat had the best of the hands shown when its last chips went in."""
    seat = _seat(seen)
    board = None
    for table, action in decisions(game, seen.actions):
        if table.turn == seat and (action > CALL or (action == CALL and table.to_call)):
            board = table.board
    own = seen.hands[seat]
    if board is None or own is None:
        return False
    shown = [hand for other in last.live if other != seat and (hand := seen.hands[other]) is not None]  # others mucked
    mine = _standing(own, board)
    return bool(shown) and all(mine > _standing(hand, board) for hand in shown)


def _standing(hand: Hand, board: tuple[int, ...]) -> float:
    """How good a hand is on that board: higher is better."""
    cards = cards_of(hand)
    return float(evaluate((*cards, *board))) if board else -strength_of(cards)


def _was_a_bluff(bet: HoldemTable | None, seen: Seen) -> bool:
    """Whether the last bet or raise of the hand was this seat's, after the flop, with a weak hand."""
    seat = _seat(seen)
    hand = seen.hands[seat]
    if bet is None or bet.turn != seat or not bet.board or hand is None:
        return False
    return percentile_of(cards_of(hand), bet.board) < WEAK
