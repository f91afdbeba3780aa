"""The card room behind a real nginx with HTTPS, by the configuration that the docs show."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import websockets.asyncio.client as sockets
from served import Served

from needs import need
from tahur.room import wire
from tahur.web.guard import ENTRIES

CONF = Path(__file__).parents[2] / "docs/nginx.conf"
NAME = "cards.example.org"
MAIN = (
    "daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1; events {{ worker_connections 200; }}\n"
)
HTTP = "http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; {rest} }}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where nginx answers; the room behind it believes what nginx says."""
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    need(nginx, "no nginx: apt-get install nginx-light")
    need(shutil.which("openssl"), "no openssl: apt-get install openssl")
    folder = Path(tempfile.mkdtemp(prefix="nginx-"))
    key, certificate = folder / "key", folder / "pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    room = Served(tmp_path_factory.mktemp("proxied"), "--https", "--name", NAME, "--trusted-proxy", "127.0.0.1")
    room.start()
    port = free_port()
    text = CONF.read_text().replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    text = text.replace("127.0.0.1:8723", room.address.removeprefix("http://").replace("localhost", "127.0.0.1"))
    text = re.sub(r"/etc/ssl/\S+pem", str(certificate), re.sub(r"/etc/ssl/\S+key", str(key), text))
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder) + HTTP.format(folder=folder, rest=text))
    process = subprocess.Popen(
        [str(nginx), "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.PIPE, text=True
    )
    _wait(port, process)
    yield f"https://127.0.0.1:{port}"
    process.terminate()
    process.wait()
    assert "Traceback" not in room.stop()
    shutil.rmtree(folder, ignore_errors=True)


def _wait(port: int, process: subprocess.Popen[str]) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.05)
        else:
            return
    raise AssertionError("nginx did not start")


def unchecked() -> ssl.SSLContext:
    """The certificate is our own."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def call(address: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, Any]:
    head = {"Host": NAME, "Content-Type": "application/json", **headers}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}{path}", data, head)
    try:
        with urllib.request.urlopen(request, timeout=20, context=unchecked()) as answer:
            return answer.status, json.loads(answer.read()), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read()), error.headers


def test_a_room_is_opened_and_its_socket_speaks_through_https(address: str) -> None:
    status, seated, headers = call(
        address, "/api/rooms", {"name": "Ana", "minds": ["caller"]}, Origin=f"https://{NAME}"
    )
    assert status == 200, seated
    assert "Secure" in headers["Set-Cookie"]

    async def first_frame() -> wire.ToClient:
        port = int(address.rpartition(":")[2])
        url = f"wss://{NAME}:{port}/api/rooms/{seated['room']}/socket"
        head = {"Authorization": f"Bearer {seated['token']}"}
        where = {"host": "127.0.0.1", "port": port}
        async with sockets.connect(url, additional_headers=head, ssl=unchecked(), **where) as line:
            await line.send(wire.encode(wire.Hello(0)))
            return wire.decode_answer(await line.recv())

    assert isinstance(asyncio.run(first_frame()), wire.Frame)


def test_two_guests_behind_the_proxy_do_not_share_a_limit(address: str) -> None:
    """Two addresses of this machine are two clients of nginx; one of them asks too often."""
    answers = [raw_status(address, "127.0.0.1") for _ in range(int(ENTRIES.burst) + 3)]
    assert 429 in answers
    assert raw_status(address, "127.0.0.9") == 200


def raw_status(address: str, source: str) -> int:
    """Open a room from one of this machine's addresses."""
    port = int(address.rpartition(":")[2])
    body = json.dumps({"name": "Ben", "minds": [None]})
    request = f"POST /api/rooms HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\nConnection: close\r\n"
    with (
        socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0)) as plain,
        unchecked().wrap_socket(plain, server_hostname=NAME) as line,
    ):
        line.sendall(f"{request}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        return int(line.recv(4096).split()[1])
