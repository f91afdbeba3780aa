"""CFR with imperfect recall: seats remember their dice and the last few bids; evaluated with perfect recall.

Every iteration covers all pairs of hands: regrets are clipped at zero and averages weight iteration t by t squared, as
in CFR+. With imperfect recall there is no proof that CFR converges, so every strategy is evaluated by best responses in
the full round (see `judge`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur import __version__
from tahur.core.arrays import Array
from tahur.core.solution import Facts
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.recall import RARE, Graph, Recall, kept_bids, known_graph
from tahur.games.perudo.round import Round
from tahur.games.perudo.solved import RoundStrategy
from tahur.games.perudo.table import hands_of, prior
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.perudo.recall.judge import (
    RecallNodes,
    ResponseBounds,
    bound_responses,
    in_one_row,
    nodes_of,
    response,
    row_counts,
)
from tahur.solvers.perudo.recall.kernels.learning import improve, play_by
from tahur.solvers.perudo.solver import MATCH_UNIT, STEPS, UNIT
from tahur.solvers.perudo.stakes import RoundStakes, round_stakes
from tahur.solvers.schedule import CFR_PLUS_QUADRATIC
from tahur.solvers.solver import Estimate, SolverState, fill

MOST: Final = 210_000_000  # actions times pairs of hands up to which more than two bids are remembered
LANES: Final = 32  # hands of a tile, one per SIMD lane
BATCH: Final = 4  # hands of the other that are processed together
EVEN: Final = np.float32(0.05)  # uniform share of a seat's own reach, so that nodes it never reaches are learned
FEW: Final = 7  # dice in all,
LEAST: Final = 1e-3  # up to which best responses are walked until less than this could be gained,
ROUGH: Final = 5e-3  # and with more dice this, so that it takes seconds
SCHEDULE: Final = CFR_PLUS_QUADRATIC


class Mine(NamedTuple):
    """A seat's numbers, [tile, row, lane], its dice that count, [tile, bid, lane], and its payoffs."""

    chances: Array
    regrets: Array
    averages: Array
    held: NDArray[np.int32]
    pays: Array


class Theirs(NamedTuple):
    """The other's hands, in batches: strategy, dice they lack for each bid, and probabilities."""

    chances: Array  # [batch, row, hand]
    lacking: NDArray[np.int32]  # [batch, bid, hand]
    likely: Array  # [batch, hand]


class RecallScratch(NamedTuple):
    """Rows for each node; the last one of `values` is for calls."""

    own: Array  # [node, lane]
    joint: Array  # [node, hand of a batch, lane]
    values: Array
    alive: NDArray[np.bool_]
    sums: Array  # [lane]


class RecallSolver:
    """Solves one round with imperfect recall. Threads divide a seat's hands, with bit-identical results."""

    def __init__(
        self, game: Perudo, recall: Recall | None = None, *, stakes: RoundStakes | None = None, threads: int = 1
    ) -> None:
        """Start at iteration 0. `recall`: what seats remember; `stakes`: what each result of the round is worth."""
        self.game, self.iteration = game, 0
        self.recall = recall or usual_recall(game.round)
        self.graph = known_graph(game.round, self.recall)
        self.stakes = stakes or round_stakes(game.round)
        self._nodes = nodes_of(self.graph)
        self._seats = [seat_of(self.graph, self.stakes, self._nodes, seat) for seat in (0, 1)]
        self._batches = [batches_of(self.graph, game.round, self._nodes, seat) for seat in (0, 1)]
        self._pool = ThreadPoolExecutor(threads)
        self._works = [scratch_of(self.graph) for _ in range(threads)]

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations; if interrupted, fewer, but only whole ones."""
        run_apart(lambda stop: self._iterate(iterations, stop))

    def _iterate(self, iterations: int, stop: Stop) -> None:
        """Run iterations, each improving seat 0 and then seat 1, until a stop is requested."""
        for _ in range(iterations):
            if stop.requested:
                return
            weight = np.float32((self.iteration + 1) ** SCHEDULE.gamma)  # type: ignore[operator]
            for seat in (0, 1):
                self._improve(seat, weight)
            self.iteration += 1

    def _improve(self, seat: int, weight: np.float32) -> None:
        """Update a seat's regrets and sums against the other's current strategy; threads take its tiles of hands in
        turn."""
        mine, other = self._seats[seat], 1 - seat
        theirs = self._batches[other]._replace(chances=in_batches(self._rows(other, self._seats[other].chances)))
        tiles = iter(range(len(mine.chances)))

        def work_on(work: RecallScratch) -> None:
            for tile in tiles:
                improve(self._nodes, mine, theirs, work, seat, tile, EVEN, weight)

        for done in [self._pool.submit(work_on, work) for work in self._works]:
            done.result()

    def _rows(self, seat: int, tiles: Array) -> Array:
        """Tiles side by side: a row for each action, a number for each hand."""
        return np.hstack(list(tiles))[:, : self.graph.hands[seat]]

    def average(self) -> tuple[Array, Array]:
        """The average strategy of both seats: a row for each of their actions."""
        averages = []
        for seat, mine in enumerate(self._seats):
            chances = np.empty_like(mine.averages)
            for tile in range(len(chances)):
                play_by(self._nodes, mine.averages, chances, self._works[0].sums, seat, tile)
            averages.append(np.ascontiguousarray(self._rows(seat, chances)))
        return averages[0], averages[1]

    def set_stakes(self, stakes: RoundStakes) -> None:
        """Continue with, or evaluate for, other stakes."""
        self.stakes = stakes
        for seat, mine in enumerate(self._seats):
            mine.pays[:] = stakes.table(seat, np.float32)

    def state(self) -> SolverState:
        arrays = {
            f"{name}/{seat}": getattr(mine, name)
            for seat, mine in enumerate(self._seats)
            for name in ("chances", "regrets", "averages")
        }
        return SolverState(self.iteration, arrays)

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of another state of the same round, with the same recall."""
        fill(self.state().arrays, state, "perudo with imperfect recall")
        self.iteration = state.iteration

    def estimate(self) -> Estimate:
        return Estimate(sum(array.nbytes for array in self.state().arrays.values()), self.graph.size)

    def measure(self, least: float | None = None) -> ResponseBounds:
        """Bounds on best responses to the average in the full round; a smaller `least` takes longer."""
        return bound_responses(self.graph, self.game.round, self.stakes, self.average(), self._least(least))

    def best(self, seat: int) -> float:
        """An upper bound of a seat's best response to the other's average, in the full round."""
        return response(self.graph, self.game.round, self.stakes, self.average(), seat, self._least(None)).upper

    def _least(self, least: float | None) -> float:
        usual = LEAST if self.game.round.total <= FEW else ROUGH
        return usual if least is None else least

    def strategy(self, bounds: ResponseBounds) -> RoundStrategy:
        """The average strategy in its stored form, in steps of 1/65535; its NashConv is the upper bound."""
        weights = np.rint(in_one_row(self.graph, self.average()) * np.float32(STEPS)).astype(np.uint16)
        facts = Facts(
            game=self.game.name,
            settings=dict(self.game.settings),
            schedule=SCHEDULE.name,
            planned=0,
            iterations=self.iteration,
            exploitability=bounds.nashconv[1] / 2,
            nashconv=bounds.nashconv[1],
            value=bounds.value,
            unit=UNIT if self.stakes == round_stakes(self.game.round) else MATCH_UNIT,
            made_by=f"tahur {__version__}",
        )
        return RoundStrategy(facts, weights, recall=self.recall)


def usual_recall(round_: Round) -> Recall:
    """As many remembered bids as allow an iteration in about a second: at most five, at least two."""
    kept, pairs = len(kept_bids(round_, RARE)), 1
    for seat in round_.order:
        pairs *= max(LANES, len(hands_of(round_.cups[seat])))  # fewer take as long
    return Recall(next((bids for bids in (5, 4, 3) if 2 * comb(kept, bids + 1) * pairs <= MOST), 2))


def seat_of(graph: Graph, stakes: RoundStakes, nodes: RecallNodes, seat: int) -> Mine:
    """A seat before any iteration: it plays uniformly."""
    tiles, rows = -(-graph.hands[seat] // LANES), int(row_counts(graph)[nodes.seats == seat].sum())
    held = np.zeros((len(graph.bids), tiles * LANES), np.int32)
    held[:, : graph.hands[seat]] = graph.matches[seat]
    chances, regrets, averages = (np.zeros((tiles, rows, LANES), np.float32) for _ in range(3))
    for tile in range(tiles):
        play_by(nodes, regrets, chances, np.zeros(LANES, np.float32), seat, tile)
    in_tiles = np.ascontiguousarray(held.reshape(-1, tiles, LANES).swapaxes(0, 1))
    return Mine(chances=chances, regrets=regrets, averages=averages, held=in_tiles, pays=stakes.table(seat, np.float32))


def batches_of(graph: Graph, round_: Round, nodes: RecallNodes, seat: int) -> Theirs:
    """All hands of a seat, from the other's point of view."""
    lacking = (nodes.needed[:, None] - graph.matches[seat]).astype(np.int32)
    likely = prior(round_.cups[round_.order[seat]]).astype(np.float32)
    return Theirs(np.zeros((0, 0, 0), np.float32), in_batches(lacking), in_batches(likely[None])[:, 0])


def in_batches(rows: NDArray[Any]) -> NDArray[Any]:
    """[row, hand] as [batch, row, hand]; the last batch is padded with impossible hands."""
    count = -(-rows.shape[1] // BATCH)
    filled = np.zeros((len(rows), count * BATCH), rows.dtype)
    filled[:, : rows.shape[1]] = rows
    return np.ascontiguousarray(filled.reshape(-1, count, BATCH).swapaxes(0, 1))


def scratch_of(graph: Graph) -> RecallScratch:
    nodes = len(graph.nodes)
    joint, values = (np.zeros((count, BATCH, LANES), np.float32) for count in (nodes, nodes + 1))
    own, sums = np.zeros((nodes, LANES), np.float32), np.zeros(LANES, np.float32)
    return RecallScratch(own=own, joint=joint, values=values, alive=np.zeros(nodes, np.bool_), sums=sums)
