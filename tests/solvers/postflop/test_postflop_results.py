"""What a solution says at a decision, against the plain twin, against sums that must come out, and with other suits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from named_spots import SPOTS
from test_postflop_engine import skip, state_of

from plain_postflop import Plain
from tahur.cards.cards import Card, combo_of, parse_cards
from tahur.core.errors import SolverError
from tahur.solvers.postflop.line import BoardNode, meeting_weights, moved, node_at, start, strategy_at, with_card
from tahur.solvers.postflop.results import Result, result, result_at
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, solve
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.postflop.tree import NodeKind

RANGES = {"oop": "AsAc,KsTs:0.5,9s8s,JcJs,5h4h", "ip": "AcKc,TsTc:0.25,9h8h,7s7c,QhJh"}
RIVER = spot(board="Td9d6hQc2s", **RANGES, pot=30, stack=60, sizes="50%,a / a")
RAKED = spot(board="Td9d6hQc2s", **RANGES, pot=30, stack=60, sizes="50%,a / a", rake=0.05, rake_cap=2.0)
TURN = spot(board="Td9d6hQc", **RANGES, pot=30, stack=60, sizes="50%,a / a")
EVEN = spot(board="Td9d6h", oop="AA,JTs", ip="KK:0.5,98s", pot=20, stack=30, sizes="a / -", turn="50%", river="50% / a")
MONOTONE = spot(board="Td9d6d", oop="AA,JTs", ip="KK:0.5,98s", pot=20, stack=30, sizes="50% / a")
LINES = {
    "": {},
    "check,bet15": {},
    "bet15,all-in60": {},
    "check,bet15,call": {"river": "3c"},
    "check,check,bet15": {"river": "3c"},
    "check,bet15,call,bet30,all-in": {"river": "Qs"},
}


@cache
def solved(asked: Spot, iterations: int = 30, symmetry: bool = True) -> PostflopSolution:
    solver = PostflopSolver(asked, symmetry=symmetry)
    solver.engine.iterate(iterations)
    return solver.solution()


# ---- against the twin ----------------------------------------------------------------------------


@pytest.mark.parametrize("line", LINES)
def test_evs_after_a_line_are_those_of_the_plain_twin(line: str) -> None:
    found = result(solved(TURN, symmetry=False), line, **LINES[line])
    check_twin(found, solved(TURN, symmetry=False))


@pytest.mark.parametrize("line", ["", "check,bet15", "bet15,all-in"])
def test_with_rake_evs_are_those_of_the_plain_twin(line: str) -> None:
    check_twin(result(solved(RAKED, symmetry=False), line), solved(RAKED, symmetry=False))


def check_twin(found: Result, solution: PostflopSolution) -> None:
    plain = Plain(solution.spot)
    plain.sums = state_of(solution.engine, plain, solution.engine.data.sums)
    node, way, board = plain.root, (), tuple(solution.spot.board)
    reach = [np.array(weights) for weights in plain.weights]
    for move in found.line:
        if node.kind is NodeKind.DEAL:
            node, board = node.children[0], found.board
        choice = node.moves.index(move)
        reach[node.seat] = reach[node.seat] * plain._strategy((way, board), node, "value")[choice]
        node, way = node.children[choice], (*way, choice)
    if node.kind is NodeKind.DEAL:
        node, board = skip(node), found.board
    alive = [np.array([not set(hand) & set(board) for hand in hands]) for hands in plain.hands]
    reach = [each * live for each, live in zip(reach, alive, strict=True)]
    for seat in (0, 1):
        apart = plain.apart if seat == 0 else plain.apart.T
        with np.errstate(divide="ignore", invalid="ignore"):
            stake = (found.pot - found.to_call) / 2 + (found.to_call if seat != node.seat else 0)
            evs = plain._value(node, board, way, seat, reach[1 - seat], "value") / (apart @ reach[1 - seat]) + stake
        told = dict(zip(found.seats[seat].combos, found.seats[seat].ev, strict=True))
        for number, hand in enumerate(plain.hands[seat]):
            if reach[seat][number] > 0 and np.isfinite(evs[number]):
                assert told.pop(combo_of(hand)) == pytest.approx(evs[number], abs=2e-3)
        assert all(np.isnan(rest) for rest in told.values())


# ---- sums that must come out -----------------------------------------------------------------------


@pytest.mark.parametrize("asked", [RIVER, TURN, EVEN], ids=["river", "turn", "flop"])
def test_at_the_root_a_range_is_worth_what_the_solution_says(asked: Spot) -> None:
    root = result(solved(asked), "")
    for seat in (0, 1):
        assert root.seats[seat].range_ev == pytest.approx(solved(asked).ev[seat], abs=1e-3)
        assert root.seats[seat].range_equity == pytest.approx(solved(asked).equity[seat], abs=1e-5)
    assert root.frequencies == pytest.approx(solved(asked).frequencies, abs=1e-6)
    assert root.frequency == 1


@pytest.mark.parametrize("line", LINES)
def test_without_rake_both_seats_have_the_pot_at_every_decision(line: str) -> None:
    found = result(solved(TURN), line, **LINES[line])
    assert sum(seat.range_ev for seat in found.seats) == pytest.approx(found.pot, abs=1e-3)
    assert sum(seat.range_equity for seat in found.seats) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("line", LINES)
def test_the_moves_evs_by_their_frequencies_are_the_decisions_ev(line: str) -> None:
    found = result(solved(TURN), line, **LINES[line])
    often = found.frequencies > 0
    mean = found.frequencies[often] @ found.range_move_ev[often]
    assert mean == pytest.approx(found.decider.range_ev, abs=1e-3)
    by_hand = (found.strategy * found.move_ev).sum(0)
    assert by_hand == pytest.approx(found.decider.ev, abs=1e-3, nan_ok=True)
    assert found.strategy.sum(0) == pytest.approx(1)


@pytest.mark.parametrize("asked", [RIVER, TURN], ids=["river", "turn"])
def test_every_decision_on_the_way_of_a_card_adds_up(asked: Spot) -> None:
    """Each line there is, the river being 3c: the pot is shared, and moves make up what a decision is worth."""
    assert check_decisions(solved(asked), "3c") >= 8


@pytest.mark.slow
def test_every_decision_on_every_card_adds_up() -> None:
    rivers = [str(Card(card)) for card in range(52) if card not in TURN.board]
    assert sum(check_decisions(solved(TURN), river) for river in rivers) > 48 * 20


def check_decisions(solution: PostflopSolution, river: str) -> int:
    """How many decisions there were, all in order."""
    seen = 0
    for place in decisions_of(solution, river):
        found = result_at(solution, place)
        seen += 1
        often = found.frequencies > 0
        assert sum(seat.range_ev for seat in found.seats) == pytest.approx(found.pot, abs=1e-3)
        mean = found.frequencies[often] @ found.range_move_ev[often]
        assert mean == pytest.approx(found.decider.range_ev, abs=1e-3)
        assert [seat.weight.sum() for seat in found.seats] == pytest.approx([1, 1])
    return seen


def decisions_of(solution: PostflopSolution, river: str) -> Iterator[BoardNode]:
    stack = [start(solution.engine)]
    while stack:
        place = stack.pop()
        node = node_at(solution.engine, place)
        if node.kind is NodeKind.DEAL and node.children[0].kind is NodeKind.DECISION:
            stack.append(with_card(solution.engine, place, parse_cards(river)[0]))
        elif node.kind is NodeKind.DECISION:
            yield place
            stack += [moved(solution.engine, place, move) for move in range(len(node.moves))]


def test_with_rake_every_decision_is_short_by_exactly_the_rake() -> None:
    solution, lacking = solved(RAKED), []
    for place in decisions_of(solution, "3c"):
        found = result_at(solution, place)
        lacking.append(found.pot - sum(seat.range_ev for seat in found.seats))
        assert lacking[-1] == pytest.approx(mean_rake(solution, place), abs=1e-3)
    assert len(lacking) >= 8
    assert 1 < min(lacking) < max(lacking) <= 2.001  # at most 2 chips, and less of small pots


def mean_rake(solution: PostflopSolution, place: BoardNode) -> float:
    """What the house takes on average of the pots that can come of a place on the river."""
    node = node_at(solution.engine, place)
    if node.kind is not NodeKind.DECISION:
        return solution.spot.rake.of(solution.spot.pot + 2 * node.bet)
    weights = meeting_weights(place.reach[node.seat], place.reach[1 - node.seat])
    shares = strategy_at(solution.engine, place) @ weights / weights.sum()
    return sum(
        share * mean_rake(solution, moved(solution.engine, place, move)) for move, share in enumerate(shares) if share
    )


def test_folding_is_worth_nothing_and_pots_count_the_bets() -> None:
    found = result(solved(RIVER), "check,bet15")
    assert (found.pot, found.to_call, found.seat) == (45, 15, 0)
    assert str(found.moves[0]) == "fold"
    assert found.move_ev[0] == pytest.approx(np.zeros(len(found.decider.combos)), abs=1e-4)


def test_a_range_against_itself_has_half_the_pot() -> None:
    same = spot(board="Td9d6h", oop="22+,A2s+", ip="22+,A2s+", pot=20, stack=30, sizes="-")
    for line, cards in {
        "": {},
        "check,check": {"turn": "2c"},
        "check,check,check,check": {"turn": "2c", "river": "Ah"},
    }.items():
        found = result(solved(same, 1), line, **cards)
        assert found.decider.range_equity == pytest.approx(0.5, abs=1e-6)
        assert found.decider.realized == pytest.approx(1.0, abs=1e-5)


def test_rake_is_what_the_seats_together_lack() -> None:
    found = result(solved(RAKED), "check")
    assert 0 < found.pot - sum(seat.range_ev for seat in found.seats) <= 2.0
    assert sum(seat.range_equity for seat in found.seats) == pytest.approx(1, abs=1e-5)


# ---- suits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [EVEN, MONOTONE], ids=["two suits alike", "three suits alike"])
@pytest.mark.parametrize("cards", [("2c", "3s"), ("2s", "3c"), ("Ad", "2s"), ("Ks", "Kc"), ("2h", "3c"), ("2s", "3h")])
def test_a_card_stored_under_other_suits_gives_the_same_hand_by_hand(asked: Spot, cards: tuple[str, str]) -> None:
    turn, river = cards
    few = 2  # iterations, before noise around regrets of 0 drives the two apart
    one_board, each_board = (solved(asked, few, symmetry).engine.layout.hands[1].boards for symmetry in (True, False))
    assert len(one_board) < len(each_board) == 49
    lines = {"check,check": {"turn": turn}, "check,check,bet10,call": {"turn": turn, "river": river}}
    for line, dealt in lines.items():
        one, two = (result(solved(asked, few, symmetry), line, **dealt) for symmetry in (True, False))
        assert one.board == two.board
        for seat in (0, 1):
            assert list(one.seats[seat].combos) == list(two.seats[seat].combos)
            assert one.seats[seat].reach == pytest.approx(two.seats[seat].reach, abs=1e-5)
            assert one.seats[seat].ev == pytest.approx(two.seats[seat].ev, abs=1e-3, nan_ok=True)
        assert one.strategy == pytest.approx(two.strategy, abs=1e-4)


def test_hands_that_a_card_blocks_are_gone() -> None:
    found = result(solved(TURN), "check,check", river="Ac")
    assert combo_of(parse_cards("AsAc")) not in found.seats[0].combos
    assert combo_of(parse_cards("AcKc")) not in found.seats[1].combos


# ---- lines that are never taken ------------------------------------------------------------------------


def test_a_move_that_no_hand_makes_can_still_be_followed() -> None:
    nuts = solve(
        spot(board="Td9d6hQc2s", oop="JhTh", ip="KsJs,8s7s", pot=10, stack=100, sizes="50%,a / a"), target=0.01
    )
    sums = nuts.engine.data.sums.copy()
    root = nuts.engine.strategy(0, 0, 0)
    size = int(nuts.engine.layout.boards[0].size[0, 0])
    nuts.engine.data.sums[size : len(root) * size] = 0  # nothing but checks
    nuts.engine.data.sums[:size] = 1
    found = result(nuts, "all-in")
    nuts.engine.data.sums[:] = sums
    assert found.frequency == 0
    assert found.seats[0].reach == pytest.approx([1.0])
    assert sum(seat.range_ev for seat in found.seats) == pytest.approx(found.pot, abs=1e-3)


@pytest.mark.parametrize(
    ("line", "cards", "what"),
    [
        ("bet20", {}, "no move 'bet20' after the empty line; valid: check, bet15, all-in60"),
        ("check,check", {}, "the line 'check,check' ends the turn; give a river, such as 2c"),
        ("check,bet15,fold", {}, "ends in a terminal \\(a fold\\)"),
        ("all-in,call", {}, "ends in a terminal \\(all-in\\)"),
        ("check,check,check,check", {"river": "2c"}, "ends in a terminal \\(a showdown\\)"),
        ("check", {"river": "2c"}, "the line 'check' ends before the river"),
        ("check,check", {"river": "Td"}, "river Td is already on the table"),
        ("check,check", {"river": "2c3c"}, "river '2c3c' is not a single card"),
        ("", {"turn": "2c"}, "turn 2c: the spot's board is already Td9d6hQc"),
    ],
)  # fmt: skip
def test_a_line_that_leads_nowhere_is_refused_with_what_there_is(line: str, cards: dict[str, str], what: str) -> None:
    with pytest.raises(SolverError, match=what):
        result(solved(TURN), line, **cards)


@pytest.mark.slow
def test_on_the_named_flop_every_street_adds_up() -> None:
    solution = solved(SPOTS["F0"], 20)
    lines = {"": {}, "bet100": {}, "check,check": {"turn": "2s"}, "check,bet100,call,check": {"turn": "2s"}}
    for line, cards in lines.items():
        found = result(solution, line, **cards)
        assert sum(seat.range_ev for seat in found.seats) == pytest.approx(found.pot, abs=1e-3)
        assert found.frequencies @ found.range_move_ev == pytest.approx(found.decider.range_ev, abs=1e-3)
