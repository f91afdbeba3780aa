"""A round solved for seats that remember their dice and the last few bids, and judged against one that forgets nothing.

Where the other seat's hands are few, each iteration looks at all of them: regrets never fall below nothing and averages
weigh iteration t by t squared, as in CFR+. Where they are many it looks at a dozen, spread evenly over the likely ones
and moved on by the golden ratio, so that all get their turn and no chance is needed. CFR+ forgets what is below
nothing, and so takes the noise of a dozen hands for news; there regrets may fall, and regrets and averages weigh
iteration t by t, as in linear CFR. Forgetting bids voids the proof that CFR converges, so nothing is believed: a
strategy is judged by best responses in the whole round (`bounds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur import __version__
from tahur.core.solution import Facts
from tahur.games.perudo.bids import FIRST_BID, count_of, face_of
from tahur.games.perudo.cups import prior
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.recall import Graph, Recall, known_graph, recall_for
from tahur.games.perudo.round import NO_BID, Round
from tahur.games.perudo.solved import RoundStrategy
from tahur.solvers.perudo.recall.kernels import keep, learn, own_ways, play_by, respond
from tahur.solvers.perudo.solver import MATCH_UNIT, STEPS, UNIT
from tahur.solvers.perudo.stakes import Stakes, round_stakes
from tahur.solvers.schedule import CFR_PLUS_QUADRATIC, LINEAR, Schedule

MOST: Final = 2_000_000  # numbers up to which more than two bids are remembered
FEW: Final = 21  # hands that are all looked at in every iteration: two dice
SAMPLE: Final = 12  # else
EVEN: Final = np.float32(0.05)  # of a seat's own way, so that nodes it never comes to are learned
GOLDEN: Final = 0.6180339887498949
LEAST: Final = 0.01  # of a seat's hands: a best response to fewer is bounded only

Floats = NDArray[Any]


class Nodes(NamedTuple):
    """A graph as the kernels take it."""

    seats: NDArray[np.int64]
    standing: NDArray[np.int64]  # rank of the bid
    calls: NDArray[np.int64]
    first: NDArray[np.int64]
    children: NDArray[np.int64]
    places: NDArray[np.int64]
    needed: NDArray[np.int64]  # dice that each bid claims


class Work(NamedTuple):
    """Both seats' tables, what they play by, and rows to work in: one for each node, or one for all."""

    hands: tuple[int, int]
    matches: tuple[NDArray[np.int64], NDArray[np.int64]]
    pays: tuple[Floats, Floats]
    chances: Floats
    regrets: Floats
    joint: Floats
    values: Floats
    own: Floats
    share: Floats
    below: Floats
    alive: NDArray[np.bool_]


class Walk(NamedTuple):
    """A best response on its way: a row for each bid of the history at hand."""

    reach: Floats
    lower: Floats
    upper: Floats
    nodes: NDArray[np.int64]
    nexts: NDArray[np.int64]
    bins: Floats
    worth: Floats
    rare: NDArray[np.int64]  # bids that are left out, the lowest on each face, in a row
    rare_first: NDArray[np.int64]  # by the rank that stands, from none: where they begin
    most: float  # that the seat can be paid


@dataclass(frozen=True, slots=True)
class Bounds:
    """What each seat's best response wins in the whole round: at least and at most."""

    opener: tuple[float, float]
    other: tuple[float, float]

    @property
    def nashconv(self) -> tuple[float, float]:
        return self.opener[0] + self.other[0], self.opener[1] + self.other[1]


class RecallSolver:
    """Goes on as long as it is asked to."""

    def __init__(self, game: Perudo, recall: Recall | None = None, *, stakes: Stakes | None = None) -> None:
        self.game, self.iteration = game, 0
        self.recall = recall or recall_for(game.round, MOST)
        self.graph = known_graph(game.round, self.recall)
        self.stakes = stakes or round_stakes(game.round)
        first, second = game.round.order
        self._priors = prior(game.round.cups[first]), prior(game.round.cups[second])
        self._averages = np.zeros(self.graph.size, np.float32)
        self._nodes, self._work = nodes_of(self.graph), work_of(self.graph, self.stakes)
        for seat in (0, 1):
            self._play(seat, self._work.regrets, self._work.chances)

    def advance(self, iterations: int) -> None:
        """So many iterations more: for each seat in turn, regrets against some hands of the other, then its average."""
        for _ in range(iterations):
            self.iteration += 1
            for seat in (0, 1):
                self._improve(seat)
            if self.schedule is LINEAR:
                self._work.regrets[:] *= np.float32(self.iteration / (self.iteration + 1))

    @property
    def schedule(self) -> Schedule:
        """How regrets are kept and averages weighed."""
        return CFR_PLUS_QUADRATIC if max(self.graph.hands) <= FEW else LINEAR

    def _improve(self, seat: int) -> None:
        nodes, work, hands = self._nodes, self._work, self.graph.hands[seat]
        own_ways(nodes, seat, hands, work.chances, EVEN, work.own)
        for other, share in self._looked_at(1 - seat):
            learn(nodes, work, seat, other, np.float32(share), EVEN, True)
        self._play(seat, work.regrets, work.chances)
        own_ways(nodes, seat, hands, work.chances, np.float32(0), work.own)
        weight = np.float32(self.iteration**self.schedule.gamma)  # type: ignore[operator]
        floored = self._averages if self.schedule is LINEAR else work.regrets  # averages are above nothing anyway
        keep(nodes, seat, hands, work.own, work.chances, weight, self._averages, floored)

    def _looked_at(self, seat: int) -> list[tuple[int, float]]:
        """Hands of a seat, and how much each counts in this iteration."""
        likely = self._priors[seat]
        if len(likely) <= FEW:
            return list(enumerate(likely.tolist()))
        points = (np.arange(SAMPLE) + self.iteration * GOLDEN % 1) / SAMPLE
        found = np.minimum(np.searchsorted(np.cumsum(likely), points, side="right"), len(likely) - 1)
        return [(int(hand), 1 / SAMPLE) for hand in found]

    def _play(self, seat: int, weights: Floats, result: Floats) -> None:
        play_by(self._nodes, seat, self.graph.hands[seat], weights, result, self._work.share)

    def _average(self) -> Floats:
        chances = np.zeros_like(self._averages)
        for seat in (0, 1):
            self._play(seat, self._averages, chances)
        return chances

    def value(self) -> float:
        """What the average strategies are worth to the opener against each other."""
        work, hands = self._work._replace(chances=self._average()), self.graph.hands[0]
        found, none = 0.0, np.float32(0)
        for other, weight in enumerate(self._priors[1].tolist()):
            learn(self._nodes, work, 0, other, np.float32(1), none, False)
            found += weight * float(work.values[:hands] @ self._priors[0])
        return found

    def bounds(self, least: float = LEAST) -> Bounds:
        """How much best responses to the average win, in the whole round; a smaller `least` takes longer."""
        work = self._work._replace(chances=self._average())
        found = [self._response(seat, work, least) for seat in (0, 1)]
        return Bounds(found[0], found[1])

    def _response(self, seat: int, work: Work, least: float) -> tuple[float, float]:
        walk = walk_of(self.graph, self.game.round, seat, work.pays[seat], self._priors[1 - seat])
        respond(self._nodes, work, walk, seat, least)
        hands = self.graph.hands[seat]
        return float(walk.lower[:hands] @ self._priors[seat]), float(walk.upper[:hands] @ self._priors[seat])

    def strategy(self, bounds: Bounds) -> RoundStrategy:
        """The average strategy as it is kept, in steps of 1/65535; its NashConv is the upper bound."""
        weights = np.rint(self._average() * np.float32(STEPS)).astype(np.uint16)
        facts = Facts(
            game=self.game.name,
            settings=dict(self.game.settings),
            schedule=self.schedule.name,
            planned=0,
            iterations=self.iteration,
            exploitability=bounds.nashconv[1] / 2,
            nashconv=bounds.nashconv[1],
            value=self.value(),
            unit=UNIT if self.stakes == round_stakes(self.game.round) else MATCH_UNIT,
            made_by=f"tahur {__version__}",
        )
        return RoundStrategy(facts, weights, recall=self.recall)


def nodes_of(graph: Graph) -> Nodes:
    seats = np.array([node[0] for node in graph.nodes])
    standing = np.array([node[-1] if node[1:] else -1 for node in graph.nodes])
    needed = np.array([count_of(bid) for bid in graph.bids])
    return Nodes(seats, standing, graph.calls, graph.first, graph.children, graph.places, needed)


def work_of(graph: Graph, stakes: Stakes) -> Work:
    widest, first, second = max(graph.hands), *graph.matches
    joint, values, own = (np.zeros(len(graph.nodes) * widest, np.float32) for _ in range(3))
    chances, regrets = np.zeros(graph.size, np.float32), np.zeros(graph.size, np.float32)
    share, below = np.zeros(widest, np.float32), np.zeros(widest, np.float32)
    pays = stakes.table(0, np.float32), stakes.table(1, np.float32)
    alive = np.zeros(len(graph.nodes), np.bool_)
    return Work(
        graph.hands, (first.ravel(), second.ravel()), pays, chances, regrets, joint, values, own, share, below, alive
    )


def walk_of(graph: Graph, round_: Round, seat: int, pays: Floats, theirs: NDArray[np.float64]) -> Walk:
    """A walk for a seat against the other, who holds these hands so likely."""
    rows = len(graph.kept) + 3
    reach, lower, upper = (np.zeros(rows * max(graph.hands)) for _ in range(3))
    reach[: len(theirs)] = theirs
    rare = [_rare(graph, round_, seat, rank) for rank in range(-1, len(graph.bids))]
    return Walk(
        reach, lower, upper, np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(16), np.zeros(16),
        np.array([bid for each in rare for bid in each], np.int64), np.cumsum([0, *map(len, rare)]),
        float(pays.max()),
    )  # fmt: skip


def _rare(graph: Graph, round_: Round, seat: int, standing: int) -> list[int]:
    """The ranks of legal bids that are left out, the lowest on each face: the others are less likely true."""
    said = round_.menus[round_.order[seat]][graph.bids[standing] if standing >= 0 else NO_BID]
    lowest: dict[int, int] = {}
    for action in said:
        if action >= FIRST_BID and graph.rank[action] not in graph.kept:
            lowest.setdefault(face_of(action), graph.rank[action])
    return list(lowest.values())
