"""Flops of every kind: fifteen kinds that hold all flops, and a few flops that stand for all of their kind."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tahur.cards.cards import cards_text, parse_cards
from tahur.cards.flops import canonical_flop
from tahur.core.errors import SolverError
from tahur.solvers.postflop.flops import canonical_names, flop_texture, flops_by_texture


@pytest.mark.parametrize(
    ("flop", "texture"),
    [
        ("Qs7h2d", "rainbow unpaired high"),
        ("JsTs9h", "two-tone unpaired medium"),
        ("9s3s2s", "monotone unpaired medium"),
        ("8s7h2d", "rainbow unpaired low"),
        ("2s2hAd", "rainbow paired high"),
        ("8s8h8d", "rainbow paired low"),
        ("9s9h2s", "two-tone paired medium"),
    ],
)
def test_a_flop_has_its_kind(flop: str, texture: str) -> None:
    assert str(flop_texture(parse_cards(flop))) == texture


def test_the_flops_of_a_kind_stand_for_all_of_it() -> None:
    all_flops = Counter(str(flop_texture(flop)) for flop in combinations(range(52), 3))
    assert len(all_flops) == 15
    shown: Counter[str] = Counter()
    for flop in flops_by_texture(24):
        assert flop_texture(flop.cards) == flop.texture
        shown[str(flop.texture)] += flop.count
    assert shown == all_flops
    assert shown.total() == 22_100


def test_more_flops_only_add_some() -> None:
    few, many = flops_by_texture(24), flops_by_texture(40)
    assert (len(few), len(many)) == (24, 40)
    assert {flop.cards for flop in few} < {flop.cards for flop in many}
    assert few == flops_by_texture(24)
    textures = [flop.texture.order for flop in many]
    assert textures == sorted(textures)
    assert len({canonical_flop(flop.cards)[0] for flop in many}) == 40


def test_fewer_flops_than_kinds_are_of_the_kinds_with_most_flops() -> None:
    assert [str(flop.texture) for flop in flops_by_texture(2)] == ["two-tone unpaired high", "rainbow unpaired high"]


@pytest.mark.parametrize("number", [0, 1756])
def test_no_flops_and_too_many_are_refused(number: int) -> None:
    with pytest.raises(SolverError, match="1 to 1,755"):
        flops_by_texture(number)


@pytest.mark.parametrize(
    ("flop", "told"), [("2c7dAh", "As7h2d"), ("Tc9c6c", "Ts9s6s"), ("4c4dKc", "Ks4s4h"), ("KcKd4d", "KsKh4s")]
)
def test_suits_are_named_from_the_highest_card_on(flop: str, told: str) -> None:
    cards = canonical_names(parse_cards(flop))
    assert cards_text(cards) == told
    assert canonical_flop(cards)[0] == canonical_flop(parse_cards(flop))[0]
