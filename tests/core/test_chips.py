"""Amounts in chips and in big blinds: read as they are written, and never rounded silently."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.core.chips import amount_text, chips_of, in_unit, parse_amount, scale_of
from tahur.core.errors import SettingError


@pytest.mark.parametrize(
    ("text", "big_blind", "chips"),
    [("200", 10, 200), ("1,500", 10, 1500), ("5.5bb", 10, 55), (" 97.5 BB ", 2, 195), (".5bb", 2, 1), (7, 10, 7)],
)
def test_amounts_are_read(text: str | int, big_blind: int, chips: int) -> None:
    assert chips_of("a pot", text, big_blind) == chips


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("5.5", "a pot of 5.5 is 5.5 chips, and chips are whole numbers; big blinds are written 5.5bb"),
        ("97.25bb", "a pot of 97.25bb is 194.5 chips, and chips are whole numbers, with 2 for a big blind"),
        ("lots", "a pot of 'lots'; write chips such as 200, or big blinds such as 5.5bb"),
        ("-3", "a pot of '-3'"),
        ("1e3", "a pot of '1e3'"),
    ],
)
def test_what_is_no_whole_number_of_chips_is_refused(text: str, says: str) -> None:
    with pytest.raises(SettingError, match=says):
        chips_of("a pot", text, 2)


@given(st.integers(1, 10**7), st.sampled_from([2, 10, 100, 1000]))
def test_what_is_shown_is_read_back(chips: int, big_blind: int) -> None:
    assert chips_of("a pot", amount_text(chips, big_blind), big_blind) == chips
    assert chips_of("a pot", amount_text(chips, 0), big_blind) == chips
    assert in_unit(chips, big_blind) == pytest.approx(float(Fraction(chips, big_blind)))


def test_a_scale_makes_all_amounts_whole() -> None:
    def scale(*texts: str) -> int:
        return scale_of([parse_amount("an amount", text) for text in texts])

    assert scale("200", "900") == 0
    assert scale("5.5bb", "97.5bb") == 100
    assert scale("5.555bb", "97bb") == 1000
    with pytest.raises(SettingError, match="write both in one unit"):
        scale("5.5bb", "900")
    with pytest.raises(SettingError, match="at most four decimals"):
        scale("5.55555bb")
