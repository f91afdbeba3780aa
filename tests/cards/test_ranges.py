import pickle
import random
import time
from contextlib import suppress
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tahur.cards import ranges
from tahur.cards.cards import COMBOS, RANKS, cards_of, combo_of, parse_cards
from tahur.cards.ranges import Range
from tahur.cards.rankings import EQUITY_ORDER, class_names, combos_in_top
from tahur.core.errors import RangeError

OOP_B = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"

weights = st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.5, 1.0])
sparse = arrays(np.float64, COMBOS, elements=weights, fill=st.sampled_from([0.0, 0.5, 1.0]))
dense = st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).random(COMBOS))
vectors = sparse | dense
class_weights = st.dictionaries(st.sampled_from(class_names()), weights, min_size=1)
few_weights = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=169, max_size=169)
patient = settings(deadline=None)  # a busy machine is not a failure; the speed tests are below


def hands_of(text: str) -> list[str]:
    """The classes a text names, each at full weight and none by halves."""
    hands = Range(text).hands()
    assert set(hands.values()) <= {1.0}
    return list(hands)


def of_classes(named: dict[str, float]) -> Range:
    return Range(",".join(f"{name}:{weight!r}" for name, weight in named.items()))


# What the grammar means.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("22+", "AA KK QQ JJ TT 99 88 77 66 55 44 33 22"),
        ("QQ+", "AA KK QQ"),
        ("AA", "AA"),
        ("JJ-88", "JJ TT 99 88"),
        ("88-JJ", "JJ TT 99 88"),
        ("A2s+", "AKs AQs AJs ATs A9s A8s A7s A6s A5s A4s A3s A2s"),
        ("96s+", "98s 97s 96s"),
        ("KJo+", "KQo KJo"),
        ("AKs+", "AKs"),
        ("T9s+", "AKs KQs QJs JTs T9s"),
        ("JTo+", "AKo KQo QJo JTo"),
        ("KQo", "KQo"),
        ("AK", "AKs AKo"),
        ("AQ+", "AKs AQs AKo AQo"),
        ("T9s-65s", "T9s 98s 87s 76s 65s"),
        ("65s-T9s", "T9s 98s 87s 76s 65s"),
        ("J9o-86o", "J9o T8o 97o 86o"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("KQs-KQs", "KQs"),
        ("KAs", "AKs"),
        ("a10S+", "AKs AQs AJs ATs"),
        ("1010", "TT"),
        ("qq - jj ; aKo\n76S\t", "AKo QQ JJ 76s"),
        ("QQ–JJ", "QQ JJ"),
        ("none", ""),
        ("0%", ""),
        ("AA,none", "AA"),
    ],
)
def test_an_item_names_exactly_these_classes(text: str, expected: str) -> None:
    assert sorted(hands_of(text)) == sorted(expected.split())


def test_a_range_from_a_solver_names_its_202_combos() -> None:
    expected = """
        AA KK QQ JJ TT 99 88 77 66  AKs AQs AJs ATs A9s A8s A5s A4s  AKo AQo AJo  KQs KJs KTs K9s  KQo
        QJs QTs  JTs  98s 97s 96s  87s 86s 85s  76s 75s  65s  54s
    """
    assert sorted(hands_of(OOP_B)) == sorted(expected.split())
    assert Range(OOP_B).combos == 9 * 6 + 25 * 4 + 4 * 12 == 202


@pytest.mark.parametrize("text", ["AsKd", "KdAs", "A♠K♦", "A♠️K♦️", "aSkD", "AsKd:100%", "AsKd : 1"])
def test_a_single_combo_may_be_written_in_many_ways(text: str) -> None:
    assert Range(text) == Range.of_hand("AsKd") == Range.of_hand(parse_cards("KdAs"))
    assert Range(text).indices.tolist() == [combo_of(parse_cards("AsKd"))]


@pytest.mark.parametrize("text", ["any", "ANY", "any two", "Any  Two", "random", "*", "100%"])
def test_every_hand_has_many_names(text: str) -> None:
    assert Range(text).combos == COMBOS
    assert Range(text) == Range("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32")


def test_a_later_item_overrides_an_earlier_one() -> None:
    assert Range("22+:0.5,AA").hands()["AA"] == 1.0
    assert Range("AA,22+:0.5").hands()["AA"] == 0.5
    assert Range("AA,22+:0.5,AA").hands()["AA"] == 1.0
    assert Range("AA,AsAh:0").combos == 5.0


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("AA:0.5", 0.5),
        ("AA:50%", 0.5),
        ("AA:.5", 0.5),
        ("AA:1.", 1.0),
        ("AA:33.3%", 0.333),
        ("AA:1e-05", 1e-05),
    ],
)
def test_a_weight_is_a_number_or_a_percentage(text: str, weight: float) -> None:
    assert Range(text).hands() == {"AA": weight}


def test_weights_go_on_any_item() -> None:
    text = "any:0.1,15%:0.2,22+:0.3,AK:0.4,AsKd:0.5,T9s-65s:0.6,none:0.7"
    expected = {"72o": 0.1, "KJs": 0.2, "55": 0.3, "AKs": 0.4, "87s": 0.6}
    hands = Range(text).hands()
    assert {name: hands[name] for name in expected} == expected
    assert Range(text).vector[combo_of(parse_cards("AsKd"))] == 0.5


# The ranking.


def test_the_ranking_holds_each_class_once() -> None:
    assert sorted(EQUITY_ORDER.split()) == sorted(class_names())


def test_a_percentage_takes_the_strongest_whole_classes() -> None:
    assert sorted(hands_of("15%")) == sorted(EQUITY_ORDER.split()[: len(hands_of("15%"))])
    assert hands_of("0.0001%") == ["AA"]


@given(st.floats(0, 1))
def test_a_percentage_cuts_where_the_count_is_nearest(fraction: float) -> None:
    sizes = {2: 6, "s": 4, "o": 12}
    totals = np.cumsum([sizes[2 if len(name) == 2 else name[2]] for name in EQUITY_ORDER.split()])
    nearest = np.abs(totals - fraction * COMBOS).min()
    count = combos_in_top(fraction)
    assert (count == 0) == (fraction * COMBOS == 0)
    assert count == 0 or (count in totals and abs(count - fraction * COMBOS) == nearest)


# Text and back.


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


# The value.


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


# Refusals.


@pytest.mark.parametrize(
    ("text", "position", "hint"),
    [
        ("22s", 1, "write 22"),
        ("AA,TTo+", 4, "write TT"),
        ("KK+, hello", 6, "22+"),
        ("AA:1.5", 1, "0 to 1"),
        ("AA:-0.5", 1, "0 to 1"),
        ("AA:nan", 1, "0 to 1"),
        ("AA:inf", 1, "0 to 1"),
        ("AA:1e999", 1, "0 to 1"),
        ("AA:", 1, "0 to 1"),
        ("AA:½", 1, "0 to 1"),
        ("AA:٠.٥", 1, "0 to 1"),
        ("AA:0." + "1" * 60, 1, "22+"),
        ("0" * 60 + "15%", 1, "22+"),
        ("AA:0.5:0.5", 1, "0 to 1"),
        ("AA:101%", 1, "0% to 100%"),
        ("AA:1e1%", 1, "0% to 100%"),
        ("AA:1_0%", 1, "0% to 100%"),
        ("AA:0,5", 6, "22+"),
        ("101%", 1, "0% to 100%"),
        ("-5%", 1, "22+"),
        ("nan%", 1, "0% to 100%"),
        ("A5s-K2s", 1, "A5s-A2s"),
        ("A5s-A2o", 1, "alike"),
        ("A5s-A2", 1, "alike"),
        ("AA-AK", 1, "alike"),
        ("QQ-", 1, "22+"),
        ("QQ-JJ-TT", 1, "22+"),
        ("-QQ", 1, "22+"),
        (":AA", 1, "22+"),
        ("22++", 1, "22+"),
        ("A", 1, "22+"),
        ("As", 1, "two cards"),
        ("AsAs", 1, "22+"),
        ("AsKdQc", 1, "two cards"),
        ("AsKd+", 1, "22+"),
        ("1s2s", 1, "22+"),
        ("any three", 5, "22+"),
        ("AA\0", 1, "22+"),
        ("\ud800", 1, "22+"),
    ],
)
def test_a_refusal_names_the_item_its_place_and_what_would_be_right(text: str, position: int, hint: str) -> None:
    with pytest.raises(RangeError) as refusal:
        Range.parse(text)
    message = str(refusal.value)
    assert f"at position {position} of " in message
    assert hint in message
    message.encode()


@pytest.mark.parametrize("text", ["", " ", ",;\n", "\u2003"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(RangeError, match="an empty range"):
        Range.parse(text)


def test_a_text_that_no_range_needs_is_refused() -> None:
    with pytest.raises(RangeError, match="200,000 characters"):
        Range.parse("AA " * 66_666 + "KK")


@pytest.mark.parametrize("value", [None, 5, b"AA", ["AA"]])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(RangeError, match="a range is text"):
        Range.parse(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "vector",
    [
        np.ones(1325),
        np.ones((COMBOS, 1)),
        np.full(COMBOS, np.nan),
        np.full(COMBOS, np.inf),
        np.full(COMBOS, -1e-300),
        np.full(COMBOS, 1.0000001),
        ["x"] * COMBOS,
        [[1], [1, 2]],
        [10**400] * COMBOS,
        None,
    ],
)
def test_what_is_not_1326_weights_is_refused(vector: object) -> None:
    with pytest.raises(RangeError):
        Range.from_vector(vector)  # type: ignore[arg-type]


@pytest.mark.parametrize("cards", ["As", "AsKdQc", (51, 51), (51, 52), (-1, 3), ()])
def test_what_is_not_two_cards_is_no_hand(cards: str | tuple[int, ...]) -> None:
    with pytest.raises(RangeError, match="two different cards"):
        Range.of_hand(cards)


@settings(patient, max_examples=500)
@given(st.text(st.sampled_from("AKQJT92acdhso10+-:.%*,; eE♠–\ufe0f\0\ud800٣½anytworandone")) | st.text())
def test_hostile_text_meets_a_range_or_a_range_error(text: str) -> None:
    try:
        held = Range.parse(text)
    except RangeError as error:
        str(error).encode()
        return
    assert Range.parse(held.text()) == held


# Speed.


def _random_items(item: str, seed: int = 7) -> str:
    """10 KB of distinct items of one shape."""
    rng = random.Random(seed)
    shapes = {
        "percentages": lambda: f"{rng.uniform(0, 100):.3f}%",
        "weights": lambda: f"AA:{rng.random()!r}",
        "walks": lambda: _random_walk(rng),
        "combos": lambda: "".join(rng.choice(RANKS) + rng.choice(suits) for suits in ("cCdD", "hHsS")),
    }
    text = ",".join(shapes[item]() for _ in range(5_000))[:10_240]
    return text.rpartition(",")[0]


def _random_walk(rng: random.Random) -> str:
    gap = rng.randrange(1, 12)
    ends = rng.randrange(gap, 13), rng.randrange(gap, 13)
    suits = rng.choice(["s", "S", "o", "O", ""])
    return "-".join(rng.choice([str.upper, str.lower])(RANKS[end] + RANKS[end - gap]) + suits for end in ends)


HOSTILE = {
    "junk": "x" * 10_240,
    "nothing": "," * 10_240,
    "every hand": "*," * 5_120,
    "aces": "AA," * 3_413,
    "a rank and spaces": "A" + " " * 10_239,
    "any and spaces": ("any" + " " * 335 + "tw,") * 30,
    "dashes": "-" * 10_240,
    "open walks": "AA- " * 2_560,
    "endless walk": "AA-" * 3_413,
    "colons": "AA:" * 3_413,
    "pluses": "22" + "+" * 10_238,
    "long fraction": "AA:0." + "1" * 10_235,
    "long number": "AA:" + "9" * 10_237,
    "long exponent": "AA:1e" + "9" * 10_235,
    "long percentage": "9" * 10_239 + "%",
    "strange digits": "AA:" + "٣" * 10_237,
    "zero bytes": "\0" * 10_240,
    "lone surrogates": "\ud800" * 10_240,
    "suit signs": "A♠\ufe0f" * 3_413,
    **{item: _random_items(item) for item in ("percentages", "weights", "walks", "combos")},
}


@pytest.mark.parametrize("kind", ["percentages", "weights", "walks", "combos"])
def test_ten_kilobytes_of_distinct_hands_are_read_to_the_end(kind: str) -> None:
    assert Range.parse(HOSTILE[kind])


@pytest.mark.parametrize("kind", HOSTILE)
def test_ten_kilobytes_of_anything_take_less_than_50_ms(kind: str) -> None:
    text = HOSTILE[kind]
    assert len(text) <= 10_240
    seconds = min(_seconds_to_read(text) for _ in range(4))
    assert seconds < 0.050


def _seconds_to_read(text: str) -> float:
    ranges._parse.cache_clear()  # or only the first reading would be one
    start = time.perf_counter()
    with suppress(RangeError):
        Range.parse(text)
    return time.perf_counter() - start


def test_a_text_read_before_is_nearly_free() -> None:
    Range.parse(OOP_B)
    start = time.perf_counter()
    for _ in range(1_000):
        Range.parse(OOP_B)
    assert time.perf_counter() - start < 0.050
