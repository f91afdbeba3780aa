"""The betting tree of several seats: sizes, payoffs, and the words for lines and ranges."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.core.errors import SolverError, StrategyError
from tahur.solvers.nolimit.multiway.actions import CHIPS, sizes_for
from tahur.solvers.nolimit.multiway.lines import closed_node, node_at, parse_line, words_to
from tahur.solvers.nolimit.multiway.names import named_actions
from tahur.solvers.nolimit.multiway.tree import (
    ALL_IN_TWO,
    DECISION,
    FOLDED,
    PreflopTree,
    action_names,
    build_preflop,
    position_names,
)
from tahur.solvers.postflop.spot import Rake
from tiny_multiway import tiny_tree

SIX = build_preflop(6, 100, sizes_for(100))


def _raise_to(tree: PreflopTree, line: str, position: str | None = None) -> float:
    """The big blinds that the seat to act may raise to."""
    return (tree.menu(node_at(tree, parse_line(line), position))[-1] - 1) / CHIPS


@pytest.mark.parametrize(("seats", "depth", "decisions"), [(2, 100, 10), (6, 40, 727), (6, 100, 1352), (6, 200, 2770)])
def test_a_tree_has_so_many_decisions_before_the_flop(seats: int, depth: float, decisions: int) -> None:
    assert len(build_preflop(seats, depth, sizes_for(depth)).decisions) == decisions


def test_raises_have_the_sizes_of_common_charts() -> None:
    assert _raise_to(SIX, "", "utg") == _raise_to(SIX, "", "btn") == 2.5
    assert _raise_to(SIX, "", "sb") == 3
    assert _raise_to(SIX, "sb-limp", "bb") == 3.5
    assert _raise_to(SIX, "co-open", "btn") == 7.5  # in position
    assert _raise_to(SIX, "btn-open", "bb") == 11  # out of position
    assert _raise_to(SIX, "sb-open", "bb") == 9
    assert _raise_to(SIX, "co-open,btn-call", "bb") == 13.5  # one more open raise for the caller
    assert _raise_to(SIX, "btn-open,bb-3bet", "btn") == 25.3
    assert _raise_to(SIX, "btn-open,bb-3bet,btn-4bet", "bb") == 100


def test_a_short_stack_4_bets_all_in() -> None:
    short = build_preflop(6, 40, sizes_for(40))
    node = node_at(short, parse_line("btn-open,bb-3bet"))
    assert action_names(short, node) == ("fold", "call", "all-in")


def test_only_the_small_blind_limps_and_nobody_calls_a_3_bet_cold() -> None:
    for position in ("utg", "hj", "co", "btn"):
        assert action_names(SIX, node_at(SIX, (), position)) == ("fold", "raise")
    assert action_names(SIX, node_at(SIX, (), "sb")) == ("fold", "limp", "raise")
    assert action_names(SIX, node_at(SIX, parse_line("utg,co-3bet"), "btn")) == ("fold", "raise")


def test_three_players_and_the_big_blind_see_a_flop_at_most() -> None:
    live = [len(table.live) for table, below in zip(SIX.tables, SIX.children, strict=True) if not below]
    assert max(live) == 4
    assert all(2 in table.live for table in SIX.tables if table.turn < 0 and len(table.live) == 4)


@pytest.mark.parametrize("rake", [Rake(), Rake(0.05, 0.6)])
def test_terminals_pay_what_was_put_in_less_the_rake(rake: Rake) -> None:
    arrays = tiny_tree(3, 20, rake).arrays
    for node in np.flatnonzero(arrays.kind != DECISION):
        pot = float(arrays.paid[node].sum())
        before_flop = arrays.street[node] == 0 and arrays.kind[node] == FOLDED
        assert arrays.won[node] == pytest.approx(pot - (0 if before_flop else rake.of(pot)), abs=1e-4)
        assert 0 <= arrays.paid[node].min() <= arrays.paid[node].max() <= 20
        players = [seat for seat in range(3) if arrays.live[node] >> seat & 1]
        assert len({round(float(arrays.paid[node, seat]), 4) for seat in players}) == 1 or len(players) == 1
        if arrays.kind[node] == FOLDED:
            assert players == [arrays.seat[node]]
        if arrays.kind[node] == ALL_IN_TWO:
            assert [float(arrays.paid[node, seat]) for seat in players] == [20, 20]


def test_every_later_street_begins_with_its_own_decisions() -> None:
    tree = tiny_tree(3, 20)
    arrays = tree.arrays
    decisions = np.flatnonzero(arrays.kind == DECISION)
    cells = arrays.moves[decisions] * np.array(tree.buckets)[arrays.street[decisions]]
    order = np.argsort(arrays.first[decisions])
    assert np.array_equal(np.cumsum(cells[order])[:-1], arrays.first[decisions][order][1:])
    assert sum(cells) == tree.cells
    preflop = arrays.street[decisions] == 0
    assert arrays.first[decisions][preflop].max() < arrays.first[decisions][~preflop].min()


def test_streets_follow_one_another() -> None:
    tree = tiny_tree(3, 20)
    arrays, begun = tree.arrays, len(tree.preflop.tables)
    for node in np.flatnonzero(arrays.kind == DECISION):
        below = arrays.child[node, : arrays.moves[node]]
        rises = (arrays.street[below] - arrays.street[node])[arrays.kind[below] == DECISION]
        assert set(rises.tolist()) <= {0, 1}
    roots = arrays.street[:begun][(arrays.kind[:begun] == DECISION) & (arrays.street[:begun] > 0)]
    assert len(roots) > 0
    assert (roots == 1).all()


def test_a_line_leads_where_it_says() -> None:
    node = node_at(SIX, parse_line("UTG-open, btn-call"), "bb")
    assert position_names(6)[SIX.tables[node].turn] == "bb"
    assert [step.text for step in words_to(SIX, node)] == ["utg-open", "btn-call"]
    assert node_at(SIX, parse_line("lj bu-call"), "bb") == node
    assert node_at(SIX, parse_line("utg-open,hj-fold,btn-call,sb-fold")) == node
    end = closed_node(SIX, parse_line("btn-open,bb-3bet,btn-call"))
    assert (SIX.tables[end].pot, len(SIX.tables[end].live)) == (2250, 2)


@pytest.mark.parametrize(
    ("line", "position", "message"),
    [
        ("btn-open", "co", "co has no decision after btn-open"),
        ("btn-opne", None, "did you mean 'open'"),
        ("mid-open", None, "valid: btn, sb, bb, utg, hj, co"),
        ("btn-limp", None, "valid for btn: fold, open"),
        ("btn-open,bb-4bet", None, "valid for bb: fold, call, 3bet"),
        ("btn-open,utg-call", None, "utg cannot act"),
        ("btn-open,bb-call", None, "the betting is over"),
    ],
)
def test_an_impossible_line_is_refused(line: str, position: str | None, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        node_at(SIX, parse_line(line), position)


def test_a_pot_that_nobody_calls_has_no_flop() -> None:
    with pytest.raises(StrategyError, match="nobody calls"):
        closed_node(SIX, parse_line("btn-open"))


def test_every_position_is_called_as_in_charts() -> None:
    assert position_names(6) == ("btn", "sb", "bb", "utg", "hj", "co")
    assert position_names(4) == ("btn", "sb", "bb", "co")
    assert position_names(2) == ("btn", "bb")
    with pytest.raises(SolverError, match="2 to 6"):
        position_names(7)


def test_names_are_unique_and_say_who_does_what() -> None:
    names = {named.name: named for named in named_actions(SIX)}
    assert len(names) == len(list(named_actions(SIX)))
    for name, line, position, action in (
        ("btn-open", "", "btn", "raise"),
        ("sb-limp", "", "sb", "limp"),
        ("bb-call-v-btn", "btn", "bb", "call"),
        ("sb-3bet-v-btn", "btn", "sb", "raise"),
        ("btn-call-v-sb-3bet", "btn,sb-3bet", "btn", "call"),
        ("utg-4bet-v-bb", "utg,bb-3bet", "utg", "raise"),
        ("bb-5bet-v-utg", "utg,bb-3bet,utg-4bet", "bb", "all-in"),
        ("bb-squeeze-v-utg-btn", "utg,btn-call", "bb", "raise"),
        ("utg-call-v-bb-squeeze-btn", "utg,btn-call,bb-squeeze", "utg", "call"),
        ("bb-cold4bet-v-co-btn", "co,btn-3bet", "bb", "raise"),
        ("bb-check-v-sb-limp", "sb-limp", "bb", "check"),
        ("sb-limp-call-v-bb", "sb-limp,bb-raise", "sb", "call"),
    ):
        node = node_at(SIX, parse_line(line), position)
        assert (names[name].node, action_names(SIX, node)[names[name].action]) == (node, action)
