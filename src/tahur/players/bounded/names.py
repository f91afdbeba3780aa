"""Makes untrusted names and lines safe for a prompt, a log or a screen: one line, of limited length, no tricks.

NFKC folds letters that only look different (fullwidth, mathematical); characters that control a terminal, change the
direction of writing or are invisible are removed, and so are stacked accents. The result is still untrusted text: a
prompt quotes it and never follows it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final

LONGEST_NAME: Final = 24  # characters
LONGEST_LINE: Final = 160
MOST_MARKS: Final = 2  # accents on one letter
_LONGEST_READ: Final = 20  # times the maximal length: the rest of a huge text is ignored

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # control, bidi, surrogates, private, unassigned
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})


def plain_line(text: str, most: int = LONGEST_LINE) -> str:
    """One line of at most `most` characters, in NFKC, without invisible characters."""
    folded = unicodedata.normalize("NFKC", text[: most * _LONGEST_READ])
    kept = "".join(_without_heaps(_seen(folded)))
    return " ".join(unicodedata.normalize("NFKC", kept).split())[:most].rstrip()


def plain_name(name: str, seat: int) -> str:
    """A safe name for a seat; an empty result becomes `seat 3`, counted from one."""
    return plain_line(name, LONGEST_NAME) or f"seat {seat + 1}"


def plain_names(names: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """A distinct name for each seat: later duplicates are numbered."""
    plain = [plain_name(name, seat) for seat, name in enumerate(islice((*names, *[""] * seats), seats))]
    return tuple(
        f"{name[: LONGEST_NAME - 4]} ({seat + 1})" if name in plain[:seat] else name for seat, name in enumerate(plain)
    )


def _seen(text: str) -> Iterator[str]:
    """The visible characters; any white space becomes a space."""
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
