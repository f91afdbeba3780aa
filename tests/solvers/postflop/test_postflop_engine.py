"""The engine against a plain twin, a linear program, the peers' figures, and itself seen from other sides."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from named_spots import SPOTS

from plain_postflop import Place, Plain, value_by_linear_program
from tahur.cards.cards import combo_of
from tahur.cards.equity import equity as equity_of_cards
from tahur.cards.equity.tables import combos
from tahur.cards.ranges import Range
from tahur.core.errors import TahurError
from tahur.solvers.postflop.boards import boards_by_street
from tahur.solvers.postflop.engine import BEST, VALUE, Engine
from tahur.solvers.postflop.estimate import estimate
from tahur.solvers.postflop.layout import SpotLayout, lay_out
from tahur.solvers.postflop.solve import PostflopSolver, equity, solve
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.postflop.tree import Node, NodeKind
from tahur.solvers.schedule import DCFR_CUBIC, SCHEDULES
from tahur.solvers.solver import run

UNIFORM = {
    "R1": 85.1057, "R2": 85.3011, "T0": 93.3730, "T1": 95.0054, "T2": 96.2618, "F0": 64.1478, "F1": 145.0119,
    "F2": 193.2279, "F3": 145.2644,
}  # fmt: skip
NODES = {
    "R1": (69,), "R2": (69,), "T0": (51, 7_296), "T1": (45, 8_592), "T2": (45, 8_592), "F0": (15, 1_692, 170_051),
    "F1": (27, 4_284, 507_295), "F2": (45, 5_472, 623_044), "F3": (27, 2_737, 239_625),
}  # fmt: skip
QUICK = ("R1", "R2", "T0", "T1", "T2")
SOLVED = {  # EV and equity out of position, frequencies at the root: postflop-solver at 0.1 % of the pot
    "R1": (91.11, 0.51617, {"check": 0.731, "bet100": 0.269}),
    "R2": (93.80, 0.5, {"check": 0.740, "bet100": 0.254}),
    "T0": (91.95, 0.53060, {"check": 0.953, "bet120": 0.047}),
    "T1": (93.36, 0.53060, {"check": 0.912, "bet100": 0.088}),
}
TURN = {"board": "Td9d6hQc", "oop": "AsAc,KsTs:0.5,9s8s,JcJs,5h4h", "ip": "AcKc,TsTc:0.25,9h8h,7s7c,QhJh", "pot": 30}


def uniform(name: str) -> float:
    return Engine(lay_out(SPOTS[name])).exploitability()


@pytest.mark.parametrize("name", QUICK)
def test_uniform_play_is_as_exploitable_as_the_peer_says(name: str) -> None:
    assert uniform(name) == pytest.approx(UNIFORM[name], abs=0.00011)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in UNIFORM if name not in QUICK])
def test_uniform_play_on_flops_is_as_exploitable_as_the_peer_says(name: str) -> None:
    assert uniform(name) == pytest.approx(UNIFORM[name], abs=0.00011)


@pytest.mark.parametrize("name", NODES)
def test_dealt_nodes_are_counted_before_anything_is_allocated(name: str) -> None:
    assert estimate(SPOTS[name]).nodes == NODES[name]


@pytest.mark.parametrize("name", QUICK)
def test_the_estimate_is_what_is_then_taken(name: str) -> None:
    layout = lay_out(SPOTS[name])
    assert estimate(SPOTS[name]).nodes == layout.nodes
    assert estimate(SPOTS[name]).bytes == pytest.approx(layout.cells * 8 + layout.table_bytes, rel=0.02)


def check_solved(name: str) -> None:
    solution = solve(SPOTS[name], target=0.1)
    value, share, frequencies = SOLVED[name]
    found = dict(zip(map(str, solution.moves), solution.frequencies, strict=True))
    assert solution.exploitability <= 0.1
    assert solution.ev[0] == pytest.approx(value, abs=0.4)  # 0.1 % of 200 chips for each of the two solvers
    assert sum(solution.ev) == pytest.approx(200, abs=1e-3)
    assert solution.equity[0] == pytest.approx(share, abs=1e-5)
    for move, often in frequencies.items():
        assert found[move] == pytest.approx(often, abs=0.02)


@pytest.mark.parametrize("name", ["R1", "R2"])
def test_river_spots_are_worth_what_the_peer_says(name: str) -> None:
    check_solved(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["T0", "T1"])
def test_turn_spots_are_worth_what_the_peer_says(name: str) -> None:
    check_solved(name)


# ---- the plain twin ------------------------------------------------------------------------------

TWINS = {
    "river": spot(**{**TURN, "board": "Td9d6hQc2s"}, stack=50, sizes="50%,a / 60%"),
    "turn": spot(**TURN, stack=50, sizes="60% / a"),
    "raked": spot(**TURN, stack=40, sizes="60% / a", rake=0.05, rake_cap=3.0),
    "shared": spot(board="Td9d6hQc", oop="AA,KTs,5c4c", ip="AA,TT:0.5,98s", pot=30, stack=30, sizes="60% / a"),
}


def ways(layout: SpotLayout) -> list[list[tuple[int, ...]]]:
    """The moves that lead to each node of each street."""
    found: list[list[tuple[int, ...]]] = []
    roots: list[tuple[int, ...]] = [()]
    for nodes_of_street in layout.street_nodes:
        way: dict[int, tuple[int, ...]] = dict(zip(nodes_of_street.tree.roots.tolist(), roots, strict=True))
        for node in range(len(nodes_of_street.nodes)):
            first = nodes_of_street.tree.first[node]
            for move in range(nodes_of_street.tree.moves[node]):
                way[int(nodes_of_street.tree.child[first + move])] = (*way[node], move)
        found.append([way[node] for node in range(len(nodes_of_street.nodes))])
        roots = [way[node] for node in nodes_of_street.tree.deals.tolist()]
    return found


def state_of(engine: Engine, plain: Plain, numbers: np.ndarray) -> dict[Place, np.ndarray]:
    """What the engine holds, without suit symmetry, in the twin's form; hands that the board blocks are 0."""
    found: dict[Place, np.ndarray] = {}
    layout = engine.layout
    parts = zip(layout.street_nodes, layout.hands, layout.boards, ways(layout), strict=True)
    for nodes_of_street, hands, boards, way in parts:
        for place, board in enumerate(hands.boards):
            for number, node in enumerate(nodes_of_street.nodes):
                if node.kind is NodeKind.DECISION:
                    size = int(boards.size[node.seat, place])
                    start = int(boards.data[node.seat, place]) + int(nodes_of_street.tree.data[number]) * size
                    rows = numbers[start : start + len(node.moves) * size].reshape(-1, size).astype(float)
                    where = hands.numbers(node.seat, place)[[combo_of(hand) for hand in plain.hands[node.seat]]]
                    there = where < hands.count[node.seat, place]
                    found[way[number], board.cards] = np.where(there, rows[:, where], 0.0)
    return found


def check_lockstep(asked: Spot, iterations: int) -> None:
    """Before each iteration the twin is given the engine's state, so that noise around 0 cannot drive them apart."""
    engine, plain = Engine(lay_out(asked, symmetry=False)), Plain(asked)
    for weights in DCFR_CUBIC.weights(1, iterations):
        plain.regrets, plain.sums = (state_of(engine, plain, numbers) for numbers in engine.data)
        engine.iterate(1)
        plain.iterate(*weights)
        for numbers, theirs in zip(engine.data, (plain.regrets, plain.sums), strict=True):
            for place, ours in state_of(engine, plain, numbers).items():
                scale = np.abs(theirs[place]).max() + asked.pot
                open_hands = [not set(hand) & set(place[1]) for hand in plain.hands[seat_at(plain, place)]]
                assert np.abs((ours - theirs[place])[:, open_hands]).max(initial=0) <= 1e-4 * scale
        plain.sums = state_of(engine, plain, engine.data.sums)
        assert engine.exploitability() == pytest.approx(plain.exploitability(), rel=1e-4)
        for seat in (0, 1):
            assert engine.root_value(seat, VALUE) == pytest.approx(plain.worth(seat, "value"), abs=1e-4)


def seat_at(plain: Plain, place: Place) -> int:
    node = plain.root
    for move in place[0]:
        node = skip(node).children[move]
    return skip(node).seat


def skip(node: Node) -> Node:
    return skip(node.children[0]) if node.kind is NodeKind.DEAL else node


@pytest.mark.parametrize("name", TWINS)
def test_the_engine_agrees_with_its_plain_twin_regret_by_regret(name: str) -> None:
    assert Engine(lay_out(TWINS[name])).exploitability() == pytest.approx(Plain(TWINS[name]).exploitability(), rel=1e-5)
    check_lockstep(TWINS[name], 4)


@pytest.mark.slow
def test_the_engine_agrees_with_its_plain_twin_from_the_flop() -> None:
    sizes = {"sizes": "60% / a", "turn": "-", "river": "50%"}
    check_lockstep(spot(board="Td9d6h", oop="AsAc,5h4h", ip="KsTs,7s7c:0.5", pot=30, stack=40, **sizes), 2)


@pytest.mark.parametrize("sizes", ["50% / -", "75%,a / a", "33%,100% / 60%"])
def test_a_river_is_worth_what_the_linear_program_says(sizes: str) -> None:
    river = spot(board="Td9d6hQc2s", oop="AA:0.5,KTs,J8s,54s", ip="TT,98s,A5s:0.75,KJs", pot=20, stack=40, sizes=sizes)
    solver = PostflopSolver(river)
    for _ in run(solver, iterations=5000, target=0.002, every=100):
        pass
    exact = value_by_linear_program(river)
    assert solver.engine.root_value(0, VALUE) == pytest.approx(exact, abs=0.001)
    assert solver.engine.root_value(0, BEST) >= exact - 1e-4
    assert solver.engine.root_value(1, BEST) >= -exact - 1e-4


# ---- the same spot from other sides --------------------------------------------------------------

SYMMETRIC = {
    "two suits": spot(
        board="Td9d6h", oop="AA,T9s,54s", ip="KK,98s:0.5", pot=20, stack=30, sizes="- / -", river="100% / -"
    ),
    "three suits": spot(
        board="Td9d6d", oop="AA,T9s", ip="KK,98s:0.5", pot=20, stack=30, sizes="- / -", turn="100% / -"
    ),
    "pairs of suits": spot(board="TdTc6h6s", oop="AA,T9s", ip="KK,98s", pot=20, stack=30, sizes="50% / a"),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_suit_symmetry_changes_no_value(name: str) -> None:
    with_it, without = (Engine(lay_out(SYMMETRIC[name], symmetry=each)) for each in (True, False))
    assert with_it.layout.cells < without.layout.cells
    for engine in (with_it, without):
        engine.iterate(2)
    assert with_it.exploitability() == pytest.approx(without.exploitability(), abs=1e-5)
    for seat in (0, 1):
        assert with_it.root_value(seat, VALUE) == pytest.approx(without.root_value(seat, VALUE), abs=1e-5)


def test_ranges_that_tell_suits_apart_switch_symmetry_off() -> None:
    even = SYMMETRIC["two suits"]
    uneven = replace(even, ranges=(Range("AA,T9s,5c4c"), even.ranges[1]))
    assert len(boards_by_street(even)[1]) == 36
    assert len(boards_by_street(uneven)[1]) == 49


def test_half_weights_give_the_same_strategy() -> None:
    whole = TWINS["shared"]
    half = replace(whole, ranges=(Range.from_vector(whole.ranges[0].vector / 2), whole.ranges[1]))
    engines = [Engine(lay_out(each)) for each in (whole, half)]
    for engine in engines:
        engine.iterate(20)
    assert engines[0].strategy(0, 0, 0) == pytest.approx(engines[1].strategy(0, 0, 0), abs=1e-4)
    assert engines[0].exploitability() == pytest.approx(engines[1].exploitability(), rel=1e-4)


@pytest.mark.parametrize("suits", range(1, 24, 5))
def test_relabelled_suits_change_no_value(suits: int) -> None:
    given_spot = TWINS["turn"]
    labels = combos().suits[suits]
    moved = combos().image[suits]
    vectors = [np.zeros(1326) for _ in range(2)]
    for vector, each in zip(vectors, given_spot.ranges, strict=True):
        vector[moved] = each.vector
    board = tuple(type(card)(card & ~3 | int(labels[card & 3])) for card in given_spot.board)
    ranges = Range.from_vector(vectors[0]), Range.from_vector(vectors[1])
    engines = [Engine(lay_out(each)) for each in (given_spot, replace(given_spot, board=board, ranges=ranges))]
    for engine in engines:
        engine.iterate(1)  # later on, regrets that are 0 but for noise may go either way
    assert engines[0].exploitability() == pytest.approx(engines[1].exploitability(), rel=1e-4)


def test_threads_change_nothing_at_all() -> None:
    flop = replace(SYMMETRIC["two suits"], streets=SPOTS["F0"].streets)
    engines = [Engine(lay_out(flop), threads=threads) for threads in (1, 2, 3)]
    for engine in engines:
        engine.iterate(4)
    for engine in engines[1:]:
        assert np.array_equal(engine.data.regrets, engines[0].data.regrets)
        assert np.array_equal(engine.data.sums, engines[0].data.sums)


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc", "Td9d6h"])
def test_a_range_has_half_the_equity_against_itself(board: str) -> None:
    asked = spot(board=board, oop="22+,A2s+,KQo", ip="22+,A2s+,KQo", pot=10, stack=10)
    assert equity(lay_out(asked)) == pytest.approx(0.5)


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc", "Td9d6h", "Td9d6d"])
def test_equities_are_those_of_the_cards_room(board: str) -> None:
    oop, ip = "AA:0.5,KTs,54s", "TT,98s:0.25,AQo"
    exact = equity_of_cards(oop, ip, board=board).players[0].equity
    assert equity(lay_out(spot(board=board, oop=oop, ip=ip, pot=10, stack=10))) == pytest.approx(exact, abs=1e-6)


def test_rake_is_what_is_missing() -> None:
    checked = spot(**TURN, stack=40, rake=0.05, rake_cap=1.0)
    engine = Engine(lay_out(checked))
    assert sum(engine.root_value(seat, VALUE) for seat in (0, 1)) == pytest.approx(-1.0, abs=1e-5)
    assert engine.exploitability() == pytest.approx(0, abs=1e-4)


# ---- anything one may ask ------------------------------------------------------------------------

some_hands = st.lists(st.integers(0, 1325), min_size=1, max_size=12, unique=True)
some_cards = st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True)


def range_of(hands: list[int]) -> Range:
    vector = np.zeros(1326)
    vector[hands] = 1 / (1 + np.arange(len(hands)))
    return Range.from_vector(vector)


random_spots = given(
    some_cards, some_hands, some_hands, st.integers(1, 60), st.sampled_from(["50%,a / a", "e / 2.5x", "20c / 20c"])
)


@settings(max_examples=60)
@random_spots
def test_random_spots_stay_sane(cards: list[int], oop: list[int], ip: list[int], stack: int, sizes: str) -> None:
    check_sane(cards, oop, ip, stack, sizes)


@pytest.mark.slow
@settings(max_examples=1000)
@random_spots
def test_a_thousand_random_spots_stay_sane(
    cards: list[int], oop: list[int], ip: list[int], stack: int, sizes: str
) -> None:
    check_sane(cards, oop, ip, stack, sizes)


def check_sane(cards: list[int], oop: list[int], ip: list[int], stack: int, sizes: str) -> None:
    base = spot(board="Td9d6hQc2s", oop="AA", ip="AA", pot=20, stack=stack, sizes=sizes)
    asked: Spot = replace(
        base, board=tuple(type(base.board[0])(c) for c in cards), ranges=(range_of(oop), range_of(ip))
    )
    try:
        solver = PostflopSolver(asked)
    except TahurError:  # the ranges cannot meet
        return
    for _ in run(solver, iterations=20, target=0.0, every=10):
        pass
    assert np.isfinite(solver.engine.data.regrets).all()
    assert np.isfinite(solver.engine.data.sums).all()
    solution = solver.solution()
    assert solution.exploitability >= -1e-3
    assert sum(solution.ev) == pytest.approx(20, abs=1e-2)
    assert solution.strategy.sum(0) == pytest.approx(1)


@pytest.mark.parametrize("name", ["pcfr+", "pdcfr+", "hs-pcfr+"])
def test_a_schedule_that_predicts_is_refused_with_those_that_are_taken(name: str) -> None:
    with pytest.raises(
        TahurError, match=rf"cannot use {re.escape(name)}, which is predictive; valid: cfr, cfr\+, .*dcfr3"
    ):
        Engine(lay_out(TWINS["river"]), SCHEDULES[name])


def test_too_big_a_spot_is_refused_with_a_hint() -> None:
    with pytest.raises(TahurError, match=r"needs 13 MB and 1 MB are allowed; without the bet 50% on the turn"):
        PostflopSolver(SPOTS["T1"], memory=1_000_000)


def test_ranges_that_cannot_meet_are_refused() -> None:
    with pytest.raises(TahurError, match="such ranges never meet"):
        PostflopSolver(spot(board="Td9d6h", oop="AsAc", ip="AsKc", pot=1, stack=1))
    with pytest.raises(TahurError, match="no hand that is possible on this board"):
        PostflopSolver(spot(board="Td9d6h", oop="TdTc", ip="AsKc", pot=1, stack=1))
