"""Names and words from outside, made fit to stand in a prompt, a log or on a screen: one line, bounded, no tricks.

NFKC folds letters that only look different (fullwidth, mathematical); signs that steer a terminal, turn the direction
of writing or show nothing at all are left out, and so are heaps of accents. What is left is still somebody else's text:
a prompt quotes it and never obeys it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final

LONGEST_NAME: Final = 24  # letters
LONGEST_LINE: Final = 160
MOST_MARKS: Final = 2  # accents on one letter
_LONGEST_READ: Final = 20  # times as long as what is kept: no more of a huge text is looked at

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # control, format (bidi), halves, private, none
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})


def plain_line(text: str, most: int = LONGEST_LINE) -> str:
    """One line of at most so many letters, in NFKC, with nothing in it that cannot be seen."""
    folded = unicodedata.normalize("NFKC", text[: most * _LONGEST_READ])
    kept = "".join(_without_heaps(_seen(folded)))
    return " ".join(unicodedata.normalize("NFKC", kept).split())[:most].rstrip()


def plain_name(name: str, seat: int) -> str:
    """A name for a seat; a name of which nothing is left is `seat 3`, counted from one."""
    return plain_line(name, LONGEST_NAME) or f"seat {seat + 1}"


def plain_names(names: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """A name for each seat, no two alike: whoever comes later with the same name is numbered."""
    given = [plain_name(name, seat) for seat, name in enumerate(islice((*names, *[""] * seats), seats))]
    return tuple(
        f"{name[: LONGEST_NAME - 4]} ({seat + 1})" if name in given[:seat] else name for seat, name in enumerate(given)
    )


def _seen(text: str) -> Iterator[str]:
    """The signs that can be seen; white space of any kind is a space."""
    for sign in text:
        if sign.isspace():
            yield " "
        elif unicodedata.category(sign) not in _UNSEEN:
            yield sign


def _without_heaps(signs: Iterator[str]) -> Iterator[str]:
    marks = 0
    for sign in signs:
        marks = marks + 1 if unicodedata.category(sign) in _MARKS else 0
        if marks <= MOST_MARKS:
            yield sign
