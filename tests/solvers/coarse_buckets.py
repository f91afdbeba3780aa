"""Card buckets that need no clustering: one bucket for all hands after the flop."""

from __future__ import annotations

from functools import cache

import numpy as np

from tahur.cards.buckets import BINS, BucketCentres, Buckets, classes
from tahur.cards.cards import COMBOS
from tahur.cards.flops import start_classes


@cache
def coarse() -> Buckets:
    """One bucket for all hands after the flop."""
    flop, turn = (np.zeros((len(classes(cards).kept), COMBOS), np.uint16) for cards in (3, 4))
    return Buckets(start_classes().member.astype(np.uint16), flop, turn, np.zeros(0, np.float32))


def coarse_centres() -> BucketCentres:
    """What defines the buckets of `coarse`."""
    centre = np.ones((BINS, 1), np.float32)
    return BucketCentres(centre, centre, np.zeros(0, np.float32))
