"""Which flops, what they stand for and what they weigh."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from tahur.cards.cards import cards_text, parse_cards
from tahur.cards.equity.ask import equity
from tahur.cards.equity.tables import combos
from tahur.cards.ranges import Range
from tahur.core.errors import TahurError
from tahur.games.holdem.textures import Texture
from tahur.solvers.postflop.flops import GROUPINGS, Flop, Ranges, all_flops, choose_flops, group_of, pairs

FLOPS = comb(52, 3)
LEFT = comb(48, 3)  # flops that are left when two hands are dealt


def ranges(oop: str, ip: str) -> Ranges:
    return Range.parse(oop), Range.parse(ip)


PLAIN = ranges("TT+,A2s+,T9s:0.5", "55-22,ATs+,KQs:0.25")
SUITED = ranges("AsAh,KsQs,KhQh,7c7d:0.5", "TT+,AJs+")  # tells suits apart


def weight_of_pairs(asked: Ranges, flop: str = "") -> float:
    """One pair of hands after another."""
    dead = {int(card) for card in parse_cards(flop)} if flop else set()
    total = 0.0
    for mine, mine_weight in zip(asked[0].indices, asked[0].weights, strict=True):
        for theirs, weight in zip(asked[1].indices, asked[1].weights, strict=True):
            cards = [*combos().cards[mine], *combos().cards[theirs]]
            if len(set(cards)) == 4 and not dead & set(cards):
                total += mine_weight * weight
    return total


# ---- what flops weigh ------------------------------------------------------------------------------


@pytest.mark.parametrize("flop", ["AsAhAd", "Td9d6h", "7c7h2s"])
def test_the_pairs_on_a_flop_are_those_that_share_no_card(flop: str) -> None:
    for asked in (PLAIN, SUITED):
        assert pairs(asked, parse_cards(flop)) == pytest.approx(weight_of_pairs(asked, flop))


def test_all_flops_are_1755_for_22100_and_each_deal_leaves_17296_of_them() -> None:
    found = all_flops(PLAIN)
    assert len(found) == 1755
    assert sum(flop.count for flop in found) == FLOPS
    assert sum(flop.deals for flop in found) == pytest.approx(LEFT * weight_of_pairs(PLAIN))


def test_ranges_that_tell_suits_apart_have_more_flops_and_as_many_deals() -> None:
    found = all_flops(SUITED)
    assert 1755 < len(found) < FLOPS
    assert sum(flop.count for flop in found) == FLOPS
    assert sum(flop.deals for flop in found) == pytest.approx(LEFT * weight_of_pairs(SUITED))


def test_flops_on_which_a_range_is_impossible_are_left_out() -> None:
    found = all_flops(ranges("AsAh", "KK"))
    assert sum(flop.count for flop in found) == comb(50, 3) - comb(50 - 4, 0) * 4  # no As, no Ah, and not three kings
    assert not any({"As", "Ah"} & {cards_text([card]) for card in flop.cards} for flop in found)


def mean_equity(asked: Ranges, flops: tuple[Flop, ...]) -> float:
    shares = [equity(*asked, board=flop.cards).players[0].equity for flop in flops]
    return float(np.average(shares, weights=[flop.deals for flop in flops]))


@pytest.mark.slow
def test_the_mean_equity_over_all_flops_is_the_equity_before_the_flop() -> None:
    asked = ranges("AsAh", "KsQs")
    assert mean_equity(asked, all_flops(asked)) == pytest.approx(equity(*asked).players[0].equity, abs=1e-12)


@pytest.mark.slow
def test_so_it_is_with_ranges_and_a_few_flops_come_near() -> None:
    asked = ranges("QQ+,AKs,A5s:0.5", "TT-88,AQs,KQs,JTs")
    every = all_flops(asked)
    truth = equity(*asked).players[0].equity
    assert mean_equity(asked, every) == pytest.approx(truth, abs=1e-9)
    for count, error in ((10, 0.01), (25, 0.004), (49, 0.003), (95, 0.003)):
        assert mean_equity(asked, choose_flops(str(count), asked)) == pytest.approx(truth, abs=error), count


# ---- a few for all ---------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 49])
def test_a_few_flops_stand_for_all_and_are_the_same_for_all_ranges(count: int) -> None:
    found = choose_flops(str(count), PLAIN)
    assert len(found) == len({flop.cards for flop in found}) == count
    assert sum(flop.count for flop in found) == FLOPS
    assert all(flop.deals == pytest.approx(flop.count * pairs(PLAIN, flop.cards)) for flop in found)
    other = choose_flops(str(count), ranges("55+", "AK"))
    assert [(flop.cards, flop.count) for flop in found] == [(flop.cards, flop.count) for flop in other]


def test_the_few_are_as_often_of_each_kind_as_all_are() -> None:
    every, few = all_flops(PLAIN), choose_flops("95", PLAIN)
    for by, (group, names) in GROUPINGS.items():
        for name in names:
            truth, found = (sum(flop.count for flop in some if group(flop.cards) == name) for some in (every, few))
            assert found / FLOPS == pytest.approx(truth / FLOPS, abs=0.025), (by, name)


def test_a_few_of_a_texture_stand_for_that_texture() -> None:
    whole, few = choose_flops("wet", PLAIN), choose_flops("wet:8", PLAIN)
    assert len(few) == 8 < len(whole)
    assert {group_of(flop.cards, "texture") for flop in few} == {"wet"}
    assert sum(flop.count for flop in few) == sum(flop.count for flop in whole)


def test_as_many_as_there_are_is_all_of_them() -> None:
    assert choose_flops("5000", PLAIN) == choose_flops("all", PLAIN) == all_flops(PLAIN)


# ---- names and lists -------------------------------------------------------------------------------


@pytest.mark.parametrize("by", GROUPINGS)
def test_every_flop_is_in_one_group_and_groups_can_be_asked_for(by: str) -> None:
    found = [flop.cards for name in GROUPINGS[by][1] for flop in choose_flops(name, PLAIN)]
    assert len(found) == len(set(found)) == 1755


def test_textures_are_those_of_the_street_solver() -> None:
    assert GROUPINGS["texture"][1] == tuple(Texture)
    assert choose_flops("high-dry", PLAIN) == choose_flops("HIGH_DRY", PLAIN)


def test_a_list_is_taken_as_it_is_each_flop_for_all_of_its_suits() -> None:
    found = choose_flops("Td9d6h, 2cAsKd;7h7d7s", PLAIN)
    assert [str(flop) for flop in found] == ["Td9d6h", "AsKd2c", "7s7h7d"]
    assert [flop.count for flop in found] == [12, 24, 4]
    assert [flop.count for flop in choose_flops("Td9d6h", SUITED)] != [12]


def test_a_listed_flop_weighs_what_it_weighs_among_all() -> None:
    by_count = {frozenset(flop.cards): flop for flop in all_flops(PLAIN)}
    for flop in choose_flops(",".join(map(str, list(by_count.values())[::400])), PLAIN):
        assert flop == by_count[frozenset(flop.cards)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "damp",
            r"cannot read flops 'damp'; write a list \(Td9d6h,AsKd2c\), a number, all, or one of monotone, paired, wet",
        ),
        ("damp:20", "cannot read flops 'damp:20'"),
        ("", "no flops given; write Td9d6h,AsKd2c"),
        ("0", "0 flops requested; at least 1"),
        ("Td9d", "'Td9d' is 2 cards; a flop is 3"),
        ("Td9d9d", "9d"),
        ("Td9d6h,Tc9c6s", "Tc9c6s is the flop Td9d6h with other suits; list only one of them"),
    ],
)
def test_flops_that_are_none_are_refused(text: str, what: str) -> None:
    with pytest.raises(TahurError, match=what):
        choose_flops(text, PLAIN)


def test_a_listed_flop_on_which_nobody_can_meet_is_refused() -> None:
    with pytest.raises(TahurError, match="on AsKd2c no hand of one range can meet one of the other"):
        choose_flops("AsKd2c", ranges("AsAh", "KK"))


def test_there_are_as_many_flops_as_three_cards_make() -> None:
    assert len(list(combinations(range(52), 3))) == FLOPS == 22_100
