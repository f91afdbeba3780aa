"""Flops by texture: suits (monotone, two-tone, rainbow), pairs or none, and height.

There are fifteen textures, since three cards of one suit cannot pair: *high* has a queen or better, *medium* at best a
nine, ten or jack, *low* nothing above an eight; three of a kind count as paired. A small set of flops is chosen in two
deterministic steps: each texture gets one flop while there are enough, the rest go one by one to the texture with the
most flops per chosen flop; and within a texture represent.py chooses the most representative ones. Asking for one more
flop changes no earlier choice.
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
_NAMES: Final = "shdc"  # suits in the order in which they are assigned, from the highest card on


@dataclass(frozen=True, slots=True)
class FlopTexture:
    """The texture of a flop."""

    suits: str
    paired: str
    height: str

    def __str__(self) -> str:
        return f"{self.suits} {self.paired} {self.height}"

    @property
    def order(self) -> tuple[int, int, int]:
        return SUIT_PATTERNS.index(self.suits), PAIRINGS.index(self.paired), HEIGHTS.index(self.height)


@dataclass(frozen=True, slots=True)
class TextureFlop:
    """A flop, the highest card first, and how many of the 22,100 it represents."""

    texture: FlopTexture
    cards: tuple[Card, ...]
    count: int


def texture_of(flop: Sequence[int]) -> FlopTexture:
    top = max(card >> 2 for card in flop)
    paired = "unpaired" if pairing(flop) == "unpaired" else "paired"
    return FlopTexture(suit_pattern(flop), paired, HEIGHTS[(top < HIGH) + (top < MEDIUM)])


def flops_by_texture(number: int) -> tuple[TextureFlop, ...]:
    """This many flops, sorted by texture; together they represent all flops of the textures among them."""
    textures = _textures()
    most = sum(map(len, textures.values()))
    if not 1 <= number <= most:
        raise SolverError(f"{number} flops requested; 1 to {most:,} are available, not counting suits")
    chosen = [
        TextureFlop(texture, named(flop.cards), flop.count)
        for texture, many in _shared_out(textures, number).items()
        for flop in (represented(textures[texture], many) if many else ())
    ]
    return tuple(
        sorted(chosen, key=lambda each: (each.texture.order, *(-(card >> 2) for card in each.cards), each.cards))
    )


def named(cards: Sequence[int]) -> tuple[Card, ...]:
    """The same flop with its suits relabeled s, h, d from the highest card on."""
    down = sorted(cards, key=lambda card: (-(card >> 2), -sum(other & 3 == card & 3 for other in cards), card))
    names: dict[int, str] = {}
    for card in down:
        names.setdefault(card & 3, _NAMES[len(names)])
    return tuple(Card((card & ~3) | SUITS.index(names[card & 3])) for card in down)


@cache
def _textures() -> Mapping[FlopTexture, list[Flop]]:
    everything = Range.parse("any")
    found: dict[FlopTexture, list[Flop]] = {}
    for flop in all_flops((everything, everything)):
        found.setdefault(texture_of(flop.cards), []).append(flop)
    return found


def _shared_out(textures: Mapping[FlopTexture, list[Flop]], number: int) -> dict[FlopTexture, int]:
    """How many flops of each texture are chosen."""
    sizes = {texture: sum(flop.count for flop in flops) for texture, flops in textures.items()}
    given = dict.fromkeys(textures, 0)
    for _ in range(number):
        left = [texture for texture in textures if given[texture] < len(textures[texture])]
        # the Sainte-Lague method, after one for each texture
        best = max(
            left, key=lambda texture: (given[texture] == 0, sizes[texture] / (given[texture] + 0.5), texture.order)
        )
        given[best] += 1
    return given
