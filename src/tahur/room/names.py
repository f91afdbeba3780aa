"""Validate names and other texts that people type: readable, distinguishable, or refused.

An invisible name, or one that looks like another player's, could deceive a table. Emoji are allowed, including joined
sequences (families, flags, skin tones): a joiner is allowed where it joins something.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from tahur.core.errors import TahurError

MOST_MARKS: Final = 4  # combining marks on one letter
VIRAMA: Final = 9  # the combining class (virama) after which Indic scripts use joiners
JOINER, NON_JOINER = "\u200d", "\u200c"
PICTURE: Final = range(0x1F000, 0x1FB00)  # including code points reserved for later versions of Unicode
TEXT_OR_PICTURE: Final = "\ufe0e\ufe0f"  # after a symbol: text or emoji presentation
VARIANTS: Final = range(0xE0100, 0xE01F0)  # after an ideograph: variation selectors

# The flags of England, Scotland, Wales and others: a black flag, then letters that are never shown by themselves.
TAGGED_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")

# Letters, symbols and marks that are invisible: Hangul fillers, the empty Braille cell and others.
BLANK: Final = frozenset(
    "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U0001d159\U00016fe4"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
)

# Letters of other scripts that look like Latin ones, and symbols that look like letters.
LOOKALIKES: Final = str.maketrans(
    "авеѕјкмнорстухԁһԛԝ" + "αεκνορτυχ" + "іӏιiı1|" + "0",
    "abesjkmhopctyxdhqw" + "aeknoptux" + "lllllll" + "o",
)


class NameRefused(TahurError, ValueError):
    """A name or title that is not allowed, with the reason."""


def is_readable(text: str) -> bool:
    """Whether every character is displayable: no controls, no hidden formatting, no direction overrides."""
    plain = TAGGED_FLAG.sub("\U0001f3f4", text)
    return all(_is_shown(plain, at) for at in range(len(plain)))


def check_name(text: str, what: str = "name", *, most: int = 24) -> str:
    """The name without surrounding space; raises `NameRefused`."""
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in text)
    name = unicodedata.normalize("NFC", " ".join(spaced.split(" ")).strip(" "))
    name = re.sub(" +", " ", name)
    if not is_readable(name) or any(_is_stray(name, at) for at in range(len(name))):
        raise NameRefused(f"that {what} has characters that are invisible or change the text direction; remove them")
    if not any(_is_visible(char) for char in name):
        raise NameRefused(f"that {what} is empty or invisible; write at least one letter, digit or emoji")
    if len(name) > most:
        raise NameRefused(f"the {what} has {len(name)} characters; the maximum is {most}")
    return name


def look_of(name: str) -> str:
    """A skeleton that is equal for names that look alike: without case, width, hidden characters and alphabet."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = (char for char in folded if _is_visible(char) or unicodedata.category(char) in ("Mn", "Mc", "Me"))
    return "".join(char for char in seen if not _is_hidden_mark(char)).translate(LOOKALIKES)


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if it is taken or looks like a taken one."""
    used = {look_of(other) for other in taken}
    candidates = (name if number == 1 else f"{name} {number}" for number in range(1, 99))
    return next(candidate for candidate in candidates if look_of(candidate) not in used)


def _is_shown(text: str, at: int) -> bool:
    """Whether the character is visible, or joins visible ones."""
    char, category = text[at], unicodedata.category(text[at])
    if char in (JOINER, NON_JOINER):
        return _joins(text, at)
    if category == "Cn":
        return ord(char) in PICTURE
    return category[0] != "C" and category not in ("Zl", "Zp")


def _joins(text: str, at: int) -> bool:
    """Whether a joiner is where Unicode expects one: in an emoji sequence, after a virama, between Arabic letters."""
    if not 0 < at < len(text) - 1:
        return bool(at) and unicodedata.combining(text[at - 1]) == VIRAMA
    before, after = text[at - 1], text[at + 1]
    if unicodedata.combining(before) == VIRAMA:
        return True
    if text[at] == JOINER:
        return (_is_picture(before) or before in TEXT_OR_PICTURE) and _is_picture(after)
    return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"


def _is_stray(name: str, at: int) -> bool:
    """Whether the character is invisible and modifies nothing: a filler, or a mark without a base letter."""
    char, before = name[at], name[at - 1] if at else " "
    if char in BLANK:
        return True
    if char in TEXT_OR_PICTURE:
        return not _is_visible(before)
    if ord(char) in VARIANTS:
        return unicodedata.category(before) != "Lo"
    if unicodedata.category(char)[0] != "M":
        return False
    marks = name[max(0, at - MOST_MARKS) : at + 1]
    return before == " " or (len(marks) > MOST_MARKS and all(unicodedata.category(mark)[0] == "M" for mark in marks))


def _is_visible(char: str) -> bool:
    """Whether the character is visible by itself."""
    return char not in BLANK and (unicodedata.category(char)[0] in "LNPS" or ord(char) in PICTURE)


def _is_picture(char: str) -> bool:
    return ord(char) in PICTURE or unicodedata.category(char) == "So" or char in "\u2194\u2195"


def _is_hidden_mark(char: str) -> bool:
    return char in BLANK or char in TEXT_OR_PICTURE or ord(char) in VARIANTS
