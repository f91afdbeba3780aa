"""The documentation: it builds without a broken link, loads nothing from elsewhere, and its commands run."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
import sys
import threading
import urllib.request
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from command import surroundings, tahur
from tahur.cli import info as command

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    run = subprocess.run(
        words, cwd=ROOT, env=surroundings(NO_MKDOCS_2_WARNING="1"), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return folder


def test_the_site_builds_without_a_broken_link_and_has_every_page(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    assert pages <= built


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loaded = re.compile(
        r'(?:<script[^>]*\ssrc|<link[^>]*\shref|<img[^>]*\ssrc|url\()\s*=?\s*["\']?(https?:)?//[^"\')\s]+'
    )
    outside = {
        f"{path.name}: {match[0][-80:]}"
        for path in [*site.rglob("*.html"), *site.rglob("*.css")]
        for match in loaded.finditer(path.read_text("utf-8"))
        if 'rel="canonical"' not in match[0]
    }
    assert not outside


def test_the_page_of_commands_has_every_command(site: Path) -> None:
    from tahur.cli.main import COMMANDS

    text = (site / "reference/commands.html").read_text("utf-8")
    assert [each.name for each in COMMANDS if f'id="tahur-{each.name}"' not in text] == []


def test_the_page_of_files_has_every_kind_and_that_of_the_protocol_every_message(site: Path) -> None:
    from tahur.core.archive import KINDS
    from tahur.room import wire

    files = html.unescape((site / "reference/files.html").read_text("utf-8")).replace("’", "'")
    assert [kind for kind in KINDS if kind not in files] == []
    protocol = (site / "reference/protocol.html").read_text("utf-8")
    assert [name for name in (wire.TO_SERVER | wire.TO_CLIENT) if f'id="{name}"' not in protocol] == []


def test_the_documentation_is_served_from_where_it_was_built(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "BUNDLED", site)
    handler = partial(command._Quiet, directory=str(command.site_folder()))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/postflop.html", timeout=10) as answer:
            assert b"exploitability" in answer.read()
        server.shutdown()


def test_without_a_built_copy_the_command_says_how_to_make_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("BUNDLED", "BUILT"):
        monkeypatch.setattr(command, name, tmp_path)
    with pytest.raises(command.SettingError, match="make docs"):
        command.site_folder()


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_the_commands_of_a_tutorial_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order, in a folder with the files that the page shows."""
    text = page.read_text("utf-8")
    for name, content in re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```', text, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAHUR_DATA", str(tmp_path / "data"))
    lines = re.findall(r"^\$ tahur (.*)$", text, re.MULTILINE)
    assert lines
    for line in lines:
        words = shlex.split(line)
        typed = Path(words[-1]).read_text("utf-8") if "<" in words else ""
        run = tahur(*words[: words.index("<")] if "<" in words else words, typed=typed)
        assert run.returncode == 0, f"{line}\n{run.stdout[-400:]}{run.stderr[-400:]}"
