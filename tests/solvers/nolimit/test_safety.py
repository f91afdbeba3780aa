"""Safe subgame solving on the river, measured exactly: what a best response wins before and after solving again."""

from __future__ import annotations

import numpy as np
import pytest

from plain_postflop import value_by_linear_program
from tahur.core.errors import SolverError
from tahur.solvers.nolimit.safety import solve_rivers_again, value_of, won_against
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.gadget import EntryGadget
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.spot import spot

OOP, IP = "QQ,TT,AQs,QJs,T9s,76s,AKs", "AA,KK,99,AQs,J9s,87s,A5s"
TIGHT = 0.01  # % of the pot


def game(board: str = "Td9d6hQc", *, river: str = "75%,a / a", turn: str = "75% / a", symmetry: bool = False) -> Engine:
    return Engine(
        lay_out(spot(board=board, oop=OOP, ip=IP, pot=200, stack=500, turn=turn, river=river), symmetry=symmetry)
    )


def solved(iterations: int, *, river: str = "75%,a / a") -> Engine:
    engine = game(river=river)
    engine.iterate(iterations)
    return engine


def after_solving_again(trunk: Engine, *, seat: int, share: float, iterations: int = 150) -> float:
    """What the opponent's best response wins, in % of the pot."""
    full = game()
    for _done, _all in solve_rivers_again(trunk, full, seat, share=share, iterations=iterations):
        pass
    return won_against(full, seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_solving_the_rivers_of_a_coarse_strategy_again_makes_it_less_exploitable(seat: int) -> None:
    trunk = solved(10)
    before = won_against(trunk, seat)
    value = -value_of(solved(300), seat)
    cfr_d, mixed = (after_solving_again(trunk, seat=seat, share=share) for share in (1.0, 0.2))
    assert cfr_d <= before + TIGHT  # the promise of CFR-D
    assert mixed - value < 0.8 * (before - value)


def test_solving_a_good_strategy_again_is_safe_with_doubt_and_not_without() -> None:
    trunk = solved(100)
    before = won_against(trunk, 0)
    assert after_solving_again(trunk, seat=0, share=0.2) < before
    assert after_solving_again(trunk, seat=0, share=0.0) > before + 5 * TIGHT


def test_a_small_game_solved_again_on_every_river_loses_less_and_no_less_than_the_linear_program_says() -> None:
    small = spot(
        board="Td9d6hQc",
        oop="AsAc,AhAs,KsJs,KhJh,7s7h,8s7s,AsTs,5s4s",
        ip="KsKc,TsTh,QsJs,QhTh,Js8s,AdJd,7d5d,Ac9c",
        pot=200,
        stack=400,
        turn="75% / a",
        river="75% / -",
    )
    value = value_by_linear_program(small) / small.pot * 100
    trunk, full = (Engine(lay_out(small, symmetry=False)) for _ in range(2))
    trunk.iterate(100)
    for seat, exact in ((0, -value), (1, value)):
        for _done, _all in solve_rivers_again(trunk, full, seat, share=0.2, iterations=150):
            pass
        assert exact - 1e-4 < won_against(full, seat) < min(won_against(trunk, seat), exact + 3 * TIGHT)


def test_bets_that_the_trunk_lacks_are_answered_better_than_by_calling_them_all_ins() -> None:
    trunk = solved(100, river="a")
    won = after_solving_again(trunk, seat=0, share=0.2)
    assert won + value_of(solved(300), 0) < 0.5  # of the pot, in %


def test_without_doubt_about_a_range_its_hands_always_enter() -> None:
    believed, nothing = np.array([0.5, 0.5, 0.0]), np.zeros(3)
    gadget = EntryGadget(0, believed, nothing, np.full(3, 99.0))
    gadget.learn(np.zeros(3, np.float32), np.array([1.0, 1.0, 1.0]))
    np.testing.assert_allclose(gadget.reach, [1, 1, 0])


def test_a_doubted_hand_enters_where_it_gains_and_stays_out_where_it_loses() -> None:
    gadget = EntryGadget(0, np.zeros(3), np.ones(3), np.array([1.0, 1.0, -np.inf]))
    for _ in range(5):
        gadget.learn(np.array([2.0, 0.5, -9.0], np.float32), np.array([1.0, 1.0, 1.0]))
    np.testing.assert_allclose(gadget.reach, [1, 0, 1])


def test_spots_that_cannot_be_measured_are_refused() -> None:
    two_suits_alike = game("Td9d6hQd", symmetry=True)
    with pytest.raises(SolverError, match="symmetry=False"):
        list(solve_rivers_again(two_suits_alike, two_suits_alike, 0, share=0.2, iterations=1))
    with pytest.raises(SolverError, match="they must have the same"):
        list(solve_rivers_again(game(turn="a"), game(), 0, share=0.2, iterations=1))
    river = Engine(lay_out(spot(board="Td9d6hQc2s", oop=OOP, ip=IP, pot=200, stack=500, sizes="a"), symmetry=False))
    with pytest.raises(SolverError, match="the board has 5 cards"):
        list(solve_rivers_again(river, river, 0, share=0.2, iterations=1))
