"""The matrices by Monte Carlo, as in the original description of the street solver: 50,000 hands, 30,000 matchups.

Bucket probabilities come from hands dealt with flops of every texture. Equities come from flops of the one texture, by
rejection sampling; each flop is used for four hands, that is six matchups, on one turn and river.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE
from tahur.cards.evaluator import evaluate_many
from tahur.core.arrays import Float64s, Int64s
from tahur.core.errors import SettingError
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.counts import BUCKETS, TEXTURES, flop_buckets, flop_numbers, flop_textures
from tahur.solvers.street.matrices import SAMPLED, Matrices

DEALS: Final = 50_000
MATCHUPS: Final = 30_000
ATTEMPTS: Final = 30  # flops dealt at most, for each requested matchup
HANDS: Final = 4  # on each flop
PAIRS: Final = tuple(combinations(range(HANDS), 2))
_CARDS = 3 + 2 * HANDS + 2  # flop, hands, turn and river
_BATCH = 4_000


def sampled(
    texture: Texture, rng: np.random.Generator, *, deals: int = DEALS, matchups: int = MATCHUPS, marginals: bool = False
) -> Matrices:
    """Matrices of one texture from random deals. The joint is that of the matchups, or else of independent hands."""
    if min(deals, matchups) < 1:
        raise SettingError(f"{deals} deals, {matchups} matchups: both must be at least 1 (default {DEALS}, {MATCHUPS})")
    marginal = _marginal(texture, deals, rng)
    shares, met = _play_out(_boards(texture, -(-matchups // len(PAIRS)), matchups, rng))
    with np.errstate(invalid="ignore"):
        equity = shares / (2 * met)
    weights = np.outer(marginal, marginal) * (met > 0) if marginals else met.astype(np.float64)
    if not weights.any():
        raise SettingError(f"{texture}: no two hands met in {deals} deals and {matchups} matchups; use more")
    return Matrices(
        texture=texture, source=SAMPLED, marginal=marginal, joint=weights / weights.sum(), equity=equity, met=met
    )


def _marginal(texture: Texture, deals: int, rng: np.random.Generator) -> Float64s:
    """The frequency of each bucket, among the deals that had the texture."""
    cards = _deal(deals, 5, rng)
    fitting = cards[_has(texture, cards)]
    found = np.bincount(_buckets(fitting[:, :3], fitting[:, 3:5]), minlength=len(BUCKETS))
    return np.asarray(found / max(found.sum(), 1))


def _boards(texture: Texture, wanted: int, matchups: int, rng: np.random.Generator) -> Int64s:
    """(wanted or fewer, 13) deals whose flop has the texture."""
    kept: list[Int64s] = []
    found = attempts = 0
    while found < wanted and attempts < ATTEMPTS * matchups:
        cards = _deal(_BATCH, _CARDS, rng)
        attempts += _BATCH
        kept.append(cards[_has(texture, cards)])
        found += len(kept[-1])
    return np.concatenate(kept)[:wanted]


def _play_out(deals: Int64s) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Half pots won by the row's bucket from the column's, and how often the two met."""
    flops, runouts = deals[:, :3], deals[:, -2:]
    hands = [deals[:, 3 + 2 * at : 5 + 2 * at] for at in range(HANDS)]
    ranks = [evaluate_many(np.hstack([flops, runouts, hand])).astype(np.int64) for hand in hands]
    buckets = [_buckets(flops, hand) for hand in hands]
    shares, met = np.zeros((2, len(BUCKETS), len(BUCKETS)), np.int64)
    for one, other in PAIRS:
        sign = np.sign(ranks[one] - ranks[other])
        for mine, theirs, half_pots in ((one, other, 1 + sign), (other, one, 1 - sign)):
            np.add.at(shares, (buckets[mine], buckets[theirs]), half_pots)
            np.add.at(met, (buckets[mine], buckets[theirs]), 1)
    return shares, met


def _has(texture: Texture, deals: Int64s) -> NDArray[np.bool_]:
    """(n,) whether the first three cards of each deal are a flop of the texture."""
    return np.asarray(flop_textures()[flop_numbers(deals[:, :3])] == TEXTURES.index(texture))


def _buckets(flops: Int64s, hands: Int64s) -> NDArray[np.int64]:
    """(n,) the bucket of each hand on its own flop."""
    high, low = hands.max(axis=1), hands.min(axis=1)
    return np.asarray(flop_buckets()[flop_numbers(flops), high * (high - 1) // 2 + low], np.int64)


def _deal(rows: int, cards: int, rng: np.random.Generator) -> Int64s:
    """This many rows of distinct cards, every order equally likely."""
    return np.asarray(np.argsort(rng.random((rows, DECK_SIZE)), axis=1)[:, :cards])
