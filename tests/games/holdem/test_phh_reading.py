"""PHH texts: the examples, what is read, what is refused and why, several hands in one text."""

from __future__ import annotations

import datetime
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phh_hands import (
    DATA,
    GOOD,
    hand,
    played,
)

from tahur.core.errors import RecordError
from tahur.games.holdem.history import ReplayVerdict
from tahur.games.holdem.phh import (
    PhhAction,
    Verb,
    _simple_toml,
    amount_text,
    join_hands,
    read_phh,
    split_hands,
    step_text,
    write_phh,
)
from tahur.games.holdem.replay import replay
from tahur.games.holdem.story import StoryEventKind, story

# PokerKit writes and keeps this field of the format, but warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")

# ---- the examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_the_examples_end_as_they_say(path: Path) -> None:
    for text in split_hands(path.read_text("utf-8")):
        phh = read_phh(text)
        history = replay(phh)
        stated = phh.finishing_stacks is not None or phh.winnings is not None
        assert history.verdict() is (ReplayVerdict.MATCHED if stated else ReplayVerdict.UNSTATED)
        assert read_phh(write_phh(phh)) == phh


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_pokerkit_reads_what_we_write_of_the_examples_and_ends_as_we_do(path: Path) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    for text in split_hands(path.read_text("utf-8")):
        phh = read_phh(text)
        *_, last = notation.HandHistory.loads(write_phh(phh))
        ours = replay(phh)
        theirs = [stack * phh.scale for stack in last.stacks]
        if path.name == "odd_cent.phh":  # PokerKit splits a cent in halves
            assert theirs == [1975, Decimal("2012.5"), Decimal("2012.5")]
            continue
        assert theirs == [ours.finishing_stacks[seat] for seat in ours.game.stakes.order]


def test_heads_up_p1_posts_the_big_blind_and_p2_has_the_button() -> None:
    history = replay(read_phh((DATA / "good" / "heads_up.phh").read_text("utf-8")))
    assert history.game.stakes.button == 1
    posts = [(event.kind, event.seat, event.chips) for event in story(history)][:2]
    assert posts == [(StoryEventKind.SMALL_BLIND, 1, 1), (StoryEventKind.BIG_BLIND, 0, 2)]
    assert history.names == ("Nadia", "Omar")
    assert history.finishing_stacks == (234, 146)


def test_amounts_with_decimals_become_whole_chips_and_go_back() -> None:
    phh = read_phh((DATA / "good" / "fractional.phh").read_text("utf-8"))
    assert phh.scale == 100
    assert phh.stacks == (5000, 6135, 4810)
    assert phh.steps[3] == PhhAction(Verb.RAISE, 2, chips=125)
    assert "starting_stacks = [50.00, 61.35, 48.10]" in write_phh(phh)
    assert replay(phh).finishing_stacks == (4960, 0, 0, 4975, 0, 6010)  # at the seats 1, 4 and 6 of the file


def test_what_the_file_tells_besides_is_kept() -> None:
    phh = read_phh((DATA / "good" / "fractional.phh").read_text("utf-8"))
    assert phh.fields["time"] == datetime.time(21, 14, 5)
    assert (phh.fields["table"], phh.fields["hand"], phh.fields["currency"]) == ("Lisbon", 1203, "USD")
    again = read_phh(write_phh(phh))
    assert dict(again.fields) == dict(phh.fields)


def test_comments_are_kept_and_change_nothing() -> None:
    phh = read_phh((DATA / "good" / "side_pots.phh").read_text("utf-8"))
    assert phh.steps[6].comment == "all-in, less than a raise"
    assert phh.steps[13] == PhhAction(Verb.NOTE, comment="nobody can bet any more")
    assert step_text(phh.steps[6]) == "p1 cbr 40 # all-in, less than a raise"
    assert replay(phh).verdict() is ReplayVerdict.MATCHED


def test_side_pots_go_to_those_who_paid_for_them() -> None:
    history = replay(read_phh((DATA / "good" / "side_pots.phh").read_text("utf-8")))
    collected = [
        (event.seat, event.chips, event.pot) for event in story(history) if event.kind is StoryEventKind.COLLECT
    ]
    assert collected == [(4, 300, 2), (2, 180, 1), (1, 160, 0)]


# ---- what is read --------------------------------------------------------------------------------


def test_the_least_power_of_ten_leaves_no_fraction() -> None:
    assert hand(starting_stacks=[200.5, 200, 200]).scale == 10
    assert hand(starting_stacks=[200.50, 200.125, 200]).scale == 1000
    assert hand(starting_stacks=[200.0, 200, 1e3]).scale == 1
    assert hand(actions=["p3 cbr 4.25", "p1 f", "p2 f"]).scale == 100
    assert hand(finishing_stacks=[199, 201, 200.5]).scale == 10


def test_amounts_are_told_in_the_units_of_the_file() -> None:
    assert [amount_text(chips, 100) for chips in (1250, 5, 0, -125)] == ["12.50", "0.05", "0.00", "-1.25"]
    assert amount_text(1250, 1) == "1250"


def test_thousands_may_be_parted_by_commas() -> None:
    big = hand(starting_stacks=[5000, 5000, 5000], actions=["p3 cbr 1,250", "p1 f", "p2 f"])
    assert big.steps[0].chips == 1250


def test_forced_bets_may_be_left_out_or_given_once_for_all() -> None:
    assert hand(blinds_or_straddles=[1, 2]).blinds == (1, 2, 0)
    assert hand(antes=3).antes == (3, 3, 3)
    assert hand(antes=[]).antes == (0, 0, 0)


def test_a_dead_small_blind_is_played_without_one() -> None:
    history = played("p3 cc", "p1 f", "p2 cc", "d db 2c3c4d", "p2 cbr 2", "p3 f", blinds_or_straddles=[0, 2, 0])
    assert history.payoffs == (0, 2, -2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variant": "NS"}, "variant 'NS'; supported: NT"),
        ({"variant": None}, "no field 'variant'"),
        ({"min_bet": None}, "no field 'min_bet'"),
        ({"min_bet": "two"}, "min_bet has two; a number of chips was expected"),
        ({"starting_stacks": [200, True, 200]}, "starting_stacks has True; a number of chips"),
        ({"starting_stacks": [1e20, 1, 1]}, "too large or too fine for chips"),
        ({"starting_stacks": [10**16, 1, 1]}, "too large or too fine for chips"),
        ({"antes": [0, 0, 0, 0]}, "antes has 4 numbers for 3 players"),
        ({"finishing_stacks": [1, 2]}, "finishing_stacks has 2 numbers for 3 players"),
        ({"actions": "p3 f"}, "actions is p3 f; a list of texts"),
        ({"actions": ["p3 fold"]}, "'p3 fold' is not an action; valid: d dh, d db"),
        ({"actions": ["p4 f"]}, "'p4' is not a player; valid: p1 to p3"),
        ({"actions": ["x1 f"]}, "'x1' is not a player"),
        ({"actions": ["p3 cbr many"]}, "'many' is not a number of chips"),
        ({"actions": ["p3 cbr nan"]}, "an action has Decimal.'NaN'.; a number of chips"),
        ({"actions": ["p3 cbr 1e-400"]}, "too large or too fine for chips"),
    ],
)
def test_a_text_that_is_no_hand_is_told_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        hand(**changes)


@pytest.mark.parametrize("text", ["", "variant = ", "x = [[", "a = 1\na = 1", "[" * 5000, "variant = inf", "\x00"])
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(RecordError):
        read_phh(text)


def test_unknown_stacks_are_refused() -> None:
    with pytest.raises(RecordError, match=r"starting_stacks has Decimal\('Infinity'\); a number of chips"):
        read_phh(write_phh(hand()).replace("[200, 200, 200]", "[200, inf, 200]"))


_VALUES = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.sampled_from(["1.50", "-0.25", "1e3", "inf", "null", "NaN", "Infinity", "true", "'NT'", '"a"', "{a = 1}", "01"]),
    st.text("ab'\"\\[]{}, 0.#=\t", max_size=8),
    st.lists(st.sampled_from(["1", "2.5", "'p1 f'", "''", "'it''s'", "null", "[1]"]), max_size=4).map(
        lambda items: f"[{', '.join(items)}]"
    ),
)


@given(st.lists(st.tuples(st.sampled_from(["a", "b-1", "_c", "d e", "f.g"]), _VALUES), max_size=4))
def test_the_quick_reader_says_what_toml_says_or_nothing(pairs: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{name} = {value}" for name, value in pairs)
    quick = _simple_toml(text)
    if quick is not None:
        assert quick == tomllib.loads(text, parse_float=Decimal)


def test_the_quick_reader_reads_the_usual_shape() -> None:
    texts = [path.read_text("utf-8") for path in GOOD]
    assert sum(_simple_toml(text) is not None for text in texts) >= 3


# ---- several hands in one text -------------------------------------------------------------------


def test_hands_under_headers_are_parted() -> None:
    texts = split_hands((DATA / "good" / "several.phhs").read_text("utf-8"))
    assert [len(read_phh(text).stacks) for text in texts] == [3, 2, 2]


def test_a_text_without_headers_is_one_hand_even_with_a_table_of_its_own() -> None:
    text = write_phh(hand())
    assert split_hands(text) == [text]
    assert split_hands(text + "[_notes]\na = 1\n") == [text + "[_notes]\na = 1\n"]
    assert read_phh(text + "[_notes]\na = 1\n").fields["_notes"] == {"a": 1}


def test_a_bad_hand_does_not_spoil_the_others() -> None:
    first, second, third = split_hands((DATA / "bad" / "one_of_three.phhs").read_text("utf-8"))
    assert replay(read_phh(first)).verdict() is ReplayVerdict.MATCHED
    assert replay(read_phh(third)).verdict() is ReplayVerdict.MATCHED
    with pytest.raises(RecordError, match="not TOML: Unclosed array"):
        read_phh(second)


def test_hands_that_were_joined_are_parted_again_whatever_the_line_ends() -> None:
    texts = [write_phh(hand()), write_phh(hand(min_bet=2, hand=3))]
    assert [read_phh(text) for text in split_hands(join_hands(texts))] == [read_phh(text) for text in texts]
    in_dos = join_hands(texts).replace("\n", "\r\n")
    assert [read_phh(text) for text in split_hands(in_dos)] == [read_phh(text) for text in texts]
