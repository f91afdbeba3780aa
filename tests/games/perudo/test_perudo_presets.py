"""Every cell of the table of rules, by name. The table is in words in `tahur.games.perudo.rules` and on the rule cards.

| point | faroleo | asmodee | classic |
|---|---|---|---|
| dice, seats | 5 dice, 2-8 seats | same | same |
| raise | any higher count, or same count at a higher face | the face never falls, except to aces | as faroleo |
| to aces; from aces | >= ceil(n/2); >= 2n+1, any face | same | same |
| opening on aces | no; yes in palifico | same | yes |
| palifico | opened by one die, each time; locked | first drop, once; one die may change | first drop, once; locked |
| palifico with two seats left | yes | no | no |
| calza | yes, up to the start number | not with two seats left | off |
| next to open | who lost or won a die; if out, the next seat in | same | same |
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from perudo_talk import after_round, legal_after, played, say

from tahur.core.errors import IllegalAction, SettingError, UnknownName
from tahur.core.game import OVER
from tahur.games.perudo.bids import Raising
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.rules import (
    ASMODEE,
    CLASSIC,
    FAROLEO,
    PRESETS,
    Calza,
    Palifico,
    PerudoRules,
    preset,
    with_calza,
    with_palifico,
)

every_preset = pytest.mark.parametrize("rules", list(PRESETS))
NO_DICE: tuple[int, ...] = ()


# ---- the presets ---------------------------------------------------------------------------------


def test_there_are_three_presets_and_no_two_are_alike() -> None:
    assert list(PRESETS) == ["faroleo", "asmodee", "classic"]
    for first in PRESETS.values():
        for second in PRESETS.values():
            assert (first is second) == (replace(first, name="") == replace(second, name=""))


def test_the_presets_are_the_cells_of_the_table() -> None:
    locked = Palifico(once=True, one_die_changes=False, two_left=False)
    assert PerudoRules() == FAROLEO == preset("faroleo")
    assert (
        PerudoRules(
            name="faroleo",
            dice=5,
            raising=Raising.ANY_FACE,
            aces_open=False,
            palifico=Palifico(False, False, True),
            calza=Calza.ALWAYS,
        )
        == FAROLEO
    )
    assert ASMODEE.raising is Raising.FACE_NEVER_FALLS
    assert (
        PerudoRules(name="classic", dice=5, raising=Raising.ANY_FACE, aces_open=True, palifico=locked, calza=Calza.OFF)
        == CLASSIC
    )


def test_an_unknown_preset_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownName, match="no rules 'farol'; valid: faroleo, asmodee, classic"):
        preset("farol")


# ---- dice and seats ------------------------------------------------------------------------------


@every_preset
@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_seats_start_with_five_dice_each(rules: str, seats: int) -> None:
    assert perudo(rules=rules, seats=seats).round.cups == (5,) * seats


@every_preset
@pytest.mark.parametrize("seats", [0, 1, 9])
def test_fewer_than_two_and_more_than_eight_seats_are_refused(rules: str, seats: int) -> None:
    with pytest.raises(SettingError, match="valid: 2 to 8"):
        perudo(rules=rules, seats=seats)


# ---- the raise -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["faroleo", "classic"])
def test_faroleo_and_classic_raise_to_any_higher_count_or_the_same_count_of_a_higher_face(rules: str) -> None:
    legal = legal_after(perudo(rules=rules), "3 fives")
    assert {"4 twos", "4 fives", "4 sixes", "3 sixes", "10 threes"} <= legal
    assert not {"3 fives", "3 fours", "2 sixes", "1 two"} & legal


def test_the_asmodee_face_never_falls() -> None:
    legal = legal_after(perudo(rules="asmodee"), "3 fives")
    assert {"4 fives", "4 sixes", "3 sixes", "10 fives"} <= legal
    assert not {"3 fives", "3 fours", "4 twos", "4 fours", "10 threes"} & legal


def test_after_sixes_asmodee_leaves_only_sixes_and_aces() -> None:
    legal = legal_after(perudo(rules="asmodee", seats=3), "4 sixes") - {"dudo", "calza"}
    assert {words.split()[1] for words in legal} == {"sixes", "aces"}


def test_classic_raises_exactly_as_faroleo() -> None:
    faroleo, classic = perudo(calza=False), perudo(rules="classic")
    for words in ("1 two", "3 fives", "6 sixes", "9 threes", "10 sixes"):
        assert legal_after(faroleo, words) == legal_after(classic, words)


# ---- to aces and from aces -----------------------------------------------------------------------


@every_preset
@pytest.mark.parametrize(
    ("standing", "fewest"), [("1 six", 1), ("2 twos", 1), ("3 twos", 2), ("5 sixes", 3), ("6 twos", 3)]
)
def test_going_to_aces_takes_at_least_half_the_count_rounded_up(rules: str, standing: str, fewest: int) -> None:
    legal = legal_after(perudo(rules=rules), standing)
    aces = sorted(int(words.split()[0]) for words in legal if words.split()[-1] in ("ace", "aces"))
    assert aces == list(range(fewest, 11))


@every_preset
def test_leaving_aces_takes_at_least_double_plus_one_of_any_face(rules: str) -> None:
    legal = legal_after(perudo(rules=rules), "3 twos", "2 aces")
    assert {"5 twos", "5 threes", "5 fours", "5 fives", "5 sixes", "10 twos"} <= legal
    assert not {"4 twos", "4 sixes", "3 sixes"} & legal


@every_preset
def test_aces_over_aces_take_a_higher_count(rules: str) -> None:
    legal = legal_after(perudo(rules=rules), "3 twos", "2 aces")
    assert "3 aces" in legal
    assert not {"2 aces", "1 ace"} & legal


# ---- opening on aces -----------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "allowed"), [("faroleo", False), ("asmodee", False), ("classic", True)])
def test_only_classic_opens_on_aces(rules: str, allowed: bool) -> None:
    assert ("1 ace" in legal_after(perudo(rules=rules))) is allowed


@every_preset
def test_palifico_may_open_on_aces(rules: str) -> None:
    assert {"1 ace", "4 aces"} <= legal_after(perudo(rules=rules, cups=[1, 2, 2], palifico_round=True))


# ---- calza ---------------------------------------------------------------------------------------


def test_faroleo_allows_calza_on_your_turn_with_two_seats_and_with_more() -> None:
    for seats in (2, 3, 8):
        game = perudo(seats=seats)
        assert "calza" in legal_after(game, "3 fives")
        assert "calza" not in legal_after(game)


def test_asmodee_allows_calza_until_two_seats_are_left() -> None:
    assert "calza" in legal_after(perudo(rules="asmodee", cups=[1, 1, 1]), "1 five")
    assert "calza" not in legal_after(perudo(rules="asmodee", cups=[5, 5, 0]), "1 five")


@pytest.mark.parametrize("seats", [2, 3])
def test_classic_has_no_calza(seats: int) -> None:
    assert "calza" not in legal_after(perudo(rules="classic", seats=seats), "3 fives")


@pytest.mark.parametrize("rules", ["faroleo", "asmodee"])
def test_a_right_calza_wins_a_die(rules: str) -> None:
    game = perudo(rules=rules, cups=[3, 4, 2])
    record = played(game, [[5, 1, 2], [2, 3, 4, 6], [5, 6]], "3 fives", "calza")
    assert record.payoffs == (0, 1, 0)
    following = game.next(record)
    assert following is not None
    assert following.round.cups == (3, 5, 2)


@pytest.mark.parametrize("rules", ["faroleo", "asmodee"])
@pytest.mark.parametrize("bid", ["2 fives", "4 fives"])
def test_a_wrong_calza_loses_a_die_whether_too_many_or_too_few(rules: str, bid: str) -> None:
    game = perudo(rules=rules, cups=[3, 4, 2])
    assert played(game, [[5, 1, 2], [2, 3, 4, 6], [5, 6]], bid, "calza").payoffs == (0, -1, 0)


@pytest.mark.parametrize("rules", ["faroleo", "asmodee"])
@pytest.mark.parametrize("start", [2, 5])
def test_a_right_calza_with_the_start_number_of_dice_wins_nothing(rules: str, start: int) -> None:
    game = perudo(rules=rules, dice=start, cups=[start, start, 1])
    dice = [[5] * start, [2] * start, [3]]
    record = played(game, dice, f"{start} fives", "calza")
    assert record.payoffs == (0, 0, 0)
    following = game.next(record)
    assert following is not None
    assert following.round.cups == game.round.cups
    assert following.round.opener == 1  # it called rightly, though its cup was full


@pytest.mark.parametrize(("rules", "two_left"), [("faroleo", True), ("asmodee", False)])
def test_calza_may_be_called_in_palifico(rules: str, two_left: bool) -> None:
    assert "calza" in legal_after(perudo(rules=rules, cups=[1, 2, 2], palifico_round=True), "1 five")
    assert ("calza" in legal_after(perudo(rules=rules, cups=[1, 2], palifico_round=True), "1 five")) is two_left


# ---- dudo ----------------------------------------------------------------------------------------


@every_preset
@pytest.mark.parametrize(("bid", "loser"), [("2 fives", 1), ("3 fives", 1), ("4 fives", 0)])
def test_dudo_costs_the_caller_a_die_if_the_bid_is_met_and_else_the_bidder(rules: str, bid: str, loser: int) -> None:
    game = perudo(rules=rules, cups=[3, 4, 2])
    payoffs = played(game, [[5, 1, 2], [2, 3, 4, 6], [5, 6]], bid, "dudo").payoffs
    assert payoffs == tuple(-1 if seat == loser else 0 for seat in range(3))


@every_preset
def test_a_bid_on_aces_counts_aces_alone(rules: str) -> None:
    game = perudo(rules=rules, cups=[3, 4, 2])
    dice = [[1, 1, 2], [2, 3, 4, 6], [5, 6]]
    assert played(game, dice, "1 two", "2 aces", "dudo").payoffs == (0, 0, -1)
    assert played(game, dice, "1 two", "3 aces", "dudo").payoffs == (0, -1, 0)


@every_preset
def test_no_bid_exceeds_the_dice_in_play(rules: str) -> None:
    game = perudo(rules=rules, cups=[2, 0, 1])
    assert all(int(words.split()[0]) <= 3 for words in legal_after(game))
    with pytest.raises(IllegalAction, match="seat 0 cannot say 4 fives after nothing; legal: 1 two"):
        say(game, "4 fives")


@every_preset
def test_where_no_higher_bid_exists_only_the_calls_are_legal(rules: str) -> None:
    game = perudo(rules=rules, cups=[2, 0, 1])
    assert legal_after(game, "3 sixes", "3 aces") <= {"dudo", "calza"}
    special = perudo(rules=rules, cups=[2, 1, 1], palifico_round=True)
    assert legal_after(special, "4 sixes") <= {"dudo", "calza"}


# ---- next to open --------------------------------------------------------------------------------


@every_preset
def test_whoever_lost_a_die_opens_the_next_round(rules: str) -> None:
    game = perudo(rules=rules, seats=3)
    dice = [[2] * 5, [3] * 5, [4] * 5]
    assert after_round(game, dice, "1 five", "1 six", "dudo").round.opener == 1
    assert after_round(game, dice, "1 two", "1 three", "dudo").round.opener == 2
    assert after_round(game, dice, "1 two", "1 three", "1 five", "dudo").round.opener == 2


@pytest.mark.parametrize("rules", ["faroleo", "asmodee"])
def test_whoever_won_a_die_opens_the_next_round(rules: str) -> None:
    game = perudo(rules=rules, cups=[3, 3, 3])
    assert after_round(game, [[2] * 3, [3] * 3, [4] * 3], "1 two", "3 threes", "calza").round.opener == 2


@every_preset
def test_if_the_loser_is_out_the_next_seat_in_opens(rules: str) -> None:
    game = perudo(rules=rules, cups=[2, 0, 1, 0, 3], opener=2)
    game = after_round(game, [[2, 2], NO_DICE, [3], NO_DICE, [4] * 3], "1 six", "dudo")
    assert game.round.cups == (2, 0, 0, 0, 3)
    assert game.round.opener == 4
    game = perudo(rules=rules, cups=[2, 0, 2, 0, 1], opener=4)
    game = after_round(game, [[2, 2], NO_DICE, [3, 3], NO_DICE, [4]], "1 six", "dudo")
    assert game.round.opener == 0


@every_preset
def test_the_last_seat_with_dice_wins(rules: str) -> None:
    game = perudo(rules=rules, cups=[1, 0, 2])
    assert game.next(played(game, [[2], NO_DICE, [3, 3]], "1 six", "dudo")) is None


@every_preset
def test_seats_that_are_out_are_passed_over(rules: str) -> None:
    game = perudo(rules=rules, cups=[2, 0, 2, 0, 1], opener=2)
    table = say(game, "1 two")
    assert (table.turn, table.bidder) == (4, 2)
    table = table.after(table.actions()[-1])
    assert (table.turn, table.bidder) == (0, 4)
    table = table.after(table.actions()[0])
    assert (table.turn, table.bidder, table.caller) == (OVER, 4, 0)


# ---- overrides -----------------------------------------------------------------------------------


@every_preset
def test_without_palifico_there_is_none(rules: str) -> None:
    game = perudo(rules=rules, palifico=False, cups=[2, 3, 3])
    assert not after_round(game, [[2, 2], [3] * 3, [4] * 3], "4 fives", "dudo").round.palifico
    with pytest.raises(SettingError, match="have no palifico"):
        perudo(rules=rules, palifico=False, palifico_round=True)


@every_preset
def test_palifico_and_calza_turned_on_are_on_with_two_seats_left(rules: str) -> None:
    game = perudo(rules=rules, palifico=True, calza=True, cups=[2, 3])
    assert "calza" in legal_after(game, "1 five")
    assert after_round(game, [[2, 2], [3] * 3], "4 fives", "dudo").round.palifico


def test_turning_on_what_is_off_starts_from_the_default_palifico() -> None:
    assert with_palifico(with_palifico(CLASSIC, False), True).palifico == FAROLEO.palifico
    assert with_calza(CLASSIC, True).calza is Calza.ALWAYS


def test_the_start_number_of_dice_can_be_chosen() -> None:
    game: Perudo = perudo(seats=4, dice=3)
    assert game.round.cups == (3, 3, 3, 3)
    assert game.round.rules.dice == 3
