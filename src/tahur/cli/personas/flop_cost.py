"""What menus cost on flops of Flop Hold'em, against a strategy from a file.

As on rivers (`cost`): no card is dealt after the flop, so every decision is computed exactly for all hands. Before the
flop both seats follow the file; only the losses of menus on the flop count, over all lines to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_of, cards_text
from tahur.cards.flops import Flop, least_flop
from tahur.cli.personas.cost import RARE, FlipCost, FlipSubject, FlipTally, Key, Spread, cost_of, meetings, spread
from tahur.core.arrays import Float64s
from tahur.games.betting import DECISION, FOLDED, NOT_LEGAL, SLOTS, Betting
from tahur.players.bounded.situation import EquityEstimate, Position, Situation
from tahur.solvers.postflop.tree import Deed, Move

FINE: Final = 100  # equities are rounded to one percent: a flop has a thousand hands
FLOP: Final = 1  # the street
FOLD, CALL, RAISE = range(len(SLOTS))


class FlopStrategy(Protocol):
    """A strategy for Flop Hold'em: `games/holdem/flop_table.FlopTable`, or any object with the same methods."""

    @property
    def betting(self) -> Betting: ...

    def preflop(self) -> NDArray[np.float32]: ...

    def flop(self, cards: Flop) -> NDArray[np.float32]: ...


def flop_costs(
    table: FlopStrategy, choosers: Sequence[FlipSubject], flops: int, rng: np.random.Generator
) -> Iterator[float | list[FlipCost]]:
    """Yield the progress; return the costs, in chips per deal, averaged over both seats and all flops."""
    tallies = [FlipTally() for _ in choosers]
    for number in range(flops):
        cards, _ = least_flop(tuple(int(card) for card in rng.choice(52, 3, replace=False)))
        for seat in (0, 1):
            walk = FlopWalk(table=table, cards=cards, seat=seat, choosers=choosers, tallies=tallies)
            for done in walk.run():
                yield (number + (seat + done) / 2) / flops
    yield [cost_of(chooser, tally, 1 / (2 * flops)) for chooser, tally in zip(choosers, tallies, strict=True)]


class FlopWalk:
    """Walks the betting on one flop with one seat's hands, against the file's strategy in the other seat."""

    def __init__(
        self, table: FlopStrategy, cards: Flop, seat: int, choosers: Sequence[FlipSubject], tallies: list[FlipTally]
    ) -> None:
        self.betting, self.cards, self.seat = table.betting, cards, seat
        self.choosers, self.tallies = choosers, tallies
        self.hands = np.array([hand for hand in range(COMBOS) if not set(cards_of(hand)) & set(cards)])
        chances = np.concatenate([table.preflop(), table.flop(cards)])[:, self.hands]
        self.chances = chances.astype(float)  # (decisions, hands, 3)
        self.wins, self.free = meetings(self.hands, self.hands, cards)
        self.total = float(self.free.sum())
        self.everybody = np.ones(len(self.hands))

    def run(self) -> Iterator[float]:
        """Process the lines one by one, yielding the progress."""
        first = self.betting.first[FLOP]
        roots = [node for node in self.betting.of_street(FLOP) if self.betting.parent[node] < first]
        for number, root in enumerate(roots):
            own, other = self._reach(root, self.seat), self._reach(root, 1 - self.seat)
            self.visit(root, other, [own] * len(self.choosers))
            yield (number + 1) / len(roots)

    def visit(self, node: int, other: Float64s, owns: list[Float64s]) -> Float64s:
        """The value of the seat's best play from here, summed over the other's hands; adds the choosers' losses."""
        if self.betting.kind[node] != DECISION:
            return self._paid(node, other)
        legal = [slot for slot in range(len(SLOTS)) if self.betting.children[node, slot] != NOT_LEGAL]
        children = [int(self.betting.children[node, slot]) for slot in legal]
        if self.betting.seat[node] != self.seat:
            answers = [other * self.chances[node, :, slot] for slot in legal]
            return sum((self.visit(*each, owns) for each in zip(children, answers, strict=True)), 0 * other)
        pairs = self.free @ other
        spreads = self._spreads(node, legal, other, pairs)
        made = [np.array([each.shares for each in rows]).T for rows in spreads]
        values = np.array(
            [
                self.visit(child, other, [own * often[at] for own, often in zip(owns, made, strict=True)])
                for at, child in enumerate(children)
            ]
        )
        self._count(node, values, pairs, owns, spreads)
        best: Float64s = values.max(axis=0)
        return best

    def _count(
        self, node: int, values: Float64s, pairs: Float64s, owns: list[Float64s], spreads: list[list[Spread]]
    ) -> None:
        missed = values.max(axis=0) - values
        lost = missed / np.where(pairs > 0, pairs, 1)
        reach = float(self.everybody @ pairs) / self.total
        line = f"{cards_text(self.cards)} {','.join(SLOTS[slot] for slot in self.betting.line(node))}"
        for tally, own, rows in zip(self.tallies, owns, spreads, strict=True):
            made = np.array([each.shares for each in rows]).T
            tally.coins += float(own @ (made * missed).sum(axis=0)) / self.total
            if reach >= RARE:
                tally.witness(line, lost, rows, self.hands, np.flatnonzero((own > 0) & (pairs > 0)))

    def _spreads(self, node: int, legal: list[int], other: Float64s, pairs: Float64s) -> list[list[Spread]]:
        equity = np.where(pairs > 0, self.wins @ other / np.where(pairs > 0, pairs, 1), 0.0)
        rounded = (np.round(equity * FINE) / FINE).tolist()
        here, moves = self._situation(node), self._moves(node, legal)
        known: dict[Key, Spread] = {}
        found = []
        for chooser in self.choosers:
            by_equity = {each: spread(moves, chooser, here, each, known) for each in set(rounded)}
            found.append([by_equity[each] for each in rounded])
        return found

    def _paid(self, node: int, other: Float64s) -> Float64s:
        stake = float(self.betting.committed[node].min())
        if self.betting.kind[node] == FOLDED:
            won: Float64s = (self.free @ other) * (-stake if self.betting.seat[node] == self.seat else stake)
            return won
        shown: Float64s = (2 * self.wins - self.free) @ other * stake
        return shown

    def _reach(self, root: int, seat: int) -> Float64s:
        """A seat's own reach of the flop with each hand, by its strategy before the flop."""
        reach, node = np.ones(len(self.hands)), root
        while self.betting.parent[node] >= 0:
            above = int(self.betting.parent[node])
            if self.betting.seat[above] == seat:
                reach = reach * self.chances[above, :, self.betting.slot[node]]
            node = above
        return reach

    def _moves(self, node: int, legal: list[int]) -> list[Move]:
        owes = bool(np.ptp(self.betting.committed[node]))
        words = {FOLD: Move(Deed.FOLD), CALL: Move(Deed.CALL if owes else Deed.CHECK)}
        return [words.get(slot) or Move(Deed.RAISE, int(self.betting.actions[node, slot]) - 1) for slot in legal]

    def _situation(self, node: int) -> Situation:
        """The situation at this node without equity; after the flop, the hand itself does not matter."""
        betting, stakes = self.betting, self.betting.game.stakes
        root, raises = node, 0
        while betting.street[betting.parent[root]] == FLOP:
            raises += int(betting.slot[root] == RAISE)
            root = int(betting.parent[root])
        committed, before = betting.committed[node].tolist(), int(betting.committed[root].max())
        own, highest = committed[self.seat], max(committed)
        action = int(betting.actions[node, RAISE])
        return Situation(
            hole=tuple(int(card) for card in cards_of(int(self.hands[0]))),
            board=tuple(self.cards),
            seats=2,
            opponents=1,
            position=Position.BUTTON if self.seat == stakes.button else Position.BLINDS,
            pot=sum(committed),
            cost=highest - own,
            stack=stakes.stacks[self.seat] - own,
            big_blind=stakes.blinds[1],
            committed=own,
            street_bet=own - before,
            bet=highest - before,
            raises=range(action - 1, action) if action != NOT_LEGAL else range(0),
            reach=stakes.stacks[1 - self.seat] - before,
            street_raises=raises,
            estimate=EquityEstimate(0.0),
        )
