"""What it takes to be measured exactly at Flop Hold'em: probabilities for all hands at once.

An implementer answers two questions. Decisions are numbered by `betting.betting_of(game)`: `preflop()` has a row for
each of `of_street(0)`, `flop(cards)` one for each of `of_street(1)`, in that order, for both seats. Hands are the 1,326
combos of the cards room, slots are fold, call, raise.

Asked of an answer:
- slots that are not legal are 0, the rest are not negative and add up to 1;
- hands that hold a card of the flop may be anything finite: nobody looks;
- suits have no order: renaming them in the hand and the flop changes nothing. Only the least flop of each of the 1,755
  classes is asked for (`suits.canonical((), flop)`), once in every measurement, in ascending order;
- beside `flop`, a policy may have `classes(cards)`, by classes of hands, or `book(layout, number)`, a flop's part of a
  book as the kernels read it, with sums in the proportions that are played;
- it is the *average* policy, a behaviour strategy: what it does must not depend on what it did before. An average over
  several nets is weighted by the own reach of each, which the implementer works out from its own answers.
"""

from __future__ import annotations

from typing import Protocol

from tahur.core.arrays import Float32s


class FlopPolicy(Protocol):
    """Known chances for every hand at every decision of Flop Hold'em."""

    def preflop(self) -> Float32s:
        """(decisions before the flop, 1326, 3)"""
        ...

    def flop(self, cards: tuple[int, int, int]) -> Float32s:
        """(decisions on the flop, 1326, 3), the three cards ascending."""
        ...
