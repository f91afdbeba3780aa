"""Hand review: what each decision of a player cost."""

from tahur.review.hand import review
from tahur.review.values import HandReview, JudgedAction, JudgedDecision

__all__ = ["HandReview", "JudgedAction", "JudgedDecision", "review"]
