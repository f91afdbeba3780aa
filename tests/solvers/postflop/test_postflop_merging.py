"""Merged rivers: groups of equally strong hands, measured with every hand, and stored for all who look at them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tahur.cards.cards import parse_cards
from tahur.cards.equity.tables import combos
from tahur.core.errors import SolverError
from tahur.solvers.postflop import file, merging
from tahur.solvers.postflop.boards import hand_strengths
from tahur.solvers.postflop.engine import BEST, VALUE, Engine
from tahur.solvers.postflop.estimate import estimate
from tahur.solvers.postflop.layout import SpotLayout, lay_out
from tahur.solvers.postflop.lock import lock
from tahur.solvers.postflop.results import result
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, SpotMeasure, solve, until_stalled
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.solver import Progress

SETTINGS = {"oop": "AA,KQs,QJs,87s", "ip": "QQ,KJ,T9s,A7s", "pot": 20, "stack": 60}
RAINBOW = spot(board="Ks7h2d", sizes="75% / -", **SETTINGS)
PAIRED = spot(board="KsKh2d", sizes="50% / a", **SETTINGS)  # spades and hearts are alike, so rivers have images


def expanded(merged: Engine) -> Engine:
    """An engine without merging, with the same average strategies."""
    whole = Engine(lay_out(merged.layout.spot))
    for street, (boards, nodes) in enumerate(zip(whole.layout.boards, whole.layout.street_nodes, strict=True)):
        for board, node in product(range(boards.hands.shape[1]), np.flatnonzero(nodes.tree.kind < 2)):
            seat, moves = int(nodes.tree.kind[node]), int(nodes.tree.moves[node])
            count, size = int(boards.hands[seat, board]), int(boards.size[seat, board])
            start = int(boards.data[seat, board]) + int(nodes.tree.data[node]) * size
            rows = whole.data.sums[start : start + moves * size].reshape(moves, size)
            rows[:, :count] = merged.strategy(street, board, int(node))
    return whole


def groups_of(layout: SpotLayout) -> merging.RiverGroups:
    assert layout.merged is not None
    return layout.merged.groups


def test_suits_matter_where_they_make_a_flush_or_missed_one() -> None:
    board = parse_cards("Ks7s2dTs4h")  # a flush in spades
    classes = merging.card_classes(board)
    ace = [int(classes[parse_cards(f"A{suit}")[0]]) for suit in "cdhs"]
    assert len(set(ace[:3])) == 1
    assert ace[3] == parse_cards("As")[0]
    board = parse_cards("Ks7h2dTh4c")  # hearts missed; clubs never could
    ace = [int(merging.card_classes(board)[parse_cards(f"A{suit}")[0]]) for suit in "cdhs"]
    assert len(set(ace)) == 2
    assert ace[2] == parse_cards("Ah")[0]


def test_all_hands_of_a_group_are_equally_strong() -> None:
    layout = lay_out(PAIRED, merge_rivers=True)
    for seat, board in product((0, 1), range(0, len(layout.hands[-1].boards), 9)):
        held = layout.hands[-1].combos[seat][board]
        strengths = hand_strengths(layout.hands[-1].boards[board].cards, held)
        group = groups_of(layout).group_of(seat, board)
        assert len({*zip(group, strengths, strict=True)}) == len(set(group)) < len(held)


def test_groups_share_a_card_as_often_as_their_hands_do() -> None:
    asked = spot(board="Ks7h2d", oop="any", ip="any", pot=2, stack=2, sizes="-")
    layout = lay_out(asked, merge_rivers=True)
    assert layout.merged is not None
    tables, cards = layout.merged.boards, combos().mask
    for board in (3, 700, 1500):
        groups, held = [groups_of(layout).group_of(seat, board) for seat in (0, 1)], layout.hands[-1].combos
        apart = (cards[held[0][board]][:, None] & cards[held[1][board]]) == 0
        first = slice(*(int(tables.start[0, board]) + np.array([0, int(tables.hands[0, board])])))
        low, high = tables.low_card[first], tables.high_card[first]
        classes = np.arange(52)
        weight = [
            np.where(classes == low[:, None], tables.low_share[first][:, None], 0)
            + np.where(classes == high[:, None], tables.high_share[first][:, None], 0),
            (classes == low[:, None]).astype(float) + (classes == high[:, None]),
        ]  # of the cards of an opposing group on each class, and of an own group: both seats have the same groups
        met = 1 - weight[1] @ weight[0].T
        own = np.arange(len(low))
        assert np.array_equal(tables.same[first], own)
        met[own, own] += tables.same_share[first]
        count = np.bincount(groups[0])
        pairs = np.zeros((len(low), len(low)))
        np.add.at(pairs, (groups[0][:, None], groups[1]), apart)
        assert met == pytest.approx(pairs / count[:, None] / count, abs=1e-5)


@pytest.mark.parametrize("asked", [RAINBOW, PAIRED], ids=["rainbow", "paired"])
def test_groups_of_one_hand_are_solved_as_hands(asked: Spot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_FLUSH", 0)  # every suit matters
    merged, whole = Engine(lay_out(asked, merge_rivers=True)), Engine(lay_out(asked))
    for engine in (merged, whole):
        engine.iterate(3)
    assert merged.strategy(0, 0, 0) == pytest.approx(whole.strategy(0, 0, 0), abs=1e-4)
    assert merged.exploitability() == pytest.approx(whole.exploitability(), abs=1e-2)


@pytest.mark.parametrize("asked", [RAINBOW, PAIRED], ids=["rainbow", "paired"])
def test_merged_strategies_are_measured_with_every_hand(asked: Spot) -> None:
    merged = Engine(lay_out(asked, merge_rivers=True))
    merged.iterate(10)
    whole = expanded(merged)
    for seat, mode in product((0, 1), (BEST, VALUE)):
        assert merged.root_value(seat, mode) == pytest.approx(whole.root_value(seat, mode), abs=1e-4)


def test_merged_rivers_get_near_the_solution_of_every_hand() -> None:
    merged, whole = (solve(RAINBOW, target=1, merge_rivers=merge) for merge in (True, False))
    assert merged.exploitability <= 1
    assert merged.ev[0] == pytest.approx(whole.ev[0], abs=0.01 * RAINBOW.pot)
    assert sum(merged.ev) == pytest.approx(RAINBOW.pot, abs=1e-4)
    assert merged.equity == whole.equity


def test_merged_rivers_stop_where_they_get_no_nearer() -> None:
    falling = [Progress(k, SpotMeasure(100 / k)) for k in range(10, 400, 10)]
    assert list(until_stalled(iter(falling))) == falling
    flat = [Progress(k, SpotMeasure(0.5 + 50 / k**2)) for k in range(10, 400, 10)]
    assert list(until_stalled(iter(flat)))[-1].iteration == 80


def test_the_estimate_is_what_merged_rivers_take() -> None:
    for half in (False, True):
        engine = Engine(lay_out(RAINBOW, merge_rivers=True), half=half)
        size = estimate(RAINBOW, merge_rivers=True, half=half)
        assert size.cells == engine.layout.cells
        taken = sum(array.nbytes for array in engine.data) + engine.layout.table_bytes
        assert size.bytes == pytest.approx(taken, rel=0.3)  # tables are half of so small a spot


def test_threads_change_nothing_on_merged_rivers() -> None:
    engines = [Engine(lay_out(PAIRED, merge_rivers=True), threads=threads) for threads in (1, 3)]
    for engine in engines:
        engine.iterate(2)
    for one, two in zip(*(engine.data for engine in engines), strict=True):
        assert np.array_equal(one, two)
    assert engines[0].exploitability() == engines[1].exploitability()


@pytest.mark.parametrize("half", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["32 bits", "16 bits"])
def test_a_file_of_merged_rivers_is_read_and_resumed(half: bool, tmp_path: Path) -> None:
    whole, first = (PostflopSolver(RAINBOW, half=half, merge_rivers=True) for _ in range(2))
    whole.iterate(7)
    first.iterate(3)
    solution = first.solution()
    solution.save(tmp_path / "spot.tahur", resumable=True)
    read = PostflopSolution.load(tmp_path / "spot.tahur")
    assert file.has_merged_rivers(tmp_path / "spot.tahur")
    tree = read.engine.layout.street_nodes[-1].tree
    for board, node in product(range(0, 2000, 97), np.flatnonzero(tree.kind < 2)):
        one, two = (known.engine.strategy(2, board, int(node)) for known in (solution, read))
        assert two == pytest.approx(one, abs=0.01)
    second = file.load_solver(tmp_path / "spot.tahur")
    second.iterate(4)
    for name, array in whole.state().arrays.items():
        assert np.array_equal(second.state().arrays[name], array), name


def test_a_decision_on_any_street_shows_the_values_of_the_solution() -> None:
    solution = solve(RAINBOW, most=20, target=0.01, merge_rivers=True)
    first = result(solution)
    assert [seat.range_ev for seat in first.seats] == pytest.approx(solution.ev, abs=1e-3)
    on_turn = result(solution, "check,check", turn="Th")
    assert sum(seat.range_ev for seat in on_turn.seats) == pytest.approx(20, abs=1e-3)
    on_river = result(solution, "check,check,check,check", turn="Th", river="3h")
    assert sum(seat.range_ev for seat in on_river.seats) == pytest.approx(20, abs=1e-3)
    kings = on_river.decider.combos
    assert on_river.strategy.shape[1] == len(kings)
    assert on_river.strategy.sum(0) == pytest.approx(np.ones(len(kings)))


def test_the_value_of_a_turn_is_that_of_the_same_strategies_without_merging() -> None:
    solution = solve(RAINBOW, most=10, target=0.01, merge_rivers=True)
    whole = solve(RAINBOW, most=1, target=0.01)
    whole.engine.data.sums[:] = expanded(solution.engine).data.sums
    for line, turn in (("check,bet15,call", "Th"), ("", None)):
        seen, known = result(solution, line, turn=turn), result(whole, line, turn=turn)
        assert seen.move_ev == pytest.approx(known.move_ev, abs=1e-3, nan_ok=True)


def test_what_cannot_be_merged_is_rejected() -> None:
    turn = spot(board="Ks7h2d3c", sizes="75% / -", **SETTINGS)
    with pytest.raises(SolverError, match=r"from the flop on, and the board Ks7h2d3c has 4 cards"):
        PostflopSolver(turn, merge_rivers=True)
    with pytest.raises(SolverError, match="cannot be combined with merged rivers"):
        PostflopSolver(RAINBOW, locks=[lock("", {"check": 1})], merge_rivers=True)
