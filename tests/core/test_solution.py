"""A solution answers for every view of its game as its solver would, and for nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solved_games import SETTINGS, game_of, solution, solver_of, tree_of
from tahur.core.errors import StrategyError
from tahur.core.player import View
from tahur.core.strategy import Strategy
from tahur.games.registry import make
from tahur.solvers.response import flatten, measure


@pytest.mark.parametrize("name", SETTINGS)
def test_it_answers_for_every_view_and_is_as_good_as_its_header_says(name: str) -> None:
    found = solution(name)
    assert isinstance(found, Strategy)
    whole = tree_of(name, merge=False)
    flat = flatten(whole, found)
    np.testing.assert_array_equal(flat, found.chances)
    again = measure(whole, flat)
    assert again.exploitability == pytest.approx(found.facts.exploitability, abs=1e-12)
    assert again.nashconv == pytest.approx(found.facts.nashconv, abs=1e-12)
    assert again.value == pytest.approx(found.facts.value, abs=1e-12)


def test_where_nothing_is_merged_the_chances_are_the_solvers_own() -> None:
    np.testing.assert_array_equal(solution("kuhn").chances, solver_of("kuhn", 100).strategy())


def test_every_leduc_board_is_there_and_suits_do_not_matter() -> None:
    """The tree was solved with three boards; the file has six, and hearts are played as spades are."""
    game, found = game_of("leduc"), solution("leduc")
    table = game.start().after(1).after(1)
    assert len(found.menu(found.find(table.history))) == 6
    for board, swapped in ((0, 1), (3, 2), (4, 5)):
        for hand in set(range(6)) - {board}:
            other = {board: swapped, swapped: board}.get(hand, hand)
            ours = found.probabilities(View(game, table.after(board), 0, hand))
            assert ours == found.probabilities(View(game, table.after(swapped), 0, other))
    paired, unpaired = (found.probabilities(View(game, table.after(0), 0, hand)) for hand in (1, 3))
    assert paired != unpaired


def test_another_game_or_another_setting_is_refused_with_both() -> None:
    found, dice = solution("liars-dice"), make("liars-dice", {"faces": 3, "dice": 2})
    with pytest.raises(StrategyError, match=r"was solved for liars-dice; the table plays kuhn$"):
        found.probabilities(View(make("kuhn"), make("kuhn").start(), 0, 0))
    said = r"was solved for liars-dice with dice=1; the table plays liars-dice with dice=2$"
    with pytest.raises(StrategyError, match=said):
        found.probabilities(View(dice, dice.start(), 0, 0))


def test_a_game_that_fitted_does_not_vouch_for_the_next_one() -> None:
    found, game = solution("kuhn"), game_of("kuhn")
    found.probabilities(View(game, game.start(), 0, 0))
    other = make("kuhn", {"seats": 3})
    with pytest.raises(StrategyError, match="seats=2; the table plays kuhn with seats=3"):
        found.probabilities(View(other, other.start(), 0, 0))


def test_settings_that_json_spells_otherwise_still_fit() -> None:
    facts = replace(solution("perudo").facts, settings={**solution("perudo").facts.settings, "cups": (1, 1)})
    assert facts.misfit(game_of("perudo")) is None


@pytest.mark.parametrize(
    ("hand", "seat", "said"), [(None, 0, "hand None in seat 0"), (7, 0, "hand 7"), (0, 1, "seat 1")]
)
def test_a_view_that_nobody_can_have_is_refused(hand: int | None, seat: int, said: str) -> None:
    game = game_of("kuhn")
    with pytest.raises(StrategyError, match=said):
        solution("kuhn").probabilities(View(game, game.start(), seat, hand))


def test_a_history_that_is_not_in_the_tree_is_refused_with_what_is() -> None:
    with pytest.raises(StrategyError, match=r"no action 2 after \[0\]; it has 0, 1"):
        solution("kuhn").find((0, 2))
    with pytest.raises(StrategyError, match="it has nothing more"):
        solution("kuhn").find((1, 1, 0))


def _corrupted(**changes: Any) -> Any:
    return lambda: replace(solution("kuhn"), **changes)


@pytest.mark.parametrize(
    ("make_it", "said"),
    [
        (lambda: replace(solution("kuhn"), chances=solution("kuhn").chances[:-1]), "23 probabilities; the tree has 24"),
        (lambda: replace(solution("kuhn"), chances=solution("kuhn").chances * 0.5), "do not add up to 1"),
        (lambda: replace(solution("kuhn"), chances=solution("kuhn").chances * np.nan), "above 1 or not finite"),
        (lambda: replace(solution("kuhn"), chances=1 - solution("kuhn").chances * 1.5), "below 0"),
        (_corrupted(turns=np.full(9, 3)), "turns other than seat 0, seat 1, chance"),
        (_corrupted(turns=np.zeros(8, int)), "8 turns, 9 ends"),
        (_corrupted(ends=np.arange(9)), "node 0 ends at 0: the nodes do not form a tree"),
        (_corrupted(ends=np.arange(1, 10)), "the nodes do not form a tree"),
        (_corrupted(ends=np.full(9, 12)), "the nodes do not form a tree"),
    ],
)
def test_what_is_no_strategy_is_not_born(make_it: Any, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        make_it()
