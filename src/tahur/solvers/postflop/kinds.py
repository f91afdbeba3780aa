"""Flops of every kind: suits (monotone, two-tone, rainbow), pairs or none, and how high.

There are fifteen kinds, since three cards of one suit cannot pair: *high* has a queen or better, *medium* at best a
nine, ten or jack, *low* nothing above an eight; three of a rank count as paired. A few flops for all are chosen in two
steps, without dice: each kind gets one as long as they last, the rest go one by one to the kind with most flops for
those it has; and in a kind represent.py takes those that stand best for it. One more flop changes no earlier choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from tahur.cards.cards import RANKS, SUITS, Card
from tahur.cards.ranges import Range
from tahur.core.errors import SolverError
from tahur.solvers.postflop.flops import Flop, all_flops, pairing, represented, suit_pattern

SUIT_PATTERNS: Final = ("monotone", "two-tone", "rainbow")
PAIRINGS: Final = ("unpaired", "paired")
HEIGHTS: Final = ("high", "medium", "low")
HIGH, MEDIUM = RANKS.index("Q"), RANKS.index("9")
_NAMES: Final = "shdc"  # suits in the order in which they are named, from the highest card on


@dataclass(frozen=True, slots=True)
class FlopTexture:
    """What a flop looks like."""

    suits: str
    paired: str
    height: str

    def __str__(self) -> str:
        return f"{self.suits} {self.paired} {self.height}"

    @property
    def order(self) -> tuple[int, int, int]:
        return SUIT_PATTERNS.index(self.suits), PAIRINGS.index(self.paired), HEIGHTS.index(self.height)


@dataclass(frozen=True, slots=True)
class KindFlop:
    """A flop, the highest card first, and how many of the 22,100 it stands for."""

    kind: FlopTexture
    cards: tuple[Card, ...]
    count: int


def kind_of(flop: Sequence[int]) -> FlopTexture:
    top = max(card >> 2 for card in flop)
    paired = "unpaired" if pairing(flop) == "unpaired" else "paired"
    return FlopTexture(suit_pattern(flop), paired, HEIGHTS[(top < HIGH) + (top < MEDIUM)])


def flops_by_kind(number: int) -> tuple[KindFlop, ...]:
    """So many flops, sorted by kind; together they stand for all flops of the kinds that are there."""
    kinds = _kinds()
    most = sum(map(len, kinds.values()))
    if not 1 <= number <= most:
        raise SolverError(f"{number} flops; there are 1 to {most:,} to show, suits aside")
    chosen = [
        KindFlop(kind, named(flop.cards), flop.count)
        for kind, many in _shared_out(kinds, number).items()
        for flop in (represented(kinds[kind], many) if many else ())
    ]
    return tuple(sorted(chosen, key=lambda each: (each.kind.order, *(-(card >> 2) for card in each.cards), each.cards)))


def named(cards: Sequence[int]) -> tuple[Card, ...]:
    """The same flop with its suits named s, h, d from the highest card on."""
    down = sorted(cards, key=lambda card: (-(card >> 2), -sum(other & 3 == card & 3 for other in cards), card))
    names: dict[int, str] = {}
    for card in down:
        names.setdefault(card & 3, _NAMES[len(names)])
    return tuple(Card((card & ~3) | SUITS.index(names[card & 3])) for card in down)


@cache
def _kinds() -> Mapping[FlopTexture, list[Flop]]:
    everything = Range.parse("any")
    found: dict[FlopTexture, list[Flop]] = {}
    for flop in all_flops((everything, everything)):
        found.setdefault(kind_of(flop.cards), []).append(flop)
    return found


def _shared_out(kinds: Mapping[FlopTexture, list[Flop]], number: int) -> dict[FlopTexture, int]:
    """How many flops of each kind are shown."""
    sizes = {kind: sum(flop.count for flop in flops) for kind, flops in kinds.items()}
    given = dict.fromkeys(kinds, 0)
    for _ in range(number):
        left = [kind for kind in kinds if given[kind] < len(kinds[kind])]
        # Sainte-Lague, after one for each
        best = max(left, key=lambda kind: (given[kind] == 0, sizes[kind] / (given[kind] + 0.5), kind.order))
        given[best] += 1
    return given
