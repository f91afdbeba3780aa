"""What is no range is refused in words, and in no time."""

from __future__ import annotations

import random
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from range_examples import OOP_B, patient

from tahur.cards import ranges
from tahur.cards.cards import COMBOS, RANKS
from tahur.cards.ranges import Range
from tahur.core.errors import RangeError


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
        ("A5s-A2o", 1, "must match"),
        ("A5s-A2", 1, "must match"),
        ("AA-AK", 1, "must match"),
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
    start = time.thread_time()
    with suppress(RangeError):
        Range.parse(text)
    return time.thread_time() - start


def test_a_text_read_before_is_nearly_free() -> None:
    Range.parse(OOP_B)
    start = time.thread_time()
    for _ in range(1_000):
        Range.parse(OOP_B)
    assert time.thread_time() - start < 0.050
