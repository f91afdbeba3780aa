"""A process that listens at one port for each way in which an endpoint can hang or flood; `python hostile_endpoint.py`.

It runs by itself so that its own sockets and threads are not counted as those of the client under test.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
BAD = b"HTTP/1.1 500 Oops\r\ncontent-type: application/json\r\n"
CHUNKED = b"transfer-encoding: chunked\r\n\r\n"
MEGABYTE = b"y" * (1 << 20)
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # of deflate: stored, nothing in it
Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


async def silent(reader: Reader, writer: Writer) -> None:
    await reader.read()


async def drip(
    reader: Reader, writer: Writer, text: bytes = OK + b"content-length: 9999\r\n\r\n" + b" " * 9999
) -> None:
    for byte in text:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.02)


async def tls_drip(reader: Reader, writer: Writer) -> None:
    await drip(reader, writer, b"\x16\x03\x03\x40\x00" + bytes(1000))  # a record of 16 kB that never is whole


async def body_hang(reader: Reader, writer: Writer) -> None:
    writer.write(OK + b"content-length: 999\r\n\r\n{")
    await reader.read()


async def endless(writer: Writer, head: bytes, piece: bytes) -> None:
    writer.write(head)
    while True:
        writer.write(piece)
        await writer.drain()


async def headers(reader: Reader, writer: Writer) -> None:
    await endless(writer, OK, b"x-more: " + b"z" * 1000 + b"\r\n")


async def one_header(reader: Reader, writer: Writer) -> None:
    await endless(writer, OK + b"x-more: ", MEGABYTE)


async def informational(reader: Reader, writer: Writer) -> None:
    await endless(writer, b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 50)


async def body(reader: Reader, writer: Writer) -> None:
    await endless(writer, OK + b"\r\n", MEGABYTE)


async def error_body(reader: Reader, writer: Writer) -> None:
    await endless(writer, BAD + b"\r\n", MEGABYTE)


async def chunks(reader: Reader, writer: Writer) -> None:
    await endless(writer, BAD + CHUNKED, b"100000\r\n" + MEGABYTE + b"\r\n")


async def bomb(reader: Reader, writer: Writer, head: bytes = OK) -> None:
    packed = gzip.compress(bytes(200 << 20), 9)  # 200 MB in 200 kB
    writer.write(head + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed) + packed)
    await writer.drain()
    await reader.read()


async def error_bomb(reader: Reader, writer: Writer) -> None:
    await bomb(reader, writer, BAD)


async def empty_gzip(reader: Reader, writer: Writer) -> None:
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
    await endless(writer, OK + b"content-encoding: gzip\r\n\r\n" + head, EMPTY_BLOCK * 10_000)


async def brotli(reader: Reader, writer: Writer) -> None:
    await endless(writer, OK + b"content-encoding: br\r\n\r\n", MEGABYTE)


HANGS = (silent, drip, tls_drip, body_hang, informational)
FLOODS = (headers, one_header, body, error_body, chunks, bomb, error_bomb, empty_gzip, brotli)


def _tolerant(behave: Callable[[Reader, Writer], Awaitable[None]]) -> Callable[[Reader, Writer], Awaitable[None]]:
    async def handle(reader: Reader, writer: Writer) -> None:
        try:
            if behave not in (silent, tls_drip):
                await reader.readuntil(b"\r\n\r\n")
            await behave(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client has given up, as it should
        finally:
            writer.close()

    return handle


async def main() -> None:
    ports = {}
    for behave in (*HANGS, *FLOODS):
        server = await asyncio.start_server(_tolerant(behave), "127.0.0.1", 0)
        ports[behave.__name__] = server.sockets[0].getsockname()[1]
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until the test is over


@contextmanager
def hostile_ports() -> Iterator[dict[str, int]]:
    """The ports by behaviour, while the process runs."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


if __name__ == "__main__":
    asyncio.run(main())
