"""What a terminal sends for each key: bytes in, names of keys out. A key with a letter is that letter."""

from __future__ import annotations

from typing import Final

ESCAPE: Final = b"\x1b"
_ARROWS: Final = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"Z": "tab", b"H": "home", b"F": "end"}
_PLAIN: Final = {
    b"\r": "enter", b"\n": "enter", b"\t": "tab", b"\x7f": "backspace", b"\x08": "backspace", b"\x04": "q",
}  # fmt: skip
_OPENINGS: Final = (b"[", b"O")  # after an escape: arrows as they are, and in the terminal's application mode
_LAST: Final = range(0x40, 0x7F)  # the byte that ends a sequence


def decoded(sent: bytes) -> tuple[list[str], bytes]:
    """The keys, and the beginning of one that has not come whole; a lone escape is such a beginning too."""
    keys: list[str] = []
    while sent:
        size = _size(sent)
        if size is None:
            break
        keys += filter(None, [_name(sent[:size])])
        sent = sent[size:]
    return keys, sent


def _size(sent: bytes) -> int | None:
    """How many bytes the first key has; None: more must come."""
    if sent[:1] == ESCAPE:
        return _size_of_sequence(sent)
    long = next((size for size, lead in ((4, 0xF0), (3, 0xE0), (2, 0xC0)) if sent[0] >= lead), 1)
    return long if len(sent) >= long else None


def _size_of_sequence(sent: bytes) -> int | None:
    if len(sent) == 1:
        return None
    if sent[1:2] not in _OPENINGS:
        return 1  # an escape that a person typed, and something else after it
    if sent[1:2] == b"O":
        return 3 if len(sent) >= 3 else None
    return next((place + 1 for place in range(2, len(sent)) if sent[place] in _LAST), None)


def _name(key: bytes) -> str:
    """Nothing for keys that we have no use for."""
    if key == ESCAPE:
        return "escape"
    if key[:1] == ESCAPE:
        return _ARROWS.get(key[-1:], "")
    text = _PLAIN.get(key) or key.decode("utf-8", "replace")
    return text if text in _PLAIN.values() or text.isprintable() else ""
