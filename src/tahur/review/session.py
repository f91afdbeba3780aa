"""The report on many reviewed hands: results, what decisions cost, where, and the most expensive ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tahur.games.holdem.table import CALL, FOLD
from tahur.review.values import HandReview, JudgedDecision
from tahur.review.words import STREET_NAMES


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision with its hand, by the hand's place in the report."""

    hand: int
    review: HandReview
    decision: JudgedDecision

    @property
    def lost(self) -> float:
        """In big blinds."""
        return self.decision.lost / self.review.big_blind


@dataclass(frozen=True, slots=True)
class Leak:
    """What the decisions of one kind cost, in big blinds."""

    name: str  # such as `turn: calling`
    decisions: int
    mistakes: int
    lost: float


@dataclass(frozen=True, slots=True)
class SessionReport:
    """The reviews of a player's hands, in the order played."""

    reviews: tuple[HandReview, ...]

    @property
    def won(self) -> float:
        """In big blinds."""
        return sum(review.won / review.big_blind for review in self.reviews)

    @property
    def lost(self) -> float:
        """What the judged decisions cost, in big blinds."""
        return sum(review.lost / review.big_blind for review in self.reviews)

    @property
    def judged(self) -> int:
        """The number of judged decisions."""
        return sum(len(review.judged) for review in self.reviews)

    @property
    def mistakes(self) -> int:
        return sum(decision.lost > 0 for review in self.reviews for decision in review.judged)

    @property
    def unjudged(self) -> dict[str, int]:
        """The reasons why decisions were not judged, with the number of decisions."""
        reasons = [known.why for review in self.reviews for known in review.decisions if not known.is_judged]
        return {reason: reasons.count(reason) for reason in sorted(set(reasons))}

    def worst(self, most: int = 5) -> list[CostlyDecision]:
        """The most expensive decisions, in descending order."""
        costly = [item for item in self._decisions() if item.decision.lost > 0]
        return sorted(costly, key=lambda item: -item.lost)[:most]

    def leaks(self) -> list[Leak]:
        """What each kind of action on each street cost, the most expensive first."""
        kinds: dict[str, list[CostlyDecision]] = {}
        for item in self._decisions():
            kinds.setdefault(kind_of(item.decision), []).append(item)
        leaks = [
            Leak(name, len(items), sum(item.lost > 0 for item in items), sum(item.lost for item in items))
            for name, items in kinds.items()
        ]
        return sorted(leaks, key=lambda leak: (-leak.lost, leak.name))

    def _decisions(self) -> Iterator[CostlyDecision]:
        """The judged ones."""
        for hand, review in enumerate(self.reviews, start=1):
            for decision in review.judged:
                yield CostlyDecision(hand, review, decision)


def kind_of(decision: JudgedDecision) -> str:
    """The street and the action, such as `turn: calling`."""
    if decision.action == FOLD:
        doing = "folding"
    elif decision.action == CALL:
        doing = "calling" if decision.to_call else "checking"
    else:
        doing = "raising" if decision.to_call or not decision.street else "betting"
    return f"{STREET_NAMES[decision.street]}: {doing}"
