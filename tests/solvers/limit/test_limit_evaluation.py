"""Policies measured exactly: against the solver that knows no game, against plain counting, and by hand."""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, TypeVar

import numpy as np
import pytest

from solvers.limit.small_flop import EIGHT_CARDS, NINE_CARDS
from solvers.limit.twins import twins
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate_many
from tahur.cards.flops import canonical_flops, hand_classes
from tahur.core.errors import StrategyError
from tahur.games.betting import FOLDED, SHOWDOWN, Betting, betting_of
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.solvers.limit.engine import layout_of
from tahur.solvers.limit.evaluate import measure_match, measure_policy
from tahur.solvers.limit.player_policy import PlayerPolicy, UniformPolicy
from tahur.solvers.response import combine_seats, judge_of

T = TypeVar("T")
UNIFORM = 1488.0264  # mbb/g, exploitability of uniform play at fhp, as counted plainly below
FHP: Any = make("fhp", {})


def _run(steps: Generator[float, None, T]) -> T:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: T = stop.value
            return found


def _bot(name: str) -> PlayerPolicy:
    return PlayerPolicy(make_player(name, FHP), FHP)  # type: ignore[arg-type]


def test_bots_are_measured_as_by_the_solver_that_knows_no_game() -> None:
    pair = twins("fhp", NINE_CARDS)
    judge = judge_of(pair.tree)
    buffers = {"uniform": np.zeros(pair.tree.size)} | {name: _buffer(pair.tree, name) for name in ("caller", "maniac")}
    policies = {"uniform": UniformPolicy(FHP), "caller": _bot("caller"), "maniac": _bot("maniac")}
    for name, policy in policies.items():
        found, known = _run(measure_policy(pair.layout, policy)), judge.measure(buffers[name])
        assert found.responses == pytest.approx(known.responses, abs=2e-6)
        assert found.value == pytest.approx(known.value, abs=2e-6)
    match = _run(measure_match(pair.layout, policies["uniform"], policies["maniac"]))
    first = judge.value(combine_seats(pair.tree, buffers["uniform"] + 1, buffers["maniac"]))
    second = -judge.value(combine_seats(pair.tree, buffers["maniac"], buffers["uniform"] + 1))
    assert (match.as_first, match.as_second) == pytest.approx((first, second), abs=2e-6)


def _buffer(tree: Any, name: str) -> np.ndarray:
    """What a bot that looks at no hand plays, in the tree's layout, by asking it at the real table."""
    result, player = np.zeros(tree.size), make_player(name, FHP)
    from tahur.core.player import View

    tables = {0: tree.game.start()}
    for node in range(len(tree.actions)):
        if node:
            tables[node] = tables[int(tree.nodes.parent[node])].after(int(tree.actions[node]))
        if tree.nodes.kind[node] in (0, 1):
            chances = player.probabilities(View(FHP, tables[node].table, tree.turn(node), 0))  # type: ignore[attr-defined]
            tree.part(result, node)[:] = np.array([[chances.get(action, 0.0)] for action in tree.menu(node)])
    return result


def test_a_folder_loses_its_blinds_to_a_maniac() -> None:
    layout = layout_of(FHP, NINE_CARDS)
    match = _run(measure_match(layout, _bot("folder"), _bot("maniac")))
    assert (match.as_first, match.as_second) == pytest.approx((-1.0, -2.0), abs=1e-6)
    assert match.mean == pytest.approx(-1.5, abs=1e-6)


def test_two_that_never_fold_win_nothing_from_each_other() -> None:
    layout = layout_of(FHP, NINE_CARDS)
    assert _run(measure_match(layout, _bot("caller"), _bot("maniac"))).mean == pytest.approx(0.0, abs=1e-6)


def test_a_policy_that_tells_suits_apart_is_refused() -> None:
    class Clubs(UniformPolicy):
        def preflop(self) -> Any:
            chances = super().preflop()
            chances[0, 0] = (1, 0, 0)  # 2d2c
            return chances

    with pytest.raises(StrategyError, match="distinguishes suits before the flop"):
        _run(measure_policy(layout_of(FHP, tuple(range(8))), Clubs(FHP)))


@pytest.mark.parametrize("spoil", [np.nan, -0.5, 2.0])
def test_what_is_no_probability_is_refused(spoil: float) -> None:
    class Spoilt(UniformPolicy):
        def flop(self, cards: Any) -> Any:
            return super().flop(cards) * np.float32(spoil)

    with pytest.raises(StrategyError, match=r"on 2c2d2h|suits apart on"):
        _run(measure_policy(layout_of(FHP, tuple(range(8))), Spoilt(FHP)))


class Dice:
    """Chances drawn anew for each decision and hand, the same each time they are asked for."""

    def preflop(self) -> np.ndarray:
        return self._drawn(0, 7)

    def flop(self, cards: Any) -> np.ndarray:
        return self._drawn(1, sum(cards) * 53 + cards[0])

    @lru_cache  # noqa: B019  it lives as long as the test
    def _drawn(self, street: int, seed: int) -> np.ndarray:
        betting = betting_of(FHP)
        legal = betting.legal[betting.first[street] : betting.first[street + 1], None, :]
        weights = np.random.default_rng(seed).random((len(legal), 1326, 3)) * legal
        return (weights / weights.sum(axis=2, keepdims=True)).astype(np.float32)


def test_best_responses_are_those_of_a_search_over_every_pair_of_hands() -> None:
    """No sums over cards and no sorted hands: a matrix of who beats whom for each flop."""
    found = _run(measure_policy(layout_of(FHP, EIGHT_CARDS), Dice()))
    search = PairSearch(EIGHT_CARDS, Dice())
    assert found.responses == pytest.approx([search.best(seat) for seat in (0, 1)], abs=1e-5)


class PairSearch:
    """A best response the slow way."""

    def __init__(self, cards: tuple[int, ...], policy: Dice) -> None:
        self.betting, self.policy = betting_of(FHP), policy
        self.hands = np.flatnonzero(np.isin(combos().cards, cards).all(axis=1))
        mask = combos().mask[self.hands]
        self.apart = ((mask[:, None] & mask[None, :]) == 0).astype(float)
        self.flops = list(combinations(sorted(cards), 3))
        self.left = comb(len(cards) - 4, 3)

    def best(self, seat: int) -> float:
        values = self._best(0, (), seat, np.ones(len(self.hands)))
        return float(values.sum() / self.apart.sum())

    def _best(self, node: int, flop: tuple[int, ...], seat: int, reach: np.ndarray) -> np.ndarray:
        betting = self.betting
        if not flop and node < betting.decisions and betting.street[node] == 1:
            return sum(self._on(flop, node, seat, reach) for flop in self.flops) / self.left  # type: ignore[return-value]
        stake = float(betting.committed[node].min())
        if betting.kind[node] == FOLDED:
            return stake * (-1 if betting.seat[node] == seat else 1) * (self.apart @ reach)
        if betting.kind[node] == SHOWDOWN:
            return stake * ((self._beats(flop) * self.apart) @ reach)
        slots = np.flatnonzero(betting.legal[node])
        if betting.seat[node] == seat:
            return np.max([self._best(int(betting.children[node, slot]), flop, seat, reach) for slot in slots], axis=0)
        table = self.policy.flop(flop)[node - betting.first[1]] if flop else self.policy.preflop()[node]
        played = table[self.hands]
        below = [self._best(int(betting.children[node, slot]), flop, seat, reach * played[:, slot]) for slot in slots]
        return np.sum(below, axis=0)

    def _on(self, flop: tuple[int, ...], node: int, seat: int, reach: np.ndarray) -> np.ndarray:
        free = ~np.isin(combos().cards[self.hands], flop).any(axis=1)
        return self._best(node, flop, seat, reach * free) * free

    @lru_cache  # noqa: B019  it lives as long as the test
    def _beats(self, flop: tuple[int, ...]) -> np.ndarray:
        free = ~np.isin(combos().cards[self.hands], flop).any(axis=1)
        ranks = np.zeros(len(self.hands), np.int64)
        rows = np.hstack([combos().cards[self.hands[free]], np.tile(flop, (int(free.sum()), 1))])
        ranks[free] = evaluate_many(rows.astype(np.uint8))
        return np.sign(ranks[:, None] - ranks[None, :]).astype(float)


@pytest.mark.slow
def test_uniform_play_loses_what_plain_counting_says() -> None:
    """Uniform play looks at no card, so against it a hand is its edge, and nobody's reach need be known."""
    found = _run(measure_policy(layout_of(FHP), UniformPolicy(FHP)))
    betting = betting_of(FHP)
    edges = [_edges(cards) for cards in canonical_flops()]
    plain = [_best_against_uniform(betting, edges, seat) for seat in (0, 1)]
    assert found.responses == pytest.approx(plain, abs=2e-5)
    assert found.exploitability * 500 == pytest.approx(UNIFORM, abs=0.02)
    assert sum(plain) / 2 * 500 == pytest.approx(UNIFORM, abs=0.02)


def _edges(cards: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray, float]:
    """The combos that a flop leaves, how often each wins less how often it loses, and how many such flops there are."""
    open_ = np.flatnonzero(hand_classes(cards).member >= 0)
    rows = np.hstack([combos().cards[open_], np.tile(cards, (len(open_), 1))]).astype(np.uint8)
    ranks = np.asarray(evaluate_many(rows), np.int64)
    firsts = np.searchsorted(open_, hand_classes(cards).firsts)
    mask = combos().mask[open_]
    apart = (mask[firsts][:, None] & mask[None, :]) == 0
    edge = (np.sign(ranks[firsts][:, None] - ranks[None, :]) * apart).sum(axis=1) / apart.sum(axis=1)
    return open_, edge[hand_classes(cards).member[open_]], _weight(cards)


def _weight(cards: tuple[int, int, int]) -> float:
    from tahur.cards.flops import orbit

    return float(len(orbit((), cards)))


def _best_against_uniform(betting: Betting, edges: list[Any], seat: int) -> float:
    """Seat's best response, in chips: the mean over flops of the best on each line, then the best before the flop."""
    lines = [node for node in betting.of_street(1) if betting.street[betting.parent[node]] == 0]
    total, weight = np.zeros((len(lines), 169)), np.zeros(169)
    from tahur.cards.flops import start_classes

    for open_, edge, many in edges:
        number = start_classes().member[open_]
        weight += np.bincount(number, minlength=169) * many
        for place, node in enumerate(lines):
            total[place] += np.bincount(number, _best(betting, node, edge, seat, {}), 169) * many
    means = {node: total[place] / weight for place, node in enumerate(lines)}
    best = _best(betting, 0, np.zeros(169), seat, means)
    return float(best @ np.bincount(start_classes().member)) / 1326


def _best(betting: Betting, node: int, edge: np.ndarray, seat: int, known: dict[int, np.ndarray]) -> np.ndarray:
    if node in known:
        return known[node]
    if betting.kind[node] == SHOWDOWN:
        return edge * float(betting.committed[node].min())
    if betting.kind[node] == FOLDED:
        return np.full_like(edge, float(betting.committed[node].min()) * (-1 if betting.seat[node] == seat else 1))
    below = [_best(betting, int(child), edge, seat, known) for child in betting.children[node] if child >= 0]
    return np.max(below, axis=0) if betting.seat[node] == seat else np.mean(below, axis=0)
