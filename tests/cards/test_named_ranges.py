"""Preflop ranges by name, wherever a range can be written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tahur.cards.cards import COMBOS
from tahur.cards.named_ranges import (
    NamedRange,
    RangeName,
    named_ranges,
    named_weights,
    read_named_ranges,
    write_named_ranges,
)
from tahur.cards.ranges import Range
from tahur.core.errors import RangeError


def test_a_name_is_a_range() -> None:
    opened = Range("btn-open")
    assert 0.3 < opened.combos / COMBOS < 0.55
    assert opened == Range("BTN-Open") == Range("6max:100bb:btn-open") == Range("100bb:bu-open")
    assert opened.hands()["AA"] == 1
    assert "72o" not in opened.hands()
    assert Range(opened.text()) == opened


def test_tables_and_depths_differ() -> None:
    ranges = [
        Range(name) for name in ("btn-open", "40bb:btn-open", "200bb:btn-open", "hu:btn-open", "hu:40bb:btn-open")
    ]
    assert len(set(ranges)) == len(ranges)
    assert Range("40bb:hu:btn-open") == ranges[-1]


def test_a_name_mixes_with_hands_and_weights() -> None:
    half, whole = Range("btn-open:0.5"), Range("btn-open")
    assert half.vector == pytest.approx(whole.vector / 2)
    assert Range("btn-open,AA:0.25").vector.sum() == pytest.approx(whole.vector.sum() - 6 * 0.75)
    assert Range("AA:0.25,btn-open") == whole  # a later item overrides an earlier one
    called = Range("btn-call-v-utg").vector
    assert Range("utg-open btn-call-v-utg").vector == pytest.approx(
        np.where(called > 0, called, Range("utg-open").vector)
    )
    assert Range("40bb:btn-open:50%").vector == pytest.approx(Range("40bb:btn-open").vector / 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("btn-opne", "near: btn-open"),
        ("AA,sb-3bet-v-bnt", "position 4.*near: sb-3bet-v-btn"),
        ("30bb:btn-open", "no ranges for 30 bb; 6max has 40bb, 100bb, 200bb"),
        ("hu:sb-open", "near: hu:"),
        ("btn-open:2", "0 to 1"),
        ("btn-", "22\\+"),
        ("btn-open-", "22\\+"),
    ],
)
def test_what_is_no_name_is_refused_with_the_nearest(text: str, message: str) -> None:
    with pytest.raises(RangeError, match=message):
        Range(text)


def test_hands_are_not_taken_for_names() -> None:
    assert Range("A5s-A2s").combos == 16
    assert Range("QJo-JTo").combos == 24


def test_the_table_is_what_was_written(tmp_path: Path) -> None:
    weights = np.linspace(0, 1, 169)
    entries = [
        NamedRange(RangeName("6max", 100, "btn-open"), weights, True),
        NamedRange(RangeName("hu", 40, "bb-call-v-btn"), 1 - weights),
    ]
    write_named_ranges(path := tmp_path / "ranges.tahur", entries)
    read = read_named_ranges(path)
    assert [(entry.name, entry.is_rare) for entry in read] == [(entry.name, entry.is_rare) for entry in entries]
    for entry, written in zip(read, entries, strict=True):
        assert entry.weights == pytest.approx(written.weights, abs=0.0051)


def test_every_name_of_the_table_can_be_written() -> None:
    ranges = named_ranges()
    assert len(ranges) > 500
    assert len({entry.name for entry in ranges}) == len(ranges)
    for entry in ranges:
        assert RangeName.parse(entry.name.text) == entry.name
        assert Range(entry.name.text).vector == pytest.approx(named_weights(entry.name.text))
