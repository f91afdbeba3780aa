"""Flops to solve a spot on: a list, a texture, all of them, or a small representative set.

Flops that differ only by a relabeling of suits that preserves both ranges are listed once, with their number; for
ranges that treat all suits alike there are 1,755, representing 22,100. The weight of a flop in a mean is not that
number but its *deals*: the total weight of pairs of hands from the ranges that can meet on the flops it represents.
That is proportional to the probability of the flop given both ranges; aces in a range make flops with aces rarer.

A representative subset (`represent`) is deterministic, from the cards alone. Its goal is to estimate the mean over all
flops of any figure of a flop (an equity, an EV, a frequency) from a few flops. This is Bayesian quadrature: the
similarity of two flops is a Gaussian of their distance, which measures ranks (high, middle and low card, neighbouring
ranks being near), suits and pairs, and the straights that two cards can make. Flops are added one at a time, each time
the one that most reduces the worst-case error of such a mean over all figures that are similar on similar flops. Then
the weights are those with the least such error, each at least one flop, adding up to the number of all flops.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import numpy as np

from tahur.cards.cards import RANKS, SUITS, Card, cards_text, parse_cards
from tahur.cards.equity.tables import combos
from tahur.cards.flops import every_flop, relabeled_flops
from tahur.cards.ranges import Range
from tahur.core.arrays import Array
from tahur.core.errors import SolverError, UnknownName
from tahur.games.holdem.textures import Texture, check_flop, texture_of

Ranges = tuple[Range, Range]
ALL: Final = "all"
_NUMBERED: Final = re.compile(r"(?:(?P<name>[^:]+):)?(?P<count>\d+)")


@dataclass(frozen=True, slots=True)
class Flop:
    """Three cards, the highest first; how many of the 22,100 flops it represents, and the weight of their deals."""

    cards: tuple[Card, ...]
    count: int
    deals: float

    def __str__(self) -> str:
        return cards_text(self.cards)


# ---- groups ----------------------------------------------------------------------------------------


def suit_pattern(flop: Sequence[int]) -> str:
    return ("monotone", "two-tone", "rainbow")[len({card & 3 for card in flop}) - 1]


def pairing(flop: Sequence[int]) -> str:
    return ("trips", "pair", "unpaired")[len({card >> 2 for card in flop}) - 1]


def high_card(flop: Sequence[int]) -> str:
    return f"{RANKS[max(card >> 2 for card in flop)]}-high"


def _texture(flop: Sequence[int]) -> str:
    return texture_of(flop).value


GROUPINGS: Final[Mapping[str, tuple[Callable[[Sequence[int]], str], tuple[str, ...]]]] = {
    "texture": (_texture, tuple(texture.value for texture in Texture)),
    "suit": (suit_pattern, ("monotone", "two-tone", "rainbow")),
    "high-card": (high_card, tuple(f"{rank}-high" for rank in reversed(RANKS))),
    "pairing": (pairing, ("unpaired", "pair", "trips")),
}  # ways to group flops: the group of a flop, and all groups in order


def group_of(flop: Sequence[int], by: str) -> str:
    """The group of a flop by `texture`, `suit`, `high-card` or `pairing`."""
    return GROUPINGS[by][0](flop)


# ---- choosing --------------------------------------------------------------------------------------


def choose_flops(text: str, ranges: Ranges) -> tuple[Flop, ...]:
    """The flops that a text selects: `Td9d6h,AsKd2c`, `all`, `two-tone`, `49`, `wet:20`."""
    word = text.strip()
    numbered = _NUMBERED.fullmatch(word)
    name = (numbered["name"] or ALL) if numbered else word
    wanted = None if name.lower() == ALL else _test_of(name)
    if wanted is None and name.lower() != ALL:
        return _parse_flops(word, ranges)
    flops = [flop for flop in all_flops(ranges) if wanted is None or wanted(flop.cards)]
    if not flops:
        raise SolverError(f"on no flop of '{text}' can hands of both ranges meet; use other flops or ranges")
    return representative_flops(flops, int(numbered["count"])) if numbered else tuple(flops)


@lru_cache(maxsize=4)
def all_flops(ranges: Ranges) -> tuple[Flop, ...]:
    """Every flop on which the ranges can meet, one for each suit-isomorphic class."""
    names = relabeled_flops(every_flop())[_same(ranges)].min(axis=0)
    _, number, counts = np.unique(names, return_index=True, return_counts=True)
    flops = [_flop(every_flop()[index], int(count), ranges) for index, count in zip(number, counts, strict=True)]
    return tuple(flop for flop in flops if flop.deals > 0)


def representative_flops(flops: Sequence[Flop], count: int) -> tuple[Flop, ...]:
    """A representative subset, chosen by `represent`. The subset represents as many flops as were given.

    Only the cards matter, so that the same number gives the same flops for all ranges that treat suits alike, and two
    runs can be compared. For ranges that distinguish suits, each class of flops is represented with its mean weight.
    """
    if count < 1:
        raise SolverError(f"{count} flops requested; at least 1 is needed")
    if count >= len(flops):
        return tuple(flops)
    classes: dict[int, list[Flop]] = {}
    names = relabeled_flops(np.array([flop.cards for flop in flops])).min(axis=0)
    for flop, name in zip(flops, names.tolist(), strict=True):
        classes.setdefault(name, []).append(flop)
    alike = list(classes.values())
    counts = [sum(flop.count for flop in group) for group in alike]
    chosen, stood_for = represent(np.array([group[0].cards for group in alike]), np.array(counts), count)
    return tuple(_standing(alike[index], int(many)) for index, many in zip(chosen, stood_for, strict=True))


def _standing(alike: Sequence[Flop], count: int) -> Flop:
    """The flop of a class with the largest weight, representing `count` flops with the class's mean of deals."""
    most = max(alike, key=lambda flop: flop.deals / flop.count)
    mean = sum(flop.deals for flop in alike) / sum(flop.count for flop in alike)
    return Flop(most.cards, count, count * mean)


def _test_of(name: str) -> Callable[[Sequence[int]], bool] | None:
    """A test for membership in the named group, in whichever grouping has it; None if there is no such group."""
    meant = name.strip().lower().replace("_", "-")
    for group, names in GROUPINGS.values():
        for group_name in names:
            if group_name.lower().replace("_", "-") == meant:
                return lambda flop, group=group, wanted=group_name: group(flop) == wanted  # type: ignore[misc]
    return None


def _parse_flops(text: str, ranges: Ranges) -> tuple[Flop, ...]:
    """Flops given as cards; each represents all that are suit-isomorphic to it."""
    words = [word for word in re.split(r"[,;\s]+", text) if word]
    flops: dict[int, Flop] = {}
    same = _same(ranges)
    for word in words:
        cards = _cards(word, text)
        names = relabeled_flops(np.array([cards]))[same, 0]
        key = int(names.min())
        if key in flops:
            raise SolverError(f"{word} is the flop {flops[key]} with other suits; list only one of them")
        flops[key] = _flop(np.array(cards), len(set(names.tolist())), ranges)
        if not flops[key].deals:
            raise SolverError(f"on {word} no hand of one range can meet one of the other; remove that flop")
    if not flops:
        raise SolverError("no flops given; write Td9d6h,AsKd2c, or a texture, or a number")
    return tuple(flops.values())


def _cards(word: str, text: str) -> tuple[Card, ...]:
    """The flop that a word of a list names; `text` is the whole list, for errors."""
    names = dict.fromkeys(name for _, names in GROUPINGS.values() for name in names)
    if not re.fullmatch(r"(?:[2-9TJQKA][cdhs]){1,5}", word, re.IGNORECASE):
        raise UnknownName(
            f"cannot read flops '{text}'; write a list (Td9d6h,AsKd2c), a number, {ALL}, or one of {', '.join(names)}"
        )
    cards = tuple(parse_cards(word))
    check_flop(cards)
    return cards


# ---- weights ---------------------------------------------------------------------------------------


def pairs(ranges: Ranges, flop: Sequence[int]) -> float:
    """The total weight of all pairs of hands, one of each range, that share no card with the flop or each other."""
    table = combos()
    alive = (table.mask & sum(1 << int(card) for card in flop)) == 0
    first, second = (hands.vector * alive for hands in ranges)
    by_card = [np.bincount(table.cards.ravel(), np.repeat(weights, 2), 52) for weights in (first, second)]
    weight = first.sum() * second.sum() - by_card[0] @ by_card[1] + first @ second
    return float(weight) if weight > 1e-9 else 0.0


def _flop(cards: Array, count: int, ranges: Ranges) -> Flop:
    """The flop with its cards sorted and its deals counted."""
    sorted_down = tuple(Card(int(card)) for card in sorted(cards, reverse=True))
    return Flop(sorted_down, count, count * pairs(ranges, sorted_down))


# ---- suits -----------------------------------------------------------------------------------------


def _same(ranges: Ranges) -> list[int]:
    """The indices of the suit relabelings that leave both ranges unchanged."""
    return [
        number
        for number, image in enumerate(combos().image)
        if all(np.array_equal(hands.vector[image], hands.vector) for hands in ranges)
    ]


_RANKS: Final = 13
_NEAR: Final = 3.0  # ranks over which flops become different
_STRAIGHTS: Final = 2.0  # weight of the share of the ten straights
_WIDTH: Final = 2.0  # of the Gaussian
_TINY: Final = 1e-9
_STEADY: Final = 1e-3  # regularises the weights of very similar flops
_SUM: Final = 10.0  # penalty that makes the weights add up to 1
_ROUNDS: Final = 300
_DIGITS: Final = 12  # scores are compared to this many digits, so that rounding does not choose


def represent(flops: Array, counts: Array, number: int) -> tuple[Array, Array]:
    """The indices of the chosen flops among (n, 3) cards, and how many each represents; they add up to `counts`."""
    shares = counts / counts.sum()
    alike = _alike(_features(flops))
    chosen = np.sort(_pivoted_cholesky(alike, alike @ shares, min(number, len(flops))))
    weights = _weights(alike[np.ix_(chosen, chosen)], (alike @ shares)[chosen])
    return chosen, _whole(weights, int(counts.sum()))


def _features(flops: Array) -> Array:
    """(n, features): similar flops are near each other."""
    ranks, suits = np.sort(flops >> 2, axis=1), flops & 3
    present = np.eye(_RANKS)[ranks].max(1)
    pairs = (np.diff(ranks, axis=1) > 0).sum(1)
    colours = (np.diff(np.sort(suits, axis=1), axis=1) > 0).sum(1)
    kind = np.eye(9)[pairs * 3 + colours]
    return np.concatenate([_near_ranks()[ranks].reshape(len(flops), -1), present, kind, _straights(present)], axis=1)


def _near_ranks() -> Array:
    """(13, 13) a row of features for each rank; neighbours are near, and all rows have the same length."""
    steps = np.arange(_RANKS)
    return np.linalg.cholesky(np.exp(-np.abs(steps[:, None] - steps) / _NEAR))


def _straights(present: Array) -> Array:
    """(n, 1) the share of the ten straights that two more cards can make."""
    straights = np.zeros((10, _RANKS))
    for low in range(10):
        straights[low, (np.arange(5) + low - 1) % _RANKS] = 1
    straight = (present @ straights.T == 3).mean(1, keepdims=True)
    return np.asarray(_STRAIGHTS * straight)


def _alike(described: Array) -> Array:
    """(n, n) similarities, from 1 down to 0."""
    square = (described**2).sum(1)
    away = np.maximum(square[:, None] + square - 2 * described @ described.T, 0)
    return np.asarray(np.exp(-away / (2 * _WIDTH**2)))


def _pivoted_cholesky(alike: Array, wanted: Array, number: int) -> Array:
    """A pivoted Cholesky decomposition: one at a time, the flop that explains most of the unexplained target."""
    known = np.zeros((len(alike), number))
    left, spread = wanted.copy(), np.diag(alike).copy()
    chosen: list[int] = []
    for step in range(number):
        gain = np.round(left**2 / np.maximum(spread, _TINY), _DIGITS)
        gain[chosen] = -1
        best = int(np.argmax(gain))
        width = np.sqrt(max(spread[best], _TINY))
        known[:, step] = (alike[:, best] - known[:, :step] @ known[best, :step]) / width
        left = left - known[:, step] * left[best] / width
        spread = spread - known[:, step] ** 2
        chosen.append(best)
    return np.array(chosen)


def _weights(alike: Array, wanted: Array) -> Array:
    """(number,) non-negative weights with the least error, by cyclic coordinate descent."""
    pull = alike + _STEADY * np.eye(len(alike)) + _SUM
    weights = np.full(len(alike), 1 / len(alike))
    for _ in range(_ROUNDS):
        for row in range(len(weights)):
            step = (wanted[row] + _SUM - pull[row] @ weights) / pull[row, row]
            weights[row] = max(0.0, weights[row] + step)
    return np.asarray(weights / weights.sum())


def _whole(weights: Array, total: int) -> Array:
    """Whole numbers of flops, at least one each, by largest remainders."""
    spare = weights * (total - len(weights))
    whole = np.floor(spare).astype(np.int64)
    up = np.argsort(whole - spare, kind="stable")[: total - len(weights) - whole.sum()]
    whole[up] += 1
    return np.asarray(whole + 1)


# ---- textures ------------------------------------------------------------------------------------
# Flops by texture: suits (monotone, two-tone, rainbow), pairs or none, and height. There are fifteen textures, since
# three cards of one suit cannot pair: *high* has a queen or better, *medium* at best a nine, ten or jack, *low* nothing
# above an eight; three of a kind count as paired. A small set of flops is chosen in two deterministic steps: each
# texture gets one flop while there are enough, the rest go one by one to the texture with the most flops per chosen
# flop; and within a texture `represent` chooses the most representative ones. Asking for one more flop changes no
# earlier choice.


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


def flop_texture(flop: Sequence[int]) -> FlopTexture:
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
        TextureFlop(texture, canonical_names(flop.cards), flop.count)
        for texture, many in _numbers_by_texture(textures, number).items()
        for flop in (representative_flops(textures[texture], many) if many else ())
    ]
    return tuple(
        sorted(chosen, key=lambda flop: (flop.texture.order, *(-(card >> 2) for card in flop.cards), flop.cards))
    )


def canonical_names(cards: Sequence[int]) -> tuple[Card, ...]:
    """The same flop with its suits relabeled s, h, d from the highest card on."""
    down = sorted(cards, key=lambda card: (-(card >> 2), -sum(other & 3 == card & 3 for other in cards), card))
    names: dict[int, str] = {}
    for card in down:
        names.setdefault(card & 3, _NAMES[len(names)])
    return tuple(Card((card & ~3) | SUITS.index(names[card & 3])) for card in down)


@cache
def _textures() -> Mapping[FlopTexture, list[Flop]]:
    """All flops, one for each suit-isomorphic class, by texture."""
    everything = Range.parse("any")
    flops: dict[FlopTexture, list[Flop]] = {}
    for flop in all_flops((everything, everything)):
        flops.setdefault(flop_texture(flop.cards), []).append(flop)
    return flops


def _numbers_by_texture(textures: Mapping[FlopTexture, list[Flop]], number: int) -> dict[FlopTexture, int]:
    """How many flops of each texture are chosen."""
    sizes = {texture: sum(flop.count for flop in flops) for texture, flops in textures.items()}
    chosen_of = dict.fromkeys(textures, 0)
    for _ in range(number):
        left = [texture for texture in textures if chosen_of[texture] < len(textures[texture])]
        # the Sainte-Lague method, after one for each texture
        best = max(
            left,
            key=lambda texture: (chosen_of[texture] == 0, sizes[texture] / (chosen_of[texture] + 0.5), texture.order),
        )
        chosen_of[best] += 1
    return chosen_of
