"""Dealt hands are read in parts, without making the rows that nets are taught with: the answers must be the same."""

from __future__ import annotations

import numpy as np
import pytest
from plain_nets import random_net

from tahur.core.towers import advantages
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.games.encoders.holdem import DECK_SIZE, HoldemEncoder, deal_cards
from tahur.solvers.deep.traversal import reader_of

HANDS = 300
BOARDS = (3, 4, 5)


@pytest.fixture(scope="module")
def deals() -> np.ndarray:
    return deal_cards(np.random.default_rng(3), HANDS, 5)


@pytest.mark.parametrize("streets", [2, 4])
def test_parts_are_those_of_the_rows(streets: int, deals: np.ndarray) -> None:
    encoder, hole = HoldemEncoder(streets), deals[:, 2:4]
    ones, told = encoder.parts(hole, deals[:, 4:])
    assert len(told) == streets - 1
    for street, rest in enumerate(told):
        rows = np.zeros((HANDS, encoder.card_width), np.float32)
        rows[np.arange(HANDS)[:, None], ones[:, : 2 + BOARDS[street]]] = 1
        rows[:, DECK_SIZE * streets :] = rest
        assert (rows == encoder.rows(hole, deals[:, 4 : 4 + BOARDS[street]])).all()


@pytest.mark.parametrize("streets", [2, 4])
def test_hands_read_in_parts_are_answered_as_their_rows_are(streets: int, deals: np.ndarray) -> None:
    encoder, hole = HoldemEncoder(streets), deals[:, :2]
    net = random_net(encoder.card_width, 4, width=16)
    bets = np.random.default_rng(5).random((HANDS, BET_WIDTH)).astype(np.float32)
    ones, told = encoder.parts(hole, deals[:, 4:])
    read = np.empty((len(told) * HANDS, 16), np.float32)
    reader_of(net).read(ones, told, read)
    for street in range(len(told)):
        rows = encoder.rows(hole, deals[:, 4 : 4 + BOARDS[street]])
        ours = advantages(read[street * HANDS : (street + 1) * HANDS], net.bets_for_hidden(bets))
        np.testing.assert_allclose(ours, advantages(net.cards(rows), net.bets(bets)), atol=2e-4)
