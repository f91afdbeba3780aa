"""Names and other texts that people type: what can be read, what can be told apart, what is refused.

A name that shows nothing, or that looks like somebody else's, is a way to deceive a table. Emoji are welcome, also
those that are joined from several (families, flags, skin tones): a joiner is allowed where it joins something.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from tahur.core.errors import TahurError

MOST_MARKS: Final = 4  # combining marks on one letter
VIRAMA: Final = 9  # the combining class of signs after which Indic scripts use joiners
JOINER, NON_JOINER = "\u200d", "\u200c"
PICTURE: Final = range(0x1F000, 0x1FB00)  # also what later versions of Unicode put there
TEXT_OR_PICTURE: Final = "\ufe0e\ufe0f"  # after a sign: as text, as a picture
VARIANTS: Final = range(0xE0100, 0xE01F0)  # after an ideograph: which of its forms

# The flags of England, Scotland, Wales and others: a black flag, then letters that are never shown by themselves.
TAGGED_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")

# Letters, symbols and marks by category that show nothing: fillers of Hangul, the empty Braille cell and others.
BLANK: Final = frozenset(
    "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U0001d159\U00016fe4"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
)

# Letters of other scripts that look like Latin ones, and signs that look like letters.
LOOKALIKES: Final = str.maketrans(
    "авеѕјкмнорстухԁһԛԝ" + "αεκνορτυχ" + "іӏιiı1|" + "0",
    "abesjkmhopctyxdhqw" + "aeknoptux" + "lllllll" + "o",
)


class NameRefused(TahurError, ValueError):
    """A name or title that cannot be taken, and why."""


def is_readable(text: str) -> bool:
    """Whether every character can be shown: no control, no hidden formatting, nothing that turns the text around."""
    plain = TAGGED_FLAG.sub("\U0001f3f4", text)
    return all(_is_shown(plain, at) for at in range(len(plain)))


def checked_name(text: str, what: str = "name", *, most: int = 24) -> str:
    """The name without surrounding space, or `NameRefused`."""
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in text)
    name = unicodedata.normalize("NFC", " ".join(spaced.split(" ")).strip(" "))
    name = re.sub(" +", " ", name)
    if not is_readable(name) or any(_is_stray(name, at) for at in range(len(name))):
        raise NameRefused(f"that {what} has characters that are invisible or change how others read; leave them out")
    if not any(_is_visible(char) for char in name):
        raise NameRefused(f"that {what} shows nothing; write at least one letter, digit or emoji")
    if len(name) > most:
        raise NameRefused(f"a {what} of {len(name)} characters; {most} is the most")
    return name


def look_of(name: str) -> str:
    """The same text for names that look the same: without case, width, hidden characters, or alphabet."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = (char for char in folded if _is_visible(char) or unicodedata.category(char) in ("Mn", "Mc", "Me"))
    return "".join(char for char in seen if not _is_hidden_mark(char)).translate(LOOKALIKES)


def free_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if somebody has it already or one that looks the same."""
    used = {look_of(each) for each in taken}
    return next(each for n in range(1, 99) if look_of(each := name if n == 1 else f"{name} {n}") not in used)


def _is_shown(text: str, at: int) -> bool:
    """Whether the character is one that readers see, or joins such characters."""
    char, category = text[at], unicodedata.category(text[at])
    if char in (JOINER, NON_JOINER):
        return _joins(text, at)
    if category == "Cn":
        return ord(char) in PICTURE
    return category[0] != "C" and category not in ("Zl", "Zp")


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands where Unicode wants one: in a joined emoji, after a virama, between Arabic letters."""
    if not 0 < at < len(text) - 1:
        return bool(at) and unicodedata.combining(text[at - 1]) == VIRAMA
    before, after = text[at - 1], text[at + 1]
    if unicodedata.combining(before) == VIRAMA:
        return True
    if text[at] == JOINER:
        return (_is_picture(before) or before in TEXT_OR_PICTURE) and _is_picture(after)
    return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"


def _is_stray(name: str, at: int) -> bool:
    """Whether the character shows nothing by itself and has nothing to change: a filler, or a mark without a letter."""
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
    return before == " " or (len(marks) > MOST_MARKS and all(unicodedata.category(each)[0] == "M" for each in marks))


def _is_visible(char: str) -> bool:
    """Whether it shows something by itself."""
    return char not in BLANK and (unicodedata.category(char)[0] in "LNPS" or ord(char) in PICTURE)


def _is_picture(char: str) -> bool:
    return ord(char) in PICTURE or unicodedata.category(char) == "So" or char in "\u2194\u2195"


def _is_hidden_mark(char: str) -> bool:
    return char in BLANK or char in TEXT_OR_PICTURE or ord(char) in VARIANTS
