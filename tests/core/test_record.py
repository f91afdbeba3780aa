"""Records: there and back as one line, refused when they are none, and shown to a seat without what is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tahur.core.errors import RecordError
from tahur.core.game import OVER
from tahur.core.record import Record, Talk, Thought, decisions
from tahur.games.kuhn import BET, PASS, Kuhn
from tahur.games.leduc import CALL, FOLD, RAISE, Leduc

texts = st.text(max_size=20) | st.sampled_from(["\u2028", "\x85", "\n", "\r", "ñ", "\ud800", "\x00", '"', "🂡"])
wholes = st.integers(-(2**70), 2**70)
numbers = wholes | st.floats(allow_nan=False, allow_infinity=False)
remarks = st.tuples(st.integers(0, 99), st.integers(0, 9), texts)
json_values = st.recursive(
    st.none() | st.booleans() | wholes | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
records = st.builds(
    Record,
    texts,
    st.dictionaries(texts, json_values, max_size=3),
    st.lists(wholes, max_size=4).map(tuple),
    st.lists(wholes, max_size=8).map(tuple),
    st.lists(numbers, max_size=4).map(tuple),
    st.lists(texts, max_size=4).map(tuple),
    st.lists(st.builds(lambda remark: Talk(*remark), remarks), max_size=3).map(tuple),
    st.lists(st.builds(lambda remark: Thought(*remark), remarks), max_size=3).map(tuple),
)
FIELDS = ("version", "game", "settings", "hands", "actions", "payoffs", "names", "talk", "thoughts")
GOOD = Record(
    game="kuhn",
    settings={"seats": 2},
    hands=(0, 2),
    actions=(PASS, BET, BET),
    payoffs=(-2, 2),
    names=("Ana", "Blas"),
    talk=(Talk(0, 0, "hola"),),
)

# Seat 0 speaks first and thinks twice; seat 1 thinks once. King over jack, bet and called.
TALKATIVE = Record(
    game="kuhn",
    settings={"seats": 2},
    hands=(2, 0),
    actions=(PASS, BET, BET),
    payoffs=(2, -2),
    names=("Ana", "Blas"),
    talk=(Talk(0, 0, "slowly"), Talk(1, 1, "all of it"), Talk(2, 0, "thank you")),
    thoughts=(Thought(0, 0, "a trap"), Thought(1, 1, "a bluff"), Thought(2, 0, "of course")),
)


# ---- one line ------------------------------------------------------------------------------------


@given(records)
def test_a_record_is_the_same_after_json(record: Record) -> None:
    assert Record.from_json(record.to_json()) == record


@given(records)
def test_a_record_has_no_line_end_inside(record: Record) -> None:
    assert not {"\n", "\r"} & set(record.to_json())


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85", "\ud800"], ids=ascii)
def test_a_record_is_one_line_for_every_reader_and_fits_in_a_file(letter: str) -> None:
    """Some letters end a line for `splitlines`, and a browser can send half a pair, which UTF-8 cannot write."""
    line = replace(GOOD, talk=(Talk(0, 0, letter),)).to_json()
    assert line.splitlines() == [line]
    assert line.encode().decode() == line


def test_whole_chips_stay_whole() -> None:
    assert '"payoffs":[-2,2]' in GOOD.to_json()


# ---- hostile lines -------------------------------------------------------------------------------


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(GOOD.to_json()), **fields})


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "17",
        "[]",
        '"kuhn"',
        "{}",
        "{" * 9,
        "[" * 100_000,
        "9" * 5_000,
        "\ufeff{}",
        GOOD.to_json()[:-1],
        GOOD.to_json() + "}",
        changed(version=2),
        changed(version=None),
        changed(hands=None),
        changed(hands=[[0], 1]),
        changed(actions=["raise"]),
        changed(talk=[[0, 0]]),
        changed(talk=["hola"]),
        changed(thoughts=[[0, "Ana", "text"]]),
        changed(settings=[1]),
        *(
            json.dumps({key: value for key, value in json.loads(GOOD.to_json()).items() if key != gone})
            for gone in FIELDS
        ),
    ],
    ids=lambda line: line[:24],
)
def test_a_line_that_is_no_record_raises_a_record_error(line: str) -> None:
    with pytest.raises(RecordError):
        Record.from_json(line)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hands", [float("inf"), 0]),
        ("hands", [0, 1.5]),
        ("hands", [True, 0]),
        ("hands", "12"),
        ("actions", {"1": 1}),
        ("game", None),
        ("settings", [["seats", 2]]),
        ("payoffs", "12"),
        ("payoffs", [None, "a"]),
        ("payoffs", [float("nan"), 1]),
        ("payoffs", [float("inf"), 1]),
        ("names", "ab"),
        ("names", [1, None]),
        ("talk", [["0", 0, {}]]),
        ("talk", [[float("inf"), 0, "hola"]]),
        ("version", True),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused_not_repaired(name: str, value: Any) -> None:
    with pytest.raises(RecordError):
        Record.from_json(changed(**{name: value}))


@given(st.text() | json_values.map(json.dumps))
@example("[" * 2_000 + "]" * 2_000)
def test_no_text_raises_anything_but_a_record_error(line: str) -> None:
    read_or_refused(line)


@given(st.sampled_from(FIELDS), json_values | st.just(float("inf")) | st.lists(st.just(float("inf")), max_size=2))
def test_no_field_raises_anything_but_a_record_error(name: str, value: Any) -> None:
    read_or_refused(changed(**{name: value}))


@given(st.integers(0, 300), st.sampled_from(list('0{}[]",:-e \\nul')))
def test_no_slip_of_the_pen_raises_anything_but_a_record_error(at: int, letter: str) -> None:
    line = GOOD.to_json()
    read_or_refused(line[:at] + letter + line[at + 1 :])


def read_or_refused(line: str) -> None:
    """Whatever is read is a record through and through: written, it is read as the same."""
    try:
        record = Record.from_json(line)
    except RecordError:
        return
    assert Record.from_json(record.to_json()) == record
    assert all(type(number) is int for number in (*record.hands, *record.actions))
    assert all(type(paid) in (int, float) for paid in record.payoffs)


# ---- replay --------------------------------------------------------------------------------------


def test_replay_gives_every_table_from_the_first_to_the_last() -> None:
    tables = list(GOOD.replay(Kuhn()))
    assert [table.history for table in tables] == [(), (PASS,), (PASS, BET), (PASS, BET, BET)]
    assert [table.turn for table in tables] == [0, 1, 0, OVER]


@pytest.mark.parametrize("actions", [(PASS, 7), (PASS, PASS, BET), (-1,)])
def test_a_record_its_game_cannot_have_produced_raises_a_record_error(actions: tuple[int, ...]) -> None:
    record = Record(game="kuhn", settings={"seats": 2}, hands=(0, 2), actions=actions, payoffs=(-1, 1))
    with pytest.raises(RecordError):
        list(record.replay(Kuhn()))


def test_decisions_leave_out_what_chance_played() -> None:
    actions = (CALL, CALL, 3, RAISE, FOLD)
    taken = list(decisions(Leduc(), actions))
    assert [action for _, action in taken] == [CALL, CALL, RAISE, FOLD]
    assert [table.turn for table, _ in taken] == [0, 1, 0, 1]
    assert [len(table.history) for table, _ in taken] == [0, 1, 3, 4]


# ---- what a seat sees ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "during", "after"), [(0, (2, None), (2, 0)), (1, (None, 0), (2, 0)), (None, (None, None), (2, 0))]
)
def test_hands_are_hidden_until_they_are_shown(seat: int | None, during: Any, after: Any) -> None:
    game = Kuhn()
    for upto in range(3):
        assert TALKATIVE.seen_by(game, seat, upto).hands == during
    assert TALKATIVE.seen_by(game, seat, 3).hands == TALKATIVE.seen_by(game, seat).hands == after


def test_a_hand_that_was_not_called_stays_hidden_after_the_end() -> None:
    record = Record(game="kuhn", settings={"seats": 2}, hands=(0, 2), actions=(BET, PASS), payoffs=(1, -1))
    assert record.seen_by(Kuhn(), 1).hands == (None, 2)
    assert record.seen_by(Kuhn(), None).hands == (None, None)
    assert record.seen_by(Kuhn(), 1).payoffs == (1, -1)


def test_only_one_of_three_hands_stays_hidden_when_it_folded() -> None:
    record = Record(game="kuhn", settings={"seats": 3}, hands=(0, 1, 3), actions=(BET, PASS, BET), payoffs=(-2, -1, 3))
    assert record.seen_by(Kuhn(3), 0).hands == (0, None, 3)


def test_payoffs_are_told_at_the_end_only() -> None:
    told = [TALKATIVE.seen_by(Kuhn(), 0, upto).payoffs for upto in range(4)]
    assert told == [None, None, None, (2, -2)]


def test_actions_and_names_are_told_as_far_as_the_hand_went() -> None:
    seen = TALKATIVE.seen_by(Kuhn(), 1, 2)
    assert (seen.actions, seen.names, seen.seat) == ((PASS, BET), ("Ana", "Blas"), 1)


def test_what_is_said_with_an_action_is_not_heard_before_it() -> None:
    heard = [[said.text for said in TALKATIVE.seen_by(Kuhn(), 1, upto).talk] for upto in range(4)]
    assert heard == [[], ["slowly"], ["slowly", "all of it"], ["slowly", "all of it", "thank you"]]


def test_thoughts_are_in_the_record_and_in_nothing_that_is_seen() -> None:
    assert Record.from_json(TALKATIVE.to_json()).thoughts == TALKATIVE.thoughts
    for seat in (0, 1, None):
        for upto in (0, 1, 2, 3, None):
            seen = repr(TALKATIVE.seen_by(Kuhn(), seat, upto))
            assert not [thought for thought in TALKATIVE.thoughts if thought.text in seen]
