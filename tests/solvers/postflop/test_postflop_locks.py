"""Locks: what is told is done, the rest is solved around it, and suits stay what was said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_postflop_results import MONOTONE, RIVER, TURN, solved

from plain_postflop import value_by_linear_program
from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.cards.ranges import Range
from tahur.core.errors import TahurError
from tahur.solvers.postflop.boards import boards_by_street
from tahur.solvers.postflop.engine import VALUE, Engine
from tahur.solvers.postflop.estimate import estimate
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.line import locked_at, strategy_at, walk
from tahur.solvers.postflop.lock import Lock, lock, parse_lock
from tahur.solvers.postflop.results import result
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, solve
from tahur.solvers.postflop.spot import Spot, spot

MIXED = {"check": 0.5, "bet15": 0.2, "all-in60": 0.3}


def after(asked: Spot, *locks: Lock, iterations: int = 60) -> PostflopSolution:
    solver = PostflopSolver(asked, locks=locks)
    solver.engine.iterate(iterations)
    return solver.solution()


# ---- what is told is done ------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["", "check", "check,bet15", "bet15,all-in60"])
def test_a_locked_decision_is_exactly_what_was_locked(line: str) -> None:
    moves = [str(move) for move in result(solved(RIVER), line).moves]
    told = dict(zip(moves, [0.55, 0.25, 0.2][: len(moves) - 1], strict=False))
    found = result(after(RIVER, lock(line, told, flat=True)), line)
    rest = 1 - sum(told.values())
    for number, move in enumerate(moves):
        assert found.strategy[number] == pytest.approx(np.full(len(found.decider.combos), told.get(move, rest)))


def test_a_lock_without_a_card_holds_on_all_cards_and_with_one_on_that() -> None:
    everywhere = after(TURN, lock("check,check", {"all-in": 1.0}))
    once = after(TURN, lock("check,check", {"all-in": 1.0}, river="3c"))
    for river, alone in (("3c", True), ("3s", False), ("Ah", False)):
        assert result(everywhere, "check,check", river=river).frequencies[-1] == pytest.approx(1)
        assert (result(once, "check,check", river=river).frequencies[-1] > 0.999) == alone


def test_only_the_hands_that_are_named_are_locked() -> None:
    locked = after(RIVER, lock("", MIXED, hands="AsAc,KsTs", flat=True))
    place = walk(locked.engine, "")
    named = [combo_of(parse_cards(text)) for text in ("AsAc", "KsTs")]
    assert np.flatnonzero(locked_at(locked.engine, place)).tolist() == sorted(named)
    strategy = strategy_at(locked.engine, place)
    for combo in named:
        assert strategy[:, combo] == pytest.approx(list(MIXED.values()))
    free = combo_of(parse_cards("9s8s"))
    assert strategy[:, free] != pytest.approx(list(MIXED.values()), abs=0.01)


def test_a_later_lock_overrides_an_earlier_one() -> None:
    locked = after(RIVER, lock("", {"check": 1}), lock("", {"all-in": 1}, hands="AsAc"))
    strategy = strategy_at(locked.engine, walk(locked.engine, ""))
    assert strategy[-1, combo_of(parse_cards("AsAc"))] == pytest.approx(1)
    assert strategy[0, combo_of(parse_cards("KsTs"))] == pytest.approx(1)


# ---- the rest is solved around it ----------------------------------------------------------------


def as_solved(solution: PostflopSolution, line: str) -> list[Lock]:
    found = result(solution, line)
    names = [str(move) for move in found.moves]
    return [
        Lock(line, tuple(zip(names, (often / often.sum()).tolist(), strict=True)), Range.of_hand(cards), flat=True)
        for cards, often in zip(map(cards_of, found.decider.combos.tolist()), found.strategy.T, strict=True)
    ]


@pytest.mark.parametrize("line", ["", "check", "check,bet15"])
def test_locking_what_the_equilibrium_does_changes_no_value(line: str) -> None:
    free = solve(RIVER, target=0.005, most=5000)
    held = after(RIVER, *as_solved(free, line), iterations=1500)
    assert held.exploitability < 0.02
    assert held.ev[0] == pytest.approx(free.ev[0], abs=0.02)


@pytest.mark.parametrize(("line", "told", "seat"), [("", {"all-in": 1}, 0), ("check,bet15", {"fold": 1}, 0)])
def test_a_mistake_that_is_locked_is_exploited(line: str, told: dict[str, float], seat: int) -> None:
    free, locked = solve(RIVER, target=0.01, most=3000), after(RIVER, lock(line, told), iterations=400)
    assert locked.exploitability < 0.1
    assert locked.ev[1 - seat] > free.ev[1 - seat] + 0.3
    assert sum(locked.ev) == pytest.approx(RIVER.pot, abs=1e-3)


def test_a_folder_is_bet_at_with_everything() -> None:
    locked = after(RIVER, lock("bet15", {"fold": 1}), lock("all-in60", {"fold": 1}), iterations=400)
    found = result(locked, "")
    bets = found.frequencies[1:].sum()
    assert bets == pytest.approx(1, abs=0.01)
    assert locked.ev[0] == pytest.approx(RIVER.pot, abs=0.3)


def test_a_seat_that_may_only_check_is_worth_what_the_linear_program_says_of_a_tree_without_its_bets() -> None:
    """In position never bets after a check: the same game as one whose tree has no such bet."""
    told = {"check": 1}
    locked = after(RIVER, lock("check", told), iterations=2000)
    without = spot(
        board="Td9d6hQc2s", oop=RIVER.ranges[0].text(), ip=RIVER.ranges[1].text(), pot=30, stack=60,
        river="oop: 50%,a / a; ip: - / a",
    )  # fmt: skip
    assert locked.exploitability < 0.02
    assert locked.ev[0] - 15 == pytest.approx(value_by_linear_program(without), abs=0.02)


def test_the_best_response_of_a_locked_seat_obeys_the_lock() -> None:
    told = lock("check,bet15", {"fold": 1})
    free, bound = Engine(lay_out(RIVER)), Engine(lay_out(RIVER, locks=[told]))
    for engine in (free, bound):
        engine.iterate(300)
    bound_sums = bound.data.sums.copy()
    free.data.sums[:] = bound_sums  # the same strategies, judged with and without the freedom to do otherwise
    assert free.exploitability() > bound.exploitability() + 1
    assert free.root_value(0, VALUE) == pytest.approx(bound.root_value(0, VALUE), abs=1e-5)


# ---- suits ---------------------------------------------------------------------------------------


def test_a_lock_that_tells_suits_apart_makes_the_solver_tell_them_apart() -> None:
    assert (
        len(boards_by_street(MONOTONE, locks=[lock("", {"check": 1}, hands="JTs")])[1])
        == len(boards_by_street(MONOTONE)[1])
        == 23
    )
    assert (
        len(boards_by_street(MONOTONE, locks=[lock("", {"check": 1}, hands="AsAc")])[1]) == 36
    )  # hearts alone, s and c alike
    assert len(boards_by_street(MONOTONE, locks=[lock("", {"check": 1}, hands="AsAd")])[1]) == 36
    assert len(boards_by_street(MONOTONE, locks=[lock("check,check", {"check": 1}, turn="2c")])[1]) == 36
    both = [lock("", {"check": 1}, hands="JsTs"), lock("", {"check": 0.9}, hands="JcTc,JhTh")]
    assert len(boards_by_street(MONOTONE, locks=both)[1]) == 36
    alike = [lock("", {"check": 1}, hands=f"J{suit}T{suit}") for suit in "chs"]
    assert len(boards_by_street(MONOTONE, locks=alike)[1]) == 23
    asked = lock("", {"check": 1}, hands="AsAc")
    assert estimate(MONOTONE, locks=[asked]).bytes > 1.2 * estimate(MONOTONE).bytes


def test_suit_symmetry_changes_no_locked_value() -> None:
    told = [
        lock("check,check", {"bet10": 0.7}, turn="2c", flat=True),
        lock("", {"check": 0.25}, hands="AcAd", flat=True),
    ]
    engines = [Engine(lay_out(MONOTONE, symmetry=each, locks=told)) for each in (True, False)]
    assert engines[0].layout.cells < engines[1].layout.cells
    for engine in engines:
        engine.iterate(2)  # later on, regrets that are 0 but for noise may go either way
    assert engines[0].exploitability() == pytest.approx(engines[1].exploitability(), abs=1e-5)
    place = walk(engines[0], "check,check", turn="2c")
    assert locked_at(engines[0], place).sum() > 0
    assert not locked_at(engines[0], walk(engines[0], "check,check", turn="2s")).any()


# ---- text and files ------------------------------------------------------------------------------

names = st.sampled_from(["", "check", "check,bet15", "bet15,all-in"])
cards = st.sampled_from([None, "3c", "Ah"])


@given(names, st.floats(0, 1), cards, cards, st.sampled_from([None, "AKs", "AsAc,KsTs:0.5", "22+"]), st.booleans())
def test_a_lock_is_read_back_as_it_was_written(
    line: str, often: float, turn: str | None, river: str | None, hands: str | None, flat: bool
) -> None:
    written = lock(line, {"check": often, "bet15": 1 - often}, hands=hands, turn=turn, river=river, flat=flat)
    assert parse_lock(str(written)) == written


def test_percents_and_blanks_are_read() -> None:
    read = parse_lock(" check, bet15  turn=2c : call = 60%,fold=.4 @ AKs, QQ+ ")
    assert read == lock("check,bet15", {"call": 0.6, "fold": 0.4}, hands="AKs,QQ+", turn="2c")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("check", "cannot be read; write it as 'check,bet100 turn=2c: call=60%"),
        ("check: bet15=0.5 @", "cannot be read"),
        ("check: bet15=lots", "has 'bet15=lots' instead of MOVE=FREQUENCY"),
        ("check:", "names no move"),
        ("check: bet15=1.5", "frequencies are 0 to 1"),
        ("check: bet15=0.7, check=0.7", "adds up to more than 1"),
        ("check: bet15=0.2, check=0.7, all-in=0", "adds up to 0.9"),
        ("check: bet15=0.2, bet15=0.2", None),
        ("check: bet15=0.2, bet=0.2", "gives two frequencies for bet15"),
        ("check: bet16=1", "no move 'bet16' for the lock .* valid: check, bet15, all-in60"),
        ("chekc: bet15=1", "no move 'chekc'"),
        ("check,check: check=1", "no seat acts after 'check,check'"),
        ("check turn=2c: check=1", "has a turn, but no turn is dealt before it"),
        ("check flop=2c: check=1", "has 'flop=2c' before its colon"),
        ("check: check=1 @33", "in position has none of the hands"),
    ],
)
def test_a_lock_that_cannot_be_is_refused_with_a_reason(text: str, says: str | None) -> None:
    if says is None:
        lay_out(RIVER, locks=[parse_lock(f"flat: {text}")])  # said twice alike
        return
    with pytest.raises(TahurError, match=says):
        lay_out(RIVER, locks=[parse_lock(text)])


def test_cards_of_a_lock_are_cards_that_can_come() -> None:
    with pytest.raises(TahurError, match="has a river that is already on the table"):
        lay_out(TURN, locks=[parse_lock("check,check river=Td: check=1")])
    with pytest.raises(TahurError, match="has a river, but no river is dealt before it"):
        lay_out(TURN, locks=[parse_lock("check river=2c: check=1")])


def test_a_file_keeps_its_locks_and_plays_them_exactly(tmp_path: Path) -> None:
    told = (lock("check,check", {"check": 0.123}, river="3c", flat=True), lock("", MIXED, hands="AsAc", flat=True))
    after(TURN, *told).save(tmp_path / "spot")
    read = PostflopSolution.load(tmp_path / "spot")
    assert read.locks == told
    found = result(read, "check,check", river="3c")
    assert found.strategy[0] == pytest.approx(np.full(len(found.decider.combos), 0.123), abs=1e-6)
    assert locked_at(read.engine, walk(read.engine, "")).sum() == 1
    assert result(solved(TURN), "").frequencies != pytest.approx(result(read, "").frequencies)
