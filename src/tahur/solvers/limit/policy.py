"""The interface for exact evaluation at Flop Hold'em: probabilities for all hands at once.

An implementation has two methods. Decisions are numbered by `betting.betting_of(game)`: `preflop()` has a row for each
of `of_street(0)`, `flop(cards)` one for each of `of_street(1)`, in that order, for both seats. Hands are the 1,326
combos of `tahur.cards`, slots are fold, call, raise.

Requirements:
- illegal slots are 0, the others are non-negative and add up to 1;
- rows of hands that share a card with the flop may have any finite values: they are not used;
- suits are interchangeable: relabeling them in the hand and the flop changes nothing. Only the lowest flop of each of
  the 1,755 classes is queried (`suits.canonical((), flop)`), once per evaluation, in ascending order;
- besides `flop`, a policy may have `classes(cards)`, by classes of hands, or `book(layout, number)`, a flop's part of a
  book as the kernels read it, with sums in the proportions that are played;
- it is the *average* policy, a behaviour strategy: actions must not depend on what was drawn before. An average over
  several nets is weighted by the own reach of each, which the implementation computes from its own answers.
"""

from __future__ import annotations

from typing import Protocol

from tahur.core.arrays import Float32s


class FlopPolicy(Protocol):
    """Known action probabilities for every hand at every decision of Flop Hold'em."""

    def preflop(self) -> Float32s:
        """(decisions before the flop, 1326, 3)"""
        ...

    def flop(self, cards: tuple[int, int, int]) -> Float32s:
        """(decisions on the flop, 1326, 3), the three cards ascending."""
        ...
