"""Cards that stand for others: what a solution says of them is what a solution without symmetries says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tahur.cards.cards import parse_cards
from tahur.cards.ranges import Range
from tahur.solvers.postflop.results import Result, result
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import Spot, spot

FLOP = spot(board="Td9d6h", oop="AA,54s", ip="KTs,77:0.5", pot=30, stack=40, sizes="60% / -", turn="-", river="50% / -")


def seen(asked: Spot, cards: str, *, symmetry: bool) -> Result:
    solver = PostflopSolver(asked, symmetry=symmetry)
    solver.engine.iterate(1)
    line = ",".join(["check"] * (len(cards) // 2 * 2))
    turn, river = cards[:2], cards[2:] or None
    return result(solver.solution(), line, turn=turn, river=river)


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6d"])
@pytest.mark.parametrize("cards", ["As", "As5c", "As5h", "Ah5s", "Ah5c"])
def test_cards_that_stand_for_others_show_the_same_hands_in_other_suits(board: str, cards: str) -> None:
    flop = replace(FLOP, board=tuple(parse_cards(board)), ranges=(Range("AA,54s"), Range("KTs,77:0.5")))
    with_it, without = (seen(flop, cards, symmetry=each) for each in (True, False))
    for seat in (0, 1):
        ours, theirs = (np.argsort(found.seats[seat].combos) for found in (with_it, without))
        assert np.array_equal(with_it.seats[seat].combos[ours], without.seats[seat].combos[theirs])
        for name in ("reach", "ev", "equity"):
            one, other = getattr(with_it.seats[seat], name)[ours], getattr(without.seats[seat], name)[theirs]
            assert one == pytest.approx(other, abs=1e-2, nan_ok=True), name
    mine = with_it.seat
    ours, theirs = (np.argsort(found.seats[mine].combos) for found in (with_it, without))
    assert with_it.strategy[:, ours] == pytest.approx(without.strategy[:, theirs], abs=1e-3)
