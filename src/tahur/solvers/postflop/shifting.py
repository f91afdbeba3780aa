"""Frequency locks: the solved strategy of a decision, shifted until its moves are made as often as they were told.

The hands keep their order. Move a has a shift s_a, the same for all hands and cards, and is made by hand h with

    p_a(h) ~ exp(s_a) max(solved_a(h) exp(-max(0, gap_a(h) - SLACK)), FLOOR exp(-gap_a(h)))

where gap_a(h) is what the move earns less than the hand's best one, in units of `TEMPERATURE` pots. So hands that mix
move first, then those that lose little by it. With shifts of 0 nothing changes but that clearly worse moves go, which a
solution only makes because it was not solved to the end. The shifts that lead to the frequencies are found by
bisection. Frequencies are those of the hands that come to the decision in the solution that is shifted, over all cards
that the lock holds on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import Card
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.postflop.boards import Board, dealt
from tahur.solvers.postflop.line import BoardNode, met, node_at, strategy_at, walk
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.locking import HandLock, Target, boards_with, decision_of, no_base, target_of
from tahur.solvers.postflop.results import move_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import STREETS, Spot
from tahur.solvers.postflop.tree import Move

TEMPERATURE: Final = 0.005  # pots: hands this close to indifferent move together
SLACK: Final = 2.0  # temperatures that a move may lose and still be part of the solution
FLOOR: Final = 1e-4  # of a move that the hand never makes and loses nothing by
CLOSE: Final = 1e-5  # by which a frequency may miss its target
_SWEEPS: Final = 100
_HALVINGS: Final = 48


@dataclass(frozen=True, slots=True, eq=False)
class LockedHands:
    """All hands that a lock holds for: (moves, hands) what they do and lose by it, and (hands,) how likely each is."""

    strategy: Float64s
    gaps: Float64s
    weights: Float64s


class Kept:
    """A lock that the solution obeyed already: its strategy there."""

    def __init__(self, base: PostflopSolution, lock: Lock) -> None:
        self._base, self._lock = base, lock

    def strategy(self, cards: Sequence[int]) -> Float64s:
        return strategy_at(self._base.engine, _place(self._base, self._lock, cards))


class Shift:
    """A lock that shifts what a solution does at its decision."""

    def __init__(self, base: PostflopSolution, lock: Lock, boards: Sequence[tuple[Board, int]]) -> None:
        """`boards`: those that the lock holds on, and how many each stands for."""
        self._base, self._lock = base, lock
        node = decision_of(base.spot, lock)
        self.moves: tuple[Move, ...] = node.moves
        self.target: Target = target_of(lock, node.moves)
        self._hands: dict[tuple[int, ...], LockedHands] = {}
        parts = [self._on(board.cards, count) for board, count in boards]
        held = [part.weights * lock.mask > 0 for part in parts]
        self._all = LockedHands(
            np.concatenate([part.strategy[:, some] for part, some in zip(parts, held, strict=True)], axis=1),
            np.concatenate([part.gaps[:, some] for part, some in zip(parts, held, strict=True)], axis=1),
            np.concatenate([part.weights[some] for part, some in zip(parts, held, strict=True)]),
        )

    @property
    def before(self) -> dict[Move, float]:
        """How often the moves that the lock names were made."""
        return frequencies_of(self._base, self._lock)

    @property
    def wanted(self) -> dict[Move, float]:
        """How often the lock wants them."""
        often = self.target.often[self.target.groups]
        return {move: float(often[at]) for at, move in enumerate(self.moves) if self.target.is_named[at]}

    def strategy(self, cards: Sequence[int]) -> Float64s:
        """(moves, 1326) on a board."""
        hands = self._hands.get(tuple(cards)) or self._on(cards, 1)
        return shifted(hands, self.target, self._shifts)

    @cached_property
    def _shifts(self) -> Float64s:
        return shifts_to(self._all, self.target)

    def _on(self, cards: Sequence[int], count: int) -> LockedHands:
        engine, place = self._base.engine, _place(self._base, self._lock, cards)
        node = node_at(engine, place)
        evs = np.nan_to_num(move_evs(engine, place, best=True))
        pot = self._base.spot.pot + 2 * node.bet + to_call(node)
        weights = met(place.reach[node.seat], place.reach[1 - node.seat]) * count
        self._hands[tuple(cards)] = found = LockedHands(
            strategy_at(engine, place), (evs.max(axis=0) - evs) / (TEMPERATURE * pot), weights
        )
        return found


def told_by(
    spot: Spot, locks: Sequence[Lock], base: PostflopSolution | None, *, symmetry: bool = True
) -> list[HandLock | None]:
    """For each lock what it makes of the solved strategy; None if it tells all hands the same."""
    found: list[HandLock | None] = []
    for number, lock in enumerate(locks):
        if target_of(lock, decision_of(spot, lock).moves).is_same_for_all:
            found.append(None)
        elif base is None:
            raise no_base(lock)
        elif base.locks[number : number + 1] == (lock,):
            found.append(Kept(base, lock))
        else:
            found.append(Shift(base, lock, list(_boards(spot, lock, dealt(spot, symmetry=symmetry, locks=locks)))))
    return found


def frequencies_of(solution: PostflopSolution, lock: Lock) -> dict[Move, float]:
    """How often the hands of a lock that come to its decision make the moves that it names."""
    node = decision_of(solution.spot, lock)
    made, total = np.zeros(len(node.moves)), 0.0
    for board, count in _boards(solution.spot, lock, [hands.boards for hands in solution.engine.layout.hands]):
        place = _place(solution, lock, board.cards)
        weights = met(place.reach[node.seat], place.reach[1 - node.seat]) * lock.mask * count
        made += strategy_at(solution.engine, place) @ weights
        total += float(weights.sum())
    named = target_of(lock, node.moves).is_named
    return {move: float(made[at] / max(total, 1e-300)) for at, move in enumerate(node.moves) if named[at]}


def needs_base(spot: Spot, locks: Sequence[Lock]) -> bool:
    """Whether any of the locks shifts a solved strategy."""
    return any(not target_of(lock, decision_of(spot, lock).moves).is_same_for_all for lock in locks)


def shifted(hands: LockedHands, target: Target, shifts: Float64s) -> Float64s:
    """(moves, hands) the strategy with a shift for each group of moves; what is never to be made is not."""
    logits = _logits(hands, target) + shifts[target.groups][:, None]
    weights = np.exp(logits - logits.max(axis=0))
    strategy: Float64s = weights / weights.sum(axis=0)
    return strategy


def _logits(hands: LockedHands, target: Target) -> Float64s:
    allowed = target.often[target.groups] > 0
    gaps = hands.gaps - hands.gaps[allowed].min(axis=0)
    with np.errstate(divide="ignore"):
        solved = np.log(hands.strategy) - np.maximum(gaps - SLACK, 0)
    logits: Float64s = np.maximum(solved, np.log(FLOOR) - gaps)
    logits[~allowed] = -np.inf
    return logits


def shifts_to(hands: LockedHands, target: Target) -> Float64s:
    """(groups,) shifts that lead to the frequencies: one set of groups after the other is moved against the rest."""
    shifts = np.zeros(len(target.often))
    if not hands.weights.sum() > 0 or target.often.max() == 1:
        return shifts
    for _ in range(_SWEEPS):
        for some in _sets(np.flatnonzero(target.often > 0)):
            if np.abs(_frequencies(hands, target, shifts) - target.often).max() <= CLOSE:
                return shifts
            _move(hands, target, shifts, some)
    raise SolverError(f"no shift leads to frequencies of {target.often.tolist()}; lock one move at a time")


def _sets(groups: NDArray[np.int64]) -> Iterator[list[int]]:
    """Every set of groups without the last; shifting all of them would change nothing."""
    for size in range(1, len(groups)):
        yield from map(list, combinations(groups[:-1].tolist(), size))


def _move(hands: LockedHands, target: Target, shifts: Float64s, some: list[int]) -> None:
    """Shift a set of groups until together they are made as often as they should be."""
    begun, most = shifts[some], float(hands.gaps.max()) + np.ptp(shifts) + 50 - np.log(FLOOR)
    low, high = -most, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        shifts[some] = begun + middle
        if _frequencies(hands, target, shifts)[some].sum() < target.often[some].sum():
            low = middle
        else:
            high = middle


def _frequencies(hands: LockedHands, target: Target, shifts: Float64s) -> Float64s:
    often = shifted(hands, target, shifts) @ hands.weights / hands.weights.sum()
    groups: Float64s = np.bincount(target.groups, often, len(target.often)).astype(np.float64)
    return groups


def _boards(spot: Spot, lock: Lock, streets: Sequence[Sequence[Board]]) -> Iterator[tuple[Board, int]]:
    """The stored boards that a lock holds on, and how many each stands for."""
    street = decision_of(spot, lock).street - spot.first_street
    for number in boards_with(lock, streets[street]):
        count, at = 1, number
        for boards in reversed(streets[1 : street + 1]):
            count, at = count * len(boards[at].images), boards[at].parent
        yield streets[street][number], count


def _place(base: PostflopSolution, lock: Lock, cards: Sequence[int]) -> BoardNode:
    more = {STREETS[at - 2]: str(Card(card)) for at, card in enumerate(cards) if at >= max(len(base.spot.board), 3)}
    return walk(base.engine, lock.line, **more)
