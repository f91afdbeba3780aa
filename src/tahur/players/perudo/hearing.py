"""What bids reveal about the dice under other cups: a Bayesian update of hands.

The likelihood of a bid given its bidder's hand is taken to be the probability that the bid is true given that hand: of
two hands, the one that makes the bid twice as likely true becomes twice as likely. Each bid of the round reweights the
hands of its bidder this way; everything after that is exact, without sampling or parameters. Bluffers are believed too
much.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.core.game import Action
from tahur.core.player import View
from tahur.games.perudo.bids import count_of, face_of
from tahur.games.perudo.cups import hands_of, matching_of, prior
from tahur.games.perudo.reading import chance_of
from tahur.games.perudo.table import PerudoTable
from tahur.players.perudo.odds import at_least
from tahur.players.perudo.situation import matches_of


def heard_chances(view: View, bid: Action) -> tuple[float, float]:
    """The probabilities that a bid is met, and met exactly, given the own dice and the others' bids."""
    assert view.hand is not None
    table: PerudoTable = view.table
    face, wild, total = face_of(bid), table.wild, table.round.total
    needed = count_of(bid) - matches_of(view.hand, wild)[face]
    counts = np.ones(1)
    for turn, seat in enumerate(table.round.order):
        if seat != view.seat:
            bids = table.history[turn :: len(table.round.order)]
            counts = np.convolve(counts, matches_heard(table.cups[seat], bids, total, face, wild))
    exact = float(counts[needed]) if 0 <= needed < len(counts) else 0.0
    return float(counts[max(needed, 0) :].sum()), exact


@lru_cache(maxsize=2**14)
def matches_heard(dice: int, bids: tuple[Action, ...], total: int, face: int, wild: bool) -> Float64s:
    """The probabilities that 0, 1, ... dice of a seat that made these bids count for a face."""
    matches = _matches(dice, face, wild)
    counts: Float64s = np.bincount(matches, hands_heard(dice, bids, total, wild), dice + 1).astype(np.float64)
    return counts


@lru_cache(maxsize=2**12)
def hands_heard(dice: int, bids: tuple[Action, ...], total: int, wild: bool) -> Float64s:
    """The probability of each hand of a cup whose owner made these bids, with `total` dice in play."""
    weights = prior(dice)
    for bid in bids:
        weights = weights * _supports(dice, bid, total, wild)
    if not weights.any():  # no hand is compatible with all bids: keep the prior
        return prior(dice)
    heard: Float64s = weights / weights.sum()
    return heard


@lru_cache(maxsize=2**12)
def _supports(dice: int, bid: Action, total: int, wild: bool) -> Float64s:
    """The probability that a bid is true from its bidder's view, for each hand of the bidder."""
    face, unknown = face_of(bid), total - dice
    chance = chance_of(face, wild=wild)
    by_matches = np.array([at_least(count_of(bid) - held, unknown, chance) for held in range(dice + 1)])
    supports: Float64s = by_matches[_matches(dice, face, wild)]
    return supports


@lru_cache(maxsize=256)
def _matches(dice: int, face: int, wild: bool) -> NDArray[np.int64]:
    hands = hands_of(dice)
    return np.array(list(matching_of(face, wild=wild)[hands.start : hands.stop]), np.int64)
