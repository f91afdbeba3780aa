"""The evaluator against its slow twin (`plain`), against every hand there is, and against phevaluator."""

import time
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from tahur.cards import tables
from tahur.cards.cards import Card, cards_text, parse_cards
from tahur.cards.evaluator import (
    BEST_RANK,
    CATEGORIES,
    category_of,
    evaluate,
    evaluate_many,
    evaluator,
    name_hand,
    rank_name,
)
from tahur.cards.plain import describe
from tahur.core.errors import CardError

# How many of all hands are what: https://en.wikipedia.org/wiki/Poker_probability, high card first.
FIVE_CARD_COUNTS = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
SEVEN_CARD_COUNTS = [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584]

hands_of_every_size = st.integers(5, 7).flatmap(
    lambda size: st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)
)


def random_hands(rng: np.random.Generator, count: int, size: int) -> np.ndarray:
    return rng.random((count, 52)).argpartition(size, axis=1)[:, :size].astype(np.uint8)


@cache
def all_fives() -> np.ndarray:
    """(2598960, 5) every hand, ordered so that the first C(n, 5) rows are those of the n lowest cards."""
    flat = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * comb(52, 5))
    return np.ascontiguousarray(51 - flat.reshape(-1, 5)[::-1, ::-1])


@cache
def one_of_each() -> list[tuple[tuple[int, tuple[int, ...]], list[int]]]:
    """The twin's description of every kind of hand, with one such hand, weakest first; the evaluator has no say."""
    ranks = [way for way in combinations_with_replacement(range(13), 5) if way[0] != way[4]]
    mixed = [[4 * rank + place % 4 for place, rank in enumerate(way)] for way in ranks]
    suited = [[4 * rank for rank in way] for way in combinations(range(13), 5)]
    return sorted((describe(hand), hand) for hand in mixed + suited)


def category_counts(ranks: np.ndarray) -> np.ndarray:
    return np.bincount(CATEGORY_OF_RANK[ranks], minlength=10)


CATEGORY_OF_RANK = np.array([9] + [category for (category, _), _ in one_of_each()])  # 9: no rank at all


# Against the definition.


def test_the_twin_knows_7462_kinds_of_hands() -> None:
    assert all(len(set(hand)) == 5 for _, hand in one_of_each())
    assert len({description for description, _ in one_of_each()}) == len(one_of_each()) == BEST_RANK


def test_each_kind_of_hand_has_the_rank_of_its_place_in_the_order() -> None:
    hands = [hand for _, hand in one_of_each()]
    assert evaluate_many(hands).tolist() == list(range(1, BEST_RANK + 1))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_have_the_rank_that_the_definition_gives(size: int) -> None:
    place = {description: place for place, (description, _) in enumerate(one_of_each(), start=1)}
    hands = random_hands(np.random.default_rng(size), 2_000, size)
    assert evaluate_many(hands).tolist() == [place[describe(hand)] for hand in hands.tolist()]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_of_few_ranks_or_one_suit_have_the_rank_that_the_definition_gives(size: int) -> None:
    """Full houses, quads and straight flushes, which random hands hardly ever are."""
    rng = np.random.default_rng(size)
    place = {description: place for place, (description, _) in enumerate(one_of_each(), start=1)}
    narrow = [list(range(low, low + 12)) for low in range(0, 44, 4)]  # three neighbouring ranks
    suited = [[*range(suit, 52, 4), *rng.permutation(52)[:3].tolist()] for suit in range(4)]
    for cards in narrow + suited:
        for _ in range(30):
            hand = rng.permutation(sorted(set(cards)))[:size].tolist()
            assert evaluate(hand) == evaluate_many([hand])[0] == place[describe(hand)], cards_text(hand)


def test_all_2598960_five_card_hands_fall_into_7462_classes_of_the_known_sizes() -> None:
    ranks = evaluate_many(all_fives())
    sizes = np.bincount(ranks, minlength=BEST_RANK + 1)
    assert len(ranks) == 2_598_960
    assert sizes[0] == 0
    assert np.count_nonzero(sizes) == len(sizes) - 1 == BEST_RANK == 7462
    assert category_counts(ranks).tolist() == [*FIVE_CARD_COUNTS, 0]
    assert sizes[BEST_RANK] == 4  # royal flushes


@pytest.mark.slow
def test_all_133784560_seven_card_hands_fall_into_categories_of_the_known_sizes() -> None:
    counts = np.zeros(10, np.int64)
    for first, second in combinations(range(47), 2):
        higher = all_fives()[: comb(51 - second, 5)] + np.uint8(second + 1)
        hands = np.empty((len(higher), 7), np.uint8)
        hands[:, 0], hands[:, 1], hands[:, 2:] = first, second, higher
        counts += category_counts(evaluate_many(hands))
    assert counts.tolist() == [*SEVEN_CARD_COUNTS, 0]


# Against phevaluator, whose 1 is the best of 7,462.


def assert_phevaluator_agrees(hands: np.ndarray) -> None:
    theirs = np.fromiter((evaluate_cards(*hand) for hand in hands.tolist()), np.int64, len(hands))
    wrong = np.flatnonzero(evaluate_many(hands) != 7463 - theirs)
    assert not len(wrong), f"{cards_text(hands[wrong[0]].tolist())} and {len(wrong) - 1} more"


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_gives_20000_random_hands_the_same_rank(size: int) -> None:
    assert_phevaluator_agrees(random_hands(np.random.default_rng(10 + size), 20_000, size))


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_gives_a_million_random_hands_the_same_rank(size: int) -> None:
    rng = np.random.default_rng(20 + size)
    for _ in range(10):
        assert_phevaluator_agrees(random_hands(rng, 100_000, size))


# One hand and many.


@pytest.mark.parametrize("size", [5, 6, 7])
def test_one_hand_at_a_time_and_all_at_once_give_the_same_ranks(size: int) -> None:
    hands = random_hands(np.random.default_rng(30 + size), 20_000, size)
    assert [evaluate(hand) for hand in hands.tolist()] == evaluate_many(hands).tolist()


@given(hands_of_every_size, st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(hand: list[int], random: object) -> None:
    shuffled = hand.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert evaluate(hand) == evaluate(shuffled) == evaluate_many([hand, shuffled])[1] == evaluator()(shuffled)


@given(hands_of_every_size)
def test_a_card_more_never_makes_a_hand_worse(hand: list[int]) -> None:
    assert all(evaluate(hand[:size]) <= evaluate(hand) for size in range(5, len(hand)))


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_every_kind_of_whole_number_is_ranked_alike(kind: type[np.integer]) -> None:
    hands = random_hands(np.random.default_rng(1), 1_000, 7)
    assert np.array_equal(evaluate_many(hands.astype(kind)), evaluate_many(hands))


def test_any_layout_of_memory_is_ranked_alike() -> None:
    hands = random_hands(np.random.default_rng(2), 1_000, 7)
    sealed = hands.copy()
    sealed.setflags(write=False)
    ranks = evaluate_many(hands)
    assert ranks.dtype == np.uint16
    for alike in (np.asfortranarray(hands), np.repeat(hands, 2, axis=0)[::2], sealed, hands.tolist()):
        assert np.array_equal(evaluate_many(alike), ranks)


def test_cards_and_no_hands_at_all_are_ranked_too() -> None:
    assert evaluate_many([parse_cards("AsKsQsJsTs")]).tolist() == [evaluate(parse_cards("AsKsQsJsTs"))] == [BEST_RANK]
    assert evaluate_many(np.empty((0, 7), np.int64)).tolist() == []


# What is no hand.


@pytest.mark.parametrize("number", [-1, 52, 63, 64, 255, 256, 300, 2**40, -(2**40)])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_number_that_is_no_card_is_refused_in_any_place_with_its_row(size: int, number: int) -> None:
    for place in range(size):
        hands = random_hands(np.random.default_rng(size), 10, size).astype(np.int64)
        hands[3, place] = number
        with pytest.raises(CardError, match=r"^row 3, "):
            evaluate_many(hands)


@pytest.mark.parametrize("number", [-1, 52, 300])
def test_the_refusal_shows_the_number_that_was_given(number: int) -> None:
    with pytest.raises(CardError) as error:
        evaluate_many([[0, 1, 2, 3, 4], [0, 1, 2, 3, number]])
    assert f"[0, 1, 2, 3, {number}]" in str(error.value)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_card_held_twice_is_refused_wherever_it_is_with_its_row(size: int) -> None:
    for first, second in combinations(range(size), 2):
        hands = random_hands(np.random.default_rng(first), 10, size)
        hands[7, second] = hands[7, first]
        with pytest.raises(CardError, match=r"^row 7, "):
            evaluate_many(hands)


def test_the_first_of_several_bad_rows_is_named() -> None:
    hands = random_hands(np.random.default_rng(4), 10, 7)
    hands[8, 0] = hands[4, 0] = 99
    with pytest.raises(CardError, match=r"^row 4, "):
        evaluate_many(hands)


@pytest.mark.parametrize("shape", [(0,), (7,), (3, 0), (3, 4), (3, 8), (1, 1, 7)])
def test_a_wrong_shape_is_refused_by_name(shape: tuple[int, ...]) -> None:
    with pytest.raises(CardError, match=f"shape \\({str(shape)[1:-1]}\\)"):
        evaluate_many(np.zeros(shape, np.uint8))


@pytest.mark.parametrize("kind", [np.float64, np.bool_, np.complex128, np.str_, object])
def test_what_is_not_a_whole_number_is_refused(kind: type) -> None:
    with pytest.raises(CardError, match="expected integers"):
        evaluate_many(np.arange(5).reshape(1, 5).astype(kind))


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(CardError):
        evaluate_many([[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]])


@pytest.mark.parametrize("size", [0, 1, 4, 8])
def test_one_hand_of_a_wrong_size_is_refused_with_its_size(size: int) -> None:
    with pytest.raises(CardError, match=f"is {size} cards"):
        evaluate(range(size))


# The tables.


def test_the_tables_are_built_in_under_a_second() -> None:
    def build() -> float:
        tables.values.cache_clear()
        began = time.perf_counter()
        tables.build()
        return time.perf_counter() - began

    assert min(build() for _ in range(2)) < 1.0


def test_the_cached_tables_are_those_that_are_built() -> None:
    for name, built, cached in zip(tables.EvaluatorTables._fields, tables.build(), tables.load(), strict=True):
        assert built.dtype == cached.dtype, name
        assert built.shape == cached.shape, name
        assert built.tobytes() == cached.tobytes(), name


# Names.


@pytest.mark.parametrize(
    ("text", "name", "category"),
    [
        ("AsKsQsJsTs", "royal flush", "straight flush"),
        ("AhKhQhJhTh9h8h", "royal flush", "straight flush"),
        ("KhQhJhTh9h", "straight flush, king high", "straight flush"),
        ("Ad2d3d4d5d", "straight flush, five high", "straight flush"),
        ("6s6h6d6c2c", "four of a kind, sixes", "four of a kind"),
        ("2s2h2d2cAc", "four of a kind, deuces", "four of a kind"),
        ("KhKd4sKc4h2c9d", "full house, kings over fours", "full house"),
        ("6h6d6sTc TdThAs", "full house, tens over sixes", "full house"),
        ("As9s7s4s2sKhKd", "flush, ace high", "flush"),
        ("7c5c4c3c2c", "flush, seven high", "flush"),
        ("Ah2d3c4h5sKdKc", "straight, five high", "straight"),
        ("Ah2d3c4h5s6d", "straight, six high", "straight"),
        ("AhKdQcJhTs", "straight, ace high", "straight"),
        ("6h6d6sTc2d", "three of a kind, sixes", "three of a kind"),
        ("KhKd6s6c2d", "two pair, kings and sixes", "two pair"),
        ("KhKd6s6c2d2hAs", "two pair, kings and sixes", "two pair"),
        ("6h6dAs4c2d", "pair of sixes", "pair"),
        ("AhAdKs4c2d", "pair of aces", "pair"),
        ("AhKdQs4c2d", "high card, ace", "high card"),
        ("7h5d4s3c2d", "high card, seven", "high card"),
    ],
)
def test_a_hand_is_called_what_players_call_it(text: str, name: str, category: str) -> None:
    named = name_hand(parse_cards(text))
    assert (named.name, named.category) == (name, category)
    assert rank_name(named.rank) == name


def test_every_rank_is_in_the_category_that_the_definition_says() -> None:
    named = [CATEGORIES.index(category_of(rank)) for rank in range(1, BEST_RANK + 1)]
    assert named == CATEGORY_OF_RANK[1:].tolist()


@given(hands_of_every_size)
def test_the_five_cards_named_are_in_the_hand_and_make_its_rank(hand: list[int]) -> None:
    named = name_hand(hand)
    assert set(named.best) <= set(hand)
    assert len(set(named.best)) == 5
    assert all(type(card) is Card for card in named.best)
    assert evaluate(named.best) == named.rank == evaluate(hand)


def test_the_five_cards_of_a_wheel_are_shown_with_its_ace() -> None:
    assert set(name_hand(parse_cards("Ah2d3c4h5sKdKc")).best) == set(parse_cards("Ah2d3c4h5s"))


@pytest.mark.parametrize("rank", [-1, 0, 7463])
def test_a_rank_that_no_hand_has_is_refused(rank: int) -> None:
    for name in (rank_name, category_of):
        with pytest.raises(CardError, match=f"no hand has rank {rank};"):
            name(rank)


def test_a_hand_with_a_card_twice_has_no_name() -> None:
    with pytest.raises(CardError, match="As is twice"):
        name_hand([51, 51, 1, 2, 3])
