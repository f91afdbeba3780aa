"""What a solution says at its decisions: against the plain twin, and with suits exchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_postflop import Plain
from test_postflop_engine import SYMMETRIC, TWINS, state_of

from tahur.cards.cards import Card, combo_of, parse_cards
from tahur.cards.equity.tables import combos
from tahur.cards.ranges import Range
from tahur.core.errors import TahurError
from tahur.solvers.postflop.engine import Engine, lay_out
from tahur.solvers.postflop.solve import Solver
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.postflop.view import View, view

FLOP = spot(
    board="Td9d6h", oop="AA,5h4h", ip="KTs,77:0.5", pot=30, stack=40, sizes="60% / -", turn="-", river="50% / -"
)

EVEN = replace(FLOP, ranges=(Range("AA,54s"), Range("KTs,77:0.5")))


def solved(asked: Spot, iterations: int, *, symmetry: bool = True) -> Engine:
    engine = Engine(lay_out(asked, symmetry=symmetry))
    engine.advance(iterations)
    return engine


def check_ev(engine: Engine, plain: Plain, line: str, cards: str, way: tuple[int, ...]) -> None:
    dealt = parse_cards(cards) if cards else ()
    seen = view(engine, line, dealt)
    plain.traverse(seen.seat, "value")
    values = plain.seen[way, (*engine.layout.spot.board, *dealt)]
    for hand, value in zip(plain.hands[seen.seat], values, strict=True):
        combo = combo_of(hand)
        theirs = seen.reach[1 - seen.seat]
        total = sum(theirs[combo_of(h)] for h in plain.hands[1 - seen.seat] if not set(h) & set(hand))
        if seen.reach[seen.seat][combo] > 0 and total > 1e-3:
            stake = (seen.pot) / 2
            assert seen.ev[combo] == pytest.approx(value / total + stake, abs=2e-3)


@pytest.mark.parametrize(
    ("line", "cards", "way"),
    [
        ("", "", ()),
        ("check", "", (0,)),
        ("bet18", "", (1,)),
        ("check,check", "2s", (0, 0)),
        ("check,check,bet18", "2s", (0, 0, 1)),
        ("bet18,call,check", "Ah", (1, 1, 0)),
    ],
)
def test_values_at_a_decision_are_the_plain_twins(line: str, cards: str, way: tuple[int, ...]) -> None:
    engine, plain = solved(TWINS["shared"], 6, symmetry=False), Plain(TWINS["shared"])
    plain.sums = state_of(engine, plain, engine.data.sums)
    check_ev(engine, plain, line, cards, way)


@pytest.mark.slow
def test_values_on_the_river_of_a_flop_are_the_plain_twins() -> None:
    engine, plain = solved(FLOP, 4, symmetry=False), Plain(FLOP)
    plain.sums = state_of(engine, plain, engine.data.sums)
    check_ev(engine, plain, "check,check,check,check", "2s3c", (0, 0, 0, 0))
    check_ev(engine, plain, "bet18,call,check", "7h", (1, 1, 0))


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6d"])
@pytest.mark.parametrize("cards", ["As", "As5c", "As5h", "Ah5s", "Ah5c"])
def test_cards_that_stand_for_others_show_the_same_hands_in_other_suits(board: str, cards: str) -> None:
    flop = replace(EVEN, board=tuple(parse_cards(board)))
    line = ",".join(["check"] * (len(cards) // 2 * 2))
    with_it, without = (view(solved(flop, 1, symmetry=each), line, parse_cards(cards)) for each in (True, False))
    assert with_it.strategy == pytest.approx(without.strategy, abs=1e-3)
    assert with_it.move_ev == pytest.approx(without.move_ev, abs=1e-2)
    for seat in (0, 1):
        assert with_it.reach[seat] == pytest.approx(without.reach[seat], abs=1e-3)


def test_exchanging_clubs_and_spades_exchanges_the_view() -> None:
    engine = solved(SYMMETRIC["two suits"], 3)
    clubs, spades = (view(engine, "check,check,check", [Card(f"2{suit}")]) for suit in "cs")
    exchange = combos().image[[tuple(suits) for suits in combos().suits].index((3, 1, 2, 0))]
    assert np.array_equal(clubs.strategy, spades.strategy[:, exchange])
    assert np.array_equal(clubs.reach[0], spades.reach[0][exchange])
    assert clubs.board != spades.board


def test_the_roots_evs_average_to_the_spots() -> None:
    solver = Solver(TWINS["turn"])
    solver.engine.advance(30)
    solution = solver.solution()
    root: View = solution.root
    assert root.weights @ root.ev / root.weights.sum() == pytest.approx(solution.ev[0], abs=1e-3)
    assert sum(root.frequencies) == pytest.approx(1)


@pytest.mark.parametrize(
    ("line", "cards", "says"),
    [
        ("chek", "", "oop can check, bet18"),
        ("check,check", "", "say which card comes"),
        ("check,check", "Td", "already"),
        ("bet18,fold", "", "ends the hand by a fold"),
        ("bet18,fold,check", "", "the hand is over"),
        ("check", "2s", "deals 0 cards and 1 were given"),
    ],
)
def test_lines_that_lead_nowhere_are_refused_with_a_reason(line: str, cards: str, says: str) -> None:
    engine = Engine(lay_out(TWINS["turn"]))
    with pytest.raises(TahurError, match=says):
        view(engine, line, parse_cards(cards) if cards else ())
