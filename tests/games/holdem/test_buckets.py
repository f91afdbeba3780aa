"""The nine buckets: a golden set judged by hand, and the kernel against the plain rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.cards.cards import COMBOS, cards_of, cards_text, combo_of, parse_cards
from tahur.cards.flops import canonical_many, relabel
from tahur.core.errors import CardError
from tahur.games.holdem.buckets import NO_HAND, Bucket, bucket_table, classify
from tahur.games.holdem.textures import Texture, texture_of

LINES = [line.split(maxsplit=4) for line in (Path(__file__).parent / "golden/buckets.txt").read_text().splitlines()]
GOLDEN = [line for line in LINES if line and line[0] != "#"]


@pytest.mark.parametrize(("hand", "flop", "texture", "bucket", "why"), GOLDEN, ids=lambda part: part.split(":")[0])
def test_a_hand_judged_by_hand_is_classified_alike(hand: str, flop: str, texture: str, bucket: str, why: str) -> None:
    found = classify(parse_cards(hand), parse_cards(flop))
    assert (found.texture, found.bucket.label) == (texture, bucket), f"{why}; found: {found.rows}"
    assert bucket_table([parse_cards(flop)])[0, combo_of(parse_cards(hand))] == found.bucket, f"the kernel: {why}"


def test_the_golden_set_has_every_bucket_that_a_texture_can_have() -> None:
    judged = {(texture, bucket) for _, _, texture, bucket, _ in GOLDEN}
    flops = {texture: [f for f in _classes() if texture_of(f) == texture] for texture in Texture}
    possible = {
        (texture.value, Bucket(number).label)
        for texture in Texture
        for number in np.unique(bucket_table(flops[texture]))
        if number != NO_HAND
    }
    assert len(GOLDEN) >= 60
    assert judged == possible
    assert len(possible) == 44  # premium is not possible on a wet flop


def _spots(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    cards = draw(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
    return cards[:2], cards[2:]


@given(st.composite(_spots)())
def test_the_kernel_says_what_the_plain_rules_say(spot: tuple[list[int], list[int]]) -> None:
    hand, flop = spot
    assert bucket_table([flop])[0, combo_of(hand)] == classify(hand, flop).bucket


@given(st.composite(_spots)(), st.permutations(range(4)))
def test_names_of_suits_and_order_of_cards_do_not_matter(spot: tuple[list[int], list[int]], suits: list[int]) -> None:
    hand, flop = spot
    again = classify(relabel(hand, suits), relabel(flop, suits))
    assert (again.texture, again.bucket) == (classify(hand, flop).texture, classify(hand, flop).bucket)


def test_every_hand_on_every_flop_has_one_bucket() -> None:
    table = bucket_table(_classes())
    assert len(table) == 1755
    assert ((table < len(Bucket)).sum(axis=1) == 1176).all()
    assert ((table == NO_HAND).sum(axis=1) == COMBOS - 1176).all()


@pytest.mark.parametrize("flop", ["9s5s2s", "8d8c4h", "Jh9h7c", "QcTd4c", "9c6d3h"])
def test_the_kernel_equals_the_plain_rules_on_a_flop_of_each_texture(flop: str) -> None:
    _check_twins([parse_cards(flop)])


@pytest.mark.slow(minutes=10)
@pytest.mark.parametrize("texture", Texture)
def test_the_kernel_equals_the_plain_rules_everywhere(texture: Texture) -> None:
    _check_twins([flop for flop in _classes() if texture_of(flop) == texture])


def test_the_reason_names_what_wins_and_the_rows_all_that_is_met() -> None:
    found = classify(parse_cards("Ad6d"), parse_cards("9d6s2d"))
    assert found.reason == "second pair, of 6, with a draw"
    assert [row.reason for row in found.rows] == ["second pair, of 6, with a draw", "flush draw", "A overcard"]
    assert classify(parse_cards("4h3d"), parse_cards("JcTs9s")).rows[0].bucket == Bucket.AIR
    trips = classify(parse_cards("9dTd"), parse_cards("TcTs2h"))
    assert [row.reason for row in trips.rows] == ["trips with one T in hand"]  # and no top pair besides


@pytest.mark.parametrize(("hand", "flop"), [("AsAs", "KsQsJs"), ("AsKs", "KsQsJs")])
def test_a_card_in_two_places_is_refused(hand: str, flop: str) -> None:
    with pytest.raises(CardError, match=r"twice|both"):
        classify([*parse_cards(hand[:2]), *parse_cards(hand[2:])], parse_cards(flop))


def test_a_hand_is_two_cards_on_three() -> None:
    with pytest.raises(CardError, match="a hand is two"):
        classify(parse_cards("AsKsQs"), parse_cards("2c3d4h"))
    with pytest.raises(CardError, match="a flop is 3"):
        classify(parse_cards("AsKs"), parse_cards("2c3d4h5s"))


def _classes() -> list[tuple[int, ...]]:
    """One flop of each of the 1,755 kinds."""
    flops = np.array(list(combinations(range(52), 3)), np.uint8)
    least, _ = canonical_many(flops, 0)
    return [tuple(flop) for flop in flops[(least == flops).all(axis=1)].tolist()]


def _check_twins(flops: Sequence[Sequence[int]]) -> None:
    for flop, row in zip(flops, bucket_table(flops), strict=True):
        for combo in np.flatnonzero(row != NO_HAND).tolist():
            plain = classify(cards_of(combo), flop)
            assert row[combo] == plain.bucket, f"{cards_text(cards_of(combo))} on {cards_text(flop)}: {plain.rows}"
