"""The frequency of each bucket on each texture, compared with the original description of this solver.

That description let the board's own cards make hands: three suited board cards gave every hand a backdoor draw, and a
pair on the board counted as every hand's pair. So its monotone boards had no air, and its paired boards neither good,
medium nor air.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.matrices import exact

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
