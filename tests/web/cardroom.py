"""A card room for the tests: the real server as a process of its own, and people who visit it with a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from needs import need

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "build" / "screens"
DESKTOP, PHONE = (1366, 820), (390, 844)
OVER = "is over"


@contextmanager
def serving(
    data: Path,
    *more: str,
    port: int = 0,
    environment: dict[str, str] | None = None,
    program: str = "stacked_server.py",
    limited: bool = False,
) -> Iterator[Server]:
    """The server, until the block ends; its rooms are kept in `data`."""
    server = str(Path(__file__).with_name(program))
    pace = () if limited else ("--unlimited",)
    command = [sys.executable, server, "--port", str(port), "--data", str(data), *pace, *more]
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
    """Where chromium is; a test that needs it is skipped if it is nowhere, or fails where CI=true."""
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    path = next(found, "")
    need(path, "no chromium here: apt-get install chromium")
    return path


def need_page() -> None:
    """The page must be built."""
    need((ROOT / "src/tahur/web/built/index.html").is_file(), "the card room's page is not built: make page")


@dataclass
class Visitor:
    """One person with one browser window, and what the browser complained of."""

    page: Any
    server: Server
    name: str = "Ana"
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)  # requests to any other server

    def go(self, path: str) -> None:
        self.page.goto(self.server.address + path)

    def open(self, title: str, game: str = "nlhe", minds: Sequence[str | None] = ("caller",), **settings: Any) -> None:
        """A room of one's own, opened without the form, and its table; `title` says which cards are dealt."""
        wanted = {
            "name": self.name,
            "title": title,
            "game": game,
            "minds": list(minds),
            "pace": "instant",
            "seconds": 0,
        }
        answer = self.page.request.post(self.server.address + "/api/rooms", data=wanted | settings)
        assert answer.ok, answer.text()
        self.go(f"/room/{answer.json()['room']}")
        self.shows(".felt")

    def join(self, room: str, seat: int | None = None) -> None:
        """A seat in that room, taken without the door, and its table."""
        wanted = {"name": self.name, "seat": seat}
        answer = self.page.request.post(f"{self.server.address}/api/rooms/{room}/join", data=wanted)
        assert answer.ok, answer.text()
        self.go(f"/room/{room}")
        self.shows(".felt")

    def menu(self, entry: str) -> None:
        """Choose from the room's menu."""
        self.page.get_by_role("button", name="Room", exact=True).click()
        self.page.locator(".menu-list").get_by_role("button", name=entry).click()

    def raise_to(self, chips: int) -> None:
        """By the keyboard; all-in is asked once more."""
        self.shows(".bar")
        self.page.keyboard.press("r")
        self.page.keyboard.type(str(chips))
        self.page.keyboard.press("Enter")
        if self.page.locator(".act-bet", has_text="sure?").count():
            self.page.keyboard.press("Enter")

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

    def log(self) -> str:
        """What the log panel tells."""
        return str(self.page.locator(".log").inner_text()) if self.sees(".log") else ""

    def note_news(self) -> None:
        """From now on the page itself notes what the table says, so that nothing is missed on a slow machine."""
        self.page.evaluate(
            """() => {
              window.news = [];
              new MutationObserver(() => {
                const parts = [...document.querySelectorAll('.news > *')].map((each) => each.textContent);
                const words = parts.filter(Boolean).join(': ');
                if (words && words !== window.news[window.news.length - 1]) window.news.push(words);
              }).observe(document.querySelector('.felt'), {childList: true, subtree: true, characterData: true});
            }"""
        )

    def news(self) -> list[str]:
        """What the table said since `note_news`, one after another."""
        return list(self.page.evaluate("window.news"))

    def all_is_well(self) -> None:
        assert self.complaints == []
        assert self.elsewhere == []


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser without a window."""
    path = chromium()
    need(find_spec("playwright"), "playwright is not installed: pip install -e '.[dev]'")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
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
    found = Visitor(context.new_page(), server, name or "Ana")
    found.page.on("console", lambda message: _complain(found, message))
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.page.on("request", lambda request: _note(found, request.url))
    return found


def answer(who: Visitor) -> None:
    """Check or call; at dice the bid that is proposed, or a doubt once that is unlikely."""
    bar = who.page.locator(".bar")
    if bar.locator(".faces").count():
        dudo = bar.locator(".act-fold")
        chance = bar.locator(".bid-odds").inner_text()  # "true 46% of the time, by your dice alone"
        unlikely = int(chance.split("%")[0].strip("true <>")) < 40
        if dudo.count() and unlikely:
            dudo.click()
            who.page.locator(".act-fold.act-ready").click()
        else:
            bar.locator(".act-bet").click()
    else:
        bar.locator(".act-call").click()


AXE = ROOT / "page/node_modules/axe-core/axe.min.js"


def barriers(who: Visitor) -> list[str]:
    """What axe-core finds on the page that keeps somebody out, serious or critical, in a line each."""
    need(AXE.is_file(), "axe-core is not fetched: make page")
    if not who.page.evaluate("typeof axe === 'object'"):
        who.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = who.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{who.page.url}: {each['impact']} {each['id']}: {node['target']} {node['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def _complain(who: Visitor, message: Any) -> None:
    if message.type in ("error", "warning"):
        who.complaints.append(message.text)


def _note(who: Visitor, address: str) -> None:
    if not address.startswith((who.server.address + "/", "data:", "blob:")):
        who.elsewhere.append(address)


def until(done: Callable[[], bool], *people: Visitor, act: Callable[[Visitor], None], tries: int = 1500) -> None:
    """Everybody acts in turn, when they may, until it is done."""
    for _ in range(tries):
        if done():
            return
        for each in people:
            if each.sees(".bar"):
                act(each)
            each.page.wait_for_timeout(60)
    raise AssertionError("it never came to an end")


def waits(who: Visitor, done: Callable[[], bool], tries: int = 200) -> None:
    """Wait until it is so, for ten seconds at most; the page's policy forbids Playwright's own way to ask."""
    for _ in range(tries):
        if done():
            return
        who.page.wait_for_timeout(50)
    raise AssertionError("it never was so")
