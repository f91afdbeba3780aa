"""Exact evaluation of any policy for Flop Hold'em: best responses to it, or its result against another policy.

A policy is queried for one flop at a time, and everything about that flop is computed before the next: memory does not
grow with the game. All 1,755 classes of flops are used: with only some of them a best response would learn which flops
occur, and the result would be far too high.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_text
from tahur.cards.flops import Flop, hand_classes
from tahur.core.arrays import Array, Float32s, Float64s
from tahur.core.errors import StrategyError
from tahur.games.betting import SLOTS
from tahur.solvers.limit.deck import FULL
from tahur.solvers.limit.engine import BEST, VALUE, LimitLayout, PreflopWalk, Walker
from tahur.solvers.limit.flow import LANES
from tahur.solvers.response import Measure
from tahur.solvers.rows import aligned

SLACK: Final = 1e-3  # tolerance of sums of probabilities, and of differences between isomorphic hands


class FlopPolicy(Protocol):
    """Known action probabilities for every hand at every decision of Flop Hold'em.

    Decisions are numbered by `betting_of(game)`: `preflop()` has a row for each of `of_street(0)`, `flop(cards)` one
    for each of `of_street(1)`, in that order, for both seats. Hands are the 1,326 combos of `tahur.cards`, slots are
    fold, call, raise.

    Requirements:
    - illegal slots are 0, the others are non-negative and add up to 1;
    - rows of hands that share a card with the flop may have any finite values: they are not used;
    - suits are interchangeable: relabeling them in the hand and the flop changes nothing. Only the lowest flop of
      each of the 1,755 classes is queried (`suits.canonical((), flop)`), once per evaluation, in ascending order;
    - besides `flop`, a policy may have `classes(cards)`, by classes of hands, or `book(layout, number)`, a flop's
      part of a book as the kernels read it, with sums in the proportions that are played;
    - it is the *average* policy, a behaviour strategy: actions must not depend on what was drawn before. An average
      over several nets is weighted by the own reach of each, which the implementation computes from its own
      answers.
    """

    def preflop(self) -> Float32s:
        """(decisions before the flop, 1326, 3)"""
        ...

    def flop(self, cards: tuple[int, int, int]) -> Float32s:
        """(decisions on the flop, 1326, 3), the three cards ascending."""
        ...


@dataclass(frozen=True, slots=True)
class HeadsUpResult:
    """What the first policy wins per deal, in chips, in seat 0, in seat 1 and on average over both."""

    as_first: float
    as_second: float

    @property
    def mean(self) -> float:
        return (self.as_first + self.as_second) / 2


def measure_policy(layout: LimitLayout, policy: FlopPolicy) -> Generator[float, None, Measure]:
    """Best responses to a policy and its value; yields its progress, from 0 to 1."""
    walks = [_PolicyWalk(0, BEST, 0, 0), _PolicyWalk(1, BEST, 0, 0), _PolicyWalk(0, VALUE, 0, 0)]
    first, second, value = yield from _walk_flops(layout, (policy,), walks)
    return Measure((first, second), value)


def measure_match(layout: LimitLayout, policy: FlopPolicy, other: FlopPolicy) -> Generator[float, None, HeadsUpResult]:
    """The exact result of one policy against another, over all hands and flops and both seats."""
    walks = [_PolicyWalk(0, VALUE, 1, 0), _PolicyWalk(1, VALUE, 1, 0)]
    first, second = yield from _walk_flops(layout, (policy, other), walks)
    return HeadsUpResult(first, second)


@dataclass(frozen=True, slots=True)
class _PolicyWalk:
    """The walking seat, the mode, and the books that the other seat and this one play."""

    me: int
    mode: int
    theirs: int
    mine: int


def _walk_flops(
    layout: LimitLayout, policies: Sequence[FlopPolicy], walks: Sequence[_PolicyWalk]
) -> Generator[float, None, list[float]]:
    """Walk the given pairs of policies over all flops, and yield the share done."""

    from tahur.solvers.limit.kernels.flops import traverse

    walker, deck = Walker(layout), layout.deck
    books = [start_of(layout, policy) for policy in policies]
    starts = [PreflopWalk(layout, walk.me, books[walk.theirs]) for walk in walks]
    befores = [start.before() for start in starts]
    outs = np.zeros((len(walks), deck.classes * LANES))
    places, weights, work = np.zeros(len(deck.boards), np.int64), np.zeros(3), walker.work
    for number in range(len(deck.boards)):
        parts = [_flop_of(layout, policy, number) for policy in policies]
        for walk, before, out in zip(walks, befores, outs, strict=True):
            theirs, mine = parts[walk.theirs], parts[walk.mine]
            traverse(
                deck.flops, layout.flows[walk.me], number, number + 1, walk.mode, theirs, mine, theirs, places,
                weights, before, work, out,
            )  # fmt: skip
        yield (number + 1) / len(deck.boards)
    return [
        walker.mean(start.back(walk.mode, books[walk.mine], walker.of_hands(out), weights))
        for walk, start, out in zip(walks, starts, outs, strict=True)
    ]


def start_of(layout: LimitLayout, policy: FlopPolicy) -> Float64s:
    """(decisions, classes, 3) the preflop part of a policy."""
    given, deck = np.asarray(policy.preflop()), layout.deck
    _check_shape(given, layout.flop.first, "before the flop")
    _check_suits(given[:, deck.hands], given[:, deck.firsts[deck.class_of[deck.hands]]], "before the flop")
    chances = given[:, deck.firsts].astype(np.float64)
    _check_chances(chances, layout.flop.betting.legal[: layout.flop.first], "before the flop")
    return chances


def _flop_of(layout: LimitLayout, policy: FlopPolicy, number: int) -> Float32s:
    """One flop's part of a book; a policy with a `book` method provides it directly."""
    flop, deck = layout.flop, layout.deck
    by_book = getattr(policy, "book", None)
    if by_book is not None:
        return np.asarray(by_book(layout, number), np.float32)
    cards = (int(deck.boards[number, 0]), int(deck.boards[number, 1]), int(deck.boards[number, 2]))
    chances = _classes_of(layout, policy, number, cards)
    _check_chances(chances, flop.betting.legal[flop.first : flop.first + flop.decisions], f"on {cards_text(cards)}")
    flat: Float32s = aligned(2 * flop.data_rows * chances.shape[2] * LANES)
    rows = flat.reshape(2, flop.data_rows, -1, LANES)
    for decision, slot in _moves(layout):
        rows[flop.seat(decision), flop.rows[decision, slot], :, : flop.lines] = chances[:, decision, :, slot].T
    return flat


def _classes_of(layout: LimitLayout, policy: FlopPolicy, number: int, cards: Flop) -> Array:
    """(lines, decisions of a line, classes of hands, 3); a policy with a `classes` method provides it directly."""
    flop, deck = layout.flop, layout.deck
    firsts = deck.combos[deck.flops.start[number] : deck.flops.start[number + 1]]
    by_class = getattr(policy, "classes", None)
    if by_class is not None and deck.cards == FULL:
        return np.asarray(by_class(cards)[:, :, hand_classes(cards).member[firsts]])
    chances = np.asarray(policy.flop(cards))
    _check_shape(chances, flop.lines * flop.decisions, f"on {cards_text(cards)}")
    open_ = np.flatnonzero(deck.members[number] >= 0)
    _check_suits(chances[:, open_], chances[:, firsts[deck.members[number][open_]]], f"on {cards_text(cards)}")
    return chances[:, firsts].reshape(flop.lines, flop.decisions, -1, len(SLOTS))


def _moves(layout: LimitLayout) -> Iterator[tuple[int, int]]:
    for decision in range(layout.flop.decisions):
        for slot in layout.flop.moves(decision):
            yield decision, slot


def _check_shape(chances: Array, decisions: int, where: str) -> None:
    if chances.shape != (decisions, COMBOS, len(SLOTS)):
        raise StrategyError(
            f"a policy of shape {chances.shape} {where}; ({decisions}, {COMBOS}, {len(SLOTS)}) is needed"
        )


def _check_suits(chances: Array, first: Array, where: str) -> None:
    """Isomorphic hands must be played alike, since one flop represents many."""
    if not np.abs(chances - first).max(initial=0.0) <= SLACK:  # so that NaN is rejected too
        raise StrategyError(f"the policy distinguishes suits {where}; isomorphic hands must be played alike")


def _check_chances(chances: Array, legal: NDArray[np.bool_], where: str) -> None:
    """chances: (..., decisions, hands, 3), legal: (decisions, 3). Sums are per slot, for speed: it runs on every
    flop."""
    total = chances[..., 0] + chances[..., 1] + chances[..., 2]
    stray = any(chances[..., decision, :, slot].any() for decision, slot in np.argwhere(~legal))
    if stray or not (chances.min() >= 0 and np.abs(total - 1).max() <= SLACK):  # so that NaN is rejected
        raise StrategyError(f"the policy's numbers {where} are not probabilities of the legal actions")
