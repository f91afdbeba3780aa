"""What a choice costs: move by move against sums over the opponent's hands, and sentences against their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from test_postflop_results import LINES, RAKED, RIVER, TURN, solved

from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.errors import SolverError
from tahur.solvers.postflop.grading import (
    BLUNDER,
    PLAYED,
    Drill,
    DrillAnswer,
    DrillQuestion,
    MoveQuality,
    NodeValues,
    Score,
    deal,
    grade,
)
from tahur.solvers.postflop.line import BoardNode, moved, node_at, start, strategy_at, walk
from tahur.solvers.postflop.lock import lock
from tahur.solvers.postflop.results import move_evs, result_at
from tahur.solvers.postflop.solve import PostflopSolution, solve
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.postflop.tree import Deed, Node, NodeKind

RIVER_LINES = ["", "check", "check,bet15", "bet15", "bet15,all-in60"]
EQUILIBRIUM = spot(
    board="Td9d6hQc2s", oop="AA,KTs:0.5,98s,JJ,54s,KJs", ip="AK,TT:0.25,98s,77,QJs", pot=30, stack=60, sizes="50%,a / a"
)


@cache
def at(asked: Spot, line: str, iterations: int = 30) -> NodeValues:
    solution = solved(asked, iterations)
    return NodeValues(solution, walk(solution.engine, line))


def held(decision: NodeValues) -> list[int]:
    """Hands that can be there."""
    reach = decision.state.reach[decision.seat]
    return [hand for hand in np.flatnonzero(reach).tolist() if np.isfinite(decision.evs[:, hand]).all()]


# ---- EVs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", LINES)
def test_the_ev_of_a_move_is_what_the_seat_earns_if_it_always_makes_it(line: str) -> None:
    solution = solved(TURN)
    place = walk(solution.engine, line, **LINES[line])
    found, sums = result_at(solution, place), solution.engine.data.sums
    before = sums.copy()
    try:
        for move, evs in enumerate(found.move_ev):
            always(solution, place, move)
            assert evs == pytest.approx(result_at(solution, place).decider.ev, abs=1e-3, nan_ok=True)
    finally:
        sums[:] = before


def always(solution: PostflopSolution, place: BoardNode, move: int) -> None:
    """Let every hand make the move, at this place alone."""
    layout, seat = solution.engine.layout, node_at(solution.engine, place).seat
    boards, tree = layout.boards[place.street], layout.street_nodes[place.street].tree
    size, moves = int(boards.size[seat, place.stored]), int(tree.moves[place.node])
    start = int(boards.data[seat, place.stored]) + int(tree.data[place.node]) * size
    rows = solution.engine.data.sums[start : start + moves * size].reshape(moves, size)
    rows[:] = 0
    rows[move] = 1


@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize("asked", [RIVER, RAKED])
@pytest.mark.parametrize("line", RIVER_LINES)
def test_on_the_river_the_ev_of_each_move_is_the_sum_over_the_others_hands(asked: Spot, line: str, best: bool) -> None:
    decision = at(asked, line)
    evs = move_evs(decision.solution.engine, decision.state, best=best)
    for hand in held(decision):
        for move in range(len(decision.moves)):
            assert evs[move, hand] == pytest.approx(by_hand(decision, hand, move, best), abs=1e-3)


def by_hand(decision: NodeValues, hand: int, move: int, best: bool) -> float:
    """Chips that a hand ends with beyond what it has put in, over the hands that the other can have."""
    reach = decision.state.reach[1 - decision.seat]
    others = {
        other: float(reach[other])
        for other in np.flatnonzero(reach).tolist()
        if not set(cards_of(hand)) & set(cards_of(other))
    }
    after = moved(decision.solution.engine, decision.state, move)
    total = worth(decision.solution, after, decision.seat, hand, others, best)
    return total / sum(others.values()) + decision.node.bet  # what was in the middle before is not paid again


def worth(
    solution: PostflopSolution, place: BoardNode, mine: int, hand: int, others: dict[int, float], best: bool
) -> float:
    """Less all that the seat has bet since the spot's start; added up over the other's hands by their weights."""
    node = node_at(solution.engine, place)
    if node.kind is not NodeKind.DECISION:
        return sum(weight * ended(solution, node, place, (hand, other), mine) for other, weight in others.items())
    often = strategy_at(solution.engine, place)
    below = [moved(solution.engine, place, move) for move in range(len(node.moves))]
    if node.seat == mine:
        each = [worth(solution, after, mine, hand, others, best) for after in below]
        return max(each) if best else float(often[:, hand] @ each)
    split = [
        {other: weight * float(often[move, other]) for other, weight in others.items()} for move in range(len(below))
    ]
    return sum(worth(solution, after, mine, hand, some, best) for after, some in zip(below, split, strict=True))


def ended(solution: PostflopSolution, node: Node, place: BoardNode, hands: tuple[int, int], seat: int) -> float:
    pot = solution.spot.pot + 2 * node.bet
    taken = pot - solution.spot.rake.of(pot)
    if node.kind is NodeKind.FOLD:
        return -node.bet + (0 if node.seat == seat else taken)
    mine, theirs = (evaluate((*cards_of(each), *place.board)) for each in hands)
    return -node.bet + taken * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)


@pytest.mark.parametrize("line", RIVER_LINES)
def test_the_node_is_worth_the_mix_of_its_moves_and_no_more_than_the_best(line: str) -> None:
    decision = at(RIVER, line)
    found = result_at(decision.solution, decision.state)
    evs = move_evs(decision.solution.engine, decision.state)
    for number, hand in enumerate(found.decider.combos.tolist()):
        if np.isfinite(found.decider.ev[number]):
            mixed = float(decision.strategy[:, hand] @ evs[:, hand])
            assert mixed == pytest.approx(found.decider.ev[number], abs=1e-3)
            assert decision.evs[:, hand].max() >= evs[:, hand].max() - 1e-3 >= mixed - 2e-3


@pytest.mark.slow
def test_a_solution_that_grades_itself_loses_next_to_nothing() -> None:
    solution = solved(EQUILIBRIUM, 400)
    drill, rng = Drill(solution, start(solution.engine)), np.random.default_rng(5)
    lost = {"itself": [], "any": []}  # type: dict[str, list[float]]
    for number in range(60):
        steps = drill.hand(number % 2, rng)
        question = next(steps)
        try:
            while True:
                decision, hand = question.decision, question.hand
                move = int(rng.choice(len(decision.moves), p=decision.strategy[:, hand]))
                lost["itself"].append(decision.grade(hand, move).lost)
                lost["any"].append(decision.grade(hand, int(rng.integers(len(decision.moves)))).lost)
                question = steps.send(move)
        except StopIteration:
            pass
    noise = solution.exploitability / 100 * EQUILIBRIUM.pot
    assert np.mean(lost["itself"]) < noise
    assert np.mean(lost["any"]) > 40 * noise


# ---- grades ------------------------------------------------------------------------------------------


def test_a_grade_is_what_the_hand_earns_more_in_the_solution_if_that_is_more_than_its_error() -> None:
    decision = at(EQUILIBRIUM, "check", 400)
    found = result_at(decision.solution, decision.state)
    own = dict(zip(found.decider.combos.tolist(), found.decider.ev.tolist(), strict=True))
    seen = set()
    for hand in held(decision):
        evs = decision.evs[:, hand]
        error = max(evs.max() - own[hand], 1e-5 * decision.pot)
        for move in range(len(evs)):
            graded = grade(decision.solution, decision.state, hand, move)
            cost = own[hand] - evs[move]
            is_mistake = decision.strategy[move, hand] < PLAYED and cost > error + 1e-3
            assert graded.error == pytest.approx(error, abs=1e-3)
            assert graded.best == decision.moves[int(evs.argmax())]
            assert graded.chosen == decision.moves[move]
            assert graded.lost == pytest.approx(cost if is_mistake else 0, abs=2e-3)
            assert graded.pct == pytest.approx(graded.lost / decision.pot * 100)
            assert (graded.verdict is MoveQuality.BEST) == (move == evs.argmax())
            assert (graded.verdict is MoveQuality.BLUNDER) == (graded.pct >= BLUNDER)
            seen.add(graded.verdict)
    assert {MoveQuality.BEST, MoveQuality.MISTAKE, MoveQuality.BLUNDER} <= seen


def decisions_below(solution: PostflopSolution, place: BoardNode) -> Iterator[NodeValues]:
    """Every decision of a river, whether the solution goes there or not."""
    if node_at(solution.engine, place).kind is not NodeKind.DECISION:
        return
    yield NodeValues(solution, place)
    for move in range(len(node_at(solution.engine, place).moves)):
        yield from decisions_below(solution, moved(solution.engine, place, move))


@pytest.mark.parametrize("iterations", [20, 100, 400])
def test_what_the_solution_does_is_no_mistake_and_what_is_clearly_worse_is_one(iterations: int) -> None:
    """Over a whole spot, solved well or badly: 0.03 % to 3 % of the pot."""
    played = caught = 0
    solution = solved(EQUILIBRIUM, iterations)
    for decision in decisions_below(solution, start(solution.engine)):
        for hand in held(decision):
            for move, often in enumerate(decision.strategy[:, hand]):
                found = decision.grade(hand, move)
                cost = decision.evs[:, hand].max() - decision.evs[move, hand]
                if often >= 0.10:
                    assert found.lost == 0
                    assert found.verdict in (MoveQuality.BEST, MoveQuality.CLOSE)
                    played += 1
                elif cost > 0.05 * decision.pot + 2 * decision.error(hand):
                    assert found.verdict in (MoveQuality.MISTAKE, MoveQuality.BLUNDER)
                    caught += 1
    assert played > 200
    assert caught > 100


def test_hands_that_the_solution_plays_badly_have_a_large_error() -> None:
    rough, fine = (
        [decision.error(hand) for hand in held(decision)]
        for decision in (at(EQUILIBRIUM, "check", 10), at(EQUILIBRIUM, "check", 400))
    )
    assert np.mean(rough) > 5 * np.mean(fine)
    assert max(fine) < 0.01 * EQUILIBRIUM.pot


def test_a_hand_that_a_lock_tells_what_to_do_is_graded_by_what_it_should_do() -> None:
    free = at(EQUILIBRIUM, "check,bet15", 400)
    hand = max(held(free), key=lambda each: free.evs[1, each])  # the best hand to call with
    told = solve(EQUILIBRIUM, target=1.0, locks=[lock("check,bet15", {"fold": 1.0})])
    found = NodeValues(told, walk(told.engine, "check,bet15")).grade(hand, 0)
    assert found.verdict is MoveQuality.BLUNDER


def test_the_sentence_says_the_evs_and_the_numbers_they_come_from() -> None:
    decision = at(EQUILIBRIUM, "", 400)
    bet = next(at for at, move in enumerate(decision.moves) if move.deed is Deed.ALL_IN)
    hand = max(held(decision), key=lambda each: decision.evs[0, each] - decision.evs[bet, each])
    found = decision.grade(hand, bet)
    assert found.verdict is MoveQuality.BLUNDER
    check, shove = decision.evs[0, hand], decision.evs[bet, hand]
    assert found.why.startswith(f"checking earns {check:.1f}, going all-in {shove:.1f}: ".replace("-0.0", "0.0"))
    folds, against = answered_by_hand(decision, hand, bet)
    assert f"the all-in is folded to {folds:.0%} and has {against:.0%} against hands that continue" in found.why


def answered_by_hand(decision: NodeValues, hand: int, move: int) -> tuple[float, float]:
    engine, seat = decision.solution.engine, decision.seat
    after = moved(engine, decision.state, move)
    often, moves = strategy_at(engine, after), node_at(engine, after).moves
    total = folded = won = 0.0
    for other in np.flatnonzero(after.reach[1 - seat]).tolist():
        if not set(cards_of(hand)) & set(cards_of(other)):
            weight = float(after.reach[1 - seat][other])
            fold = float(often[[each.deed for each in moves].index(Deed.FOLD), other])
            mine, theirs = (evaluate((*cards_of(each), *after.board)) for each in (hand, other))
            total, folded = total + weight, folded + weight * fold
            won += weight * (1 - fold) * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return folded / total, won / (total - folded)


def test_facing_a_bet_the_sentence_has_the_price() -> None:
    decision = at(EQUILIBRIUM, "check,bet15", 400)
    said = [decision.grade(hand, 0).why for hand in held(decision)]  # folding
    assert any(re.search(r"the call needs 25% and you have \d+%", why) for why in said)  # 15 into a pot of 45


def test_where_two_moves_are_worth_the_same_the_sentence_says_how_the_solution_mixes() -> None:
    found = 0
    for line in ("", "check", "bet15", "check,bet15"):
        decision = at(EQUILIBRIUM, line, 400)
        for hand in held(decision):
            often = decision.strategy[:, hand]
            best, mixed = int(decision.evs[:, hand].argmax()), np.flatnonzero(often >= 0.1).tolist()
            if len(mixed) == 2 and best in mixed:
                other = mixed[1 - mixed.index(best)]
                assert "both are fine" in decision.grade(hand, other).why
                assert f"{often[other]:.0%}" in decision.grade(hand, other).why
                found += 1
    assert found


def test_a_hand_that_meets_nothing_is_refused() -> None:
    asked = spot(board="Td9d6hQc2s", oop="AsAc,KsKc", ip="AsKs", pot=10, stack=10, sizes="a")
    with pytest.raises(SolverError, match="meet"):
        solved(asked)
    lone = spot(board="Td9d6hQc2s", oop="AsAc,KsKc,5h4h", ip="AsKs", pot=10, stack=10, sizes="a")
    with pytest.raises(SolverError, match="AsAc is impossible there"):
        at(lone, "").grade(combo_of(parse_cards("AsAc")), 0)


# ---- drills ------------------------------------------------------------------------------------------


def test_hands_are_dealt_by_the_reach_of_both_seats() -> None:
    solution = solved(EQUILIBRIUM, 400)
    place = walk(solution.engine, "check,bet15")
    rng, deals = np.random.default_rng(1), 4000
    drawn = [deal(place, rng) for _ in range(deals)]
    for seat in (0, 1):
        weights = np.array([place.reach[seat][pair[seat]] for pair in drawn])
        assert weights.min() > 0
    assert all(len({*cards_of(one), *cards_of(other)}) == 4 for one, other in drawn)
    found = result_at(solution, place).seats[1]
    counted = np.bincount([other for _, other in drawn], minlength=1326)[found.combos] / deals
    assert np.abs(counted - found.weight).max() < 4 * (0.25 / deals) ** 0.5


def test_a_drill_asks_the_seat_asked_for_and_ends_with_chips_that_add_up() -> None:
    solution = solved(TURN)
    drill = Drill(solution, start(solution.engine))
    rng = np.random.default_rng(3)
    asked = 0
    for number in range(40):
        seat = number % 2
        steps = drill.hand(seat, rng)
        try:
            question = next(steps)
            while True:
                asked += 1
                assert question.decision.seat == seat
                question = steps.send(int(rng.integers(len(question.decision.moves))))
        except StopIteration as stop:
            ending = stop.value
        bound = solution.spot.pot / 2 + solution.spot.stack
        assert -bound <= ending.won <= bound
        assert len(ending.board) == 5 or ending.folded is not None
    assert asked > 40


def test_a_score_is_the_mean_of_its_answers_and_names_the_worst() -> None:
    decision = at(EQUILIBRIUM, "check", 400)
    score = Score()
    for hand in held(decision)[:6]:
        for move in range(len(decision.moves)):
            score.answers.append(DrillAnswer(DrillQuestion(decision, hand), decision.grade(hand, move)))
    lost = [each.grade.lost for each in score.answers]
    assert score.lost == pytest.approx(np.mean(lost))
    assert sum(score.count(verdict) for verdict in MoveQuality) == len(score.answers)
    assert [each.grade.lost for each in score.worst()] == sorted(lost, reverse=True)[:3]
