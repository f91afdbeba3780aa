"""The players that need no thought do what their names say, in every kind of game."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import Any

import numpy as np
import pytest

from tahur.core.game import Action, Game
from tahur.core.player import View
from tahur.games.holdem.fourteen import MIN_RAISE
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.players.simple import MANIAC_SIZES, RandomPlayer, raises_of


def view_after(game: Game[Any], *actions: Action, hand: int = 0) -> View:
    table = game.start()
    for action in actions:
        table = table.after(action)
    return View(game, table, table.turn, hand)


def said(name: str, view: View) -> dict[str, float]:
    """The chances that the player tells, by the labels of the actions."""
    chances = make_player(name, view.game).probabilities(view)  # type: ignore[attr-defined]
    return {view.game.label(view.table, action): chance for action, chance in chances.items()}


NLHE, LIMIT = make("nlhe", {"seats": 2}), make("limit", {"seats": 2})


@pytest.mark.parametrize(
    ("name", "unraised", "raised"),
    [("caller", "call 1", "call 5"), ("folder", "fold", "fold")],
)
def test_at_holdem_caller_calls_and_folder_folds(name: str, unraised: str, raised: str) -> None:
    assert said(name, view_after(NLHE)) == {unraised: 1}
    assert said(name, view_after(NLHE, 7 + 1)) == {raised: 1}
    assert said(name, view_after(NLHE, 1)) == {"check": 1}


def test_folder_checks_even_where_folding_is_free_to_all() -> None:
    assert said("folder", view_after(make("nlhe", {"seats": 2, "free_folds": True}), 1)) == {"check": 1}


def test_maniac_raises_by_its_mix_of_the_fourteen_actions() -> None:
    view = view_after(NLHE, 6 + 1)  # to call 4 makes the pot 12
    sizes = {"raise to 12": 0.2, "raise to 15": 0.2, "raise to 18": 0.3, "raise to 24": 0.2, "raise to 200 all-in": 0.1}
    assert said("maniac", view) == pytest.approx(sizes)


def test_what_is_masked_of_the_mix_shares_its_chance_among_the_rest() -> None:
    """Half the pot comes to 4, which is the minimum raise and no size of its own; 150 % to 8, more than all-in."""
    chances = said("maniac", view_after(make("nlhe", {"seats": 2, "stack": 7})))
    assert set(chances) == {"raise to 5", "raise to 6", "raise to 7 all-in"}
    assert chances["raise to 6"] == pytest.approx(MANIAC_SIZES[8] / (1 - MANIAC_SIZES[6] - MANIAC_SIZES[10]))
    assert sum(chances.values()) == pytest.approx(1)


def test_maniac_calls_when_it_may_not_raise() -> None:
    assert said("maniac", view_after(NLHE, 200 + 1)) == {"call 198 all-in": 1}
    capped = view_after(LIMIT, 4 + 1, 6 + 1, 8 + 1)
    assert said("maniac", capped) == {"call 2": 1}


def test_maniac_raises_at_limit_by_the_size_there_is() -> None:
    assert said("maniac", view_after(LIMIT)) == {"raise to 4": 1}


@pytest.mark.parametrize(
    ("name", "first", "after_a_bet"),
    [("caller", "check", "call"), ("folder", "check", "fold"), ("maniac", "bet", "call")],
)
def test_at_kuhn_each_is_true_to_its_name(name: str, first: str, after_a_bet: str) -> None:
    assert said(name, view_after(make("kuhn"))) == {first: 1}
    assert said(name, view_after(make("kuhn"), 1)) == {after_a_bet: 1}


def test_at_leduc_maniac_raises_until_the_cap() -> None:
    leduc = make("leduc")
    for raises in range(2):
        (label,) = said("maniac", view_after(leduc, *[2] * raises))
        assert label.startswith(("bet", "raise"))
    (label,) = said("maniac", view_after(leduc, 2, 2))
    assert label.startswith("call")


def test_at_liars_dice_caller_bids_folder_doubts_maniac_bids_up() -> None:
    game = make("liars-dice")
    assert said("caller", view_after(game, 3)) == {"1 x 5": 1}
    assert said("folder", view_after(game)) == {"1 x 1": 1}
    assert said("folder", view_after(game, 3)) == {"liar": 1}
    assert said("maniac", view_after(game, 3)) == pytest.approx({"1 x 5": 1 / 3, "1 x 6": 1 / 3, "2 x 1": 1 / 3})
    for name in ("caller", "folder", "maniac"):
        assert said(name, view_after(game, 11)) == {"liar": 1}, "no bid is left"


def test_at_perudo_caller_bids_folder_doubts_maniac_bids_up() -> None:
    game = make("perudo", {"seats": 3})
    opening = game.start().actions()[2]
    bids = game.start().after(opening).actions()
    lowest = [game.label(game.start(), bid) for bid in bids if game.label(game.start(), bid)[0].isdigit()][:3]
    assert said("folder", view_after(game, opening)) == {"dudo": 1}
    assert said("caller", view_after(game, opening)) == {lowest[0]: 1}
    assert said("maniac", view_after(game, opening)) == pytest.approx(dict.fromkeys(lowest, 1 / 3))


def test_random_folds_calls_and_raises_alike_and_by_any_size() -> None:
    chances = RandomPlayer().probabilities(view_after(NLHE))
    assert list(chances) == list(view_after(NLHE).table.actions())
    assert chances[0] == chances[1] == pytest.approx(1 / 3)
    assert chances[4 + 1] == pytest.approx(log(2) / log(198) / 3)  # 197 sizes, from 4 to 200
    assert 0 < chances[200 + 1] < chances[4 + 1]
    assert sum(chances.values()) == pytest.approx(1)


def test_random_goes_all_in_as_often_as_it_tells() -> None:
    view = view_after(make("nlhe", {"seats": 2, "stack": 5}))  # a raise is to 4 or to 5
    rng, draws = np.random.default_rng(2), 2000
    counted = Counter(RandomPlayer().act(view, rng).action for _ in range(draws))
    for action, chance in RandomPlayer().probabilities(view).items():
        assert counted[action] / draws == pytest.approx(chance, abs=4 * (0.25 / draws) ** 0.5)


def test_random_chooses_alike_where_actions_are_few() -> None:
    assert set(said("random", view_after(make("leduc"), 2)).values()) == {1 / 3}


def test_when_the_whole_mix_is_masked_the_nearest_larger_raise_is_made() -> None:
    view = view_after(NLHE)
    assert raises_of(view.table, {3: 0.5, 4: 0.5}) == {5 + 1: 1.0}  # 10 and 25 % are too small, 33 and 50 % the minimum
    assert raises_of(view.table, {MIN_RAISE: 0.5, 3: 0.5}) == {4 + 1: 1.0}
    assert raises_of(view_after(make("nlhe", {"seats": 2, "stack": 5})).table, {12: 1.0}) == {5 + 1: 1.0}, "all-in"
