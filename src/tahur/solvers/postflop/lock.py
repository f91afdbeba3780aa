"""Locks: prescribed strategies of a seat at a decision. The rest of the tree is solved around them.

    check,bet100: fold=70%                       the solved strategy, shifted until 70 % fold: see shifting.py
    check: bet100=30%, check=50%                 moves that are not named share the rest
    check,check turn=2c: bet100=1 @AKs,QQ+       on one turn card, with some hands; without a card, on all of them
    flat: check,bet100: fold=70%                 every hand alike; moves that are not named share the rest equally

A later lock overrides an earlier one for hands in both. A lock that distinguishes suits (a card, or `AhKh` without its
counterparts in other suits) disables the suit isomorphisms that it breaks, so that exactly the given lock is solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, Card, parse_cards
from tahur.cards.equity.tables import combos
from tahur.cards.flops import RELABELINGS
from tahur.cards.ranges import Range
from tahur.core.errors import SolverError

_WRITE = (
    "write it as 'check,bet100 turn=2c: call=60%, fold=40% @AKs,QQ+'; cards and hands are optional, and 'flat: ' "
    "before it gives every hand the same frequencies"
)
_FLAT = "flat:"
_SLACK = 1e-6  # tolerance for frequencies adding up to 1


@dataclass(frozen=True, slots=True)
class Lock:
    """At the decision after `line`, `hands` (None: all) make moves with given frequencies. `lock(...)` parses text.

    Frequencies are averages over the hands, which keep their relative order; with `flat`, they hold for each hand.
    """

    line: str
    strategy: tuple[tuple[str, float], ...]  # names of moves, from 0 to 1
    hands: Range | None = None
    turn: Card | None = None
    river: Card | None = None
    flat: bool = False

    def __post_init__(self) -> None:
        if not self.strategy:
            raise SolverError(f"the lock after '{self.line}' names no move; add a frequency, such as bet=30%")
        for name, frequency in self.strategy:
            if not (isfinite(frequency) and 0 <= frequency <= 1):
                raise SolverError(f"the lock {name}={frequency} is out of range; frequencies are 0 to 1, or 0% to 100%")
        if sum(frequency for _, frequency in self.strategy) > 1 + _SLACK:
            raise SolverError(f"the lock '{self}' adds up to more than 1; frequencies add up to 1")

    @property
    def mask(self) -> NDArray[np.bool_]:
        """(1326,) the combos that are locked."""
        return np.ones(COMBOS, np.bool_) if self.hands is None else self.hands.vector > 0

    def __str__(self) -> str:
        """Text that `parse_lock` reads back."""
        cards = [f"{name}={card}" for name, card in (("turn", self.turn), ("river", self.river)) if card is not None]
        moves = ", ".join(f"{name}={frequency!r}" for name, frequency in self.strategy)
        hands = "" if self.hands is None else f" @{self.hands.text()}"
        return f"{f'{_FLAT} ' if self.flat else ''}{' '.join([self.line, *cards])}: {moves}{hands}"


def lock(
    line: str, strategy: Mapping[str, float], *, hands: str | None = None, turn: str | None = None,
    river: str | None = None, flat: bool = False,
) -> Lock:  # fmt: skip
    """A lock from text: `lock("check", {"bet100": 0.3}, hands="AKs", turn="2c")`; flat: for each hand, not on
    average."""
    held = None if hands is None else Range.parse(hands)
    words = ",".join(word.strip() for word in line.split(",") if word.strip())
    return Lock(
        line=words,
        strategy=tuple(strategy.items()),
        hands=held,
        turn=_card("turn", turn),
        river=_card("river", river),
        flat=flat,
    )


def parse_lock(text: str) -> Lock:
    """The lock that a text describes."""
    flat = text.strip().lower().startswith(_FLAT)
    before, at, hands = text.strip()[len(_FLAT) if flat else 0 :].partition("@")
    where, colon, moves = before.partition(":")
    if not colon or (at and not hands.strip()):
        raise SolverError(f"the lock '{text}' cannot be read; {_WRITE}")
    line: list[str] = []
    cards: dict[str, str] = {}
    for word in where.split():
        name, equals, card = word.partition("=")
        if equals and name not in ("turn", "river"):
            raise SolverError(f"the lock '{text}' has '{word}' before its colon; {_WRITE}")
        line.append("" if equals else word)
        cards |= {name: card} if equals else {}
    strategy = dict(_frequency(text, item) for item in moves.split(",") if item.strip())
    return lock("".join(line), strategy, hands=hands.strip() if at else None, flat=flat, **cards)


def _frequency(text: str, item: str) -> tuple[str, float]:
    name, _, number = item.strip().partition("=")
    try:
        frequency = float(number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
    except ValueError:
        raise SolverError(f"the lock '{text}' has '{item.strip()}' instead of MOVE=FREQUENCY; {_WRITE}") from None
    return name.strip(), frequency


def _card(name: str, text: str | None) -> Card | None:
    if text is None:
        return None
    cards = parse_cards(text)
    if len(cards) != 1:
        raise SolverError(f"the lock's {name} '{text}' is not a single card, such as 2c")
    return cards[0]


def kept_by(locks: Sequence[Lock], relabeling: int) -> bool:
    """Whether the locks are unchanged by a relabeling of suits."""
    suits = RELABELINGS[relabeling]
    cards = [card for lock in locks for card in (lock.turn, lock.river) if card is not None]
    if any(suits[card & 3] != card & 3 for card in cards):
        return False
    image = combos().image[relabeling]
    return all(np.array_equal(ids[image], ids) for ids in _lock_ids(locks))


def _lock_ids(locks: Sequence[Lock]) -> list[NDArray[np.int64]]:
    """For each locked decision (1326,): numbers that are equal where combos have the same lock."""
    strategies = list(dict.fromkeys((lock.strategy, lock.flat) for lock in locks))
    groups: dict[object, NDArray[np.int64]] = {}
    for lock in locks:
        ids = groups.setdefault((lock.line, lock.turn, lock.river), np.full(COMBOS, -1, np.int64))
        ids[lock.mask] = strategies.index((lock.strategy, lock.flat))
    return list(groups.values())
