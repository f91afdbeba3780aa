"""Hundreds of keys at random, each screen drawn: no key breaks anything, whatever cards leave of the ranges."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.cli.postflop.explorer import scene_of
from tahur.cli.postflop.explorer_state import Explorer, Focus
from tahur.show.explorer import screen
from tahur.solvers.postflop.results import glance, result_at
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import NodeKind

OFTEN = ("right", "right", "right", "right", "left", "up", "down", "enter")
KEYS = (*OFTEN * 3, "tab", "h", "s", "t", "?", "escape", "backspace", *"23TQKAcdhs", "x", "é")
SIZES = ((80, 24), (120, 40), (60, 22), (30, 10))


def solution() -> PostflopSolution:
    """One pair of aces against two hands: an ace on the river leaves a seat without a hand."""
    solver = PostflopSolver(spot(board="Td9d6hQc", oop="AsAc", ip="KsKc,7s7c", pot=30, stack=60, sizes="50%,a / a"))
    solver.engine.iterate(5)
    return solver.solution()


def test_no_key_breaks_a_screen() -> None:
    solved, rng = solution(), np.random.default_rng(3)
    now = Explorer.at_root(solved.engine)
    seen: set[tuple[NodeKind, Focus, bool]] = set()
    for key in rng.choice(KEYS, 600):
        now = now.press(str(key))
        found = glance(solved, now.here) if now.node.kind is NodeKind.DECISION else None
        size = SIZES[int(rng.integers(len(SIZES)))]
        rows = screen(scene_of(now, found, counting=True), *size).plain.split("\n")
        assert len(rows) == size[1]
        assert max(map(len, rows)) <= size[0]
        seen.add((now.node.kind, now.focus, now.other))
    assert {kind for kind, _, _ in seen} >= {NodeKind.DECISION, NodeKind.DEAL, NodeKind.FOLD}
    assert {focus for _, focus, _ in seen} == set(Focus)
    assert not now.left


def checked(now: Explorer) -> Explorer:
    """After everybody checked, until a card comes or the end."""
    while now.node.kind is NodeKind.DECISION:
        now = now.press("right") if str(now.node.moves[now.marked]) == "check" else now.press("up")
    return now


def test_a_showdown_says_what_is_in_the_pot() -> None:
    now = checked(checked(Explorer.at_root(solution().engine)).press("2").press("c"))
    assert now.node.kind is NodeKind.SHOWDOWN
    told = scene_of(now, None, counting=False)
    assert told.over == "showdown for 30"
    assert "showdown for 30" in screen(told, 80, 24).plain


def test_a_seat_without_a_hand_is_said() -> None:
    solved = solution()
    now = checked(Explorer.at_root(solved.engine)).press("A").press("s")
    told = scene_of(now, result_at(solved, now.here), counting=False)
    assert told.warning == "out of position has no hand left on this board"
    assert "-" in told.ranges[0][1]


@pytest.mark.parametrize(("keys", "kind"), [(("s",), 1), ((), 0)])
def test_the_range_that_is_shown_is_the_seat_s(keys: tuple[str, ...], kind: int) -> None:
    solved = solution()
    now = Explorer.at_root(solved.engine)
    for key in keys:
        now = now.press(key)
    told = scene_of(now, glance(solved, now.here), counting=False)
    assert told.shown == kind
    held = {0: {"AA"}, 1: {"KK", "77"}}[kind]
    names = [name for name, place in (("AA", 0), ("KK", 14), ("77", 98)) if told.picture.weights[place] > 0]
    assert set(names) == held
