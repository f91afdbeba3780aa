"""Bets that the tree lacks: which of its sizes a bet is read as, and how the answers to the sizes near it are mixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tahur.solvers.postflop.playing import nearest


@dataclass(frozen=True, slots=True)
class BetReading:
    """A bet as the size `choice`. Hands fold to it as to `choice` and, with the weight `share`, as to `other`.

    Without `other`, they fold with that weight as to no bet, or if it is larger than all sizes as to all-in.
    """

    choice: int
    other: int | None = None  # the size on the other side of the bet
    share: float = 0.0
    is_largest: bool = False

    def swapped(self) -> BetReading:
        """The same bet read as the other size."""
        assert self.other is not None
        return BetReading(self.other, self.choice, 1 - self.share)


def read_bet(sizes: Mapping[int, float], x: float, *, price: float, most: float) -> BetReading:
    """Read a bet of x pots as one of the sizes, by the pseudo-harmonic mapping (Ganzfried and Sandholm 2013).

    The pot counts what the bettor had to call; price: that amount in pots; most: all-in in pots. The share of the other
    size is linear in how often the bet must work as a bluff.
    """
    likely = nearest(sizes, x)
    choice = max(likely, key=likely.__getitem__)
    at, near = break_even(x, price), break_even(sizes[choice], price)
    if len(likely) == 1:
        far = break_even(most, price) if at > near else 0.0
        return BetReading(choice, share=0.0 if far == near else (at - near) / (far - near), is_largest=at > near)
    (other,) = set(likely) - {choice}
    return BetReading(choice, other, (at - near) / (break_even(sizes[other], price) - near))


def break_even(x: float, price: float) -> float:
    """How often a bet of x pots must make all others fold so that it breaks even without winning a showdown."""
    return (price + x) / (1 + x)
