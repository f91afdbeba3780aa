"""Flops and hands up to suit isomorphism: the classes, their sizes, and which hand beats which.

The full deck has 1,755 classes of flops, 169 of hands and 1,286,792 of hands on a flop. Smaller decks, for tests, are
arbitrary sets of cards; suits are exchanged only where that leaves the deck unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE, cards_text
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate_many
from tahur.core.arrays import Int64s
from tahur.core.errors import SolverError
from tahur.solvers.limit.tables import FlopClasses

FULL: Final = tuple(range(DECK_SIZE))
LEAST: Final = 7  # cards: two hands and a flop


@dataclass(frozen=True, eq=False)
class Deck:
    """The cards of the deck, and all tables about them that do not change while solving."""

    cards: tuple[int, ...]
    hands: Int64s  # (hands,) the combos of the deck
    class_of: Int64s  # (1326,) the class of each combo before the flop, -1 if not in the deck
    sizes: Int64s  # (classes,) combos of each class
    firsts: Int64s  # (classes,) the lowest combo of each
    apart: NDArray[np.float64]  # (classes, classes) for a hand of the row, how many of the column share no card with it
    boards: Int64s  # (flops, 3) the lowest flop of each class
    combos: Int64s  # (hands of flops,) the lowest combo of each class of hands, in the order of `flops`
    members: tuple[Int64s, ...]  # for each flop: (1326,) the class of each combo on that flop, -1 for none
    flops: FlopClasses

    @property
    def classes(self) -> int:
        return len(self.sizes)

    @property
    def pairs(self) -> int:
        """The number of hands that the other seat can have for each of mine."""
        left = len(self.cards) - 2
        return left * (left - 1) // 2

    @property
    def boards_left(self) -> int:
        """The number of flops that two hands leave possible."""
        left = len(self.cards) - 4
        return left * (left - 1) * (left - 2) // 6

    def number_of(self, board: tuple[int, ...]) -> int:
        """The index of a flop, which must be the lowest of its class."""
        matching = np.flatnonzero((self.boards == sorted(board)).all(axis=1))
        if len(matching) != 1:
            raise SolverError(f"{cards_text(board)} is not the lowest flop of its class")
        return int(matching[0])


@lru_cache(maxsize=2)
def deck_of(cards: tuple[int, ...] = FULL, flops: int = 0) -> Deck:
    """The deck of these cards; with `flops`, only that many classes of flops, evenly spread, represent all of them."""
    if len(cards) < LEAST:
        raise SolverError(f"a deck of {len(cards)} cards; two hands and a flop need at least {LEAST}")
    known = combos()
    inside = np.isin(np.arange(DECK_SIZE), cards)
    names = _names(inside)
    hands = np.flatnonzero(inside[known.cards].all(axis=1))
    least = known.image[names][:, hands].min(axis=0)
    firsts, which, sizes = np.unique(least, return_inverse=True, return_counts=True)
    class_of = np.full(len(known.cards), -1)
    class_of[hands] = which
    boards, weights = _subset(*_boards(cards, known.suits[names]), flops)
    grouped = [_Group.of(board, hands, names) for board in boards]
    strengths = np.split(_strengths(boards, grouped), np.cumsum([len(classes.firsts) for classes in grouped])[:-1])
    parts = [_Part.of(classes, strength, class_of) for classes, strength in zip(grouped, strengths, strict=True)]
    return Deck(
        cards=cards,
        hands=hands,
        class_of=class_of,
        sizes=sizes,
        firsts=firsts,
        apart=_apart(firsts, hands, which),
        boards=boards,
        combos=np.concatenate([part.firsts for part in parts]),
        members=tuple(part.member for part in parts),
        flops=_flops(parts, weights),
    )


def _names(inside: NDArray[np.bool_]) -> Int64s:
    """The suit relabelings that leave the deck unchanged."""
    suited = inside.reshape(-1, 4)
    return np.array([name for name, suits in enumerate(combos().suits) if (suited[:, suits] == suited).all()])


def _boards(cards: tuple[int, ...], suits: Int64s) -> tuple[Int64s, Int64s]:
    """The lowest flop of each class, and how many it represents."""
    every = np.array(list(combinations(cards, 3)))
    moved = np.sort(every // 4 * 4 + suits[:, every % 4], axis=2)  # (names, flops, 3)
    numbers = (moved * np.array([DECK_SIZE**2, DECK_SIZE, 1])).sum(axis=2).min(axis=0)
    least, weights = np.unique(numbers, return_counts=True)
    return np.stack([least // DECK_SIZE**2, least // DECK_SIZE % DECK_SIZE, least % DECK_SIZE], axis=1), weights


def _subset(boards: Int64s, weights: Int64s, flops: int) -> tuple[Int64s, NDArray[np.float64]]:
    """This many of them, representing as many flops as all do; all of them if `flops` is 0."""
    if not 0 < flops < len(boards):
        return boards, weights.astype(np.float64)
    chosen = (2 * np.arange(flops) + 1) * len(boards) // (2 * flops)
    return boards[chosen], weights[chosen] * (weights.sum() / weights[chosen].sum())


def _apart(firsts: Int64s, hands: Int64s, which: Int64s) -> NDArray[np.float64]:
    mask = combos().mask
    free = (mask[firsts][:, None] & mask[hands][None, :]) == 0
    counts = np.zeros((len(firsts), len(firsts)))
    for column in range(len(firsts)):
        counts[:, column] = free[:, which == column].sum(axis=1)
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """The classes of hands on one flop, by their lowest combos."""

    open: Int64s  # the combos without any of its cards
    which: Int64s  # the class of each
    firsts: Int64s
    many: Int64s
    orbit_of: Int64s  # (52,) the orbit of each card
    orbit_sizes: Int64s

    @classmethod
    def of(cls, cards: Int64s, hands: Int64s, names: Int64s) -> _Group:
        known = combos()
        moved = np.sort(cards // 4 * 4 + known.suits[names][:, cards % 4], axis=1)
        keep = names[(moved == cards).all(axis=1)]  # the relabelings that leave the flop unchanged
        open_ = hands[known.mask[hands] & (1 << cards).sum() == 0]
        least = known.image[keep[:, None], open_].min(axis=0)
        firsts, which, many = np.unique(least, return_inverse=True, return_counts=True)
        return cls(open_, which, firsts, many, *_orbits(np.unique(known.cards[open_]), known.suits[keep]))


def _strengths(boards: Int64s, groups: list[_Group]) -> Int64s:
    """The strengths of all classes on all flops."""
    sizes = [len(group.firsts) for group in groups]
    hands = combos().cards[np.concatenate([group.firsts for group in groups])]
    return np.asarray(evaluate_many(np.hstack([hands, np.repeat(boards, sizes, axis=0)]).astype(np.uint8)), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The hands of one flop, weakest first."""

    firsts: Int64s
    member: Int64s
    many: Int64s
    tied: Int64s
    orbits: Int64s  # (hands, 2)
    orbit_sizes: Int64s
    start_class: Int64s

    @classmethod
    def of(cls, group: _Group, strengths: Int64s, class_of: Int64s) -> _Part:
        """Sort the hands of a group by strength. `class_of`: the class of each combo."""
        order = np.argsort(strengths, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        member = np.full(len(class_of), -1)
        member[group.open] = place[group.which]
        sorted_, firsts = strengths[order], group.firsts[order]
        tied = np.searchsorted(sorted_, sorted_, side="right")
        orbits = group.orbit_of[combos().cards[firsts]]
        return cls(firsts, member, group.many[order], tied, orbits, group.orbit_sizes, class_of[firsts])


def _orbits(cards: Int64s, suits: Int64s) -> tuple[Int64s, Int64s]:
    """The orbit of each card of the deck, and the number of cards in each orbit."""
    least = (cards // 4 * 4 + suits[:, cards % 4]).min(axis=0)
    _, which, sizes = np.unique(least, return_inverse=True, return_counts=True)
    orbit_of = np.full(DECK_SIZE, -1)
    orbit_of[cards] = which
    return orbit_of, sizes


def _flops(parts: list[_Part], weights: NDArray[Any]) -> FlopClasses:
    """The parts of all flops, joined to flat arrays."""

    def flat(name: str, kind: Any) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts]).astype(kind)

    share = np.zeros((len(parts), DECK_SIZE), np.float32)
    for flop, part in enumerate(parts):
        share[flop, : len(part.orbit_sizes)] = 1 / part.orbit_sizes
    orbits = flat("orbits", np.uint8)
    return FlopClasses(
        start=np.concatenate([[0], np.cumsum([len(part.firsts) for part in parts])]).astype(np.int64),
        weight=weights.astype(np.float64),
        orbits=np.array([len(part.orbit_sizes) for part in parts], np.int64),
        share=share,
        low_orbit=np.ascontiguousarray(orbits[:, 0]),
        high_orbit=np.ascontiguousarray(orbits[:, 1]),
        many=flat("many", np.float32),
        tied=flat("tied", np.int32),
        start_class=flat("start_class", np.uint8),
    )
