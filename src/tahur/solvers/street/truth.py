"""The bucket strategy compared with the exact solution: the same street on one real flop, without card abstraction.

The betting is exactly the street game's; the turn and the river are run out without betting, as there. The difference
is that all hands possible on a flop are dealt, each with its own equity against each other one, counted over every turn
and river. The bucket strategy is *lifted*: a hand plays its bucket's strategy. It then plays against the exact solution
of that flop, and against best responses to it.

Payoffs here are integers, thousandths of the pot times the run-outs of two hands, so that every showdown of the tree is
one matrix times a number, and is stored once.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE, cards_of, cards_text
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate_many
from tahur.cards.flops import canonical_many
from tahur.core.arrays import Float64s, Int64s
from tahur.core.game import Action, Fold, Hand, Matrix, Seat, Settings, Symmetry
from tahur.core.record import Record
from tahur.games.holdem.buckets import bucket_table
from tahur.games.holdem.textures import Texture, texture_of
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.response import Judge, combine_seats
from tahur.solvers.schedule import DCFR_CUBIC, Schedule
from tahur.solvers.seat_tables import scratch_of, seat_tables_of
from tahur.solvers.solver import run
from tahur.solvers.street.counts import RUNOUTS, TEXTURES, all_flops, flop_textures
from tahur.solvers.street.game import FOLD, POT, StreetGame, StreetTable
from tahur.solvers.street.views import TABLES, check_strategy
from tahur.solvers.tree import Tree
from tahur.solvers.unroll import unroll

UNIT: Final = POT * RUNOUTS  # of payoffs, in pots
TARGET: Final = 0.001  # pots of exploitability at which the exact solution counts as exact
MOST: Final = 2000  # iterations
EVERY: Final = 25
BYTEFUL: Final = 100  # less than the most a byte can count


@dataclass(frozen=True)
class FlopStreet:
    """The street game on a flop, with hands of two cards; `held` are the combos that are dealt, all equally likely."""

    flop: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"street on {cards_text(self.flop)}"

    @property
    def seats(self) -> int:
        return 2

    @property
    def settings(self) -> Settings:
        return {"flop": cards_text(self.flop)}

    @cached_property
    def texture(self) -> Texture:
        return texture_of(self.flop)

    @cached_property
    def buckets(self) -> Int64s:
        """(hands,) the bucket of each hand."""
        return np.asarray(bucket_table([self.flop])[0][list(self.held)], np.int64)

    @cached_property
    def lead(self) -> Float64s:
        """(hands, hands) run-outs won minus run-outs lost; 0 for pairs that share a card."""
        return leads(self.flop, np.array(self.held))

    @cached_property
    def _betting(self) -> StreetGame:
        return StreetGame(self.texture)

    def start(self) -> StreetTable:
        return self._betting.start()

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        """Two hands that share no card, by rejection sampling."""
        while True:
            first, second = (int(index) for index in rng.integers(len(self.held), size=2))
            if self.possible((first, second)):
                return first, second

    def outcomes(self, table: StreetTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        return ()

    def payoffs(self, table: StreetTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        return self.terminal(table).payoffs(*hands)

    def revealed(self, table: StreetTable) -> tuple[Seat, ...]:
        return self._betting.revealed(table)

    def label(self, table: StreetTable, action: Action) -> str:
        return self._betting.label(table, action)

    def hand_text(self, hand: Hand) -> str:
        return cards_text(cards_of(self.held[hand]))

    def next(self, record: Record) -> FlopStreet:
        return self

    def hands(self, seat: Seat) -> range:
        return range(len(self.held))

    def prior(self, seat: Seat) -> Float64s:
        """The prior before the other hand is known: uniform. Solvers leave out the pairs that share a card."""
        return np.full(len(self.held), 1 / len(self.held))

    def possible(self, hands: Sequence[Hand]) -> bool:
        return bool(self._apart[hands[0], hands[1]])

    def terminal(self, table: StreetTable) -> Fold | Matrix:
        first, second = table.paid
        if table.history[-1] == FOLD:
            return Fold(float((second if second < first else -first) * RUNOUTS))
        return Matrix(self.lead * first)

    def holdings(self, seat: Seat) -> Int64s:
        return np.asarray(combos().cards[list(self.held)])

    def shown(self, table: StreetTable, move: Action) -> tuple[int, ...]:
        return ()

    def symmetries(self) -> tuple[Symmetry, ...]:
        return ()

    @cached_property
    def _apart(self) -> NDArray[np.bool_]:
        return apart(np.array(self.held))


def flop_street(flop: Sequence[int], held: Sequence[int] | None = None) -> FlopStreet:
    """The street on a flop with all possible hands, or with these."""
    lying = sum(1 << card for card in flop)
    left = np.flatnonzero((combos().mask & lying) == 0).tolist()
    return FlopStreet(tuple(int(card) for card in flop), tuple(left if held is None else held))


def apart(held: Int64s) -> NDArray[np.bool_]:
    """(hands, hands) whether two hands share no card."""
    mask = combos().mask[held]
    return np.asarray((mask[:, None] & mask[None, :]) == 0)


def leads(flop: Sequence[int], held: Int64s) -> Float64s:
    """For each pair of hands, over every turn and river: run-outs won minus run-outs lost."""
    wins, recent_wins = np.zeros((len(held), len(held)), np.int16), np.zeros((len(held), len(held)), np.int8)
    left = [card for card in range(DECK_SIZE) if card not in flop]
    for at, runout in enumerate(combinations(left, 2), start=1):
        winner, loser = _ranks((*flop, *runout), held)
        recent_wins += (winner[:, None] > loser[None, :]).view(np.int8)
        if at % BYTEFUL == 0:  # small integers are summed several times as fast, but would soon overflow
            wins += recent_wins
            recent_wins[:] = 0
    wins += recent_wins
    return np.where(apart(held), wins - wins.T, 0).astype(np.float64)


def _ranks(board: tuple[int, ...], held: Int64s) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """(hands,) ranks for winning and for losing: a hand that is not possible does neither."""
    alive = (combos().mask[held] & sum(1 << card for card in board)) == 0
    sevens = np.empty((int(alive.sum()), 7), np.uint8)
    sevens[:, :2] = combos().cards[held[alive]]
    sevens[:, 2:] = board
    winner, loser = np.full(len(held), -1, np.int16), np.full(len(held), np.iinfo(np.int16).max, np.int16)
    winner[alive] = loser[alive] = evaluate_many(sevens)
    return winner, loser


@dataclass(frozen=True, slots=True)
class Truth:
    """One flop. All in pots: values are seat 0's; `loss` is the mean over both seats against the exact solution."""

    flop: tuple[int, ...]
    texture: Texture
    value: float  # of the flop, solved exactly
    exactness: float  # the exploitability of that solution
    believed: float  # the value of the bucket game
    losses: tuple[float, float]  # for each seat: how much less the bucket strategy wins against the exact solution
    exploitability: float  # of the bucket strategy, (BR1 + BR2) / 2
    iterations: int

    @property
    def loss(self) -> float:
        return sum(self.losses) / 2


def truth(
    street: FlopStreet,
    strategy: Float64s,
    believed: float = 0.0,
    *,
    target: float = TARGET,
    schedule: Schedule = DCFR_CUBIC,
) -> Generator[float, None, Truth]:
    """Solve a flop exactly and evaluate the bucket strategy on it; yields the exploitability, in pots, as it falls."""
    check_strategy(strategy)
    tree = unroll(street)
    solver = CfrSolver(tree, schedule)
    exact = solver.measure()
    for progress in run(solver, iterations=MOST if exact.exploitability / UNIT > target else 0, every=EVERY):
        if progress.measure is not None:
            exact = progress.measure
            yield exact.exploitability / UNIT
            if exact.exploitability / UNIT <= target:
                break
    judge = Judge(
        tree, (seat_tables_of(tree, 0, np.float64), seat_tables_of(tree, 1, np.float64)), scratch_of(tree, np.float64)
    )
    mine, best = expand_strategy(tree, street, strategy), solver.strategy()
    first, second = (judge.value(combine_seats(tree, *pair)) for pair in ((mine, best), (best, mine)))
    return Truth(
        flop=street.flop,
        texture=street.texture,
        value=exact.value / UNIT,
        exactness=exact.exploitability / UNIT,
        believed=believed,
        losses=((exact.value - first) / UNIT, (second - exact.value) / UNIT),
        exploitability=judge.measure(mine).exploitability / UNIT,
        iterations=solver.iteration,
    )


def expand_strategy(tree: Tree, street: FlopStreet, strategy: Float64s) -> Float64s:
    """The bucket strategy in the tree of a flop: every hand plays its bucket's strategy."""
    flat = np.zeros(tree.size)
    for at, table in enumerate(TABLES):
        rows = tree.part(flat, tree.find(table.history).node)
        rows[:] = strategy[at, street.buckets, : len(rows)].T
    return flat


def sample_flops(count: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """This many random flops of each texture; no two are suit-isomorphic."""
    kinds, flops = flop_textures(), all_flops()
    boards: list[tuple[int, ...]] = []
    for at in range(len(TEXTURES)):
        drawn = flops[rng.permutation(np.flatnonzero(kinds == at))].astype(np.uint8)
        least, _ = canonical_many(drawn, 0)
        _, first = np.unique(least, axis=0, return_index=True)
        boards += [tuple(int(card) for card in drawn[number][::-1]) for number in np.sort(first)[:count]]
    return boards
