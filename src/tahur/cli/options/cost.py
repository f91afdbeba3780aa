"""What menus cost on a solved river: of every option the EV it gives up, and of coin flips over menus what they lose.

A move is worth what the hand earns after it against the solution's other seat, playing on as well as it can; its cost
is that of the best move less its own. What a chooser loses in all is then the sum, over its own decisions, of how often
it comes there times what it gives up there: exact, because the best continuation is what every cost is measured from.
Menus get the true equity, against the range that the solution's other seat comes with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_of
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.cli.options.flips import FlipCost, FlipSubject, FlipTally, Key, Spread, cost_of, spread
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.players.bounded.situation import EquityEstimate, Position, Situation
from tahur.solvers.postflop.line import BoardNode, moved, node_at, start, strategy_at
from tahur.solvers.postflop.results import move_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import Node, NodeKind

RARE: Final = 0.001  # a line that comes less often was hardly trained: it counts, but is no witness to the worst
FINE: Final = 200  # equities are taken to half a percent, so that hands alike share a menu


def costs(
    solution: PostflopSolution, choosers: Sequence[FlipSubject], *, big_blind: int
) -> Iterator[float | list[FlipCost]]:
    """How far it is, 0 to 1, again and again; at last the costs of each chooser, coins being the mean of both seats."""
    if len(solution.spot.board) != 5:
        raise SolverError(f"menus are certified on rivers; {solution!r} has cards to come")
    tallies = [FlipTally() for _ in choosers]
    for seat in (0, 1):
        walk = _Walk(solution=solution, seat=seat, choosers=choosers, tallies=tallies, big_blind=big_blind)
        for done in walk.run():
            yield (seat + done) / 2
    yield [cost_of(chooser, tally, 1 / 2) for chooser, tally in zip(choosers, tallies, strict=True)]


class _Walk:
    """Through the betting with one seat's hands, all choosers at once, the solution in the other seat."""

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
        """Yields how far it is; depth first, so that little is kept."""
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
        """After each move that the other seat makes at all."""
        often = strategy_at(self.engine, place) @ place.reach[1 - self.seat]
        return [(moved(self.engine, place, at), owns) for at in range(len(often)) if often[at] > 0]

    def _measured(self, place: BoardNode, node: Node, owns: list[Float64s]) -> list[tuple[BoardNode, list[Float64s]]]:
        """Count what is lost here by each chooser, and go on with what it does."""
        values = move_evs(self.engine, place, best=True)[:, self.hands]
        lost = np.nan_to_num(values.max(axis=0) - values)
        reach = place.reach[1 - self.seat][self.theirs]
        pairs = self.free @ reach
        often = float(self.range @ pairs) / self.total
        equity = np.where(pairs > 0, self.wins @ reach / np.where(pairs > 0, pairs, 1), 0.0)
        known: dict[Key, Spread] = {}
        shares, here = [], self._situation(place, node)
        for chooser, tally, own in zip(self.choosers, self.tallies, owns, strict=True):
            spreads = [spread(node.moves, chooser, here, float(each), known) for each in np.round(equity * FINE) / FINE]
            made = np.array([spread.shares for spread in spreads]).T
            tally.coins += float((own * pairs) @ (made * lost).sum(axis=0)) / self.total
            if often >= RARE:
                line = ",".join(map(str, place.line)) or "first"
                tally.witness(line, lost, spreads, self.hands, np.flatnonzero((own > 0) & (pairs > 0)))
            shares.append(made)
        return [
            (moved(self.engine, place, at), [own * made[at] for own, made in zip(owns, shares, strict=True)])
            for at in range(len(node.moves))
        ]

    def _situation(self, place: BoardNode, node: Node) -> Situation:
        """Here, but for the equity; which hand it is does not matter after the flop."""
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
    """(mine, theirs) each: the share of the pot that one wins from the other, and whether they can meet."""
    ranks = [np.array([evaluate((*cards_of(int(hand)), *board)) for hand in hands]) for hands in (mine, theirs)]
    free = (combos().mask[mine][:, None] & combos().mask[theirs][None, :] == 0).astype(float)
    wins = (ranks[0][:, None] > ranks[1][None, :]) + 0.5 * (ranks[0][:, None] == ranks[1][None, :])
    return wins * free, free
