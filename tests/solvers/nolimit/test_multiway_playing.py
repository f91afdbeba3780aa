"""The six-seat charts at real tables: seats, sizes, and what the charts do not have."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.cards.cards import combo_of, parse_cards
from tahur.core.chance import RandomDealer
from tahur.core.errors import StrategyError
from tahur.core.game import Action
from tahur.core.player import View
from tahur.core.referee import play_out
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.players.simple import Maniac, RandomPlayer
from tahur.players.solver import SolverPlayer
from tahur.solvers.nolimit.multiway.lines import node_at, parse_line
from tahur.solvers.nolimit.multiway.playing import TableCharts
from tahur.solvers.nolimit.multiway.situations import shipped_strategy
from tahur.solvers.nolimit.resolving import resolver_named

CHARTS = TableCharts()


def _game(seats: int, depth: int = 100, big_blind: int = 10) -> Holdem:
    return no_limit(seats=seats, stack=depth * big_blind, blinds=(big_blind // 2, big_blind))


def _probabilities(game: Holdem, hand: str, *actions: Action) -> dict[Action, float]:
    """What the charts play after these actions; raises are written as totals in chips, plus one."""
    table: HoldemTable = game.start()
    for action in actions:
        table = table.after(action)
    return dict(CHARTS.probabilities(View(game, table, table.turn, combo_of(parse_cards(hand)))))


def _expected(line: str, position: str, hand: int) -> list[float]:
    strategy = shipped_strategy("6max", 100)
    return strategy.mix(node_at(strategy.tree, parse_line(line), position))[:, hand].tolist()


def test_six_seats_play_their_charts_with_their_sizes() -> None:
    assert _probabilities(_game(6), "AsAd") == pytest.approx({26: 1.0})  # 2.5 big blinds
    assert _probabilities(_game(6), "7s2d") == pytest.approx({FOLD: 1.0})
    fold, call, raised = _expected("btn-open", "bb", 14)  # KK
    found = _probabilities(_game(6), "KsKd", FOLD, FOLD, FOLD, 26, FOLD)
    assert found.get(111, 0.0) == pytest.approx(raised)  # 11 big blinds
    assert found.get(CALL, 0.0) == pytest.approx(call)
    assert found.get(FOLD, 0.0) == pytest.approx(fold)


def test_a_smaller_table_is_a_larger_one_whose_first_seats_folded() -> None:
    for hand in ("AsAd", "Kd7d", "9s8s", "Js5s"):
        whole = _probabilities(_game(6), hand, FOLD, FOLD, FOLD)
        assert _probabilities(_game(3), hand) == whole
        assert _probabilities(_game(4), hand, FOLD) == whole
        assert _probabilities(_game(9), hand, *[FOLD] * 6) == whole


def test_the_first_seats_of_a_larger_table_play_as_utg() -> None:
    for hand in ("AsAd", "AsTd", "6s5s"):
        assert _probabilities(_game(9), hand) == _probabilities(_game(6), hand)
        assert _probabilities(_game(8), hand, FOLD) == _probabilities(_game(6), hand)


def test_a_raise_of_another_size_is_answered_to_scale() -> None:
    small = _probabilities(_game(6), "AsAd", FOLD, FOLD, FOLD, 21, FOLD)  # 2 big blinds
    assert max(small) - 1 == pytest.approx(20 * 4.4)


@pytest.mark.parametrize(
    "actions",
    [
        (CALL,),  # limps of other seats than the small blind
        (FOLD, FOLD, FOLD, 101),  # an open raise of 10 big blinds
        (26, CALL, CALL, CALL),  # too many callers
        (26, 76, CALL),  # a 3-bet called cold
    ],
)
def test_what_the_charts_do_not_have_is_said(actions: tuple[Action, ...]) -> None:
    game = _game(6)
    table: HoldemTable = game.start()
    for action in actions:
        table = table.after(action)
    assert "do not have" in CHARTS.lacks(table)
    with pytest.raises(StrategyError, match="do not have"):
        CHARTS.probabilities(View(game, table, table.turn, 0))


def test_two_seats_and_later_streets_have_no_chart() -> None:
    assert "three seats or more" in CHARTS.lacks(_game(2).start())
    table: HoldemTable = _game(3).start()
    for action in (26, FOLD, CALL, 0, 1, 2):
        table = table.after(action)
    assert table.street == 1
    assert "before the flop" in CHARTS.lacks(table)


@pytest.mark.parametrize("seats", [3, 6, 9])
def test_the_seat_plays_whole_hands_without_an_illegal_action(seats: int) -> None:
    seat = SolverPlayer(resolver_named("fast"), RandomPlayer(), CHARTS)
    for number in range(6):
        rng = np.random.default_rng(number)
        game = _game(seats, depth=int(rng.integers(5, 300)), big_blind=int(rng.choice([2, 10])))
        players = [seat if (place + number) % 2 else (RandomPlayer(), Maniac())[place % 2] for place in range(seats)]
        streams = [np.random.default_rng([number, place]) for place in range(seats)]
        record = play_out(game, RandomDealer(rng), players, streams)
        assert sum(record.payoffs) == 0


def test_the_seat_says_which_chart_it_follows() -> None:
    game = _game(6)
    table: HoldemTable = game.start()
    seat = SolverPlayer(resolver_named("fast"), RandomPlayer(), CHARTS)
    decision = seat.act(View(game, table, table.turn, combo_of(parse_cards("AsAd"))), np.random.default_rng(1))
    assert decision.action == 26
    assert decision.thought == "six-seat chart for 100 bb: utg, first in"
