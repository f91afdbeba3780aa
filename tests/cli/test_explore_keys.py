"""What terminals send, made keys: whole, in pieces, and what we have no use for."""

from __future__ import annotations

import pytest

from tahur.cli.postflop.explorer import decode_keys


@pytest.mark.parametrize("opening", [b"\x1b[", b"\x1bO"], ids=["plain", "application mode"])
def test_arrows_are_known_in_both_modes(opening: bytes) -> None:
    sent = b"".join(opening + letter for letter in (b"A", b"B", b"C", b"D"))
    assert decode_keys(sent) == (["up", "down", "right", "left"], b"")


def test_an_arrow_with_a_modifier_is_an_arrow() -> None:
    assert decode_keys(b"\x1b[1;5C") == (["right"], b"")


def test_letters_enter_tab_and_backspace_have_names() -> None:
    assert decode_keys(b"h2\r\n\t\x7f\x08?") == (
        ["h", "2", "enter", "enter", "tab", "backspace", "backspace", "?"],
        b"",
    )


@pytest.mark.parametrize("sent", [b"\x1b[1;5C", b"\x1bOA", "♠".encode(), b"q\x1b[Aq"])
def test_keys_that_come_in_pieces_are_the_keys_that_come_whole(sent: bytes) -> None:
    found, rest = [], b""
    for byte in sent:
        keys, rest = decode_keys(rest + bytes([byte]))
        found += keys
    assert (found, rest) == decode_keys(sent)
    assert rest == b""


def test_a_lone_escape_waits_for_more() -> None:
    assert decode_keys(b"\x1b") == ([], b"\x1b")
    assert decode_keys(b"\x1bq") == (["escape", "q"], b"")


def test_keys_without_a_use_are_no_letters() -> None:
    assert decode_keys(b"\x1b[5~\x1b[200~\x01\x00") == ([], b"")
