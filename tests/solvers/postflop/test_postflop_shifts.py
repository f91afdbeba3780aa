"""Frequency locks: the solved strategy is shifted, hands keep their order, and values move gradually."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tahur.core.errors import SolverError
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.line import strategy_at, walk
from tahur.solvers.postflop.lock import Lock, lock, parse_lock
from tahur.solvers.postflop.locking import target_of
from tahur.solvers.postflop.results import move_evs, result
from tahur.solvers.postflop.shifting import TEMPERATURE, LockedHands, Shift, frequencies_of, shifted, shifts_to
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, solve
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import Deed, Move

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
RIVER = spot(board="Td9d6hQc2s", oop=OOP, ip=IP, pot=1000, stack=4500, sizes="50%,a / 60%,a")
TURN = spot(board="Td9d6hQc", oop="66+,AJs+,KTs+", ip="22+,ATs+,KJs", pot=1000, stack=2000, sizes="50% / a")
LINE = "check,bet500"  # out of position faces a bet
ERROR = 1000 * 0.05 / 100 * 2  # chips: both were solved to 0.05 % of the pot


@cache
def free(asked: object = RIVER) -> PostflopSolution:
    return solve(asked, target=0.05, most=3000)  # type: ignore[arg-type]


def under(*locks: Lock, base: PostflopSolution | None = None) -> PostflopSolution:
    base = base or free()
    return solve(base.spot, target=0.05, most=3000, locks=locks, base=base)


def solved_frequency(base: PostflopSolution, line: str, move: str) -> float:
    (often,) = frequencies_of(base, lock(line, {move: 0.5})).values()
    return often


# ---- values ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "move"), [("", "check"), ("check", "bet500"), (LINE, "fold"), (LINE, "call")])
def test_a_lock_at_the_solved_frequency_changes_no_value(line: str, move: str) -> None:
    held = under(lock(line, {move: solved_frequency(free(), line, move)}))
    assert held.ev == pytest.approx(free().ev, abs=ERROR)


def test_every_hand_folding_alike_is_far_from_it() -> None:
    """What a frequency lock did before, and still does if it is called flat."""
    flat = under(lock(LINE, {"fold": solved_frequency(free(), LINE, "fold")}, flat=True))
    assert flat.ev[1] > free().ev[1] + 50


def test_values_move_gradually_with_the_frequency() -> None:
    often = solved_frequency(free(), LINE, "fold")
    for sign in (-1, 1):
        evs = [under(lock(LINE, {"fold": often + sign * step})).ev[0] for step in (0.02, 0.05, 0.1, 0.2)]
        assert evs == sorted(evs, reverse=True)  # the further from the equilibrium, the worse
        assert abs(evs[0] - free().ev[0]) < 5
        assert all(abs(one - other) < 40 for one, other in pairwise(evs))


def test_on_all_cards_at_once_the_frequency_is_that_of_all_cards() -> None:
    base = free(TURN)
    told = lock("check,check", {"bet500": 0.5})
    often = solved_frequency(base, "check,check", "bet500")
    by_card = [result(base, "check,check", river=card).frequencies[1] for card in ("2c", "Ad", "Th")]
    assert max(by_card) - min(by_card) > 0.05  # so no card's frequency is the mean of all
    assert under(replace(told, strategy=(("bet500", often),)), base=base).ev == pytest.approx(base.ev, abs=ERROR)
    more = under(told, base=base)
    assert frequencies_of(more, told)[Move(Deed.BET, 500)] == pytest.approx(0.5, abs=0.05)


# ---- hands -------------------------------------------------------------------------------------------


def shift_of(told: Lock) -> Shift:
    return Shift(free(), told, [(free().engine.layout.hands[0].boards[0], 1)])


@pytest.mark.parametrize("often", [0.2, 0.6, 0.8])
def test_hands_that_are_closest_to_indifferent_move_first(often: float) -> None:
    place = walk(free().engine, LINE)
    held = place.reach[0] > 0.01
    before = strategy_at(free().engine, place)[0, held]
    after = shift_of(lock(LINE, {"fold": often})).strategy(RIVER.board)[0, held]
    evs = move_evs(free().engine, place, best=True)[:, held]
    more = often > solved_frequency(free(), LINE, "fold")
    step, cost = (after - before, evs[1:].max(0) - evs[0]) if more else (before - after, evs[0] - evs[1:].max(0))
    assert (step > -1e-3).all()  # no hand moves the other way
    could = (before < 0.5) if more else (before > 0.5)
    went, stayed = cost[could & (step > 0.49)], cost[could & (step < 0.01)]
    assert len(went)
    assert went.max() < stayed.min() + 2 * TEMPERATURE * 2000  # chips; the pot is 2,000 if the bet is called


def test_the_frequency_is_reached_and_the_best_hands_still_do_not_fold() -> None:
    told = lock(LINE, {"fold": 0.7})
    found = result(free(), LINE)
    after = shift_of(told).strategy(RIVER.board)[:, found.decider.combos]
    assert after[0] @ found.decider.weight == pytest.approx(0.7, abs=1e-4)
    best = found.decider.equity > 0.95
    assert best.any()
    assert after[0][best].max() < 1e-3


@pytest.mark.parametrize("often", [0.0, 1.0])
def test_never_and_always_hold_for_every_hand(often: float) -> None:
    held = under(lock(LINE, {"fold": often}))
    assert result(held, LINE).strategy[0] == pytest.approx(often)
    assert result(held, LINE).strategy.sum(axis=0) == pytest.approx(1)


def test_some_hands_are_shifted_by_themselves() -> None:
    told = parse_lock(f"{LINE}: fold=50% @AA,KK,88,77")
    held = under(told)
    assert frequencies_of(held, told)[Move(Deed.FOLD)] == pytest.approx(0.5, abs=0.1)
    place = walk(held.engine, LINE)
    assert result(held, LINE).locked.sum() == (place.reach[0] * told.mask > 0).sum()


# ---- numbers -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_any_frequencies_are_reached(seed: int, shares: Sequence[float]) -> None:
    """Three moves, mixed and pure hands, large gaps and none."""
    rng = np.random.default_rng(seed)
    moves = (Move(Deed.FOLD), Move(Deed.CALL), Move(Deed.ALL_IN, 60))
    strategy = rng.dirichlet([0.1] * 3, 50).T
    strategy[strategy < 0.1] = 0
    strategy /= strategy.sum(0)
    gaps = rng.exponential(40, (3, 50)) * (strategy == 0)
    hands = LockedHands(strategy, gaps - gaps.min(0), rng.random(50))
    total = max(sum(shares), 1.0)
    named = {str(move): share / total for move, share in zip(moves, shares, strict=False)}
    if len(named) == 3:
        named["all-in60"] = max(1 - named["fold"] - named["call"], 0.0)
    target = target_of(lock("", named), moves)
    found = shifted(hands, target, shifts_to(hands, target))
    assert found.sum(axis=0) == pytest.approx(1)
    often = np.bincount(target.groups, found @ hands.weights / hands.weights.sum(), len(target.frequencies))
    assert often == pytest.approx(target.frequencies, abs=1e-4)


# ---- bases, texts and files --------------------------------------------------------------------------


def test_a_lock_that_shifts_needs_something_solved() -> None:
    with pytest.raises(SolverError, match=r"shifts a solved strategy, and there is none.* 'flat: check: bet500=0.3'"):
        PostflopSolver(RIVER, locks=[lock("check", {"bet500": 0.3})])
    with pytest.raises(SolverError, match="shifts a solved strategy"):
        lay_out(RIVER, locks=[lock("check", {"bet500": 0.3})])
    PostflopSolver(RIVER, locks=[lock("check", {"bet500": 1}), lock("", {"check": 0.5}, flat=True)])


def test_without_a_base_the_spot_is_solved_first() -> None:
    small = spot(board="Td9d6hQc2s", oop="AA,KTs,J8s", ip="TT,98s,A5s", pot=20, stack=40, sizes="50% / a")
    held = solve(small, target=0.2, locks=[lock("check", {"bet10": 0.3})])
    assert frequencies_of(held, held.locks[0])[Move(Deed.BET, 10)] == pytest.approx(0.3, abs=0.1)


def test_a_file_keeps_what_was_shifted_to_the_bit_and_a_later_lock_keeps_it_too(tmp_path: Path) -> None:
    held = under(lock(LINE, {"fold": 0.55}))
    held.save(tmp_path / "spot")
    read = PostflopSolution.load(tmp_path / "spot")
    assert read.locks == held.locks
    places = [walk(each.engine, LINE) for each in (held, read)]
    expected = strategy_at(held.engine, places[0])
    np.testing.assert_array_equal(strategy_at(read.engine, places[1]), expected)
    again = under(*read.locks, lock("check", {"bet500": 0.2}), base=read)
    assert strategy_at(again.engine, walk(again.engine, LINE)) == pytest.approx(expected, abs=1e-6)


def test_locks_of_a_file_of_the_first_version_are_flat(tmp_path: Path) -> None:
    held = under(lock(LINE, {"fold": 0.55}, flat=True))
    held.save(tmp_path / "new")
    with ZipFile(tmp_path / "new") as new, ZipFile(tmp_path / "old", "w") as old:
        header = json.loads(new.read("header.json")) | {"tahur postflop": 1, "locks": [f"{LINE}: fold=0.55"]}
        old.writestr("postflop.json", json.dumps(header))
        for name in new.namelist():
            if not name.startswith(("header", "locked")):
                old.writestr(name, new.read(name))
    read = PostflopSolution.load(tmp_path / "old")
    assert read.locks == held.locks
    assert result(read, LINE).strategy[0] == pytest.approx(0.55)
