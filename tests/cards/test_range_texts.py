"""A range to text and back: nothing is lost, and equal ranges have one text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from range_examples import OOP_B, of_classes, patient, vectors, weights

from tahur.cards.ranges import Range
from tahur.cards.rankings import class_names

class_weights = st.dictionaries(st.sampled_from(class_names()), weights, min_size=1)
few_weights = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=169, max_size=169)


@patient
@given(vectors)
def test_every_vector_survives_its_own_text(vector: np.ndarray) -> None:
    held = Range.from_vector(vector)
    assert np.array_equal(Range.parse(held.text()).vector, vector)
    assert Range.parse(held.expansion()) == held


@patient
@given(class_weights)
def test_every_choice_of_classes_survives_its_own_text(named: dict[str, float]) -> None:
    held = of_classes(named)
    assert held.hands() == {name: named[name] for name in class_names() if named.get(name)}
    assert Range.parse(held.text()) == held == Range.parse(held.expansion())


@settings(patient, max_examples=200)
@given(few_weights)
def test_crowded_matrices_survive_their_own_text(row_by_row: list[float]) -> None:
    held = of_classes(dict(zip(class_names(), row_by_row, strict=True)))
    assert held.matrix().ravel().tolist() == row_by_row
    assert Range.parse(held.text()) == held
    assert len(held.text()) <= len(held.expansion())


@pytest.mark.parametrize(
    "text",
    [
        OOP_B,
        "22+",
        "QQ+,JJ-99:0.5,77",
        "AK",
        "AQs+,AKo",
        "AT+,A5s-A2s,KTs+,KJo,QTs-Q8s",
        "T9s-65s",
        "65s,54s",
        "JTs+",
        "22+,A5s:0.5",
        "AKs,AsKh,AsKd:0.25",
        "any",
        "any:0.5",
        "none",
    ],
)
def test_a_canonical_text_is_its_own_canonical_text(text: str) -> None:
    assert Range(text).text() == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AKs,AKo", "AK"),
        ("32o,AA,AKs,KK", "KK+,AKs,32o"),
        ("KQs,KJs,KTs", "KTs+"),
        ("A3s,A2s,A4s", "A4s-A2s"),
        ("98s,T9s,87s", "T9s-87s"),
        ("AsAh,AsAd,AsAc,AhAd,AhAc,AdAc", "AA"),
        ("AKs,AsKs:0.5", "AsKs:0.5,AhKh,AdKd,AcKc"),
        ("AA:0,KK", "KK"),
        ("AA:0", "none"),
        ("100%", "any"),
        ("AA:1e0,KK:5e-1", "AA,KK:0.5"),
    ],
)
def test_equal_ranges_have_one_text(text: str, canonical: str) -> None:
    assert Range(text).text() == canonical
    assert Range(text) == Range(canonical)


def test_an_expansion_lists_hands_one_by_one() -> None:
    assert Range("QQ+,AJs+:0.5,KQ,AsKd").expansion() == "AA,KK,QQ,AKs:0.5,AQs:0.5,AJs:0.5,KQs,KQo,AsKd"
