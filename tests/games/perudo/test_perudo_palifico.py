"""Palifico by every preset: when it comes, what it changes, and what it does with two seats left."""

from __future__ import annotations

import pytest
from perudo_talk import after_round, legal_after, played

from tahur.games.perudo.game import perudo
from tahur.games.perudo.rules import (
    PRESETS,
)

every_preset = pytest.mark.parametrize("rules", list(PRESETS))
first_drop_presets = pytest.mark.parametrize("rules", ["asmodee", "classic"])
NO_DICE: tuple[int, ...] = ()


# ---- palifico: when ------------------------------------------------------------------------------


def test_a_faroleo_round_is_palifico_when_its_opener_has_exactly_one_die() -> None:
    assert perudo(cups=[1, 5, 5]).round.palifico
    assert not perudo(cups=[2, 5, 5]).round.palifico
    assert not perudo(cups=[5, 1, 5]).round.palifico


def test_faroleo_palifico_comes_again_each_time() -> None:
    game = perudo(cups=[2, 3, 3])
    game = after_round(game, [[2, 2], [3, 3, 3], [4, 4, 4]], "4 fives", "dudo")
    assert game.round.cups == (1, 3, 3)
    assert game.round.palifico
    game = after_round(game, [[2], [3, 3, 3], [4, 4, 4]], "1 two", "2 twos", "dudo")
    assert game.round.cups == (1, 2, 3)
    assert not game.round.palifico  # seat 1 lost and opens with two dice
    game = after_round(game, [[2], [3, 3], [4, 4, 4]], "1 three", "2 threes", "calza")
    assert game.round.cups == (2, 2, 3)
    game = after_round(game, [[2, 2], [3, 3], [4, 4, 4]], "4 twos", "dudo")
    assert game.round.cups == (1, 2, 3)
    assert game.round.palifico


def test_faroleo_palifico_also_comes_to_a_seat_that_opens_because_another_is_out() -> None:
    game = perudo(cups=[1, 1, 4], palifico_round=False)
    game = after_round(game, [[2], [3], [4, 4, 4, 4]], "1 five", "dudo")
    assert game.round.cups == (0, 1, 4)
    assert game.round.opener == 1
    assert game.round.palifico


@first_drop_presets
def test_asmodee_and_classic_palifico_follows_the_first_drop_to_one_die(rules: str) -> None:
    game = perudo(rules=rules, cups=[2, 3, 3])
    assert not game.round.palifico
    game = after_round(game, [[2, 2], [3, 3, 3], [4, 4, 4]], "4 fives", "dudo")
    assert game.round.palifico
    assert game.round.opener == 0
    assert game.round.dropped == (0,)
    game = after_round(game, [[2], [3, 3, 3], [4, 4, 4]], "1 two", "2 twos", "dudo")
    assert game.round.cups == (1, 2, 3)
    assert not game.round.palifico


def test_asmodee_palifico_comes_only_once_to_a_seat() -> None:
    game = perudo(rules="asmodee", cups=[2, 4, 4])
    game = after_round(game, [[2, 2], [3] * 4, [4] * 4], "4 fives", "dudo")
    assert game.round.palifico
    game = after_round(game, [[2], [3] * 4, [4] * 4], "3 fours", "4 fours", "5 fours", "dudo")
    game = after_round(game, [[2], [3] * 4, [4] * 3], "3 fours", "calza")
    assert (game.round.cups, game.round.opener) == ((2, 4, 3), 0)
    game = after_round(game, [[2, 2], [3] * 4, [4] * 3], "4 fives", "dudo")
    assert (game.round.cups, game.round.opener) == ((1, 4, 3), 0)
    assert not game.round.palifico


def test_classic_palifico_comes_only_once_to_a_seat() -> None:
    game = perudo(rules="classic", cups=[2, 4, 4], dropped=[0])
    game = after_round(game, [[2, 2], [3] * 4, [4] * 4], "4 fives", "dudo")
    assert game.round.cups == (1, 4, 4)
    assert not game.round.palifico


@first_drop_presets
def test_a_seat_that_opens_with_one_die_because_another_is_out_brings_no_first_drop_palifico(rules: str) -> None:
    game = perudo(rules=rules, cups=[1, 1, 4, 4])
    game = after_round(game, [[2], [3], [4] * 4, [4] * 4], "1 five", "dudo")
    assert game.round.opener == 1
    assert not game.round.palifico


def test_a_die_lost_by_a_wrong_calza_can_bring_palifico() -> None:
    game = perudo(rules="asmodee", cups=[4, 2, 4])
    game = after_round(game, [[3] * 4, [2, 2], [4] * 4], "2 threes", "calza")
    assert game.round.cups == (4, 1, 4)
    assert game.round.palifico


# ---- palifico: how -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["faroleo", "classic"])
def test_faroleo_and_classic_palifico_locks_the_face_for_all(rules: str) -> None:
    game = perudo(rules=rules, cups=[1, 1, 3], palifico_round=True, calza=False)
    assert legal_after(game, "2 threes") == {"dudo", "3 threes", "4 threes", "5 threes"}
    assert legal_after(game, "2 threes", "3 threes") == {"dudo", "4 threes", "5 threes"}
    assert legal_after(game, "2 aces") == {"dudo", "3 aces", "4 aces", "5 aces"}


def test_in_asmodee_palifico_a_seat_with_one_die_may_change_the_face_upwards() -> None:
    game = perudo(rules="asmodee", cups=[1, 1, 2], palifico_round=True)
    legal = legal_after(game, "2 fives")
    assert legal == {"dudo", "calza", "2 sixes", "3 fives", "3 sixes", "4 fives", "4 sixes"}


def test_in_asmodee_palifico_a_seat_with_more_dice_keeps_the_face_as_it_was_changed() -> None:
    game = perudo(rules="asmodee", cups=[1, 1, 2], palifico_round=True)
    assert legal_after(game, "2 fives", "2 sixes") == {"dudo", "calza", "3 sixes", "4 sixes"}


def test_in_asmodee_palifico_aces_are_the_lowest_face_and_nothing_is_halved_or_doubled() -> None:
    game = perudo(rules="asmodee", cups=[1, 1, 2], palifico_round=True)
    assert {"2 twos", "2 sixes", "3 aces", "3 twos"} <= legal_after(game, "2 aces")
    assert not {"1 ace", "2 aces", "3 aces", "4 aces"} & legal_after(game, "2 twos")


@every_preset
def test_the_face_is_free_again_after_palifico(rules: str) -> None:
    game = perudo(rules=rules, cups=[1, 3, 3], palifico_round=True)
    game = after_round(game, [[2], [3] * 3, [4] * 3], "1 two", "2 twos", "dudo")
    assert not game.round.palifico
    assert {"2 fives", "3 sixes", "1 ace"} <= legal_after(game, "1 two")


@every_preset
def test_aces_are_wild_but_not_in_palifico(rules: str) -> None:
    dice = [[1], [1, 4], [4, 6]]
    usual = perudo(rules=rules, cups=[1, 2, 2], palifico_round=False)
    special = perudo(rules=rules, cups=[1, 2, 2], palifico_round=True)
    assert played(usual, dice, "4 fours", "dudo").payoffs == (0, -1, 0)
    assert played(special, dice, "4 fours", "dudo").payoffs == (-1, 0, 0)
    assert played(special, dice, "2 fours", "dudo").payoffs == (0, -1, 0)


# ---- palifico with two seats left ----------------------------------------------------------------


@pytest.mark.parametrize(("rules", "expected"), [("faroleo", True), ("asmodee", False), ("classic", False)])
def test_only_faroleo_has_palifico_with_two_seats_left(rules: str, expected: bool) -> None:
    game = perudo(rules=rules, cups=[2, 3, 0])
    game = after_round(game, [[2, 2], [3, 3, 3], NO_DICE], "4 fives", "dudo")
    assert game.round.cups == (1, 3, 0)
    assert game.round.palifico is expected


@first_drop_presets
def test_a_seat_that_is_out_does_not_count_as_left(rules: str) -> None:
    three, two = perudo(rules=rules, cups=[2, 3, 1, 0]), perudo(rules=rules, cups=[2, 3, 0, 0])
    assert after_round(three, [[2, 2], [3] * 3, [4], NO_DICE], "4 fives", "dudo").round.palifico
    assert not after_round(two, [[2, 2], [3] * 3, NO_DICE, NO_DICE], "4 fives", "dudo").round.palifico
