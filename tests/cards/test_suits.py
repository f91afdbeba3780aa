"""Canonical forms: the known numbers of classes, and the kernel against the definition.

169 hands, 1,755 flops and 1,286,792 hands with a flop: Waugh, "A fast and optimal hand isomorphism algorithm"
(2013). 16,432 boards of four and 134,459 of five cards: Burnside's lemma over the 24 relabelings, redone below.
"""

from collections.abc import Iterable
from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.cards.cards import cards_of, parse_cards
from tahur.cards.flops import RELABELINGS, canonical, canonical_many, orbit, relabel
from tahur.cards.rankings import class_of_combos
from tahur.core.errors import CardError

spots = st.tuples(st.permutations(range(52)), st.integers(0, 4), st.integers(0, 5)).map(
    lambda drawn: (drawn[0][: drawn[1]], drawn[0][drawn[1] : drawn[1] + drawn[2]])
)
WIDTHS = [(2, 0), (2, 3), (2, 4), (2, 5), (0, 3), (0, 5), (1, 1), (3, 2), (4, 5), (2, 7), (9, 0)]


def subsets(cards: int, size: int) -> np.ndarray:
    """(C(cards, size), size): every way to choose so many of the lowest cards."""
    count = comb(cards, size)
    flat = chain.from_iterable(combinations(range(cards), size))
    return np.fromiter(flat, np.uint8, size * count).reshape(count, size)


def packed(cards: np.ndarray) -> np.ndarray:
    """Each row as one number, six bits a card."""
    return cards.astype(np.int64) @ (1 << 6 * np.arange(cards.shape[1]))


def fixed_sets(cycles: Iterable[int], size: int) -> int:
    """How many sets of so many cards a relabeling keeps, by the lengths of its cycles: each rank has them all."""
    ways = [1] + [0] * size
    for cycle in list(cycles) * 13:
        for total in range(size, cycle - 1, -1):
            ways[total] += ways[total - cycle]
    return ways[size]


def by_burnside(size: int) -> int:
    """The mean number of sets kept, over the relabelings of each kind: 1 + 6 + 3 + 8 + 6 of them."""
    kinds = [(1, (1, 1, 1, 1)), (6, (2, 1, 1)), (3, (2, 2)), (8, (3, 1)), (6, (4,))]
    return sum(count * fixed_sets(cycles, size) for count, cycles in kinds) // 24


# How many classes there are.


def test_the_1326_combos_are_169_hands_and_the_same_169_as_in_the_matrix() -> None:
    forms = [canonical(cards_of(combo)) for combo in range(1326)]
    assert len(set(forms)) == 169
    assert len(set(zip(forms, class_of_combos().tolist(), strict=True))) == 169


@pytest.mark.parametrize(
    ("size", "classes"),
    [(2, 169), (3, 1_755), (4, 16_432), pytest.param(5, 134_459, marks=pytest.mark.slow)],
)
def test_boards_fall_into_the_known_number_of_classes_whose_orbits_add_up(size: int, classes: int) -> None:
    assert by_burnside(size) == classes
    boards = subsets(52, size)
    for hand_size in (0, size):
        forms, orbits = canonical_many(boards, hand_size)
        kinds, first = np.unique(packed(forms), return_index=True)
        assert len(kinds) == classes
        assert orbits[first].sum() == len(boards)
        assert (1 / orbits).sum() == pytest.approx(classes, abs=1e-6)


@pytest.mark.slow
def test_hands_with_a_flop_fall_into_1286792_classes_whose_orbits_add_up() -> None:
    flops = subsets(50, 3)
    kinds, spots, mean = [], 0, 0.0
    for hand in combinations(range(52), 2):
        left = np.delete(np.arange(52, dtype=np.uint8), hand)
        rows = np.hstack([np.tile(np.array(hand, np.uint8), (len(flops), 1)), left[flops]])
        forms, orbits = canonical_many(rows, 2)
        kinds.append(np.unique(packed(forms) << 5 | orbits))
        spots += len(rows)
        mean += (1 / orbits).sum()
    classes = np.unique(np.concatenate(kinds))
    assert spots == 25_989_600
    assert len(classes) == len(np.unique(classes >> 5)) == 1_286_792
    assert (classes & 31).sum() == spots
    assert mean == pytest.approx(1_286_792, abs=1e-3)


# The kernel is the definition.


@pytest.mark.parametrize(("hand_size", "board_size"), WIDTHS)
def test_the_kernel_gives_random_spots_the_form_and_the_orbit_of_the_definition(
    hand_size: int, board_size: int
) -> None:
    rng = np.random.default_rng(100 * hand_size + board_size)
    rows = np.array([rng.permutation(52)[: hand_size + board_size] for _ in range(100)], np.uint8)
    rows[50:] = [_narrow(rng, hand_size + board_size) for _ in range(50)]
    forms, orbits = canonical_many(rows, hand_size)
    for row, form, size in zip(rows.tolist(), forms.tolist(), orbits.tolist(), strict=True):
        hand, board = row[:hand_size], row[hand_size:]
        least = canonical(hand, board)
        assert form == [*least[0], *least[1]]
        assert size == len(orbit(hand, board))


def _narrow(rng: np.random.Generator, size: int) -> list[int]:
    """Cards of three ranks: many of them keep their places when suits are exchanged."""
    return (4 * rng.integers(10) + rng.permutation(12)[:size]).tolist()


@given(spots)
def test_every_relabeling_of_a_spot_has_the_same_form(spot: tuple[list[int], list[int]]) -> None:
    hand, board = spot
    alike = [(relabel(hand, suits), relabel(board, suits)) for suits in RELABELINGS]
    assert {canonical(*other) for other in alike} == {canonical(hand, board)}
    forms, orbits = canonical_many([[*some, *others] for some, others in alike], len(hand))
    assert len(np.unique(forms, axis=0)) == 1
    assert set(orbits.tolist()) == {len(orbit(hand, board))}


@given(spots)
def test_a_form_is_its_own_form_and_one_of_the_relabelings(spot: tuple[list[int], list[int]]) -> None:
    form = canonical(*spot)
    assert canonical(*form) == form == min(orbit(*spot))
    again, _ = canonical_many([[*form[0], *form[1]]], len(form[0]))
    assert again.tolist() == [[*form[0], *form[1]]]


@given(spots, st.data())
def test_the_order_of_the_cards_does_not_matter(spot: tuple[list[int], list[int]], data: st.DataObject) -> None:
    hand, board = (data.draw(st.permutations(cards)) for cards in spot)
    assert canonical(hand, board) == canonical(*spot)
    one, other = (canonical_many([[*some, *others]], len(some))[0] for some, others in ((hand, board), spot))
    assert np.array_equal(one, other)


def test_spots_that_no_relabeling_joins_have_different_forms() -> None:
    flush_draw, none, backdoor = ("AsKs", "QsJs2d"), ("AsKs", "QhJd2c"), ("AsKs", "QsJd2c")
    forms = {canonical(parse_cards(hand), parse_cards(board)) for hand, board in (flush_draw, none, backdoor)}
    assert len(forms) == 3


def test_the_24_relabelings_are_all_different() -> None:
    assert len(set(RELABELINGS)) == 24
    assert relabel([0, 5, 51], (3, 2, 1, 0)) == (3, 6, 48)


# What is no spot.


def test_a_card_in_hand_and_on_the_board_is_refused() -> None:
    with pytest.raises(CardError, match="As is both in AsKd and in the board"):
        canonical([51, 45], [0, 51, 7])
    with pytest.raises(CardError, match="As is twice"):
        canonical([51, 51])


@pytest.mark.parametrize(("shape", "hand_size"), [((5,), 2), ((1, 10), 2), ((1, 2), 3), ((1, 2), -1), ((1, 1, 2), 2)])
def test_a_wrong_shape_is_refused(shape: tuple[int, ...], hand_size: int) -> None:
    with pytest.raises(CardError, match=f"with hands of {hand_size}"):
        canonical_many(np.zeros(shape, np.uint8), hand_size)


@pytest.mark.parametrize("number", [52, 255, -1, 256, 307, -256, 3.7])
def test_a_number_that_is_no_card_is_refused_and_not_taken_for_another(number: float) -> None:
    with pytest.raises(CardError):
        canonical_many([[0, number]], 2)
    with pytest.raises(CardError):
        canonical_many(np.array([[0, number]]), 2)


def test_no_spots_have_no_forms() -> None:
    forms, orbits = canonical_many(np.empty((0, 5), np.uint8), 2)
    assert forms.shape == (0, 5)
    assert orbits.shape == (0,)
