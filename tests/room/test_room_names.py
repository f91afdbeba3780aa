"""Names: what shows nothing or deceives is refused, what people really are called is not, and looks are unique."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tahur.room.names import BLANK, NameRefused, check_name, free_name, is_readable, look_of

GOOD = [
    "Ana",
    "Þórunn",
    "María José",
    "O’Brien",
    "李小龍",
    "Nguyễn Thị",
    "Ελένη",
    "Александра",
    "שרה",
    "علی‌رضا",  # with the non-joiner that Persian needs
    "श्री",
    "क्‍ष",  # a joiner after a virama
    "ก้อง",
    "辻󠄀",  # an ideograph with a chosen form
    "🃏",
    "😀 Ana",
    "👩‍👩‍👧‍👦",
    "🧑🏽‍🚀",
    "🏳️‍🌈",
    "🏴‍☠️",
    "🇮🇸",
    "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "❤️‍🔥",
    "1️⃣",
    "👋🏿",
    "🫩",  # of Unicode 16
    "...",
    "x",
]

BAD = {
    "nothing": "",
    "spaces": "   ",
    "no-break spaces": "\u00a0\u2003\u3000",
    "zero-width spaces": "\u200b\u200b",
    "a zero-width space inside": "A\u200bna",
    "a byte order mark": "\ufeffAna",
    "a word joiner": "An\u2060a",
    "a soft hyphen": "An\u00ada",
    "a joiner alone": "\u200d",
    "a joiner between letters": "A\u200dna",
    "a joiner at the end": "👩\u200d",
    "a non-joiner between Latin letters": "A\u200cna",
    "marks alone": "\u0301\u0302",
    "a mark first": "\u0301Ana",
    "a tower of marks": "A" + "\u0336\u0323\u0307\u0302\u0330" * 3,
    "an override": "Ana\u202egro.live",
    "an isolate": "\u2066Ana\u2069",
    "a left-to-right mark": "Ana\u200e",
    "a Hangul filler": "\u3164",
    "a half-width filler": "\uffa0",
    "a choseong filler": "\u115f\u1160",
    "Braille blanks": "\u2800\u2800",
    "a Braille blank inside": "Ana\u2800",
    "a variation selector": "\ufe0f",
    "a variation selector after a space": "A \ufe0f",
    "tags": "Ana\U000e0041\U000e0042",
    "a tagged flag without an end": "\U0001f3f4\U000e0067\U000e0062",
    "a grapheme joiner": "A\u034fna",
    "a vowel that shows nothing": "\u17b4",
    "a musical blank": "\U0001d159",
    "a control": "Ana\x07",
    "a new line": "Ana\nBen",
    "a line separator": "Ana\u2028Ben",
    "private use": "\ue000",
    "a surrogate": "\ud800",
    "not a character": "\U0001fffe",
    "too long": "x" * 25,
}


@pytest.mark.parametrize("name", GOOD)
def test_what_people_are_called_and_emoji_are_taken(name: str) -> None:
    assert check_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("kind", BAD)
def test_what_shows_nothing_or_deceives_is_refused(kind: str) -> None:
    with pytest.raises(NameRefused):
        check_name(BAD[kind])


def test_space_around_a_name_is_taken_off_and_inside_it_is_one() -> None:
    assert check_name(" \u00a0Ana  \u3000 B ") == "Ana B"


@pytest.mark.parametrize("blank", sorted(BLANK))
def test_no_blank_passes_alone_or_beside_a_letter(blank: str) -> None:
    for name in (blank, f"a{blank}", f"{blank}a"):
        with pytest.raises(NameRefused):
            check_name(name)


TEXT = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cf", "Mn", "Zs", "Lo", "So"]),
        st.sampled_from("\u200d\u200c\ufe0f\u3164\u2800\u00a0 aA\U0001f469\U0001f3f4\U000e0067\U000e007f\U0001f1ee"),
    ),
    max_size=30,
)


@given(TEXT)
@hypothesis_settings(max_examples=1500, deadline=None, derandomize=True)
def test_a_name_that_is_taken_shows_something_and_stays_as_it_is(text: str) -> None:
    try:
        name = check_name(text)
    except NameRefused:
        return
    assert check_name(name) == name
    assert is_readable(name)
    assert name == name.strip()
    assert 0 < len(name) <= 24
    assert any(unicodedata.category(char)[0] in "LNPS" or ord(char) > 0x1F000 for char in name if char not in BLANK)
    assert not set(name) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff\u00ad")
    assert look_of(name)


HIDDEN = st.sampled_from(["\u200b", "\u202e", "\u3164", "\u2800", "\U000e0041", "\x00", "\ufeff"])


@given(TEXT, HIDDEN, st.integers(0, 30))
@hypothesis_settings(max_examples=600, deadline=None, derandomize=True)
def test_no_name_survives_something_hidden_put_into_it(text: str, hidden: str, at: int) -> None:
    with pytest.raises(NameRefused):
        check_name(text[:at] + hidden + text[at:])


@given(st.lists(TEXT, min_size=1, max_size=9))
@hypothesis_settings(max_examples=400, deadline=None, derandomize=True)
def test_no_two_at_a_table_look_the_same(texts: list[str]) -> None:
    seated: list[str] = []
    for text in texts * 2:
        try:
            name = check_name(text)
        except NameRefused:
            continue
        seated.append(free_name(name, seated))
    assume(seated)
    assert len({look_of(name) for name in seated}) == len(seated)
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in seated}) == len(seated)


@pytest.mark.parametrize(
    "other", ["ana", "ANA", "\uff21\uff4e\uff41", "\u0410na", "\U0001d400na", "\u0391\u039d\u0391", "An\u0430"]
)
def test_who_looks_like_ana_gets_a_number(other: str) -> None:
    assert free_name(check_name(other), ["Ana"]) == f"{check_name(other)} 2"


def test_different_names_stay_as_they_are() -> None:
    names = ["Anna", "Bea", "Ana B", "Án"]
    assert [free_name(name, ["Ana", "Ben"]) for name in names] == names
