"""All groups of kernels, and how each is compiled: by calling every kernel of it once, on the smallest input.

A command compiles the groups that it needs before a user waits for an answer; `core/cache.py` remembers which are
compiled. Each function yields the name of a part before it starts on it, and imports what it calls, so that nothing is
loaded for a group that is not needed. A new kernel gets a call here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np


@dataclass(frozen=True, slots=True)
class KernelGroup:
    """Kernels that are compiled together."""

    name: str
    seconds: int  # of compiling, about, on one core
    warm_up: Callable[[], Iterator[str]]


def warm_up(names: Iterable[str]) -> Iterator[str]:
    """Compile or load the kernels of these groups; yields the name of each part before it starts."""
    for name in names:
        yield from GROUPS[name].warm_up()


def _cards() -> Iterator[str]:
    from tahur.cards.equity import equity
    from tahur.cards.equity.ask import winner_counts
    from tahur.cards.equity.hand import equities, equity_matrix
    from tahur.cards.evaluator import evaluate_many
    from tahur.cards.flops import canonical_many

    yield "evaluator"
    evaluate_many(np.arange(14, dtype=np.uint8).reshape(2, 7))
    canonical_many(np.arange(5, dtype=np.uint8).reshape(1, 5), 2)
    yield "exact equity, hand by hand"
    equity("AsAh", "KdKc", board="QsJh2c3d")
    yield "exact equity, board by board"
    equity("22+,A2s+,K2s+", "22+,A2s+,K2s+", board="QsJh2c")
    yield "winners of every run-out"
    winner_counts((0, 5, 50), (20, 30, 40, 51))
    yield "one hand against each other hand"
    equities(0, (10, 20, 30, 40, 50))
    equity_matrix((10, 20, 30, 40, 50))
    yield "sampled equity"
    equity("AsAh", "KK", "any", samples=1)


def _batch() -> Iterator[str]:
    from tahur.games.holdem.batch import Batch, uniform
    from tahur.games.holdem.rules import no_limit

    yield "hold'em, many hands at once"
    batch = Batch(no_limit(seats=2), hands=2, depths=uniform(10, 20))
    batch.step(batch.random_actions())
    batch.part("pot")


def _solver(dtype: str = "float64") -> Iterator[str]:
    """The commands solve in float64. A caller that needs float32 compiles it too, or waits on first use."""
    from tahur.games.kuhn import Kuhn
    from tahur.solvers.cfr import CfrSolver, SampledSolver, Sampling
    from tahur.solvers.unroll import unroll

    yield f"solver, {dtype}"
    solver = CfrSolver(unroll(Kuhn()), dtype=np.dtype(dtype))
    solver.iterate(1)
    solver.measure()
    yield "solver, samples"
    SampledSolver(unroll(Kuhn(), merge=False), Sampling.EXTERNAL, np.random.default_rng(0)).iterate(1)


def _street() -> Iterator[str]:
    """The shipped counts need none of them."""
    from tahur.cards import tables
    from tahur.cards.equity.tables import combos
    from tahur.games.holdem.buckets import bucket_table
    from tahur.solvers.street.kernels import NO_TEXTURE, count_pairs, count_wins

    yield "buckets of hands"
    buckets = bucket_table([(0, 1, 2)])
    yield "buckets against buckets"
    textures, counts = np.full(22100, NO_TEXTURE, np.uint8), np.zeros((5, 9, 9), np.int64)
    textures[0] = 0
    count_pairs(np.zeros(1, np.int64), textures, buckets, combos(), counts)
    board = np.arange(5, dtype=np.uint8).reshape(1, 5)
    count_wins(board, np.ones(1, np.int64), textures, buckets, tables.load(), combos(), counts)


def _postflop(*, half: bool = False) -> Iterator[str]:
    from tahur.solvers.postflop.solve import PostflopSolver
    from tahur.solvers.postflop.spot import spot

    for street, board in (("river", "Td9d6hQc2s"), ("turn", "Td9d6hQc"), ("flop", "Td9d6h")):
        yield f"postflop, {street}" + (", 16 bits" if half else "")
        solver = PostflopSolver(spot(board=board, oop="AA", ip="KK", pot=2, stack=1, sizes="a / a"), half=half)
        solver.iterate(1)
        solver.solution()


def _postflop_merged(*, half: bool = False) -> Iterator[str]:
    from tahur.solvers.postflop.solve import PostflopSolver
    from tahur.solvers.postflop.spot import spot

    yield "postflop, merged rivers" + (", 16 bits" if half else "")
    asked = spot(board="Td9d6h", oop="AA", ip="KK", pot=2, stack=1, sizes="a / a")
    solver = PostflopSolver(asked, half=half, merge_rivers=True)
    solver.iterate(1)
    solver.solution()


def _limit() -> Iterator[str]:
    from tahur.games.registry import make
    from tahur.solvers.limit.engine import layout_of
    from tahur.solvers.limit.solve import FlopSolver

    yield "Flop Hold'em"
    game: Any = make("fhp")
    solver = FlopSolver(layout_of(game, tuple(range(8))))
    solver.iterate(1)
    solver.measure()


def _limit_buckets() -> Iterator[str]:
    from tahur.cards.buckets import BINS, Buckets, nearest_centres
    from tahur.cards.cards import COMBOS
    from tahur.cards.equity.tables import combos
    from tahur.cards.flops import start_classes
    from tahur.cards.kernels import flop_histograms, river_strengths, turn_histograms
    from tahur.cards.tables import load
    from tahur.games.betting import betting_of
    from tahur.games.holdem.bucket_table import game_named
    from tahur.solvers.limit.bounds import Ranks, against, hands_without
    from tahur.solvers.limit.bucketed import Trainer

    yield "card buckets"
    board = np.array([[0, 5, 10, 20, 33]], np.int64)
    river_strengths(board, combos(), load(), np.empty((1, COMBOS), np.float32))
    turns, flops = np.zeros((1, COMBOS, BINS), np.uint8), np.zeros((1, COMBOS, BINS), np.uint16)
    turn_histograms(board[:, :4], combos(), load(), turns)
    flop_histograms(board[:, :3], np.zeros((1, 52), np.int64), np.zeros((1, 52), np.int64), turns, combos(), flops)
    for histograms in (turns, flops):
        nearest_centres(histograms[0], np.ones((BINS, 2), np.float32))
    yield "bounds"
    Ranks.on((0, 5, 10, 20, 33)).duel(against(hands_without((0, 5, 10, 20, 33))))
    yield "limit hold'em on card buckets"
    start, one, four = start_classes().member, np.zeros((1755, COMBOS)), np.zeros((16432, COMBOS))
    buckets = Buckets(start.astype(np.uint16), one.astype(np.uint16), four.astype(np.uint16), np.ones(1, np.float32))
    Trainer(betting_of(game_named("hulh")), buckets, 1, boards=1).iterate(1)


def _no_limit() -> Iterator[str]:
    from tahur.cards.buckets import BINS, BucketCentres, Buckets
    from tahur.cards.cards import COMBOS
    from tahur.cards.flops import start_classes
    from tahur.solvers.nolimit.abstraction import PRESETS
    from tahur.solvers.nolimit.blueprint_solver import SHARES, BlueprintSolver

    yield "no-limit hold'em on card buckets"
    flop, turn = (np.zeros((boards, COMBOS), np.uint16) for boards in (1755, 16432))
    limits, centre = np.zeros(0, np.float32), np.ones((BINS, 1), np.float32)
    buckets = Buckets(start_classes().member.astype(np.uint16), flop, turn, limits)
    centres = BucketCentres(centre, centre, limits)
    BlueprintSolver(5, PRESETS["push-fold"], centres, buckets, seed=1, boards=SHARES).iterate(1)


def _multiway() -> Iterator[str]:
    from tahur.cards.buckets import Buckets
    from tahur.cards.cards import COMBOS
    from tahur.cards.flops import start_classes
    from tahur.solvers.nolimit.multiway.actions import sizes_for
    from tahur.solvers.nolimit.multiway.solver import MultiwaySolver
    from tahur.solvers.nolimit.multiway.tree import build_preflop, build_tree
    from tahur.solvers.postflop.spot import Rake

    yield "no-limit hold'em for several seats"
    flop, turn = (np.zeros((boards, COMBOS), np.uint16) for boards in (1755, 16432))
    buckets = Buckets(start_classes().member.astype(np.uint16), flop, turn, np.zeros(0, np.float32))
    tree = build_tree(build_preflop(2, 5, sizes_for(5)), Rake(), buckets.counts)
    MultiwaySolver(tree, buckets, seed=1, deals=1).iterate(1)


def _perudo() -> Iterator[str]:
    from tahur.games.perudo.game import perudo
    from tahur.solvers.perudo.exact.polish import polish_strategy
    from tahur.solvers.perudo.kernels import shares_of
    from tahur.solvers.perudo.ladder_tables import rungs_of
    from tahur.solvers.perudo.recall.solver import RecallSolver
    from tahur.solvers.perudo.solver import RoundSolver

    game = perudo(rules="classic", cups=(1, 1))
    for dtype in (np.float64, np.float32):
        yield f"rounds of Perudo, {np.dtype(dtype).name}"
        solver = RoundSolver(game, dtype=dtype)
        solver.iterate(1)
        solver.strategy(solver.measure())
        whole, result = np.ones(1, dtype)[0], np.zeros(solver.ladder.size, np.uint16)
        shares_of(rungs_of(solver.ladder), solver._sides[0], solver.buffers.averages, result, whole, whole)
    yield "rounds of Perudo, to the end"
    solver = RoundSolver(perudo(cups=(1, 1)))  # palifico: the smallest there is
    solver.iterate(20)
    for _ in polish_strategy(solver, target=1e-3):
        pass
    yield "rounds of Perudo, imperfect recall"
    recalled = RecallSolver(game)
    recalled.iterate(1)
    recalled.strategy(recalled.measure())


def _deep() -> Iterator[str]:
    from tahur.games.kuhn import Kuhn
    from tahur.solvers.deep.game import training_game
    from tahur.solvers.deep.kernels import add_ones, average_policies, bend
    from tahur.solvers.deep.traversal import traverse

    yield "traversals"
    rng = np.random.default_rng(0)
    game = training_game(Kuhn())
    traverse(game, (None, None), 0, game.deal(rng, 4), rng)
    rows, bias = np.zeros((1, 2), np.float32), np.zeros(2, np.float32)
    add_ones(rows, bias, rows, np.zeros((1, 1), np.int64), 1)
    bend(rows, bias, rows)
    whole, policies = np.zeros(1, np.int64), np.zeros((1, 1, 1, 3), np.float32)
    legal, start = np.ones((1, 3), np.bool_), np.ones((1, 1), np.float32)
    average_policies(policies, legal, False, start, whole, whole, np.zeros((1, 1, 1), np.float32), np.zeros((1, 1, 3)))


GROUPS: Final = {
    group.name: group
    for group in (
        KernelGroup("card", 20, _cards),
        KernelGroup("batch", 15, _batch),
        KernelGroup("solver", 25, _solver),
        KernelGroup("solver-float32", 25, lambda: _solver("float32")),
        KernelGroup("street", 10, _street),
        KernelGroup("postflop", 40, _postflop),
        KernelGroup("postflop-half", 40, lambda: _postflop(half=True)),
        KernelGroup("postflop-merged", 25, _postflop_merged),
        KernelGroup("postflop-merged-half", 25, lambda: _postflop_merged(half=True)),
        KernelGroup("limit", 30, _limit),
        KernelGroup("limit bucket", 25, _limit_buckets),
        KernelGroup("no-limit", 15, _no_limit),
        KernelGroup("multiway", 15, _multiway),
        KernelGroup("perudo", 30, _perudo),
        KernelGroup("deep", 10, _deep),
    )
}
