"""What bids tell of the dice under other cups.

A bid is taken to be made as often as its bidder's own dice make it likely: of two hands, the one that makes the bid
twice as likely true is twice as likely under the cup. Each bid of the round weighs the hands of its bidder so, and from
there on all is exact: no die is sampled, and no figure is chosen. Who bids what it does not hold is believed too much.
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
    """How likely a bid is met, and met exactly, one's own dice known and the others' weighed by what they bid."""
    assert view.hand is not None
    table: PerudoTable = view.table
    face, wild, total = face_of(bid), table.wild, table.round.total
    needed = count_of(bid) - matches_of(view.hand, wild)[face]
    counts = np.ones(1)
    for place, seat in enumerate(table.round.order):
        if seat != view.seat:
            said = table.history[place :: len(table.round.order)]
            counts = np.convolve(counts, matches_heard(table.cups[seat], said, total, face, wild))
    exact = float(counts[needed]) if 0 <= needed < len(counts) else 0.0
    return float(counts[max(needed, 0) :].sum()), exact


@lru_cache(maxsize=2**14)
def matches_heard(dice: int, said: tuple[Action, ...], total: int, face: int, wild: bool) -> Float64s:
    """How likely 0, 1, ... of the dice of a seat that made these bids count for a face."""
    matches = _matches(dice, face, wild)
    counts: Float64s = np.bincount(matches, hands_heard(dice, said, total, wild), dice + 1).astype(np.float64)
    return counts


@lru_cache(maxsize=2**12)
def hands_heard(dice: int, said: tuple[Action, ...], total: int, wild: bool) -> Float64s:
    """How likely each hand of a cup is once its owner made these bids, of so many dice in play."""
    weights = prior(dice)
    for bid in said:
        weights = weights * _supports(dice, bid, total, wild)
    if not weights.any():  # no hand makes all of it possible: nothing is learned
        return prior(dice)
    heard: Float64s = weights / weights.sum()
    return heard


@lru_cache(maxsize=2**12)
def _supports(dice: int, bid: Action, total: int, wild: bool) -> Float64s:
    """How likely a bid is true to its bidder, by hand."""
    face, unknown = face_of(bid), total - dice
    chance = chance_of(face, wild=wild)
    by_matches = np.array([at_least(count_of(bid) - held, unknown, chance) for held in range(dice + 1)])
    supports: Float64s = by_matches[_matches(dice, face, wild)]
    return supports


@lru_cache(maxsize=256)
def _matches(dice: int, face: int, wild: bool) -> NDArray[np.int64]:
    hands = hands_of(dice)
    return np.array(list(matching_of(face, wild=wild)[hands.start : hands.stop]), np.int64)
