"""The five textures: every flop has one, and the counts are known."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tahur.cards.cards import RANKS, parse_cards
from tahur.core.errors import CardError
from tahur.games.holdem import textures
from tahur.games.holdem.textures import Texture, is_connected, read_flop, texture_of


def test_the_textures_part_the_flops_and_their_counts_are_known() -> None:
    counts = Counter(texture_of(flop) for flop in combinations(range(52), 3))
    assert counts == {"monotone": 1144, "paired": 3796, "wet": 1584, "high_dry": 4896, "low_dry": 10680}
    assert counts.total() == 22100


def test_with_the_ace_high_only_the_counts_are_those_of_the_ruling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textures, "ACE_LOW", textures.ACE)
    counts = Counter(texture_of(flop) for flop in combinations(range(52), 3))
    assert counts == {"monotone": 1144, "paired": 3796, "wet": 1440, "high_dry": 4896, "low_dry": 10824}


def test_the_low_ace_connects_just_four_sets_of_ranks_that_were_not() -> None:
    def low_only(ranks: tuple[int, ...]) -> bool:
        return is_connected([4 * rank for rank in ranks]) and 12 in ranks and min(ranks) < 8

    found = {"".join(RANKS[rank] for rank in ranks) for ranks in combinations(range(13), 3) if low_only(ranks)}
    assert found == {"23A", "24A", "34A", "35A"}
    assert 4 * 36 == 1584 - 1440  # each is two-tone in 36 ways: 3 cards to be the odd one, 4 x 3 suits


@pytest.mark.parametrize(
    ("flop", "texture", "words"),
    [
        ("Ks9s4s", "monotone", "three cards of one suit"),
        ("KsKd4s", "paired", "more than one K"),
        ("KsKdKh", "paired", "more than one K"),
        ("Ts9s8d", "wet", "no gap wider than 2"),
        ("Ts8s6d", "wet", "no gap wider than 2"),
        ("Ts8s5d", "low_dry", "only T is"),
        ("AsKsTd", "high_dry", "A and K and T"),
        ("AsKsQd", "wet", "two cards of one suit"),
        ("As3s5d", "wet", "two cards of one suit"),
        ("As4s5d", "low_dry", "only A is"),
        ("Ts9h8d", "low_dry", "only T is"),
        ("9s4h2d", "low_dry", "no card is"),
    ],
)
def test_a_flop_is_told_with_its_reason(flop: str, texture: str, words: str) -> None:
    reading = read_flop(parse_cards(flop))
    assert reading.texture == texture
    assert words in reading.reason


def test_only_monotone_and_wet_flops_are_scary() -> None:
    assert {texture for texture in Texture if texture.scary} == {Texture.MONOTONE, Texture.WET}


@pytest.mark.parametrize("cards", ["", "AsKs", "AsKsQsJs"])
def test_what_is_not_three_cards_is_refused(cards: str) -> None:
    with pytest.raises(CardError, match="a flop is 3"):
        texture_of(parse_cards(cards))
