"""Where other machines reach a server, for invitations."""

from __future__ import annotations

import socket

import pytest

from tahur.web.listening import listen, outside_address


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_server_for_this_machine_alone_has_no_address_for_others(host: str) -> None:
    assert outside_address(host, 8723) is None


@pytest.mark.parametrize(
    ("host", "names", "https", "address"),
    [
        ("192.168.1.5", (), False, "http://192.168.1.5:8723"),
        ("fd00::5", (), False, "http://[fd00::5]:8723"),
        ("0.0.0.0", ("room.lan",), False, "http://room.lan:8723"),
        ("0.0.0.0", ("room.example.org",), True, "https://room.example.org"),
        ("0.0.0.0", (), True, None),
    ],
)
def test_the_address_for_others_is_the_name_or_the_host(
    host: str, names: tuple[str, ...], https: bool, address: str | None
) -> None:
    assert outside_address(host, 8723, names, https=https) == address


def test_a_server_that_listens_everywhere_goes_by_an_address_of_this_machine() -> None:
    address = outside_address("0.0.0.0", 8723)
    assert address is None or (address.startswith("http://") and "0.0.0.0" not in address)


def test_small_answers_are_sent_at_once() -> None:
    """With Nagle's algorithm the second packet of an answer waits for the reader's delayed acknowledgement: 40 ms."""
    with listen("127.0.0.1", 0) as listening:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
