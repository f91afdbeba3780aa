"""The main pot and the side pots, and how they are divided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tahur.core.game import Seat


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the seats that can win them, in the order in which odd chips are given out."""

    chips: int
    seats: tuple[Seat, ...]


def pots_of(committed: Sequence[int], live: Sequence[Seat]) -> tuple[Pot, ...]:
    """The pots, the main pot first, from what each seat has put in; `live` seats have not folded.

    Each pot is one layer of chips from every seat that reached it, including folded ones. A layer ends where a live
    seat has no more in. Antes, blinds and bets count alike, so a seat all-in on its ante wins as much from each seat.
    """
    levels = sorted({committed[seat] for seat in live})
    pots = []
    floor = 0
    for level in levels:
        chips = sum(min(paid, level) - floor for paid in committed if paid > floor)
        pots.append(Pot(chips, tuple(seat for seat in live if committed[seat] >= level)))
        floor = level
    return tuple(pots)


def winnings(pots: Sequence[Pot], ranks: Mapping[Seat, int]) -> dict[Seat, int]:
    """What each live seat wins from the pots; all odd chips of a split pot go to the first of its winners."""
    won = dict.fromkeys(ranks, 0)
    for pot in pots:
        best = max(ranks[seat] for seat in pot.seats)
        winners = [seat for seat in pot.seats if ranks[seat] == best]
        share, odd = divmod(pot.chips, len(winners))
        for seat in winners:
            won[seat] += share
        won[winners[0]] += odd
    return won
