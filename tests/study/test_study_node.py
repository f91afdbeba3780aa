"""What Study shows of a node: the figures of the solution itself, in little space, after any line."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_spots import flop, turn, wide_river

from tahur.core.errors import SolverError
from tahur.room.codec import text_of
from tahur.solvers.postflop.line import has_choice, node_at
from tahur.solvers.postflop.results import result
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import NodeKind
from tahur.study.node import node_view, runouts_view
from tahur.study.trail import (
    Trail,
    after_card,
    after_move,
    before_last_card,
    free_cards,
    root_trail,
    steps_of,
    trail_of,
)
from tahur.study.views import NodeView

MOST_BYTES = 40_000  # of a node, compressed


def viewed(solution: PostflopSolution, line: str, *, evs: bool = True) -> NodeView:
    steps = [step for step in line.split(",") if step]
    return node_view(solution, "here", trail_of(solution.engine, steps), evs=evs)


def random_trail(solution: PostflopSolution, data: st.DataObject) -> Trail:
    """Down the tree until the end or until the draw says stop."""
    trail = root_trail(solution.engine)
    while data.draw(st.integers(0, 5)):
        node = node_at(solution.engine, trail[-1])
        if has_choice(node):
            trail = after_card(solution.engine, trail, data.draw(st.sampled_from(free_cards(trail))))
        elif node.kind is NodeKind.DECISION:
            trail = after_move(solution.engine, trail, data.draw(st.integers(0, len(node.moves) - 1)))
        else:
            break
    return trail


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_trail_as_text_leads_back_to_the_same_node(data: st.DataObject) -> None:
    solution = data.draw(st.sampled_from([turn(), flop()]))
    trail = random_trail(solution, data)
    again = trail_of(solution.engine, steps_of(trail))
    assert [node.steps for node in again] == [node.steps for node in trail]
    assert (again[-1].reach[0] == trail[-1].reach[0]).all()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_node_can_be_shown_and_its_trail_names_every_step(data: st.DataObject) -> None:
    solution = data.draw(st.sampled_from([turn(), flop()]))
    trail = random_trail(solution, data)
    view = node_view(solution, "here", trail, evs=data.draw(st.booleans()))
    text_of(view)  # no NaN
    assert tuple(step.taken for step in view.trail if step.taken) == steps_of(trail)
    assert all(step.taken in step.options for step in view.trail if step.taken and step.kind == "decision")
    for seat in view.seats:
        assert len(seat.hands) == 4 * len(seat.weight)
    for column in zip(*view.strategy, strict=True):
        assert sum(column) == pytest.approx(1000, abs=len(column))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("raise", r"no move 'raise' after the first decision; valid: check, bet10, all-in40"),
        ("check,check,Td", "Td after check, check is on the board already"),
        ("check,check,bet", "'bet' after check, check is not a card"),
        ("check,check,2c2d", "is not a card"),
        ("bet10,fold,check", "no step 'check' after bet10, fold: the betting is over there"),
        ("x" * 5000, "no move 'x{40}' after"),
    ],
)
def test_a_step_that_is_not_possible_is_refused_with_those_that_are(line: str, words: str) -> None:
    with pytest.raises(SolverError, match=words):
        viewed(turn(), line)


def test_a_node_has_the_figures_of_the_solution() -> None:
    view, known = viewed(turn(), "check,check,2c,bet10"), result(turn(), "check,check,bet10", river="2c")
    assert view.seat == known.seat == 1
    assert [move.frequency for move in view.moves] == pytest.approx(list(known.frequencies))
    assert [move.ev for move in view.moves] == pytest.approx(list(known.range_move_ev), abs=1e-4)
    assert [seat.ev for seat in view.seats] == pytest.approx([seat.range_ev for seat in known.seats], abs=1e-4)
    assert (view.pot, view.to_call, view.stacks) == (30, 10, (30, 40))
    raised = next(move for move in view.moves if move.kind == "all-in")
    assert raised.share == pytest.approx(30 / 40)  # it adds 30 to a call, and the pot is 40 then
    assert sum(seat.ev or 0 for seat in view.seats) == pytest.approx(view.pot, abs=0.01)


def test_on_a_flop_frequencies_come_without_evs_until_they_are_asked_for() -> None:
    quick, whole = viewed(flop(), "", evs=False), viewed(flop(), "", evs=True)
    assert not quick.complete
    assert quick.seats[0].evs == quick.move_evs == ()
    assert quick.strategy == whole.strategy
    assert whole.complete
    assert sum(seat.ev or 0 for seat in whole.seats) == pytest.approx(4, abs=0.01)


def test_a_runout_has_the_frequencies_and_evs_of_the_node_after_it() -> None:
    runouts = runouts_view(turn(), trail_of(turn().engine, ("check", "check")), evs=True)
    assert runouts is not None
    assert len(runouts.cards) == 48
    for runout in runouts.cards[::11]:
        view = viewed(turn(), f"check,check,{runout.card}")
        assert list(runout.frequencies) == pytest.approx([move.frequency for move in view.moves], abs=1e-4)
        assert list(runout.evs) == pytest.approx([seat.ev for seat in view.seats], abs=1e-3)
    assert runouts_view(turn(), trail_of(turn().engine, ("check",)), evs=False) is None


def test_an_end_says_who_folded() -> None:
    view = viewed(turn(), "bet10,fold")
    assert view.kind == "end"
    assert view.outcome == "in position folded; out of position wins the pot"


def test_another_card_keeps_the_moves_after_the_last_one() -> None:
    solution = turn()
    trail = trail_of(solution.engine, ("check", "check", "2c", "check", "bet10"))
    before = before_last_card(solution.engine, trail)
    assert before is not None
    assert steps_of(before[0]) == ("check", "check")
    assert len(before[1]) == 2
    assert before_last_card(solution.engine, trail[:3]) is None


def test_the_largest_node_fits_into_40_kb() -> None:
    view = viewed(wide_river(), "check,bet66")
    assert len(view.seats[0].weight) > 1000
    assert len(gzip.compress(text_of(view).encode(), 5)) < MOST_BYTES
