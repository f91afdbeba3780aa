"""The solver seat: ranges carried through a hand, subgames with the bets that were made, play at real tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import count, pairwise

import numpy as np
import pytest

from solvers.coarse_buckets import coarse, coarse_centres
from tahur.cards.cards import COMBOS, combo_of, parse_cards
from tahur.cards.equity.removal import meeting
from tahur.cards.equity.tables import combos
from tahur.core.arrays import Float64s
from tahur.core.chance import RandomDealer
from tahur.core.game import Action
from tahur.core.player import View
from tahur.core.referee import play_out
from tahur.games.holdem.fourteen import MIN_RAISE
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.games.registry import make
from tahur.players.simple import Caller, Maniac, RandomPlayer
from tahur.players.solver import SolverPlayer
from tahur.solvers.nolimit.abstraction import PRESETS, sizes_of
from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver
from tahur.solvers.nolimit.lbr import LocalResponder, ResponseOptions
from tahur.solvers.nolimit.playing import LEAST, BlueprintStrategy
from tahur.solvers.nolimit.resolving import NoLimitResolver
from tahur.solvers.nolimit.subgames import BUDGETS, SolverBudget, solve_subgame
from tahur.solvers.postflop.engine import VALUE
from tahur.solvers.postflop.results import move_evs
from tahur.solvers.postflop.sizes import Street, parse_bets, parse_street
from tahur.solvers.postflop.solve import solve
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import SubgameRoot, build

NO_BETS, SMALL = Street(), parse_street("75% / a")
SIZES = sizes_of("75 a")
TINY = SolverBudget("tiny", 0.001, {2: SIZES, 3: SIZES}, {2: (NO_BETS, SMALL, SMALL), 3: (NO_BETS, NO_BETS, SMALL)})
EXACT = SolverBudget("exact", 9.0, {3: SIZES}, {3: (NO_BETS, NO_BETS, parse_street("75%,a / a"))})


@cache
def blueprint() -> BlueprintStrategy:
    """Trained a little, at 40 big blinds."""
    solver = BlueprintSolver(40, PRESETS["small"], coarse_centres(), coarse(), seed=1, boards=100)
    solver.iterate(4)
    return BlueprintStrategy(solver.blueprint())


def resolver(budget: SolverBudget = TINY) -> NoLimitResolver:
    return NoLimitResolver(lambda depth: blueprint(), budget)


def table_after(*steps: Action | str, stack: int = 4000) -> HoldemTable:
    """A heads-up table with blinds 50 and 100; texts are cards."""
    table = no_limit(seats=2, stack=stack, blinds=(50, 100)).start()
    for step in steps:
        for action in [int(card) for card in parse_cards(step)] if isinstance(step, str) else [step]:
            table = table.after(action)
    return table


SINGLE_RAISED = (251, CALL, "Td9d6h", CALL, CALL)


def mass(weights: Float64s) -> Float64s:
    return weights / weights.sum()


@pytest.mark.parametrize("begun", [(0,), (100,), (0, 100), (100, 250), (0, 100, 350)])
def test_a_root_within_the_street_is_the_same_tree_as_below_the_whole_streets_root(begun: tuple[int, ...]) -> None:
    whole = spot(board="Td9d6hQc2s", oop="any", ip="any", pot=200, stack=900, sizes="100c,a / 150c,250c,a")
    node = build(whole)
    for total in begun:
        place = [move.to for move in node.moves].index(total) if total else 0
        node = node.children[place]
    assert build(whole, SubgameRoot(begun)) == node


def test_sizes_of_the_root_replace_those_of_the_spot_there_only() -> None:
    whole = spot(board="Td9d6hQc2s", oop="any", ip="any", pot=200, stack=900, sizes="50% / 60%")
    root = build(whole, SubgameRoot(sizes=parse_bets("37c,111c,a")))
    assert [move.to for move in root.moves] == [0, 37, 111, 900]
    assert [move.to for move in root.children[0].moves] == [0, 100]


def test_ranges_on_the_turn_are_those_of_bayes_rule_with_the_blueprint() -> None:
    table = table_after(*SINGLE_RAISED, "Qc")
    strategy = blueprint()
    before = [table_after(*SINGLE_RAISED[:count]) for count in (0, 1, 3, 4)]
    expected = {0: np.ones(COMBOS), 1: np.ones(COMBOS)}
    for now, action in zip(before, (251, CALL, CALL, CALL), strict=True):
        decision = strategy.resolve(now)
        nearest = min(decision.actions, key=lambda known: abs(known - action))
        expected[now.turn] *= np.maximum(decision.mix[decision.actions.index(nearest)], LEAST)
    alive = (combos().mask & sum(1 << card for card in table.board)) == 0
    ranges = resolver().resolve(table).ranges
    for seat in (0, 1):
        np.testing.assert_allclose(mass(ranges[seat]), mass(expected[seat] * alive), atol=1e-9)


def test_an_action_on_the_turn_multiplies_the_own_range_by_the_strategy_that_was_played() -> None:
    seat_solver = resolver()
    turn = table_after(*SINGLE_RAISED, "Qc")
    first = seat_solver.resolve(turn)
    bet = first.actions[-1]
    second = seat_solver.resolve(turn.after(bet).after(CALL).after(int(parse_cards("2s")[0])))
    before, after = first.ranges[turn.turn], second.ranges[turn.turn]
    likely = (before > 1e-2 * before.max()) & (first.mix[-1] > LEAST) & (after > 0)
    assert likely.sum() > 10
    np.testing.assert_allclose(after[likely], (before * first.mix[-1])[likely], rtol=1e-9)
    others = (before > 1e-2 * before.max()) & (first.mix[-1] < LEAST) & (after > 0)
    assert others.any()  # an action never excludes a hand
    assert (after[others] <= LEAST * before[others] * (1 + 1e-9)).all()


@pytest.mark.parametrize("bet", [101, 137, 300, 777, 2000])
def test_any_bet_is_answered_by_a_subgame_that_has_it(bet: int) -> None:
    seat_solver = resolver()
    for cards in (("Qc",), ("Qc", CALL, CALL, "2s")):
        facing = table_after(*SINGLE_RAISED, *cards, bet + 1)
        decision = seat_solver.resolve(facing)
        assert decision.actions[:2] == (0, CALL)
        assert decision.values is not None
        held = decision.ranges[facing.turn] > 0
        np.testing.assert_allclose(decision.values[0][held & ~np.isnan(decision.values[0])], 0.0, atol=1e-3)
        assert decision.ranges[1 - facing.turn].sum() > 0  # the bet did not empty the bettor's range


def test_the_answer_does_not_depend_on_what_was_asked_before() -> None:
    line = (*SINGLE_RAISED, "Qc", CALL, 334, CALL, "2s")
    table = table_after(*line)
    alone = resolver().resolve(table)
    busy = resolver()
    for length in range(1, len(line)):
        now = table_after(*line[:length])
        if now.turn >= 0:
            busy.resolve(now)
    again = busy.resolve(table)
    assert alone.actions == again.actions
    np.testing.assert_array_equal(alone.mix, again.mix)


def test_a_river_subgame_agrees_with_the_postflop_solver() -> None:
    known = spot(board="Td9d6hQc2s", oop="QQ,T9s,AKs,76s", ip="QJs,JJ,T8s,A5s", pot=500, stack=1250, river="75%,a / a")
    table = table_after(*SINGLE_RAISED, "Qc", CALL, CALL, "2s", stack=1500)
    ours = solve_subgame(table, (), (known.ranges[0].vector, known.ranges[1].vector), EXACT)
    theirs = solve(known, target=0.01)
    assert ours.exploitability < 0.2
    value = ours.engine.root_value(0, VALUE) + known.pot / 2
    assert value == pytest.approx(theirs.ev[0], abs=0.004 * known.pot)


@pytest.mark.parametrize("opponent", [RandomPlayer(), Maniac(), Caller()])
def test_whole_hands_at_odd_stakes_are_played_without_an_illegal_action(opponent: RandomPlayer) -> None:
    seat = SolverPlayer(resolver(), opponent)
    for number in range(8):
        rng = np.random.default_rng(number)
        big_blind = int(rng.choice([2, 3, 10]))
        game = no_limit(seats=2, stack=int(rng.integers(big_blind, 60 * big_blind)), blinds=(big_blind // 2, big_blind))
        players = (seat, opponent) if number % 2 else (opponent, seat)
        streams = [np.random.default_rng([number, place]) for place in (0, 1)]
        record = play_out(game, RandomDealer(rng), players, streams)
        assert sum(record.payoffs) == 0


def test_a_slow_machine_ends_the_solving_early_and_the_note_says_so() -> None:
    table = table_after(*SINGLE_RAISED, "Qc")
    seconds = count(0, 2)
    late = NoLimitResolver(lambda depth: blueprint(), BUDGETS["fast"], clock=lambda: float(next(seconds)))
    assert "in 10 iterations, ended early for want of time" in late.resolve(table).note


def test_what_it_cannot_play_is_refused_with_a_reason_and_a_larger_table_is_played_by_pot_odds() -> None:
    seat_solver = resolver()
    assert seat_solver.misfit(no_limit(seats=2, stack=200, blinds=(1, 2))) is None
    assert seat_solver.misfit(make("kuhn")) == "the solver plays no-limit hold'em; the table plays kuhn"
    assert seat_solver.misfit(make("hulh")) == "the solver plays no-limit hold'em; the table plays hulh"
    three = no_limit(seats=3, stack=200, blinds=(1, 2))
    assert seat_solver.misfit(three) == "the solver plays heads-up, at tables for 2; this one has 3 seats"
    seat = SolverPlayer(seat_solver, Caller())
    assert seat.plays(three)
    assert not seat.plays(make("kuhn"))


def test_the_budgets_are_ordered_and_the_root_of_a_river_has_all_fourteen_actions() -> None:
    assert all(less.seconds < more.seconds for less, more in pairwise(BUDGETS.values()))
    assert all(budget.roots[3] == tuple(range(MIN_RAISE, 14)) for budget in BUDGETS.values())


def test_a_raise_smaller_than_the_trees_is_folded_to_less_often() -> None:
    usual = blueprint().resolve(table_after(251, 751))  # the tree's raise
    small = blueprint().resolve(table_after(251, 401))
    assert (usual.actions[:2], small.actions[:2]) == ((0, CALL), (0, CALL))
    risk, tree_risk, pot = 400 - 100, 750 - 100, 250 + 100
    ratio = (risk / (risk + pot)) / (tree_risk / (tree_risk + pot))
    np.testing.assert_allclose(small.mix[0], ratio * usual.mix[0], atol=1e-12)
    np.testing.assert_allclose(small.mix.sum(axis=0), 1, atol=1e-12)


def test_the_answer_to_a_raise_between_two_sizes_lies_between_the_answers_to_both() -> None:
    low, between, high = (blueprint().resolve(table_after(251, 751, total + 1)) for total in (1875, 2600, 4000))
    assert (low.note, high.note) == ("", "")
    assert "reads a bet of 2600 as" in between.note
    assert (np.minimum(low.mix[0], high.mix[0]) - 1e-9 <= between.mix[0]).all()
    assert (between.mix[0] <= np.maximum(low.mix[0], high.mix[0]) + 1e-9).all()
    assert min(np.abs(between.mix[0] - other.mix[0]).max() for other in (low, high)) > 0.005
    np.testing.assert_allclose(between.mix.sum(axis=0), 1, atol=1e-12)


def test_an_all_in_on_the_flop_that_the_tree_lacks_is_called_by_few_hands_only() -> None:
    bet = blueprint().resolve(table_after(*SINGLE_RAISED[:3], CALL, 501))
    all_in = blueprint().resolve(table_after(*SINGLE_RAISED[:3], CALL, 3751))
    assert "over 500" in all_in.note
    seat = table_after(*SINGLE_RAISED[:3], CALL, 501).turn
    calls = all_in.mix[all_in.actions.index(CALL)]
    assert bet.mix[0] @ bet.ranges[seat] / bet.ranges[seat].sum() < 0.7
    called = calls @ all_in.ranges[seat] / all_in.ranges[seat].sum()
    assert 0.03 < called < 0.2  # a bluff risks 7.5 pots, and may have to win 7.5 times out of 8.5
    assert calls[combo_of(parse_cards("TsTh"))] == pytest.approx(1, abs=0.02)
    assert calls[combo_of(parse_cards("3s2c"))] < 0.02


def test_ranges_whose_hands_all_share_cards_are_widened_instead_of_refused() -> None:
    table = table_after(*SINGLE_RAISED, "Qc", CALL, CALL, "2s")
    one, other = np.zeros(COMBOS), np.zeros(COMBOS)
    one[combo_of(parse_cards("AsAh"))] = other[combo_of(parse_cards("AsKs"))] = 1.0
    solved = solve_subgame(table, (), (one, other), TINY)
    strategy = solved.engine.strategy(0, 0, 0)
    assert strategy.shape[1] == 47 * 46 // 2
    assert solved.engine.layout.spot.ranges[0].vector[combo_of(parse_cards("AsAh"))] == 1.0
    nobody = solve_subgame(table, (), (np.zeros(COMBOS), other), TINY)
    assert nobody.engine.strategy(0, 0, 0).shape[1] == 47 * 46 // 2


def test_an_action_of_the_opponent_wins_no_more_on_the_river_than_the_solution_allows() -> None:
    table = table_after(*SINGLE_RAISED, "Qc", CALL, CALL, "2s")
    seat_solver = resolver(replace(TINY, seconds=0.3))
    place = seat_solver._places(table, 1 - table.turn)
    solved = seat_solver._solved(place, table, 1 - table.turn)
    allowed = np.nanmax(
        np.where(np.isnan(evs := move_evs(solved.subgame.engine, solved.node, best=True)), 0, evs), axis=0
    )
    responder = LocalResponder(
        seat_solver, ResponseOptions(streets=(3,)), table.board, table.turn, rng=np.random.default_rng(1)
    )
    theirs = place.ranges[1] / place.ranges[1].max()
    believed = place.ranges[0] > 0.05 * place.ranges[0].max()
    won = responder.values(table, theirs, np.ones(COMBOS, np.bool_)) + table.committed[table.turn] * meeting(theirs)
    share = (won - allowed * meeting(theirs))[believed] / (table.pot * meeting(theirs)[believed])
    assert believed.sum() > 100
    assert share.mean() < 0.02  # of the pot


def test_a_thought_says_what_was_solved_and_for_which_ranges() -> None:
    table = table_after(*SINGLE_RAISED, "Qc")
    seat_solver, hand = resolver(), combo_of(parse_cards("KcQs"))
    mine, theirs = (seat_solver.resolve(table).ranges[seat].sum() for seat in (table.turn, 1 - table.turn))
    view = View(no_limit(seats=2, stack=4000, blinds=(50, 100)), table, table.turn, hand)
    thought = seat_solver.thought(view)
    assert thought.startswith("solved turn and river to ")
    assert f"with {mine:.0f} combos against {theirs:.0f}: check " in thought
    assert "(EV " in thought
