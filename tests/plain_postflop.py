"""The postflop solver said slowly: float64, every card dealt, every pair of hands compared. And a linear program.

It shares the betting tree with the solver and nothing else: no suits, no sorting, no lanes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from tahur.cards.cards import cards_of
from tahur.cards.evaluator import evaluate
from tahur.core.arrays import Float64s
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Node, NodeKind, build

Place = tuple[tuple[int, ...], tuple[int, ...]]  # moves and cards on the way


@dataclass
class Plain:
    """One spot, its regrets and its sums of strategies, by the way to each decision."""

    spot: Spot
    regrets: dict[Place, Float64s] = field(default_factory=dict)
    sums: dict[Place, Float64s] = field(default_factory=dict)
    signs: dict[tuple[int, ...], Float64s] = field(default_factory=dict)
    seen: dict[Place, Float64s] = field(default_factory=dict)  # values of own decisions in the last traversal

    def __post_init__(self) -> None:
        board = set(self.spot.board)
        self.root = build(self.spot)
        self.hands = [
            [cards_of(int(combo)) for combo in each.indices if not board & set(cards_of(int(combo)))]
            for each in self.spot.ranges
        ]
        self.weights = [
            np.array([w for c, w in zip(each.indices, each.weights, strict=True) if not board & set(cards_of(int(c)))])
            for each in self.spot.ranges
        ]
        self.apart = np.array([[not set(one) & set(two) for two in self.hands[1]] for one in self.hands[0]], float)
        self.pairs = self.weights[0] @ self.apart @ self.weights[1]

    def iterate(self, positive: float, negative: float, average: float) -> None:
        for me in (0, 1):
            self.kept = positive, negative, average
            self.traverse(me, "update")

    def exploitability(self) -> float:
        best = sum(self.worth(me, "best") for me in (0, 1))
        if self.spot.rake.share:
            best -= sum(self.worth(me, "value") for me in (0, 1))
        return best / 2 / self.spot.pot * 100

    def worth(self, me: int, mode: str) -> float:
        return float(self.traverse(me, mode) @ self.weights[me] / self.pairs)

    def traverse(self, me: int, mode: str) -> Float64s:
        return self._value(self.root, tuple(self.spot.board), (), me, self.weights[1 - me], mode)

    def _value(
        self, node: Node, board: tuple[int, ...], way: tuple[int, ...], me: int, reach: Float64s, mode: str
    ) -> Float64s:
        if node.kind is NodeKind.DEAL:
            return self._dealt(node, board, way, me, reach, mode)
        if node.kind is not NodeKind.DECISION:
            return self._end(node, board, me, reach)
        place = (way, board)
        strategy = self._strategy(place, node, mode)
        values = []
        for move, child in enumerate(node.children):
            below = reach if node.seat == me else reach * strategy[move]
            values.append(self._value(child, board, (*way, move), me, below, mode))
        if node.seat != me:
            if mode == "update":
                before = self.sums.get(place, np.zeros_like(strategy))
                self.sums[place] = before * self.kept[2] + reach * strategy
            return np.sum(values, 0)
        if mode == "best":
            return np.max(values, 0)
        value = (strategy * np.array(values)).sum(0)
        self.seen[place] = value
        if mode == "update":
            before = self.regrets.get(place, np.zeros_like(strategy))
            kept = np.where(before > 0, self.kept[0], self.kept[1])
            self.regrets[place] = before * kept + (np.array(values) - value)
        return value

    def _strategy(self, place: Place, node: Node, mode: str) -> Float64s:
        source = self.regrets if mode == "update" else self.sums
        empty = np.zeros((len(node.moves), len(self.hands[node.seat])))
        positive = np.maximum(source.get(place, empty), 0)
        total = positive.sum(0)
        return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(node.moves))

    def _dealt(
        self, node: Node, board: tuple[int, ...], way: tuple[int, ...], me: int, reach: Float64s, mode: str
    ) -> Float64s:
        total = np.zeros(len(self.hands[me]))
        for card in set(range(52)) - set(board):
            mine, theirs = (np.array([card not in hand for hand in self.hands[each]]) for each in (me, 1 - me))
            total += mine * self._value(node.children[0], (*board, card), way, me, reach * theirs, mode)
        return total / (52 - len(board) - 4)

    def _end(self, node: Node, board: tuple[int, ...], me: int, reach: Float64s) -> Float64s:
        stake = self.spot.pot / 2 + node.bet
        rake = self.spot.rake.of(2 * stake)
        apart = self.apart if me == 0 else self.apart.T
        if node.kind is NodeKind.FOLD:
            return (apart @ reach) * (-stake if node.seat == me else stake - rake)
        sign = self._sign(board) if me == 0 else -self._sign(board).T
        paid = np.where(sign > 0, stake - rake, np.where(sign < 0, -stake, -rake / 2))
        return (apart * paid) @ reach

    def _sign(self, board: tuple[int, ...]) -> Float64s:
        if board not in self.signs:
            ranks = [
                np.array([0 if set(hand) & set(board) else evaluate((*board, *hand)) for hand in hands])
                for hands in self.hands
            ]
            self.signs[board] = np.sign(ranks[0][:, None] - ranks[1]).astype(float)
        return self.signs[board]


def value_by_linear_program(spot: Spot) -> float:
    """What a spot is worth to the seat out of position, from its half of the pot, in sequence form.

    For rivers, and for turns with a few hands.
    """
    plain = Plain(spot)
    number: tuple[dict[tuple[int, tuple[int, ...]], int], ...] = ({}, {})
    rows: tuple[list[tuple[int, list[int]]], ...] = ([], [])
    cells: list[tuple[int, int, float]] = []

    def sequence(seat: int, hand: int, own: tuple[int, ...]) -> int:
        return number[seat].setdefault((hand, own), len(number[seat]))

    for seat in (0, 1):
        for hand in range(len(plain.hands[seat])):
            sequence(seat, hand, ())

    def walk(node: Node, owns: tuple[tuple[int, ...], tuple[int, ...]], place: int, board: tuple[int, ...]) -> int:
        if node.kind is NodeKind.DEAL:
            for card in set(range(52)) - set(board):
                place = walk(node.children[0], owns, place, (*board, card))
            return place
        alive = [np.array([not set(hand) & set(board) for hand in hands]) for hands in plain.hands]
        if node.kind is not NodeKind.DECISION:
            paid = np.array([plain._end(node, board, 0, unit) for unit in np.eye(len(plain.hands[1]))]).T
            chance = 1 / (52 - len(spot.board) - 4) ** (len(board) - len(spot.board))
            paid = paid * np.outer(plain.weights[0] * alive[0], plain.weights[1] * alive[1]) * chance / plain.pairs
            for one, two in zip(*np.nonzero(paid), strict=True):
                cells.append((sequence(0, one, owns[0]), sequence(1, two, owns[1]), paid[one, two]))
            return place + 1
        seat, after = node.seat, place + 1
        steps = [(*owns[seat], place * 10 + move) for move in range(len(node.moves))]
        for hand in np.flatnonzero(alive[seat]).tolist():
            children = [sequence(seat, hand, step) for step in steps]
            rows[seat].append((sequence(seat, hand, owns[seat]), children))
        for step, child in zip(steps, node.children, strict=True):
            after = walk(child, (step, owns[1]) if seat == 0 else (owns[0], step), after, board)
        return after

    walk(plain.root, ((), ()), 0, tuple(spot.board))
    sizes = [len(sequences) for sequences in number]
    matrix = coo_matrix(([c[2] for c in cells], ([c[0] for c in cells], [c[1] for c in cells])), shape=tuple(sizes))
    plans = [_constraints(sizes[seat], rows[seat], len(plain.hands[seat])) for seat in (0, 1)]
    # maximise f.q over plans x of seat 0 and q with F'q <= A'x (the opponent's best answer, by duality)
    (e, e_right), (f, f_right) = plans
    solution = linprog(
        np.concatenate([np.zeros(sizes[0]), -f_right]),
        A_ub=hstack([-matrix.T, f.T]),
        b_ub=np.zeros(sizes[1]),
        A_eq=hstack([e, coo_matrix((e.shape[0], f.shape[0]))]),
        b_eq=e_right,
        bounds=[(0, None)] * sizes[0] + [(None, None)] * f.shape[0],
    )
    assert solution.success
    return float(-solution.fun)


def _constraints(size: int, rows: list[tuple[int, list[int]]], hands: int) -> tuple[coo_matrix, Float64s]:
    """One row for each hand, whose sequence of no moves has weight 1, and one for each decision."""
    cells = [(hand, hand, 1.0) for hand in range(hands)]
    for number, (parent, children) in enumerate(rows, hands):
        cells += [(number, parent, -1.0), *((number, child, 1.0) for child in children)]
    places = tuple(np.array(cells)[:, :2].T.astype(int))
    matrix = coo_matrix((np.array(cells)[:, 2], places), shape=(hands + len(rows), size))
    return matrix, np.concatenate([np.ones(hands), np.zeros(len(rows))])
