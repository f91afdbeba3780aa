"""Ranges to test with: written, and drawn at random."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tahur.cards.cards import COMBOS
from tahur.cards.ranges import Range

OOP_B = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"

weights = st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.5, 1.0])
sparse = arrays(np.float64, COMBOS, elements=weights, fill=st.sampled_from([0.0, 0.5, 1.0]))
dense = st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).random(COMBOS))
vectors = sparse | dense
patient = settings(deadline=None)  # a busy machine is not a failure


def hands_of(text: str) -> list[str]:
    """The classes a text names, each at full weight and none by halves."""
    hands = Range(text).hands()
    assert set(hands.values()) <= {1.0}
    return list(hands)


def of_classes(named: dict[str, float]) -> Range:
    return Range(",".join(f"{name}:{weight!r}" for name, weight in named.items()))
