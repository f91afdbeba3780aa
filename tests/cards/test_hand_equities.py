"""The equity of one hand against each other hand: against the equity of two hands, and published figures."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.cards.cards import cards_of, cards_text, combo_of, parse_cards
from tahur.cards.equity import equity
from tahur.cards.equity.hand import _pairs, class_equities, equities, equity_matrix, preflop_equities, recount
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.cards.rankings import EQUITY_ORDER, class_names, class_of_combos
from tahur.core.errors import EquityError


@pytest.mark.parametrize("size", [0, 3, 4, 5])
def test_each_equity_is_that_of_the_two_hands(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(12):
        cards = rng.choice(52, 4 + size, replace=False).tolist()
        hand, other, board = combo_of(cards[:2]), combo_of(cards[2:4]), tuple(cards[4:])
        two = equity(cards_text(cards_of(hand)), cards_text(cards_of(other)), board=board)
        assert equities(hand, board)[other] == pytest.approx(two.players[0].equity, abs=1e-12)


@pytest.mark.parametrize("board", ["", "Td9d6h", "Td9d6hQc", "Td9d6hQc2s"])
def test_the_matrix_has_the_equities_of_every_hand(board: str) -> None:
    cards = tuple(int(card) for card in parse_cards(board))
    gone = sum(1 << card for card in cards)
    matrix, alive = equity_matrix(cards), np.flatnonzero(combos().mask & gone == 0)
    for hand in np.random.default_rng(1).choice(alive, 5):
        assert np.allclose(matrix[hand], equities(int(hand), cards), atol=1e-6)
    assert not matrix[np.setdiff1d(np.arange(1326), alive)].any()


@pytest.mark.parametrize("board", ["", "Td9d6h", "Td9d6hQc", "Td9d6hQc2s"])
def test_hands_that_share_a_card_have_none(board: str) -> None:
    cards = tuple(int(card) for card in parse_cards(board))
    hand = combo_of(parse_cards("AsKd"))
    gone = int(combos().mask[hand]) | sum(1 << card for card in cards)
    shared = combos().mask & gone != 0
    assert (equities(hand, cards)[shared] == 0).all()
    assert (equities(hand, cards)[~shared] > 0).sum() > 300


def test_the_order_of_classes_by_equity_is_the_published_one() -> None:
    mean = preflop_equities().sum(axis=1) / 1225
    classes = class_of_combos()[start_classes().firsts]
    names = [class_names()[classes[at]] for at in np.argsort(-mean)]
    assert names == EQUITY_ORDER.split()
    assert mean.max() == pytest.approx(0.8520, abs=5e-5)
    assert mean.min() == pytest.approx(0.3230, abs=5e-5)


def test_class_equities_are_those_of_the_ranges() -> None:
    share, pairs = class_equities()
    names = class_names()
    for one, other in (("AKs", "QQ"), ("AA", "AA"), ("72o", "AKo"), ("A5s", "A5o")):
        two = equity(one, other)
        assert share[names.index(one), names.index(other)] == pytest.approx(two.players[0].equity, abs=1e-12)
    assert pairs.sum() == 1326 * 1225
    assert pairs[names.index("AA"), names.index("AA")] == 6
    assert np.allclose(share + share.T, 1, atol=1e-12)


def test_the_shipped_table_is_what_counting_gives() -> None:
    pairs, number, mirrored = _pairs()
    counted = [points for (_, points), _ in zip(recount(), range(40), strict=False)]
    for at, points in enumerate(counted):
        hand, other = divmod(int(pairs[at]), 1326)
        assert equities(hand)[other] == points / 2 / 1_712_304
    assert len(pairs) == 47_008
    assert number.shape == mirrored.shape == (169, 1326)


def test_a_board_of_two_cards_is_refused() -> None:
    with pytest.raises(EquityError, match="2s3s has 2"):
        equities(1000, tuple(int(card) for card in parse_cards("2s3s")))
