"""Solutions and results show themselves: in one line, in a terminal and in a notebook."""

from __future__ import annotations

from functools import cache
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from tahur.cards.cards import cards_of, cards_text
from tahur.cards.ranges import Range
from tahur.solvers.postflop.line import moved, start, walk
from tahur.solvers.postflop.lock import parse_lock
from tahur.solvers.postflop.results import glance, opening, result, result_at
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, solve
from tahur.solvers.postflop.spot import spot

TURN = spot(
    board="Td9d6hQc", oop="AsAc,KsTs:0.5,9s8s,5h4h", ip="AcKc,TsTc:0.25,7s7c,QhJh", pot=30, stack=60, sizes="50%,a / a"
)


@cache
def solved() -> PostflopSolution:
    solver = PostflopSolver(TURN)
    solver.engine.iterate(20)
    return solver.solution()


def printed(value: object) -> str:
    out = Console(file=StringIO(), width=120)
    out.print(value)
    assert isinstance(out.file, StringIO)
    return out.file.getvalue()


def test_each_is_one_line_of_repr() -> None:
    here = result(solved(), "check,check,bet15", river="2c")
    assert repr(here).startswith("<Result Td9d6hQc2c check,check,[2c],bet15: in position decides, pot 45: fold ")
    assert repr(solved()).startswith("<Solution Td9d6hQc, pot 30, stack 60: exploitability ")
    assert "check,[2c]" in repr(walk(solved().engine, "check,check", river="2c"))
    for value in (here, solved(), here.seats[0], start(solved().engine)):
        assert "\n" not in repr(value)
        assert len(repr(value)) < 200


def test_a_terminal_and_a_notebook_show_the_matrix() -> None:
    here = result(solved(), "check")
    for value in (here, solved()):
        assert "EQR" in printed(value)
        assert value._repr_html_().count("data-hand=") == 169
    assert "AA" in printed(Range("AA"))
    assert Range("AA")._repr_html_().startswith("<svg")


def test_a_result_knows_which_hands_were_locked_and_only_where_they_were() -> None:
    held = solve(TURN, most=2, locks=[parse_lock("check: check=1 @77"), parse_lock("check,check river=2c: check=1")])
    first = glance(held, walk(held.engine, "check"))
    assert [cards_text(cards_of(hand)) for hand in first.decider.combos[first.locked].tolist()] == ["7s7c"]
    assert glance(held, walk(held.engine, "check,check", river="2c")).locked.all()
    assert not glance(held, walk(held.engine, "check,check", river="2d")).locked.any()
    assert "\nlocked with 1.0 of 3.2 combos\n" in printed(result(held, "check"))


def test_a_glance_is_the_result_without_evs() -> None:
    place = walk(solved().engine, "check,bet15")
    seen, found = glance(solved(), place), result_at(solved(), place)
    assert np.array_equal(seen.strategy, found.strategy)
    assert np.array_equal(seen.frequencies, found.frequencies)
    assert (seen.pot, seen.to_call, seen.stacks, seen.then) == (found.pot, found.to_call, found.stacks, found.then)
    assert np.isnan(seen.move_ev).all()
    assert np.isfinite(found.range_move_ev[found.frequencies > 0]).all()


def test_the_opening_has_the_evs_that_solving_found() -> None:
    first, found = opening(solved()), result(solved())
    for seat in (0, 1):
        assert first.seats[seat].range_ev == pytest.approx(found.seats[seat].range_ev, abs=1e-3)
        assert first.seats[seat].realized == pytest.approx(found.seats[seat].realized, abs=1e-3)


@pytest.mark.parametrize(
    ("line", "stacks", "then"),
    [
        ("", (60, 60), ("in position decides",) * 3),
        ("bet15", (45, 60), ("it is over", "the river", "out of position decides")),
        ("bet15,all-in60", (45, 0), ("it is over", "all-in, cards to the end")),
    ],
)
def test_stacks_and_what_follows(line: str, stacks: tuple[int, int], then: tuple[str, ...]) -> None:
    here = result(solved(), line)
    assert here.stacks == stacks
    assert here.then == then
    assert sum(here.stacks) + here.pot == 2 * TURN.stack + TURN.pot


def test_a_line_that_nobody_takes_comes_never_and_is_shown() -> None:
    engine = solved().engine
    place = start(engine)
    engine_move = int(np.argmin(solved().frequencies))
    never = moved(engine, place, engine_move)
    here = result_at(solved(), never)
    assert here.frequency == pytest.approx(solved().frequencies[engine_move], abs=1e-6)
    assert np.isfinite(here.range_move_ev[here.frequencies > 0]).all()
