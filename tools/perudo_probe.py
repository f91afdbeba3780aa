"""The effect of the eight figures of a personality: the same situations for minds that differ in one figure alone.

Situations are collected from matches between average minds. Each is given to a mind with a low figure and to one with a
high figure, with the same randomness, and the difference in each situation is recorded: its mean, and its standard
error over the situations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from math import log2, sqrt
from typing import Any

import numpy as np

from tahur.arena.match import run
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.perudo.bids import (
    CALZA,
    DUDO,
    FIRST_BID,
    count_of,
    face_of,
    increment,
    is_squeezing,
    is_supported,
    ratio_of,
)
from tahur.games.perudo.game import perudo
from tahur.players.perudo.memory import Memory, OpponentMemory
from tahur.players.perudo.personalities import Personality
from tahur.players.perudo.player import PerudoMind
from tahur.players.perudo.situation import situation_of
from tahur.players.perudo.utility import MindOption, Tactic

MIDDLE = Personality("middle", dudo=0.7, bluff=0.3, unpredictability=0.3)
LOW, HIGH = 0.05, 0.95
SEATS = 4
DRAWN = 24  # repetitions of a situation to see how a mind's choices vary

BLUFFER = OpponentMemory(bids=40, finals=20, bluffs=18, faces=[0, 0, 0, 40, 0, 0, 0])  # threes, and then something else
HONEST = OpponentMemory(bids=40, finals=20, bluffs=2, faces=[0, 0, 8, 8, 8, 8, 8])

Measure = Callable[[Personality, View, int], float | None]  # the last is a seed; None: the situation is not informative


@dataclass(frozen=True, slots=True)
class Direction:
    """A figure, the statistic that it affects, and whether it increases it."""

    figure: str
    statistic: str
    rises: bool
    measure: Measure
    suits: Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Moved:
    """The statistic at the low figure and at the high one, their difference and its standard error."""

    direction: Direction
    situations: int
    low: float
    high: float
    error: float

    @property
    def change(self) -> float:
        return self.high - self.low

    @property
    def errors(self) -> float:
        """By how many standard errors it moved in the expected direction."""
        return self.change / self.error * (1 if self.direction.rises else -1) if self.error else 0.0


class _Watcher:
    """An average mind that records its views."""

    def __init__(self, seen: list[View]) -> None:
        self._mind = PerudoMind(MIDDLE)
        self._seen = seen

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self._mind.begin(view, rng)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self._seen.append(view)
        return self._mind.act(view, rng)

    def learn(self, seen: Seen) -> None:
        self._mind.learn(seen)


def situations(count: int, seed: int = 1) -> list[View]:
    """This many turns of matches between average minds."""
    seen: list[View] = []
    names = [f"seat {seat}" for seat in range(SEATS)]
    while len(seen) < count:
        players = [_Watcher(seen) for _ in range(SEATS)]
        for _ in run(perudo(seats=SEATS), players, seed=seed, names=names):
            pass
        seed += 1
    return seen[:count]


def moved(direction: Direction, views: Sequence[View]) -> Moved:
    """The effect of the figure in these situations, without uninformative ones."""
    minds = [replace(MIDDLE, **{direction.figure: figure}) for figure in (LOW, HIGH)]
    pairs = []
    for seed, view in enumerate(views):
        if direction.suits(view):
            low, high = (direction.measure(mind, view, seed) for mind in minds)
            if low is not None and high is not None:
                pairs.append((low, high))
    both = np.array(pairs)
    differences = both[:, 1] - both[:, 0]
    error = float(differences.std(ddof=1)) / sqrt(len(both))
    return Moved(direction, len(both), *map(float, both.mean(axis=0)), error)


# ---- statistics of one situation -----------------------------------------------------------------


def choice(mind: Personality, view: View, seed: int, known: OpponentMemory | None = None) -> Decision:
    """Its decision, with its own memory or with this knowledge of everyone."""
    memory = Memory({} if known is None else {name: deepcopy(known) for name in view.names})
    return PerudoMind(mind, memory).act(view, np.random.default_rng(seed))


def best_bid(mind: Personality, view: View, seed: int) -> MindOption | None:
    """The bid it makes, or would make if it did not call."""
    options = PerudoMind(mind).options(view, situation_of(view), np.random.default_rng(seed))
    return next((option for option in options if option.action >= FIRST_BID), None)


def dudo(mind: Personality, view: View, seed: int) -> float:
    return float(choice(mind, view, seed).action == DUDO)


def calza(mind: Personality, view: View, seed: int) -> float:
    return float(choice(mind, view, seed).action == CALZA)


def unsupported(mind: Personality, view: View, seed: int) -> float | None:
    bid = best_bid(mind, view, seed)
    if bid is None:
        return None
    return float(not is_supported(situation_of(view).matches[face_of(bid.action)], count_of(bid.action)))


def jump(mind: Personality, view: View, seed: int) -> float | None:
    bid = best_bid(mind, view, seed)
    return None if bid is None else float(increment(view.table.history[-1], bid.action, view.table.wild))


def success(mind: Personality, view: View, seed: int) -> float | None:
    bid = best_bid(mind, view, seed)
    return None if bid is None else bid.probability


def suspicion(mind: Personality, view: View, seed: int) -> float:
    """Dudo at a known bluffer minus dudo at an honest seat."""
    doubts = [choice(mind, view, seed, known).action == DUDO for known in (BLUFFER, HONEST)]
    return float(doubts[0]) - float(doubts[1])


def entropy(mind: Personality, view: View, seed: int) -> float:
    """The entropy of its choices in one situation, in bits."""
    said = Counter(choice(mind, view, DRAWN * seed + draw).action for draw in range(DRAWN))
    return -sum(times / DRAWN * log2(times / DRAWN) for times in said.values())


def squeezes(mind: Personality, view: View, seed: int) -> float | None:
    bid = best_bid(mind, view, seed)
    return None if bid is None else float(bid.tactic is Tactic.SQUEEZE)


# ---- informative situations ---------------------------------------------------------------------


def _answers(view: View) -> bool:
    return bool(view.table.history)


def _raises(view: View) -> bool:
    return bool(view.table.history) and view.table.wild


def _bids(view: View) -> bool:
    return bool(view.table.wild)


def _squeezes(view: View) -> bool:
    table: Any = view.table
    if not table.history or not table.wild:
        return False
    return is_squeezing(ratio_of(table.history[-1], table.round.total, wild=True), situation_of(view).next_dice)


DIRECTIONS = (
    Direction("dudo", "dudos", False, dudo, _answers),
    Direction("calza", "calzas", True, calza, _answers),
    Direction("bluff", "unsupported bids", True, unsupported, _bids),
    Direction("aggression", "dice that a raise goes up", True, jump, _raises),
    Direction("risk", "success of the bid it makes", False, success, _bids),
    Direction("adaptability", "dudos at a bluffer less those at an honest seat", True, suspicion, _answers),
    Direction("unpredictability", "variety of choices in one situation, bits", True, entropy, _bids),
    Direction("positional", "squeezes where they bite", True, squeezes, _squeezes),
)
