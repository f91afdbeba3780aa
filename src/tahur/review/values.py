"""The values of a review: judged decisions, and what the judgement assumes."""

from __future__ import annotations

from dataclasses import dataclass

from tahur.core.game import Action, Hand, Seat
from tahur.solvers.postflop.grading import MoveQuality


@dataclass(frozen=True, slots=True)
class JudgedAction:
    """One action that was possible. Chips are counted from folding, which is worth 0."""

    name: str  # such as `raise to 600`
    chance: float  # how often the strategy takes it with this hand
    ev: float  # chips


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """One decision of the hero. Amounts are chips.

    A cost within `error`, or of an action that the strategy itself takes often enough, is no mistake and counts as 0.
    """

    number: int  # of the action in the hand's history, cards included
    street: int  # 0 preflop to 3 river
    board: tuple[int, ...]
    pot: int  # bets on the table included
    to_call: int
    action: Action
    chosen: str  # the action in words
    actions: tuple[JudgedAction, ...] = ()  # empty if it was not judged
    best: str = ""
    lost: float = 0.0
    error: float = 0.0
    quality: MoveQuality | None = None  # None: not judged
    why: str = ""  # one sentence; why it was not judged, if it was not
    how: str = ""  # where the values come from

    @property
    def is_judged(self) -> bool:
        return self.quality is not None


@dataclass(frozen=True, slots=True)
class HandReview:
    """All decisions of one seat in one hand."""

    hero: Seat
    name: str
    hand: Hand
    won: int  # chips
    big_blind: int
    decisions: tuple[JudgedDecision, ...]
    ranges: tuple[tuple[str, str, str], ...] = ()  # street, and the ranges of the seats out of and in position

    @property
    def judged(self) -> tuple[JudgedDecision, ...]:
        return tuple([decision for decision in self.decisions if decision.is_judged])

    @property
    def lost(self) -> float:
        """What the judged decisions cost, in chips."""
        return sum(decision.lost for decision in self.decisions)
