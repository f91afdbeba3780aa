"""Every game in the list keeps the contract."""

from __future__ import annotations

import pytest

from games.contract import check_game
from tahur.games.registry import GAMES, make


@pytest.mark.parametrize("name", GAMES)
def test_every_game_in_the_list_keeps_the_contract(name: str) -> None:
    check_game(make(name), deals=40, zero_sum=name != "perudo")


@pytest.mark.parametrize("seats", [2, 3, 9])
def test_no_limit_keeps_the_contract_with_short_stacks_and_antes(seats: int) -> None:
    check_game(make("nlhe", {"stacks": [*range(3, 3 + 4 * seats, 4)], "ante": 1}), deals=40)


@pytest.mark.parametrize("rules", ["faroleo", "asmodee", "classic"])
def test_perudo_keeps_the_contract_under_every_rule_preset(rules: str) -> None:
    check_game(make("perudo", {"rules": rules, "seats": 5}), deals=60, zero_sum=False)
