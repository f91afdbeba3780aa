"""The matrices of the street game: the probability of each pair of buckets, and the equity of each at a showdown.

Exact by default, from counts over every flop of the texture; `sampled` estimates them from random deals. A pair of
buckets that never met has no equity and is not dealt: it is NaN here and null in a file, never a guess, unless the
caller asks for a guess by the order of buckets: `with_ordinal_fallback`.

Sampling is that of the original description of the street solver: 50,000 hands, 30,000 matchups. Bucket probabilities
come from hands dealt with flops of every texture. Equities come from flops of the one texture, by rejection sampling;
each flop is used for four hands, that is six matchups, on one turn and river.

`frequencies` compares the frequency of each bucket on each texture with that description, which let the board's own
cards make hands: three suited board cards gave every hand a backdoor draw, and a pair on the board counted as every
hand's pair. So its monotone boards had no air, and its paired boards neither good, medium nor air.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE
from tahur.cards.evaluator import evaluate_many
from tahur.core.arrays import Float64s, Int64s
from tahur.core.errors import SettingError
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.counts import BUCKETS, TEXTURES, exact_counts, flop_buckets, flop_numbers, flop_textures

EXACT: Final = "exact"
SAMPLED: Final = "sampled"
ORDINAL: Final = 0.75  # what the fallback gives the better of two buckets that never met; the other has the rest


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """The matrices of one texture; rows are the first seat's bucket. `met` is the number of observations of each
    equity."""

    texture: Texture
    source: str  # EXACT or SAMPLED
    marginal: Float64s  # (9,) the probability of a bucket, nothing else known
    joint: Float64s  # (9, 9) the probability of a pair; adds up to 1
    equity: Float64s  # (9, 9) the row's share of the pot; NaN where the two never met
    met: NDArray[np.int64]  # (9, 9)

    @property
    def unseen(self) -> tuple[tuple[int, int], ...]:
        """The pairs without an equity although both buckets exist, each once: stronger bucket first."""
        pairs = np.argwhere(np.triu(np.isnan(self.equity) & np.outer(self.marginal > 0, self.marginal > 0)))
        return tuple((int(i), int(j)) for i, j in pairs)


def exact(texture: Texture) -> Matrices:
    """The matrices from the counts over every flop, hand, other hand, turn and river."""
    counts = exact_counts()[texture]
    marginal = counts.joint.sum(axis=1)
    return Matrices(
        texture=texture, source=EXACT, marginal=marginal, joint=counts.joint, equity=counts.equity, met=counts.pairs
    )


def independent(matrices: Matrices) -> Matrices:
    """The matrices without card removal: the joint is the product of the marginals."""
    return replace(matrices, joint=_deal_probabilities(np.outer(matrices.marginal, matrices.marginal), matrices.equity))


def with_ordinal_fallback(matrices: Matrices) -> Matrices:
    """Every pair that never met gets 0.75, 0.5 or 0.25 by the order of the buckets alone."""
    places = np.arange(len(BUCKETS))
    guess = 0.5 + (ORDINAL - 0.5) * np.sign(places[None, :] - places[:, None])
    return replace(matrices, equity=np.where(np.isnan(matrices.equity), guess, matrices.equity))


def _deal_probabilities(weights: Float64s, equity: Float64s) -> Float64s:
    """The weights as probabilities, without the pairs whose equity is unknown."""
    known = np.where(np.isnan(equity), 0.0, weights)
    return np.asarray(known / known.sum())


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
    counts = np.bincount(_buckets(fitting[:, :3], fitting[:, 3:5]), minlength=len(BUCKETS))
    return np.asarray(counts / max(counts.sum(), 1))


def _boards(texture: Texture, wanted: int, matchups: int, rng: np.random.Generator) -> Int64s:
    """(wanted or fewer, 13) deals whose flop has the texture."""
    kept: list[Int64s] = []
    dealt = attempts = 0
    while dealt < wanted and attempts < ATTEMPTS * matchups:
        cards = _deal(_BATCH, _CARDS, rng)
        attempts += _BATCH
        kept.append(cards[_has(texture, cards)])
        dealt += len(kept[-1])
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


_BOARD = "the board's own"
REPORTED: Final[dict[tuple[Texture, Bucket], tuple[float, str]]] = {
    (Texture.MONOTONE, Bucket.WEAK_DRAW): (0.335, f"{_BOARD} three suited cards made a backdoor draw of nothing"),
    (Texture.MONOTONE, Bucket.DRAW): (0.224, "second pair or less, with a card of the suit, is a draw here"),
    (Texture.MONOTONE, Bucket.AIR): (0.0, f"{_BOARD} three suited cards made a backdoor draw of nothing"),
    (Texture.PAIRED, Bucket.WEAK_MADE): (0.452, f"{_BOARD} pair was everybody's pair"),
    (Texture.PAIRED, Bucket.STRONG): (0.256, f"{_BOARD} pair made two pair of any pair"),
    (Texture.PAIRED, Bucket.GOOD): (0.0, f"{_BOARD} pair made two pair of any pair"),
    (Texture.PAIRED, Bucket.MEDIUM): (0.0, f"{_BOARD} pair made two pair of any pair"),
    (Texture.PAIRED, Bucket.AIR): (0.0, f"{_BOARD} pair was everybody's pair"),
    (Texture.WET, Bucket.WEAK_DRAW): (0.361, ""),
    (Texture.WET, Bucket.AIR): (0.10, ""),
    (Texture.HIGH_DRY, Bucket.WEAK_DRAW): (0.291, ""),
    (Texture.HIGH_DRY, Bucket.AIR): (0.277, ""),
    (Texture.HIGH_DRY, Bucket.PREMIUM): (0.0025, ""),
    (Texture.LOW_DRY, Bucket.WEAK_DRAW): (0.351, ""),
    (Texture.LOW_DRY, Bucket.AIR): (0.214, ""),
}


@dataclass(frozen=True, slots=True)
class Frequency:
    """A bucket on a texture: the exact frequency; the reported one, or None; and why they differ, if not by sampling
    alone."""

    texture: Texture
    bucket: Bucket
    probability: float
    reported: float | None
    reason: str


def frequencies() -> Iterator[Frequency]:
    """Every bucket on every texture: 45 rows."""
    for texture in Texture:
        for bucket, probability in zip(Bucket, exact(texture).marginal, strict=True):
            reported, reason = REPORTED.get((texture, bucket), (None, ""))
            yield Frequency(
                texture=texture, bucket=bucket, probability=float(probability), reported=reported, reason=reason
            )
