"""A spot at the rules' table: hands from both ranges together, and payoffs that are EVs less half the pot."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.spot import SpotGame, make_spot
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

SMALL = {"board": "Td9d6hQc", "oop": "AsAc,KsTs:0.5,9s8s,JcJs", "ip": "AcKc,TsTc:0.25,9h8h,KsQs", "pot": 7, "stack": 20}


def pairs(game: SpotGame) -> dict[tuple[int, int], float]:
    """Every pair of hands and its chance, by multiplying weights."""
    first, second = game.ranges
    board = set(game.board)
    found = {}
    for one, other in product(first.indices.tolist(), second.indices.tolist()):
        cards = [*cards_of(one), *cards_of(other)]
        if len({*cards}) == 4 and not board & {*cards}:
            found[one, other] = float(first.vector[one] * second.vector[other])
    total = sum(found.values())
    return {pair: weight / total for pair, weight in found.items()}


def test_hands_are_dealt_by_the_weights_of_both_ranges_with_cards_there_once() -> None:
    game, deals = make_spot(**SMALL), 5_000
    rng = np.random.default_rng(1)
    counted: dict[tuple[int, int], int] = {}
    for _ in range(deals):
        one, other = game.deal(rng)
        counted[one, other] = counted.get((one, other), 0) + 1
    expected = pairs(game)
    assert set(counted) == set(expected)
    for pair, chance in expected.items():
        assert abs(counted[pair] / deals - chance) < 4 * (chance * (1 - chance) / deals) ** 0.5


def test_the_seat_on_the_button_is_dealt_from_the_range_in_position() -> None:
    first, second = make_spot(**SMALL), make_spot(**SMALL, button=0)
    for seed in range(20):
        hands = first.deal(np.random.default_rng(seed))
        assert second.deal(np.random.default_rng(seed)) == hands[::-1]
    assert first.start().turn == 0
    assert second.start().turn == 1


def over(game: SpotGame, *actions: int) -> HoldemTable:
    """The table after these actions, the rest of the board dealt from the top."""
    table = game.start()
    for action in actions:
        table = table.after(action)
    while table.turn == CHANCE:
        table = table.after(game.outcomes(table, HANDS)[-1])
    assert table.turn == OVER
    return table


HANDS = (combo_of(parse_cards("AsAc")), combo_of(parse_cards("9h8h")))


def test_an_even_pot_is_paid_as_the_rules_pay_it() -> None:
    game = make_spot(**SMALL | {"pot": 8, "board": "Td9d6hQc2s"})
    plain = Holdem("nlhe", game.stakes)
    for actions in ((CALL, CALL), (CALL, 6, FOLD), (5, CALL), (21, CALL), (3, 9, FOLD)):
        table = over(game, *actions)
        assert game.payoffs(table, HANDS) == plain.payoffs(table, HANDS)


def test_an_odd_pot_is_halved() -> None:
    game = make_spot(**SMALL | {"board": "TsJsQsKsAs", "oop": "2c2d", "ip": "3c3d"})
    hands = combo_of(parse_cards("2d2c")), combo_of(parse_cards("3d3c"))
    assert game.payoffs(over(game, CALL, CALL), hands) == (0.0, 0.0)
    assert game.payoffs(over(game, CALL, 3, FOLD), hands) == (-3.5, 3.5)


def test_with_rake_payoffs_are_short_by_the_rake() -> None:
    game = make_spot(**SMALL | {"board": "Td9d6hQc2s", "pot": 100}, rake=0.05, rake_cap=6.0)
    assert sum(game.payoffs(over(game, CALL, CALL), HANDS)) == pytest.approx(-5)
    assert sum(game.payoffs(over(game, 11, FOLD), HANDS)) == pytest.approx(-5)
    assert sum(game.payoffs(over(game, 21, CALL), HANDS)) == pytest.approx(-6)


@pytest.mark.parametrize("rake", [0.0, 0.1])
def test_before_a_card_a_spot_is_worth_the_mean_of_what_it_is_worth_after(rake: float) -> None:
    game = make_spot(**SMALL, rake=rake)
    for actions in ((CALL, CALL), (6, CALL), (CALL, 21, CALL)):
        table = game.start()
        for action in actions:
            table = table.after(action)
        assert table.turn == CHANCE
        after = [game.worth(table.after(card), HANDS) for card in game.outcomes(table, HANDS)]
        assert game.worth(table, HANDS) == pytest.approx(np.mean(after, axis=0), abs=1e-9)


@pytest.mark.parametrize("button", [0, 1])
def test_over_all_deals_the_luck_of_the_deal_is_nothing(button: int) -> None:
    game = make_spot(**SMALL, button=button)
    turned = 1 if button else -1
    mean = sum(chance * game.luck_of_deal(pair[::turned])[0] for pair, chance in pairs(game).items())
    assert mean == pytest.approx(0, abs=1e-9)
    assert max(abs(game.luck_of_deal(pair[::turned])[0]) for pair in pairs(game)) > 0.5


def test_tables_of_two_boards_are_two_tables() -> None:
    assert make_spot(**SMALL).start() != make_spot(**SMALL | {"board": "Td9d6hQs"}).start()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"board": "Td9d"}, "3, 4 or 5 cards"),
        ({"pot": 0}, "one chip or more"),
        ({"oop": "AsAc", "ip": "AsAc"}, "compatible with any hand of the other"),
        ({"rake": 2.0}, "share from 0 to 1"),
        ({"button": 2}, "seats 0 and 1"),
        ({"pot": "much"}, "whole number"),
    ],
)
def test_a_spot_that_cannot_be_is_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        make_spot(**SMALL | settings)
