"""What a solved spot says at one decision: the way there, both ranges as they arrive, the strategy and what it wins.

Lines are words with commas, such as `check,bet100,call`; the cards that come on the way are given apart. All is by
combo number, (1326,) in all; what the seat cannot hold there has reach 0 and means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, Card, cards_text
from tahur.cards.equity.tables import combos
from tahur.cards.suits import RELABELINGS
from tahur.core.errors import SolverError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.tree import Kind, Move, Node

Array = NDArray[Any]
Numbers = NDArray[np.float64]
SEATS: Final = ("oop", "ip")


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One decision. EVs are chips from the pot as it stands, for the seat that decides."""

    board: tuple[Card, ...]
    seat: int
    pot: int  # with what is to be called
    moves: tuple[Move, ...]
    reach: tuple[Numbers, Numbers]  # (1326,) each: weight times the chance of having played so
    strategy: Numbers  # (moves, 1326)
    move_ev: Numbers  # (moves, 1326)

    @property
    def ev(self) -> Numbers:
        """(1326,) what each hand wins by the strategy."""
        won: Numbers = (self.strategy * self.move_ev).sum(0)
        return won

    @property
    def weights(self) -> Numbers:
        """(1326,) how often the seat decides here with each hand, up to a factor: its reach times what it can meet."""
        return self.reach[self.seat] * met(self.reach[1 - self.seat])

    @property
    def frequencies(self) -> tuple[float, ...]:
        """How often each move is made."""
        often = self.strategy @ self.weights / max(self.weights.sum(), np.finfo(float).tiny)
        return tuple(float(each) for each in often)


@dataclass(slots=True)
class _Walker:
    """Where one is on the way. Cards dealt are `suits` of the cards of the board that stands for them."""

    street: int = 0
    board: int = 0
    node: int = 0
    suits: tuple[int, ...] = RELABELINGS[0]
    above: int = 0  # the board of the street before


def view(engine: Engine, line: str = "", cards: Sequence[int] = ()) -> View:
    """The decision that a line leads to."""
    layout = engine.layout
    walker, board, left = _Walker(), list(layout.spot.board), list(cards)
    reach = [_without(each.vector, board) for each in layout.spot.ranges]
    for word in [each.strip() for each in line.split(",") if each.strip()]:
        _deal_if_due(engine, walker, board, left, reach, line)
        node = layout.groves[walker.street].nodes[walker.node]
        move = _number_of(node, word, line)
        reach[node.seat] = reach[node.seat] * _strategy(engine, walker)[move]
        forest = layout.groves[walker.street].forest
        walker.node = int(forest.child[forest.first[walker.node] + move])
    _deal_if_due(engine, walker, board, left, reach, line)
    node = layout.groves[walker.street].nodes[walker.node]
    if node.kind is not Kind.DECISION:
        raise SolverError(f"'{line}' ends the hand by a {node.kind.value}; a decision is asked for")
    if left:
        raise SolverError(f"'{line}' deals {len(cards) - len(left)} cards and {len(cards)} were given")
    return _seen(engine, walker, node, board, reach)


def met(reach: Numbers) -> Numbers:
    """(1326,) the weight of all hands that share no card with each."""
    by_card = np.zeros(52)
    cards = combos().cards
    np.add.at(by_card, cards, reach[:, None])
    total: Numbers = reach.sum() - by_card[cards].sum(1) + reach
    return total


def _seen(engine: Engine, walker: _Walker, node: Node, board: list[Card], reach: list[Numbers]) -> View:
    forest = engine.layout.groves[walker.street].forest
    first = forest.first[walker.node]
    values = engine.values(node.seat, walker.street, walker.board, walker.above)
    children = forest.child[first : first + forest.moves[walker.node]]
    total = met(reach[1 - node.seat])
    spot = engine.layout.spot
    with np.errstate(divide="ignore", invalid="ignore"):
        won = _dense(engine, walker, node.seat, values[children]) / total + spot.pot / 2 + node.bet
    won = np.where(total > 1e-12, won, 0.0)
    pot = spot.pot + 2 * node.bet
    both = (reach[0], reach[1])
    return View(tuple(board), node.seat, pot, node.moves, both, _strategy(engine, walker), won)


def _deal_if_due(
    engine: Engine, walker: _Walker, board: list[Card], left: list[int], reach: list[Numbers], line: str
) -> None:
    """If the street is over, go on to the board that the next card makes."""
    while engine.layout.groves[walker.street].forest.kind[walker.node] == 4:
        if not left:
            raise SolverError(f"'{line}' goes on after {cards_text(board)}; say which card comes")
        card = Card(left.pop(0))
        if card in board:
            raise SolverError(f"{card} is on the board {cards_text(board)} already; another card must come")
        _deal(engine, walker, card)
        board.append(card)
        reach[:] = [_without(each, board) for each in reach]


def _deal(engine: Engine, walker: _Walker, card: Card) -> None:
    layout = engine.layout
    line = layout.groves[walker.street].forest.deals.tolist().index(walker.node)
    seen = card & ~3 | walker.suits.index(card & 3)
    for place, board in enumerate(layout.hands[walker.street + 1].boards):
        for number in board.images if board.parent == walker.board else ():
            label = RELABELINGS[number]
            if board.cards[-1] & ~3 | label[board.cards[-1] & 3] == seen:
                walker.suits = tuple(walker.suits[suit] for suit in label)
                walker.above, walker.board, walker.street = walker.board, place, walker.street + 1
                walker.node = int(layout.groves[walker.street].forest.roots[line])
                return


def _strategy(engine: Engine, walker: _Walker) -> Numbers:
    seat = engine.layout.groves[walker.street].nodes[walker.node].seat
    return _dense(engine, walker, seat, engine.strategy(walker.street, walker.board, walker.node))


def _dense(engine: Engine, walker: _Walker, seat: int, rows: Array) -> Numbers:
    """(rows, 1326) in the cards that were dealt, from the order of the board that stands for them."""
    held = engine.layout.hands[walker.street].combos[seat][walker.board]
    dense = np.zeros((len(rows), COMBOS))
    dense[:, combos().image[RELABELINGS.index(walker.suits)][held]] = rows[:, : len(held)]
    return dense


def _number_of(node: Node, word: str, line: str) -> int:
    names = [str(move) for move in node.moves]
    if word not in names:
        where = f"{SEATS[node.seat]} can {', '.join(names)}" if names else "the hand is over"
        raise SolverError(f"no '{word}' in '{line}'; {where}")
    return names.index(word)


def _without(weights: Array, board: Sequence[int]) -> Numbers:
    mask = sum(1 << card for card in board)
    kept: Numbers = np.where((combos().mask & mask) == 0, weights, 0.0)
    return kept
