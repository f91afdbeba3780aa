"""Frequency locks: the solved strategy of a decision, shifted until its moves have the locked frequencies.

The hands keep their relative order. Move a has a shift s_a, the same for all hands and cards, and hand h makes it with

    p_a(h) ~ exp(s_a) max(solved_a(h) exp(-max(0, gap_a(h) - SLACK)), FLOOR exp(-gap_a(h)))

where gap_a(h) is how much less the move earns than the hand's best one, in units of `TEMPERATURE` pots. So hands that
mix shift first, then those that lose little by it. With shifts of 0 nothing changes except that clearly worse moves
disappear, which a solution contains only because it is not fully converged. The shifts that give the frequencies are
found by bisection. Frequencies are over the hands that reach the decision in the original solution, over all cards that
the lock applies to.
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
from tahur.solvers.postflop.boards import Board, boards_by_street
from tahur.solvers.postflop.line import BoardNode, meeting_weights, node_at, strategy_at, walk
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.locking import HandLock, Target, boards_with, decision_of, no_base, target_of
from tahur.solvers.postflop.results import move_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import STREETS, Spot
from tahur.solvers.postflop.tree import Move

TEMPERATURE: Final = 0.005  # pots: hands this close to indifference shift together
SLACK: Final = 2.0  # temperatures that a move may lose and still be part of the solution
FLOOR: Final = 1e-4  # of a move that the hand never makes and loses nothing by
CLOSE: Final = 1e-5  # tolerance of a frequency
_SWEEPS: Final = 100
_HALVINGS: Final = 48


@dataclass(frozen=True, slots=True, eq=False)
class LockedHands:
    """All hands that a lock applies to: (moves, hands) their strategy and losses, and (hands,) their probabilities."""

    strategy: Float64s
    gaps: Float64s
    weights: Float64s


class SatisfiedLock:
    """A lock that the base solution already satisfies: its strategy there."""

    def __init__(self, base: PostflopSolution, lock: Lock) -> None:
        self._base, self._lock = base, lock

    def strategy(self, cards: Sequence[int]) -> Float64s:
        return strategy_at(self._base.engine, _state_of(self._base, self._lock, cards))


class Shift:
    """A lock that shifts a solution's strategy at its decision."""

    def __init__(self, base: PostflopSolution, lock: Lock, boards: Sequence[tuple[Board, int]]) -> None:
        """`boards`: those that the lock applies to, each with the number of boards it represents."""
        self._base, self._lock = base, lock
        node = decision_of(base.spot, lock)
        self.moves: tuple[Move, ...] = node.moves
        self.target: Target = target_of(lock, node.moves)
        self._hands: dict[tuple[int, ...], LockedHands] = {}
        parts = [self._hands_on(board.cards, count) for board, count in boards]
        held = [part.weights * lock.mask > 0 for part in parts]
        self._all = LockedHands(
            np.concatenate([part.strategy[:, chosen] for part, chosen in zip(parts, held, strict=True)], axis=1),
            np.concatenate([part.gaps[:, chosen] for part, chosen in zip(parts, held, strict=True)], axis=1),
            np.concatenate([part.weights[chosen] for part, chosen in zip(parts, held, strict=True)]),
        )

    @property
    def before(self) -> dict[Move, float]:
        """The frequencies, before the shift, of the moves that the lock names."""
        return frequencies_of(self._base, self._lock)

    @property
    def wanted(self) -> dict[Move, float]:
        """The frequencies that the lock requires."""
        frequencies = self.target.frequencies[self.target.groups]
        return {move: float(frequencies[at]) for at, move in enumerate(self.moves) if self.target.is_named[at]}

    def strategy(self, cards: Sequence[int]) -> Float64s:
        """(moves, 1326) the locked strategy on a board."""
        hands = self._hands.get(tuple(cards)) or self._hands_on(cards, 1)
        return shifted(hands, self.target, self._shifts)

    @cached_property
    def _shifts(self) -> Float64s:
        return shifts_to(self._all, self.target)

    def _hands_on(self, cards: Sequence[int], count: int) -> LockedHands:
        """The hands at the locked decision on a board, with what each move loses."""
        engine, state = self._base.engine, _state_of(self._base, self._lock, cards)
        node = node_at(engine, state)
        evs = np.nan_to_num(move_evs(engine, state, best=True))
        pot = self._base.spot.pot + 2 * node.bet + to_call(node)
        weights = meeting_weights(state.reach[node.seat], state.reach[1 - node.seat]) * count
        self._hands[tuple(cards)] = hands = LockedHands(
            strategy_at(engine, state), (evs.max(axis=0) - evs) / (TEMPERATURE * pot), weights
        )
        return hands


def hand_locks_of(
    spot: Spot, locks: Sequence[Lock], base: PostflopSolution | None, *, symmetry: bool = True
) -> list[HandLock | None]:
    """For each lock, the strategy it makes of the solved one; None if it gives all hands the same frequencies."""
    hand_locks: list[HandLock | None] = []
    for number, lock in enumerate(locks):
        if target_of(lock, decision_of(spot, lock).moves).is_same_for_all:
            hand_locks.append(None)
        elif base is None:
            raise no_base(lock)
        elif base.locks[number : number + 1] == (lock,):
            hand_locks.append(SatisfiedLock(base, lock))
        else:
            hand_locks.append(
                Shift(base, lock, list(_boards(spot, lock, boards_by_street(spot, symmetry=symmetry, locks=locks))))
            )
    return hand_locks


def frequencies_of(solution: PostflopSolution, lock: Lock) -> dict[Move, float]:
    """The frequencies of the lock's moves over its hands that reach the decision."""
    node = decision_of(solution.spot, lock)
    played, total = np.zeros(len(node.moves)), 0.0
    for board, count in _boards(solution.spot, lock, [hands.boards for hands in solution.engine.layout.hands]):
        state = _state_of(solution, lock, board.cards)
        weights = meeting_weights(state.reach[node.seat], state.reach[1 - node.seat]) * lock.mask * count
        played += strategy_at(solution.engine, state) @ weights
        total += float(weights.sum())
    named = target_of(lock, node.moves).is_named
    return {move: float(played[at] / max(total, 1e-300)) for at, move in enumerate(node.moves) if named[at]}


def needs_base(spot: Spot, locks: Sequence[Lock]) -> bool:
    """Whether any of the locks shifts a solved strategy."""
    return any(not target_of(lock, decision_of(spot, lock).moves).is_same_for_all for lock in locks)


def shifted(hands: LockedHands, target: Target, shifts: Float64s) -> Float64s:
    """(moves, hands) the strategy with a shift for each group of moves; moves with a target of 0 are never made."""
    logits = _logits(hands, target) + shifts[target.groups][:, None]
    weights = np.exp(logits - logits.max(axis=0))
    strategy: Float64s = weights / weights.sum(axis=0)
    return strategy


def _logits(hands: LockedHands, target: Target) -> Float64s:
    """The preference of each hand for each move: that of the solution, and less the more the move loses."""
    allowed = target.frequencies[target.groups] > 0
    gaps = hands.gaps - hands.gaps[allowed].min(axis=0)
    with np.errstate(divide="ignore"):
        solved = np.log(hands.strategy) - np.maximum(gaps - SLACK, 0)
    logits: Float64s = np.maximum(solved, np.log(FLOOR) - gaps)
    logits[~allowed] = -np.inf
    return logits


def shifts_to(hands: LockedHands, target: Target) -> Float64s:
    """(groups,) the shifts that give the frequencies: one set of groups after another is shifted against the rest."""
    shifts = np.zeros(len(target.frequencies))
    if not hands.weights.sum() > 0 or target.frequencies.max() == 1:
        return shifts
    for _ in range(_SWEEPS):
        for chosen in _group_sets(np.flatnonzero(target.frequencies > 0)):
            if np.abs(_frequencies(hands, target, shifts) - target.frequencies).max() <= CLOSE:
                return shifts
            _shift_groups(hands, target, shifts, chosen)
    raise SolverError(f"no shift gives the frequencies {target.frequencies.tolist()}; lock one move at a time")


def _group_sets(groups: NDArray[np.int64]) -> Iterator[list[int]]:
    """Every set of groups without the last; shifting all of them would change nothing."""
    for size in range(1, len(groups)):
        yield from map(list, combinations(groups[:-1].tolist(), size))


def _shift_groups(hands: LockedHands, target: Target, shifts: Float64s, chosen: list[int]) -> None:
    """Shift a set of groups until their total frequency is on target, by bisection.

    With a shift of `most` in either direction their frequency is 1 or 0: a factor of exp(50) outweighs every gap, every
    difference between shifts, and the floor.
    """
    begun, most = shifts[chosen], float(hands.gaps.max()) + np.ptp(shifts) + 50 - np.log(FLOOR)
    low, high = -most, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        shifts[chosen] = begun + middle
        if _frequencies(hands, target, shifts)[chosen].sum() < target.frequencies[chosen].sum():
            low = middle
        else:
            high = middle


def _frequencies(hands: LockedHands, target: Target, shifts: Float64s) -> Float64s:
    """(groups,) the frequency of each group of moves after the shifts, over all hands."""
    frequencies = shifted(hands, target, shifts) @ hands.weights / hands.weights.sum()
    groups: Float64s = np.bincount(target.groups, frequencies, len(target.frequencies)).astype(np.float64)
    return groups


def _boards(spot: Spot, lock: Lock, streets: Sequence[Sequence[Board]]) -> Iterator[tuple[Board, int]]:
    """The stored boards that a lock applies to, each with the number of boards it represents."""
    street = decision_of(spot, lock).street - spot.first_street
    for number in boards_with(lock, streets[street]):
        count, index = 1, number
        for boards in reversed(streets[1 : street + 1]):
            count, index = count * len(boards[index].images), boards[index].parent
        yield streets[street][number], count


def _state_of(base: PostflopSolution, lock: Lock, cards: Sequence[int]) -> BoardNode:
    """The locked decision on a board, in the base solution."""
    more = {STREETS[at - 2]: str(Card(card)) for at, card in enumerate(cards) if at >= max(len(base.spot.board), 3)}
    return walk(base.engine, lock.line, **more)
