"""Decode the bytes that a terminal sends into names of keys. A letter key is named by its letter."""

from __future__ import annotations

from typing import Final

ESCAPE: Final = b"\x1b"
_ARROWS: Final = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"Z": "tab", b"H": "home", b"F": "end"}
_PLAIN: Final = {
    b"\r": "enter", b"\n": "enter", b"\t": "tab", b"\x7f": "backspace", b"\x08": "backspace", b"\x04": "q",
}  # fmt: skip
_OPENINGS: Final = (b"[", b"O")  # after an escape: arrow keys in normal and in application mode
_LAST: Final = range(0x40, 0x7F)  # the byte that ends a sequence


def decoded(sent: bytes) -> tuple[list[str], bytes]:
    """The complete keys, and the remaining bytes of an incomplete one; a lone escape is incomplete too."""
    keys: list[str] = []
    while sent:
        size = _size(sent)
        if size is None:
            break
        keys += filter(None, [_name(sent[:size])])
        sent = sent[size:]
    return keys, sent


def _size(sent: bytes) -> int | None:
    """The length of the first key in bytes; None if it is incomplete."""
    if sent[:1] == ESCAPE:
        return _size_of_sequence(sent)
    long = next((size for size, lead in ((4, 0xF0), (3, 0xE0), (2, 0xC0)) if sent[0] >= lead), 1)
    return long if len(sent) >= long else None


def _size_of_sequence(sent: bytes) -> int | None:
    if len(sent) == 1:
        return None
    if sent[1:2] not in _OPENINGS:
        return 1  # a typed escape followed by another key
    if sent[1:2] == b"O":
        return 3 if len(sent) >= 3 else None
    return next((place + 1 for place in range(2, len(sent)) if sent[place] in _LAST), None)


def _name(key: bytes) -> str:
    """The name of a key; None for keys that have no function here."""
    if key == ESCAPE:
        return "escape"
    if key[:1] == ESCAPE:
        return _ARROWS.get(key[-1:], "")
    text = _PLAIN.get(key) or key.decode("utf-8", "replace")
    return text if text in _PLAIN.values() or text.isprintable() else ""
