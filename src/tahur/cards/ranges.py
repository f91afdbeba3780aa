"""A range: the weight of each of the 1,326 combos that a player may hold, in the notation that players use.

    22+  A2s+  T9s-65s  A5s-A2s  KQo  AK  AsKd  15%  any        and a weight on any of them: A5s:0.5, QQ:25%

Items are separated by commas, semicolons or white space, and **a later item overrides an earlier one** for
the combos both name, so `22+:0.5,AA` plays aces always. `+` walks pairs up to aces, connectors (`T9s+`) up to
`AK` by both ranks, and any other hand by its kicker up to just below its top card. `-` walks the kicker
between hands that share the top card, and both ranks between hands that share the gap. `15%` is the strongest
15 % of hands, in whole classes, by `rankings.EQUITY_ORDER`; `none` is no hand at all. A name such as `btn-open` or
`40bb:bb-call-v-btn` is a range of the shipped preflop strategies (`named_ranges.py`); a weight multiplies its weights.

Parsing and printing are inverse: `Range.parse(r.text()) == r` for every range, and equal ranges have equal texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tahur.cards.cards import COMBOS, DECK_SIZE, RANKS, cards_of, cards_text, combo_of, parse_cards
from tahur.cards.named_ranges import NAME_PATTERN, named_weights
from tahur.cards.rankings import EQUITY_ORDER, RankPair, class_names, class_of_combos, combos_in_top
from tahur.core.arrays import Float64s, Int64s
from tahur.core.errors import CardError, RangeError

if TYPE_CHECKING:
    from rich.text import Text


_ACE: Final = len(RANKS) - 1
_LONGEST_TEXT: Final = 100_000  # characters; the longest text we write ourselves is near 40,000
_LONGEST_ITEM: Final = 60  # characters
_EXAMPLES: Final = "write hands such as 22+, A5s-A2s, KQo, AsKd, A5s:0.5 or 15%"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Range:
    """A weight from 0 to 1 for each combo, as read-only arrays. `Range("22+,A5s:0.5")` parses the text."""

    vector: Float64s
    """(1326,): the weight of each combo, by its number (see `cards.combo_of`)."""
    indices: Int64s
    """The combos with a weight above 0, in rising order."""
    weights: Float64s
    """The weights of `indices`."""

    def __new__(cls, text: str) -> Range:
        return cls.parse(text)

    @classmethod
    def parse(cls, text: str) -> Range:
        """Parse a range; a `RangeError` says where the text is invalid."""
        if not isinstance(text, str):
            raise RangeError(f"a range is text such as '22+,A5s', not {type(text).__name__}")
        return _parse(text)

    @classmethod
    def from_vector(cls, vector: ArrayLike) -> Range:
        """The range with these 1,326 weights, which are copied."""
        return _born(_check_weights(vector))

    @classmethod
    def of_hand(cls, cards: str | Sequence[int]) -> Range:
        """The range of one known hand: `Range.of_hand("AsKd")`."""
        hand = parse_cards(cards) if isinstance(cards, str) else cards
        if len(hand) != 2 or hand[0] == hand[1] or not all(0 <= card < DECK_SIZE for card in hand):
            raise RangeError(f"{cards!r} is not a hand; a hand is two different cards, such as AsKd")
        vector = np.zeros(COMBOS)
        vector[combo_of(hand)] = 1.0
        return _born(vector)

    @property
    def combos(self) -> float:
        """The number of combos, weighted."""
        return math.fsum(self.weights.tolist())

    def matrix(self) -> Float64s:
        """(13, 13): the mean weight of each class; row 0 is aces, suited hands are above the diagonal."""
        by_class = self.vector[_BY_CLASS]
        means = np.add.reduceat(by_class, _CLASS_STARTS) / _CLASS_SIZES
        return np.clip(means, *_extremes(self.vector)).reshape(len(RANKS), len(RANKS))

    def hands(self) -> dict[str, float]:
        """The mean weight of each class in the range, in matrix order: `{"AA": 1.0, "A5s": 0.5}`."""
        means = self.matrix().ravel().tolist()
        return {name: mean for name, mean in zip(class_names(), means, strict=True) if mean > 0}

    def text(self) -> str:
        """The canonical text of this range: pairs, then hands by their top card, then single combos."""
        if self.vector.min() == self.vector.max() > 0:
            return "any" + _weight_text(float(self.vector[0]))
        return _range_text(_merged_runs(_even_weights(self.vector)), self.vector)

    def expansion(self) -> str:
        """Every class written out: `AA,KK,A5s:0.5`; a class with unequal weights is written by its combos."""
        return _range_text(_single_runs(_even_weights(self.vector)), self.vector)

    def __len__(self) -> int:
        return len(self.indices)

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self.vector, other.vector) if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.vector.tobytes())

    def __repr__(self) -> str:
        return f"Range({self.text()!r})"

    def __rich__(self) -> Text:
        from tahur.show.matrix import matrix_text

        return matrix_text(self.matrix())

    def _repr_html_(self) -> str:
        from tahur.show.matrix import matrix_svg

        return matrix_svg(self.matrix())

    def __reduce__(self) -> tuple[object, ...]:
        return Range.from_vector, (self.vector,)


def _check_weights(vector: ArrayLike) -> Float64s:
    """The weights as an array of 1,326 numbers from 0 to 1; anything else is an error."""
    try:
        weights = np.array(vector, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RangeError(f"a range is {COMBOS} numbers from 0 to 1; these are not numbers: {error}") from None
    if weights.shape != (COMBOS,):
        raise RangeError(f"a range is {COMBOS} weights in a row; this array has shape {weights.shape}")
    wrong = np.flatnonzero(~((weights >= 0) & (weights <= 1)))
    if len(wrong):
        combo = int(wrong[0])
        raise RangeError(f"{cards_text(cards_of(combo))} (combo {combo}) weighs {weights[combo]}; weights are 0 to 1")
    return weights + 0.0  # -0.0 becomes 0.0, so that equal ranges have equal bytes


def _born(vector: Float64s) -> Range:
    indices = np.flatnonzero(vector).astype(np.int64)
    born = object.__new__(Range)
    for name, array in (("vector", vector), ("indices", indices), ("weights", vector[indices])):
        array.setflags(write=False)
        object.__setattr__(born, name, array)
    return born


# The 169 classes as arrays: where the combos of each one are.

_CLASS_OF: Final = class_of_combos()
_BY_CLASS: Final = np.argsort(_CLASS_OF, kind="stable")
_CLASS_SIZES: Final = np.bincount(_CLASS_OF)
_CLASS_STARTS: Final = np.cumsum(_CLASS_SIZES) - _CLASS_SIZES
_COMBOS_IN: Final = np.split(_BY_CLASS, _CLASS_STARTS[1:])


def _extremes(vector: Float64s) -> tuple[Float64s, Float64s]:
    """(169,) each: the smallest and the largest weight in each class."""
    by_class = vector[_BY_CLASS]
    return np.minimum.reduceat(by_class, _CLASS_STARTS), np.maximum.reduceat(by_class, _CLASS_STARTS)


# Text to range.

_ITEM: Final = re.compile(
    rf"""(?P<hands> {NAME_PATTERN} | any\s++two(?![^\s,;:]) | [^\s,;:–-]++ (?:\s*+ [–-] \s*+ [^\s,;:–-]*+)*+ )
        (?: \s*+ : \s*+ (?P<weight>[^\s,;]*+) )?+
        | (?P<junk> [^\s,;]++ )""",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED: Final = re.compile(NAME_PATTERN, re.IGNORECASE)
_RANK: Final = "10|[2-9tjqka]"
_CLASS: Final = rf"({_RANK})({_RANK})([so]?)"
_WALK: Final = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?")
_NUMBER: Final = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_SCIENTIFIC: Final = re.compile(rf"(?:{_NUMBER.pattern})(?:e[+-]?[0-9]+)?", re.IGNORECASE)
_SAME_SIGN: Final = str.maketrans({"–": "-", "\ufe0e": None, "\ufe0f": None})
_ALL_NAMES: Final = frozenset({"any", "anytwo", "random", "*"})


@lru_cache(maxsize=256)
def _parse(text: str) -> Range:
    """The range of a text, item by item; later items override earlier ones."""
    if len(text) > _LONGEST_TEXT:
        raise RangeError(f"a range text of {len(text):,} characters; the maximum is {_LONGEST_TEXT:,}")
    vector = np.zeros(COMBOS)
    for combos, weights in _items(text).values():
        vector[combos] = weights
    return _born(vector)


def _items(text: str) -> dict[str, tuple[Int64s, float | Float64s]]:
    """The combos and weights of each item, in order; a repeated item counts at its last position."""
    items: dict[str, tuple[Int64s, float | Float64s]] = {}
    for item in _ITEM.finditer(text):
        hands = item["hands"]
        items.pop(hands, None)
        try:
            items[hands] = _parse_item(item)
        except RangeError as error:
            where = f"at position {item.start() + 1} of {_short(text)}"
            raise RangeError(f"cannot read {_short(item[0])} {where}: {error}") from None
    if not items:
        raise RangeError("an empty range; write hands such as 22+,A5s")
    return items


def _parse_item(item: re.Match[str]) -> tuple[Int64s, float | Float64s]:
    """The combos and the weights of one item of a range, such as `AKs:0.5` or `btn-open`."""
    if _NAMED.fullmatch(item["hands"] or ""):
        weights = named_weights(item["hands"])
        combos = np.flatnonzero(weights).astype(np.int64)
        return combos, weights[combos] * _weight(item["weight"])
    if item["junk"] or len(item[0]) > _LONGEST_ITEM:
        raise RangeError(f"this is not a hand; {_EXAMPLES}")
    return _parse_hands(item["hands"]), _weight(item["weight"])


def _weight(text: str | None) -> float:
    """The weight after the colon; 1 if there is none."""
    if text is None:
        return 1.0
    weight = _fraction(text) if text.endswith("%") else _plain_number(text)
    if weight is None or weight > 1:
        raise RangeError(f"{_short(text)} is not a weight; a weight is 0 to 1 or 0% to 100%, as in A5s:0.5")
    return weight


def _plain_number(text: str) -> float | None:
    return float(text) if _SCIENTIFIC.fullmatch(text) else None


def _fraction(percent: str) -> float | None:
    """`12.5%` as 0.125, rounded once."""
    number = percent[:-1]
    return float(f"{number}e-2") if _NUMBER.fullmatch(number) else None


@lru_cache(maxsize=4096)
def _parse_hands(hands: str) -> Int64s:
    """The combos of one item without its weight: `any`, `15%`, `22+`, `A2s-A5s` or `AhKh`."""
    word = "".join(hands.lower().split()).translate(_SAME_SIGN)
    if word in _ALL_NAMES:
        return _by_strength()
    if word == "none":
        return _by_strength()[:0]
    if word.endswith("%"):
        return _top(word)
    if walk := _WALK.fullmatch(word):
        return np.concatenate([_combos_of(hands) for hands in _expand_run(walk)])
    return _one_combo(word)


@cache
def _by_strength() -> Int64s:
    number = {name: index for index, name in enumerate(class_names())}
    return np.concatenate([_COMBOS_IN[number[name]] for name in EQUITY_ORDER.split()])


def _top(percent: str) -> Int64s:
    fraction = _fraction(percent)
    if fraction is None or fraction > 1:
        raise RangeError("the top of all hands is 0% to 100%, such as 15%")
    return _by_strength()[: combos_in_top(fraction)]


@cache
def _combos_of(hands: RankPair) -> Int64s:
    return np.concatenate([_COMBOS_IN[number] for number in hands.numbers()])


def _expand_run(walk: re.Match[str]) -> Iterator[RankPair]:
    first = _hands(*walk.group(1, 2, 3))
    if walk[4]:
        return _between(first, first.best())
    return _between(first, _hands(*walk.group(5, 6, 7)) if walk[5] else first)


def _hands(one: str, other: str, suits: str) -> RankPair:
    low, top = sorted((_rank(one), _rank(other)))
    if suits and low == top:
        raise RangeError(f"a pair is neither suited nor offsuit; write {RANKS[top] * 2}")
    return RankPair(top, low, suits)


def _rank(text: str) -> int:
    return RANKS.index("T" if text == "10" else text.upper())


def _between(first: RankPair, last: RankPair) -> Iterator[RankPair]:
    """From `first` to `last`, both included, by the kicker or by both ranks."""
    rise, kicker_rise = last.top - first.top, last.low - first.low
    if first.suits != last.suits or first.pair != last.pair or rise not in (0, kicker_rise):
        raise RangeError("the two ends must match, with the same top card or gap, such as A5s-A2s or T9s-65s")
    step = 1 if kicker_rise > 0 else -1
    for walked in range(0, kicker_rise + step, step):
        yield RankPair(first.top + (walked if rise else 0), first.low + walked, first.suits)


def _one_combo(text: str) -> Int64s:
    """The combo of two cards: `AsKd`."""
    try:
        cards = parse_cards(text)
    except CardError:
        raise RangeError(f"this is not a hand; {_EXAMPLES}") from None
    if len(cards) != 2:
        raise RangeError(f"a hand is two cards, such as AsKd, and this is {len(cards)}")
    return np.array([combo_of(cards)])


def _short(text: str, most: int = 40) -> str:
    return repr(text if len(text) <= most else text[: most - 1] + "…")


# Range to text.

_PAIRS: Final = [RankPair(rank, rank, "") for rank in range(_ACE, -1, -1)]


class _WeightRun(NamedTuple):
    """Neighbouring hands with the same weight, the best first."""

    first: RankPair
    last: RankPair
    weight: float

    def bare(self) -> _WeightRun:
        return _WeightRun(self.first._replace(suits=""), self.last._replace(suits=""), self.weight)

    def text(self) -> str:
        if self.first == self.last:
            return self.first.name + _weight_text(self.weight)
        open_ended = self.last.best() == self.first
        name = f"{self.last.name}+" if open_ended else f"{self.first.name}-{self.last.name}"
        return name + _weight_text(self.weight)


def _weight_text(weight: float) -> str:
    return "" if weight == 1 else f":{weight!r}"


def _range_text(runs: Iterator[_WeightRun], vector: Float64s) -> str:
    return ",".join([*(run.text() for run in runs), *_uneven_combos(vector)]) or "none"


def _even_weights(vector: Float64s) -> list[float]:
    """(169,): the weight that all combos of a class share, 0 for a class that must be written by combo."""
    least, greatest = _extremes(vector)
    weights: list[float] = np.where(least == greatest, least, 0.0).tolist()
    return weights


def _uneven_combos(vector: Float64s) -> Iterator[str]:
    least, greatest = _extremes(vector)
    combos = np.flatnonzero((least != greatest)[_CLASS_OF] & (vector > 0))
    for combo in combos[::-1].tolist():
        yield cards_text(cards_of(combo)) + _weight_text(float(vector[combo]))


def _row_of(top: int, suits: str) -> list[RankPair]:
    return [RankPair(top, low, suits) for low in range(top - 1, -1, -1)]


def _single_runs(even: list[float]) -> Iterator[_WeightRun]:
    rows = [_PAIRS, *(_row_of(top, suits) for top in range(_ACE, 0, -1) for suits in "so")]
    return (
        _WeightRun(hands, hands, _weight_of(hands, even)) for row in rows for hands in row if _weight_of(hands, even)
    )


def _weight_of(hands: RankPair, even: list[float]) -> float:
    return even[hands.numbers()[0]]


def _merged_runs(even: list[float]) -> Iterator[_WeightRun]:
    runs = _runs(_PAIRS, even)
    for top in range(_ACE, 0, -1):
        runs += _bare_first(_runs(_row_of(top, "s"), even), _runs(_row_of(top, "o"), even))
    return _merge_steps(runs)


def _runs(row: list[RankPair], even: list[float]) -> list[_WeightRun]:
    groups = [(weight, list(group)) for weight, group in groupby(row, lambda hands: _weight_of(hands, even))]
    return [_WeightRun(group[0], group[-1], weight) for weight, group in groups if weight]


def _bare_first(suited: list[_WeightRun], offsuit: list[_WeightRun]) -> list[_WeightRun]:
    """A run that occurs both suited and offsuit is written once, without either letter."""
    both = [run.bare() for run in suited if run.bare() in {run.bare() for run in offsuit}]
    return both + [run for run in suited + offsuit if run.bare() not in both]


def _merge_steps(runs: list[_WeightRun]) -> Iterator[_WeightRun]:
    """Three or more single hands that step down by both ranks become one run: `T9s,98s,87s` is `T9s-87s`."""
    lone = {run for run in runs if run.first == run.last}
    written: set[_WeightRun] = set()
    for run in runs:
        if run in written:
            continue
        ladder = list(_ladder(run, lone))
        if len(ladder) < 3:
            yield run
        else:
            written.update(ladder)
            yield _WeightRun(run.first, ladder[-1].last, run.weight)


def _ladder(run: _WeightRun, lone: set[_WeightRun]) -> Iterator[_WeightRun]:
    while run in lone:
        yield run
        below = RankPair(run.first.top - 1, run.first.low - 1, run.first.suits)
        run = _WeightRun(below, below, run.weight)
