"""Spots: lines in words lead to the right decision, and how often hands come there is counted right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from solved_games import SETTINGS, game_of, solution
from tahur.core.errors import StrategyError
from tahur.core.game import CHANCE, OVER
from tahur.core.player import View
from tahur.core.spots import MOST_BELOW, SolvedGame


def study(name: str) -> SolvedGame:
    return SolvedGame(solution(name), game_of(name))


def ways(name: str) -> Iterator[tuple[tuple[int, ...], tuple[int, int], float]]:
    """Every history of every deal with its probability, the slow way: through the rules and the strategy's answers."""
    game, found = game_of(name), solution(name)

    def walk(table: Any, hands: tuple[int, int], weight: float) -> Iterator[Any]:
        yield table.history, hands, weight
        if table.turn == CHANCE:
            moves = game.outcomes(table, hands)
            chances = dict.fromkeys(moves, 1 / len(moves))
        else:
            seat = table.turn
            chances = {} if seat == OVER else found.probabilities(View(game, table, seat, hands[seat]))
        for action, chance in chances.items():
            yield from walk(table.after(action), hands, weight * chance)

    priors = [dict(zip(game.hands(seat), game.prior(seat), strict=True)) for seat in (0, 1)]
    deals = [hands for hands in product(game.hands(0), game.hands(1)) if game.possible(hands)]
    total = sum(priors[0][one] * priors[1][other] for one, other in deals)
    for one, other in deals:
        yield from walk(game.start(), (one, other), priors[0][one] * priors[1][other] / total)


@pytest.mark.parametrize("name", SETTINGS)
def test_how_often_play_comes_to_a_spot_is_what_all_deals_add_up_to(name: str) -> None:
    met: dict[tuple[int, ...], dict[int, float]] = {}
    found, looked = solution(name), study(name)
    for history, hands, weight in ways(name):
        seat = found.turn(found.find(history))
        if seat >= 0:
            row = met.setdefault(history, {})
            row[hands[seat]] = row.get(hands[seat], 0.0) + weight
    nodes = found.decisions if len(found.decisions) < 60 else found.decisions[::7]
    for node in nodes:
        spot, row = looked.spot(node), met[found.history(node)]
        assert spot.frequency == pytest.approx(sum(row.values()), abs=1e-12)
        assert [each.hand for each in spot.rows] == sorted(row)
        for each in spot.rows:
            assert each.share * spot.frequency == pytest.approx(row[each.hand], abs=1e-12)
        block = found.block(node)[:, [found.hands[spot.seat].tolist().index(each.hand) for each in spot.rows]]
        np.testing.assert_array_equal(np.array([each.chances for each in spot.rows]).T, block)
        assert sum(spot.average) == pytest.approx(1)
        by_hand = np.array([row[each.hand] for each in spot.rows])
        np.testing.assert_allclose(spot.average, block @ by_hand / by_hand.sum(), atol=1e-12)


def test_reach_is_a_hands_own_doing() -> None:
    """A jack that checked comes back as often as it checks, whatever the other seat does."""
    looked = study("kuhn")
    start, later = looked.spot(0), looked.spot(looked.line("check,bet"))
    assert [row.reach for row in later.rows] == [row.chances[0] for row in start.rows]
    assert [row.reach for row in looked.spot(looked.line("check")).rows] == [1, 1, 1]
    assert later.frequency < sum(row.reach for row in later.rows) / 3


def test_a_card_on_the_board_is_in_nobodys_hand() -> None:
    looked = study("leduc")
    assert [row.text for row in looked.spot(looked.line("check,check,Js")).rows] == ["Jh", "Qs", "Qh", "Ks", "Kh"]


@pytest.mark.parametrize(
    ("name", "line", "history"),
    [
        ("kuhn", "", ()),
        ("kuhn", "check,bet", (0, 1)),
        ("kuhn", " CHECK , b ", (0, 1)),
        ("leduc", "raise,call,deal Qh", (2, 1, 3)),
        ("leduc", "raise to 3,raiseto5,call,qh", (2, 2, 1, 3)),
        ("leduc", "c,c,Kh,r", (1, 1, 5, 2)),
        ("liars-dice", "1x2, 2 x 1", (1, 3)),
        ("perudo", "1 two,2 tw", None),
    ],
)
def test_a_line_is_labels_or_their_beginnings(name: str, line: str, history: tuple[int, ...] | None) -> None:
    looked = study(name)
    node = looked.line(line)
    labels = looked.spot(node).line
    assert looked.line(",".join(labels)) == node
    if history is not None:
        assert solution(name).history(node) == history


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("kuhn", "raise", r"'raise' is not possible at the start; possible: check, bet$"),
        ("kuhn", "check,fold", r"'fold' is not possible after 'check'; possible: check, bet$"),
        ("kuhn", "bet,call", "nobody decides after 'bet,call': the deal is over"),
        ("kuhn", "bet,call,check", "no 'check' after 'bet,call': the deal is over"),
        ("liars-dice", "1", "'1' could be 1 x 1 or 1 x 2 or 1 x 3 at the start; possible: 1 x 1, .*2 x 3"),
        (
            "leduc",
            "check,check",
            "chance moves after 'check,check'; continue with one of: deal Js, .*--at 'check,check,deal",
        ),
        ("leduc", "check,check,7s", "'7s' is not possible after 'check,check'; possible: deal Js, deal Jh"),
    ],
)
def test_a_line_that_leads_nowhere_is_answered_with_what_is_possible(name: str, line: str, said: str) -> None:
    looked = study(name)
    with pytest.raises(StrategyError, match=said):
        looked.spot(looked.line(line))


def test_few_lines_are_all_listed_and_of_many_only_the_next() -> None:
    lines = [each.line for each in study("kuhn").spot(0).onward]
    assert lines == [("check",), ("check", "bet"), ("bet",)]
    leduc = study("leduc")
    assert len(leduc.below(0)) > MOST_BELOW
    assert [each.line for each in leduc.spot(0).onward] == [("check",), ("raise to 3",)]
    after = leduc.spot(leduc.line("check")).onward
    assert [each.line[1:] for each in after] == [
        ("check", f"deal {card}") for card in ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
    ] + [("raise to 3",)]
    assert sum(each.frequency for each in after) == pytest.approx(leduc.spot(leduc.line("check")).frequency)


def test_a_strategy_is_studied_with_its_own_game_only() -> None:
    with pytest.raises(StrategyError, match="solved for kuhn; the table plays leduc"):
        SolvedGame(solution("kuhn"), game_of("leduc"))
