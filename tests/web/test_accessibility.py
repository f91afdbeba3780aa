"""Every page in both games is open to everybody: axe-core finds nothing serious, and a screen reader hears the game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from cardroom import DESKTOP, OVER, PHONE, Server, Visitor, answer, barriers, until, visitor

pytestmark = pytest.mark.usefixtures("everybody_leaves")

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
GAMES = pytest.mark.parametrize("game", ["nlhe", "perudo"])
MINDS = {"nlhe": ("persona:duelist", "caller", None), "perudo": ("persona:shark", "random", None)}


@pytest.mark.slow
@SIZES
@GAMES
def test_no_page_keeps_anybody_out(server: Server, browser: Any, game: str, size: tuple[int, int]) -> None:
    ana = visitor(browser, server, size)
    ana.open(f"open to all {game}", game, minds=MINDS[game])
    found = []
    for place in chain(_table(ana), _pages(ana, game)):
        found += [f"{place}: {each}" for each in barriers(ana)]
    assert found == [], "\n".join(found)


def _table(ana: Visitor) -> Iterator[str]:
    """The table in every state, with everything that can be opened on it."""
    press = ana.page.keyboard.press
    ana.shows(".bar")
    yield "one's turn"
    press("?")
    ana.shows("dialog[open]")
    yield "the keys"
    press("Escape")
    for button, entry in (("Invite", ""), ("Room", ""), ("Room", "Settings"), ("Room", "Leave the seat")):
        ana.page.get_by_role("button", name=button, exact=True).click()
        if entry:
            ana.page.locator(".menu-list").get_by_role("button", name=entry).click()
        ana.shows("dialog[open], .menu-list")
        yield f"{button} {entry}"
        press("Escape")
    ana.page.locator("button.seat-free").first.click()
    ana.shows("dialog .mind")
    yield "bots for a seat"
    press("Escape")
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    for tab in ("Talk", "Last"):
        ana.page.get_by_role("tab", name=tab).click()
        ana.shows(".talk, .thoughts")
        yield f"the panel: {tab}"


def _pages(ana: Visitor, game: str) -> Iterator[str]:
    room = ana.room()
    stranger = visitor(ana.page.context.browser, ana.server, (1280, 800))
    stranger.go(f"/room/{room}")
    stranger.shows(".door-page")
    assert barriers(stranger) == []
    for path in ("/", "/new", "/rooms", "/history", f"/history/{room}", f"/history/{room}/1", "/fair", "/nowhere"):
        ana.go(path)
        ana.shows("main :is(h1, h2)")
        ana.page.wait_for_load_state("networkidle")
        if path == "/new" and game == "perudo":
            ana.page.get_by_text("Perudo", exact=True).first.click()
        yield path


@pytest.mark.slow
@SIZES
@pytest.mark.parametrize(
    ("title", "game", "minds", "until_there"),
    [
        ("a kicker", "nlhe", ("caller",), ".news:has-text('wins')"),
        ("a count", "perudo", ("random",), ".news:has-text('loses')"),
        ("one die each", "perudo", ("random",), ".match"),
    ],
    ids=["showdown", "count", "match"],
)
def test_the_end_of_a_hand_keeps_nobody_out(
    server: Server, browser: Any, title: str, game: str, minds: tuple[str], until_there: str, size: tuple[int, int]
) -> None:
    ana = visitor(browser, server, size)
    ana.open(title, game, minds=minds, pace="calm", dice=1 if until_there == ".match" else 5)
    until(lambda: ana.sees(until_there), ana, act=answer)
    assert barriers(ana) == []


def heard(who: Visitor) -> None:
    """From now on, every line that is added to a live region is noted."""
    who.page.evaluate(
        """() => {
          window.heard = [];
          const note = (node) => window.heard.push(node.textContent);
          const region = document.querySelector('[role=log][aria-live=polite]');
          region.childNodes.forEach(note);
          new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(note)))
            .observe(region, {childList: true});
        }"""
    )


def test_the_live_region_says_cards_in_words_the_winner_and_the_hand(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a kicker", minds=(None,), pace="brisk")
    heard(ana)
    ben = visitor(browser, server, name="Ben")
    ben.join(ana.room())
    until(lambda: f"1 {OVER}" in ana.log(), ana, ben, act=answer)
    said = " / ".join(ana.page.evaluate("window.heard"))
    for words in (
        "Your cards: ace of spades and king of diamonds",
        "The flop: ace of hearts, eight of spades and six of diamonds",
        "The turn: three of clubs",
        "The river: two of hearts",
        "Ben shows ace of clubs queen of diamonds, pair of aces",
        "Ana wins 4 with a pair of aces, king kicker",
        "Your turn: ",
    ):
        assert words in said, said


@pytest.mark.slow
def test_the_live_region_says_ones_dice_the_count_and_who_loses_a_die(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a count", "perudo", minds=(None,), pace="brisk")
    heard(ana)
    ben = visitor(browser, server, name="Ben")
    ben.join(ana.room())
    until(lambda: f"1 {OVER}" in ana.log(), ana, ben, act=answer)
    said = " / ".join(ana.page.evaluate("window.heard"))
    for words in ("Your dice: ace, ace, two, three and four", " bid, ", " loses a die"):
        assert words in said, said
