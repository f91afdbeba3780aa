"""The multiway solver: against exact push or fold, a best response for three seats, plain payoffs, and resuming."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tahur.cards.cards import COMBOS, cards_of
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.cards.rankings import class_of_combos
from tahur.cards.tables import load
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError, StrategyError
from tahur.solvers.nolimit.multiway.kernels import ALL_IN_TWO, DECISION, choose_hands, describe, draw, pay
from tahur.solvers.nolimit.multiway.lines import node_at, parse_line
from tahur.solvers.nolimit.multiway.solver import MultiwaySolver
from tahur.solvers.nolimit.multiway.strategy import (
    MultiwayStrategy,
    is_strategy,
    read_memory,
    read_strategy,
    share_of_combos,
    write_strategy,
)
from tahur.solvers.nolimit.push_fold import PushFoldGame, solve_push_fold
from tahur.solvers.solver import SolverState
from tiny_multiway import PUSH_FOLD, tiny_solver, write_tiny_strategy

SOLVED_DEALS = 10_000


def _solved(seats: int, depth: float) -> MultiwayStrategy:
    """All-in or fold, where at most the big blind may call."""
    solver = tiny_solver(seats, depth, deals=1000, sizes=PUSH_FOLD)
    solver.iterate(SOLVED_DEALS // 1000)
    return solver.strategy()


def _plays(strategy: MultiwayStrategy, line: str, position: str) -> Float64s:
    """(169,) the probability of the last action: all-in or call."""
    return strategy.mix(node_at(strategy.tree, parse_line(line), position))[-1]


def test_two_seats_find_the_push_or_fold_equilibrium() -> None:
    strategy = _solved(2, 10)
    push, call = _plays(strategy, "", "btn"), _plays(strategy, "btn-all-in", "bb")
    assert PushFoldGame(10).exploitability(push, call) < 0.003
    exact = solve_push_fold(10, 1e-4)
    assert share_of_combos(push) == pytest.approx(share_of_combos(exact.push), abs=0.03)


def test_no_seat_of_three_gains_by_another_range() -> None:
    """The big blind may call, nobody else; what the folded hand removes from the deck is neglected here."""
    strategy, game = _solved(3, 8), PushFoldGame(8)
    equity = 0.5 + game.showdown / game.dealt / 16  # of the row's class
    for position, dead, folding in (("btn", 0.5, 0.0), ("sb", 0.0, -0.5)):
        push, call = _plays(strategy, "", position), _plays(strategy, f"{position}-all-in", "bb")
        won, lost = (16 + dead) * equity - 8, (16 + dead) * (1 - equity) - 8  # by the pusher and by its caller
        pushing = (game.dealt * won) @ call + game.dealt @ ((1 + dead) * (1 - call)) - folding * game.dealt.sum(axis=1)
        calling = push @ (game.dealt * (lost + 1))
        for gains, played in ((pushing, push), (calling, call)):
            assert np.maximum(gains, 0).sum() - float(played @ gains) < 0.01


def test_payoffs_are_those_of_the_plain_rules() -> None:
    solver = tiny_solver(3, 20)
    arrays, deal, cards = solver.tree.arrays, solver._deal, solver._cards
    draw(deal, combos(), solver._word)
    describe(load(), solver._buckets, combos(), cards, deal, solver._work)
    board, out = tuple(deal.board.tolist()), np.zeros(169, np.float32)
    rng = np.random.default_rng(1)
    for me in range(3):
        choose_hands(me, combos(), cards, deal, solver._word)
        for node in rng.choice(np.flatnonzero((arrays.kind != DECISION) & (arrays.kind != ALL_IN_TWO)), 60):
            pay(node, me, arrays, cards, deal, out)
            live = [seat for seat in range(3) if arrays.live[node] >> seat & 1]
            for number in rng.choice(np.flatnonzero(deal.free), 20):
                hands = {seat: cards_of(int(deal.hand[seat])) for seat in live}
                if me in live:
                    hands[me] = cards_of(int(deal.mine[number]))
                ranks = {seat: evaluate((*board, *hand)) for seat, hand in hands.items()}
                winners = [seat for seat in live if ranks[seat] == max(ranks.values())]
                won = float(arrays.won[node]) / len(winners) if me in winners else 0.0
                assert out[number] == pytest.approx(won - float(arrays.paid[node, me]), abs=1e-4)


def test_a_seat_may_hold_what_the_others_and_the_board_leave() -> None:
    solver = tiny_solver(3, 20)
    deal, cards = solver._deal, solver._cards
    for me in (0, 1, 2):
        draw(deal, combos(), solver._word)
        describe(load(), solver._buckets, combos(), cards, deal, solver._work)
        choose_hands(me, combos(), cards, deal, solver._word)
        taken = set(deal.board.tolist()) | {
            card for seat in {0, 1, 2} - {me} for card in cards_of(int(deal.hand[seat]))
        }
        assert len(taken) == 9
        possible = np.array([taken.isdisjoint(cards_of(combo)) for combo in range(COMBOS)])
        assert deal.free.tolist() == np.bincount(class_of_combos()[possible], minlength=169).tolist()
        held = deal.mine[deal.free > 0]
        assert possible[held].all()
        assert class_of_combos()[held].tolist() == np.flatnonzero(deal.free).tolist()


def test_a_resumed_run_is_that_of_an_uninterrupted_one_bit_for_bit(tmp_path: Path) -> None:
    whole, begun, resumed = tiny_solver(), tiny_solver(), tiny_solver()
    whole.iterate(5)
    begun.iterate(2)
    path = tmp_path / "three.tahur"
    write_strategy(path, begun.strategy(), begun.state().arrays)
    memory = read_memory(path, resumed.state().arrays)
    resumed.resume(SolverState(read_strategy(path).training.rounds, memory))
    resumed.iterate(3)
    assert (resumed.iteration, resumed.deals, resumed.visited) == (5, 100, whole.visited)
    for name, array in whole.state().arrays.items():
        assert array.tobytes() == resumed.state().arrays[name].tobytes(), name


def test_a_file_has_the_whole_strategy(tmp_path: Path) -> None:
    path = write_tiny_strategy(tmp_path / "three.tahur")
    assert is_strategy(path)
    solver = tiny_solver()
    solver.iterate(2)
    wanted, strategy = solver.strategy(), read_strategy(path)
    assert strategy.tree is wanted.tree
    assert (strategy.rake, strategy.training) == (wanted.rake, wanted.training)
    for name in ("levels", "arrivals", "worth"):
        assert np.array_equal(getattr(strategy, name), getattr(wanted, name))
    write_strategy(path, strategy)
    with pytest.raises(StrategyError, match="cannot be resumed"):
        read_memory(path, solver.state().arrays)


def test_a_state_of_another_table_is_refused() -> None:
    other = tiny_solver(2)
    with pytest.raises(SolverError, match="were expected"):
        other.resume(tiny_solver(3).state())


def test_mixes_are_probabilities_and_rare_decisions_are_marked() -> None:
    solver = tiny_solver()
    solver.iterate(2)
    strategy = solver.strategy()
    for node in strategy.tree.decisions:
        assert strategy.mix(node).sum(axis=0) == pytest.approx(1)
        assert strategy.is_rare(node)
        assert strategy.chart(node).values is None
    assert isinstance(solver, MultiwaySolver)
    assert solver.measure() is None
