"""A card room for the tests: the real server as a process of its own, and people who visit it with a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "build" / "screens"
DESKTOP, PHONE = (1366, 820), (390, 844)
OVER = "is over"


@contextmanager
def serving(data: Path, *more: str, port: int = 0, environment: dict[str, str] | None = None) -> Iterator[Server]:
    """The server, until the block ends; its rooms are kept in `data`."""
    command = [sys.executable, "-m", "tahur.web", "--port", str(port), "--data", str(data), "--unlimited", *more]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=data, env={**os.environ, **(environment or {})}
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", line)
        assert found is not None, line
        yield Server(f"http://localhost:{found[1]}", int(found[1]), process)
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True, slots=True)
class Server:
    address: str
    port: int
    process: subprocess.Popen[str]


def chromium() -> str:
    """Where chromium is; the test is skipped if it is nowhere."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    pytest.skip("no chromium here: apt-get install chromium")


@dataclass
class Visitor:
    """One person with one browser window, and what the browser complained of."""

    page: Any
    server: Server
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)  # requests to any other server

    def go(self, path: str) -> None:
        self.page.goto(self.server.address + path)

    def shows(self, selector: str, seconds: float = 30) -> Any:
        """The element, once it is there."""
        found = self.page.locator(selector).first
        found.wait_for(timeout=seconds * 1000)
        return found

    def sees(self, selector: str) -> bool:
        return bool(self.page.locator(selector).count())

    def picture(self, name: str) -> None:
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(SCREENS / f"{name}.png"))

    def own_hand(self) -> list[str]:
        """The names of one's own cards or dice."""
        return [each.get_attribute("aria-label") for each in self.page.locator(".seat-you .holding [role=img]").all()]

    def room(self) -> str:
        return str(self.page.url.rsplit("/", 1)[1])

    def all_is_well(self) -> None:
        assert self.complaints == []
        assert self.elsewhere == []


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


def visitor(browser: Any, server: Server, size: tuple[int, int] = DESKTOP, name: str = "") -> Visitor:
    """Somebody new: nothing in the browser is remembered from anybody else."""
    phone = size[0] < 500
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=2 if phone else 1,
        has_touch=phone,
        reduced_motion="reduce",
    )
    # Waiting 30 s for what should be there at once is long enough on the slowest machine.
    context.set_default_timeout(30_000)
    if name:
        kept = json.dumps(json.dumps({"name": name}))
        context.add_init_script(f"localStorage.getItem('tahur') ?? localStorage.setItem('tahur', {kept})")
    found = Visitor(context.new_page(), server)
    found.page.on("console", lambda message: _complain(found, message))
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.page.on("request", lambda request: _note(found, request.url))
    return found


def _complain(who: Visitor, message: Any) -> None:
    if message.type in ("error", "warning"):
        who.complaints.append(message.text)


def _note(who: Visitor, address: str) -> None:
    if not address.startswith((who.server.address + "/", "data:", "blob:")):
        who.elsewhere.append(address)


def until(done: Callable[[], bool], *people: Visitor, act: Callable[[Visitor], None], tries: int = 400) -> None:
    """Everybody acts in turn, when they may, until it is done."""
    for _ in range(tries):
        if done():
            return
        for each in people:
            if each.sees(".bar"):
                act(each)
            each.page.wait_for_timeout(60)
    raise AssertionError("it never came to an end")
