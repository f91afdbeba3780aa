"""What menus cost on a solved river: the EV that each option gives up, and the loss of uniformly random choices.

The value of a move is what the hand earns after it against the solution's other seat, with the best continuation; its
cost is the best move's value minus its own. The total loss of a chooser is the sum over its decisions of its reach
times the cost there. This is exact, because every cost is measured from the best continuation. Menus get the true
equity against the range of the solution's other seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_of
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.cli.personas.flips import FlipCost, FlipSubject, FlipTally, Key, Spread, cost_of, spread
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.players.bounded.situation import EquityEstimate, Position, Situation
from tahur.solvers.postflop.line import BoardNode, moved, node_at, start, strategy_at
from tahur.solvers.postflop.results import move_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import Node, NodeKind

RARE: Final = 0.001  # lines with less reach are poorly solved: they count, but not for the worst option
FINE: Final = 200  # equities are rounded to half a percent, so that similar hands share a menu


def costs(
    solution: PostflopSolution, choosers: Sequence[FlipSubject], *, big_blind: int
) -> Iterator[float | list[FlipCost]]:
    """Yield the progress, 0 to 1; return the costs of each chooser, random choices averaged over both seats."""
    if len(solution.spot.board) != 5:
        raise SolverError(f"menus are certified on rivers only; {solution!r} has cards to come")
    tallies = [FlipTally() for _ in choosers]
    for seat in (0, 1):
        walk = _Walk(solution=solution, seat=seat, choosers=choosers, tallies=tallies, big_blind=big_blind)
        for done in walk.run():
            yield (seat + done) / 2
    yield [cost_of(chooser, tally, 1 / 2) for chooser, tally in zip(choosers, tallies, strict=True)]


class _Walk:
    """Walks the betting tree with one seat's hands, for all choosers at once; the solution plays the other seat."""

    def __init__(
        self,
        solution: PostflopSolution,
        seat: int,
        choosers: Sequence[FlipSubject],
        tallies: list[FlipTally],
        big_blind: int,
    ) -> None:
        self.solution, self.engine, self.seat, self.big_blind = solution, solution.engine, seat, big_blind
        self.choosers, self.tallies = choosers, tallies
        self.root = start(self.engine)
        self.hands = np.flatnonzero(self.root.reach[seat])
        self.range = self.root.reach[seat][self.hands]
        self.wins, self.free = meetings(self.hands, np.flatnonzero(self.root.reach[1 - seat]), self.root.board)
        self.theirs = np.flatnonzero(self.root.reach[1 - seat])
        self.total = float(self.range @ (self.free @ self.root.reach[1 - seat][self.theirs]))

    def run(self) -> Iterator[float]:
        """Yield the progress; the walk is depth first to save memory."""
        waiting: list[tuple[BoardNode, list[Float64s], float]] = [(self.root, [self.range] * len(self.choosers), 1.0)]
        done = 0.0
        while waiting:
            place, owns, share = waiting.pop()
            node = node_at(self.engine, place)
            if node.kind is not NodeKind.DECISION:
                done += share
                continue
            mine = node.seat == self.seat
            after = self._measured(place, node, owns) if mine else self._answered(place, owns)
            done += 0.0 if after else share
            waiting += [(there, reach, share / len(after)) for there, reach in after]
            yield done

    def _answered(self, place: BoardNode, owns: list[Float64s]) -> list[tuple[BoardNode, list[Float64s]]]:
        """Follow each move that the other seat makes with positive probability."""
        frequencies = strategy_at(self.engine, place) @ place.reach[1 - self.seat]
        return [(moved(self.engine, place, at), owns) for at in range(len(frequencies)) if frequencies[at] > 0]

    def _measured(self, place: BoardNode, node: Node, owns: list[Float64s]) -> list[tuple[BoardNode, list[Float64s]]]:
        """Add the loss of each chooser at this node, and follow its moves."""
        values = move_evs(self.engine, place, best=True)[:, self.hands]
        lost = np.nan_to_num(values.max(axis=0) - values)
        reach = place.reach[1 - self.seat][self.theirs]
        pairs = self.free @ reach
        node_reach = float(self.range @ pairs) / self.total
        equity = np.where(pairs > 0, self.wins @ reach / np.where(pairs > 0, pairs, 1), 0.0)
        known: dict[Key, Spread] = {}
        shares, here = [], self._situation(place, node)
        for chooser, tally, own in zip(self.choosers, self.tallies, owns, strict=True):
            spreads = [spread(node.moves, chooser, here, float(each), known) for each in np.round(equity * FINE) / FINE]
            made = np.array([spread.shares for spread in spreads]).T
            tally.coins += float((own * pairs) @ (made * lost).sum(axis=0)) / self.total
            if node_reach >= RARE:
                line = ",".join(map(str, place.line)) or "first"
                tally.witness(line, lost, spreads, self.hands, np.flatnonzero((own > 0) & (pairs > 0)))
            shares.append(made)
        return [
            (moved(self.engine, place, at), [own * made[at] for own, made in zip(owns, shares, strict=True)])
            for at in range(len(node.moves))
        ]

    def _situation(self, place: BoardNode, node: Node) -> Situation:
        """The situation at this node without equity; after the flop, the hand itself does not matter."""
        spot, owed = self.solution.spot, to_call(node)
        bet, stack = node.bet + owed, spot.stack - node.bet
        whole = node.bet + stack
        least = bet + max(self.big_blind, owed)
        raises = range(min(least, whole), whole + 1) if any(move.to for move in node.moves) else range(0)
        return Situation(
            hole=tuple(int(card) for card in cards_of(int(self.hands[0]))),
            board=tuple(map(int, place.board)),
            seats=2,
            opponents=1,
            position=Position.BUTTON if self.seat else Position.BLINDS,
            pot=spot.pot + 2 * node.bet + owed,
            cost=owed,
            stack=stack,
            big_blind=self.big_blind,
            committed=spot.pot // 2 + node.bet,
            street_bet=node.bet,
            bet=bet,
            raises=raises,
            reach=whole,
            street_raises=sum(move.to > 0 for move in place.line),
            estimate=EquityEstimate(0.0),
        )


def meetings(mine: NDArray[np.int64], theirs: NDArray[np.int64], board: Sequence[int]) -> tuple[Float64s, Float64s]:
    """Two (mine, theirs) matrices: the share of the pot won, and whether the two hands can be dealt together."""
    ranks = [np.array([evaluate((*cards_of(int(hand)), *board)) for hand in hands]) for hands in (mine, theirs)]
    free = (combos().mask[mine][:, None] & combos().mask[theirs][None, :] == 0).astype(float)
    wins = (ranks[0][:, None] > ranks[1][None, :]) + 0.5 * (ranks[0][:, None] == ranks[1][None, :])
    return wins * free, free
