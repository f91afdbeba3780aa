"""Dice and bids as people type them: `1,3,3,5,6`, `4x5`, `4 fives`."""

from __future__ import annotations

import re
from typing import Final

from tahur.core.errors import IllegalAction

FACES: Final = {"ace": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_BID: Final = re.compile(r"([0-9]{1,3})\s*[x*\s]?\s*([1-6]|[a-z]+)")
_DICE: Final = re.compile(r"[1-6](?:[\s,]*[1-6])*")
_CUPS: Final = re.compile(r"[0-9]{1,2}(?:\s*,\s*[0-9]{1,2})*")


def read_bid_words(text: str) -> tuple[int, int] | None:
    """A count and a face; None if the text is not a bid."""
    found = _BID.fullmatch(text.strip().lower())
    face = _face(found[2]) if found else None
    return None if found is None or face is None or int(found[1]) < 1 else (int(found[1]), face)


def read_dice(text: str) -> tuple[int, ...]:
    """Parse `1,3,3,5,6` or `13356`: the faces under a cup, in ascending order."""
    if not _DICE.fullmatch(text.strip()):
        raise IllegalAction(f"--mine {text}: write the faces of your dice, such as 1,3,3,5,6")
    return tuple(sorted(int(face) for face in re.findall("[1-6]", text)))


def read_cups(text: str) -> tuple[int, ...]:
    """Parse `5,3,2`: the number of dice of each seat."""
    if not _CUPS.fullmatch(text.strip()) or 0 in (cups := tuple(int(each) for each in text.split(","))):
        raise IllegalAction(f"--others {text}: write how many dice each other seat has, such as 5,3,2")
    return cups


def read_bids(text: str) -> list[tuple[int, int]]:
    """Parse `2x3,3x3,4 fives`: bids, oldest first."""
    words = [each for each in text.split(",") if each.strip()]
    bids = [read_bid_words(each) for each in words]
    for word, each in zip(words, bids, strict=True):
        if each is None:
            raise IllegalAction(f"'{word.strip()}' is not a bid; write it as 4x5 or 4 fives")
    return [each for each in bids if each is not None]


def _face(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    return next((face for name, face in FACES.items() if word in (name, name + "s", name + "es")), None)
