"""One small Flop Hold'em in two layouts: that of the flops side by side, and the tree of the solver that knows no game.

`places` says, for each number of the tree's buffers, which number of a book is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from solvers.limit.small_flop import SmallFlop
from tahur.cards.equity.tables import combos
from tahur.cards.flops import relabel
from tahur.games.betting import slot_of
from tahur.games.registry import make
from tahur.solvers.limit.engine import Book, LimitLayout, layout_of
from tahur.solvers.limit.flow import LANES
from tahur.solvers.tree import Tree
from tahur.solvers.unroll import unroll


@dataclass(frozen=True, eq=False)
class Twins:
    layout: LimitLayout
    tree: Tree
    places: np.ndarray  # (tree.size,) of the start, then of the flops; -1 for hands that the flop rules out
    on_flop: np.ndarray  # (tree.size,)
    seat: np.ndarray  # (tree.size,)

    @property
    def open(self) -> np.ndarray:
        return self.places >= 0

    @property
    def scale(self) -> np.ndarray:
        """What the tree's regrets are, of ours: chance and the other's prior are in them."""
        deck = self.layout.deck
        return np.where(self.on_flop, 1 / deck.boards_left, 1.0) / len(deck.hands)

    def spread(self, book: Book) -> np.ndarray:
        """A book's numbers in the tree's layout."""
        flat = np.concatenate([book.start.ravel(), book.flops.astype(np.float64)])
        return np.where(self.open, flat[self.places], 0.0)


@cache
def twins(name: str, cards: tuple[int, ...]) -> Twins:
    game: Any = make(name, {})
    layout, tree = layout_of(game, cards), unroll(SmallFlop(game, cards))  # type: ignore[arg-type]
    places, on_flop = np.full(tree.size, -1), np.zeros(tree.size, bool)
    seat = np.zeros(tree.size, int)
    tables: dict[int, Any] = {0: tree.game.start()}
    for node in range(len(tree.actions)):
        if node:
            tables[node] = tables[int(tree.nodes.parent[node])].after(int(tree.actions[node]))
        if tree.nodes.kind[node] in (0, 1):
            table = tables[node].table
            tree.part(places, node)[:] = _places(layout, table, [slot_of(each) for each in tree.menu(node)])
            tree.part(on_flop, node)[:] = bool(table.board)
            tree.part(seat, node)[:] = tree.turn(node)
    return Twins(layout, tree, places, on_flop, seat)


def _places(layout: LimitLayout, table: Any, slots: list[int]) -> np.ndarray:
    """(slots, hands)"""
    deck, flop, hands = layout.deck, layout.flop, layout.deck.hands
    node = flop.betting.find(table)
    if not table.board:
        return np.array([(node * deck.classes + deck.class_of[hands]) * 3 + slot for slot in slots])
    number, renamed = _least(layout, table.board)
    member = deck.members[number][renamed[hands]]
    line, decision = divmod(node - flop.first, flop.decisions)
    size = int(deck.flops.start[number + 1] - deck.flops.start[number])
    first = int(np.prod(layout.start_shape)) + int(layout.places[number])
    rows = [flop.seat(decision) * flop.data_rows + int(flop.rows[decision, slot]) for slot in slots]
    return np.array([np.where(member < 0, -1, first + (row * size + member) * LANES + line) for row in rows])


def _least(layout: LimitLayout, board: tuple[int, ...]) -> tuple[int, np.ndarray]:
    """The number of the flop that stands for this one, and what hands are called there."""
    return _least_of(layout.deck.cards, tuple(map(tuple, layout.deck.boards.tolist())), tuple(sorted(board)))


@cache
def _least_of(
    cards: tuple[int, ...], boards: tuple[tuple[int, ...], ...], board: tuple[int, ...]
) -> tuple[int, np.ndarray]:
    for suits, image in zip(combos().suits.tolist(), combos().image, strict=True):
        renamed = tuple(map(int, relabel(board, suits)))
        if renamed in boards and {*map(int, relabel(cards, suits))} == {*cards}:
            return boards.index(renamed), image
    raise AssertionError(board)
