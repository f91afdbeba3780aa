"""A range as a value: combos, weights, classes, and that nobody can change it."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from range_examples import patient, vectors

from tahur.cards.cards import COMBOS, RANKS, cards_of
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_names


@patient
@given(vectors)
def test_indices_and_weights_are_the_combos_held(vector: np.ndarray) -> None:
    held = Range.from_vector(vector)
    assert held.indices.dtype == np.int64
    assert held.weights.dtype == np.float64
    assert held.indices.tolist() == [combo for combo in range(COMBOS) if vector[combo] > 0]
    assert held.weights.tolist() == vector[vector > 0].tolist()
    assert len(held) == len(held.indices)
    assert held.combos == pytest.approx(vector.sum())


@patient
@given(vectors)
def test_each_class_gives_the_mean_of_its_combos(vector: np.ndarray) -> None:
    combos: dict[str, list[float]] = {name: [] for name in class_names()}
    for combo in range(COMBOS):
        high, low = cards_of(combo)
        suits = "" if high.rank == low.rank else "s" if high.suit == low.suit else "o"
        combos[RANKS[high.rank] + RANKS[low.rank] + suits].append(float(vector[combo]))
    means = [sum(held) / len(held) for held in combos.values()]
    assert Range.from_vector(vector).matrix().ravel().tolist() == pytest.approx(means)


def test_a_class_held_in_part_gives_its_mean() -> None:
    assert Range("AsAh").hands() == {"AA": pytest.approx(1 / 6)}


def test_the_matrix_has_suited_hands_above_the_diagonal() -> None:
    matrix = Range("AKs,QJo:0.5,22:0.25").matrix()
    assert (matrix[0, 1], matrix[3, 2], matrix[12, 12]) == (1.0, 0.5, 0.25)
    assert matrix.sum() == 1.75


def test_hands_come_in_matrix_order() -> None:
    assert list(Range("22+,AK,KQo").hands())[:4] == ["AA", "AKs", "AKo", "KK"]
    assert list(Range("any").hands()) == list(class_names())


def test_a_range_cannot_be_changed() -> None:
    held = Range("22+")
    for array in (held.vector, held.indices, held.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(FrozenInstanceError):
        held.vector = np.ones(COMBOS)  # type: ignore[misc]


def test_a_range_does_not_share_the_array_it_came_from() -> None:
    vector = np.ones(COMBOS)
    held = Range.from_vector(vector)
    vector[0] = 0.0
    assert held.vector[0] == 1.0


def test_equal_ranges_are_equal_however_they_were_written() -> None:
    negative_zeros = Range.from_vector(-np.zeros(COMBOS))
    assert Range("AKs,AKo") == Range("KA")
    assert hash(Range("AKs,AKo")) == hash(Range("KA"))
    assert hash(negative_zeros) == hash(Range("none"))
    assert Range("AA") != Range("AA:0.5")
    assert Range("AA") != "AA"
    assert not Range("none")


def test_a_range_can_be_pasted_pickled_and_parsed_again() -> None:
    held = Range("22+,A5s:0.5,AsKd:0.1")
    assert repr(held) == "Range('22+,A5s:0.5,AsKd:0.1')"
    assert eval(repr(held)) == held
    assert pickle.loads(pickle.dumps(held)) == held
    assert Range.parse("22+,A5s") is Range.parse("22+,A5s")
