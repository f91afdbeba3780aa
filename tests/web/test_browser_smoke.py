"""The card room in a real browser, in under a minute: every page, a hand, a round, a showdown, a replay, a phone.

Part of the ordinary tests. Longer sessions are in test_in_the_browser.py.
"""

from __future__ import annotations

from typing import Any

import pytest
from cardroom import DESKTOP, OVER, PHONE, Server, answer, barriers, until, visitor, waits

pytestmark = pytest.mark.usefixtures("everybody_leaves")

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
PAGES = {
    "/": "Play a hand now",
    "/new": "Who sits where",
    "/rooms": "Go on",
    "/history": "What was played",
    "/history/{room}": "Export",
    "/history/{room}/1": "What they thought",
    "/fair": "What it does not prove",
    "/nowhere": "There is no such page",
}


@SIZES
def test_every_page_loads_asks_nobody_else_and_keeps_nobody_out(
    server: Server, browser: Any, size: tuple[int, int]
) -> None:
    ana = visitor(browser, server, size)
    ana.open("a kicker")
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    room = ana.room()
    for path, words in PAGES.items():
        ana.go(path.format(room=room))
        ana.page.get_by_text(words).first.wait_for()
        assert ana.page.evaluate("document.documentElement.scrollWidth") <= size[0], path
        assert barriers(ana) == []
    ana.all_is_well()


@SIZES
@pytest.mark.parametrize("game", ["nlhe", "limit", "perudo"])
def test_a_hand_is_played_to_its_end(server: Server, browser: Any, game: str, size: tuple[int, int]) -> None:
    ana = visitor(browser, server, size)
    ana.open(f"a hand of {game}", game, minds=("random", "random"))
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    assert barriers(ana) == []
    ana.all_is_well()


@SIZES
def test_no_seat_moves_while_a_hand_is_played(server: Server, browser: Any, size: tuple[int, int]) -> None:
    """Cards are dealt, folded and shown; who sits there stays where they are."""
    ana = visitor(browser, server, size)
    ana.open("a still table", minds=("random", "persona:gardener", "caller"))
    ana.shows(".bar")
    plates: list[list[Any]] = []
    until(lambda: not _note(ana, plates) and f"2 {OVER}" in ana.log(), ana, act=answer)
    assert len(plates[0]) == 4
    assert all(each == plates[0] for each in plates)


def _note(ana: Any, plates: list[list[Any]]) -> None:
    """Where the seats are now, to the pixel."""
    boxes = [plate.bounding_box() for plate in ana.page.locator(".seat-plate").all()]
    plates.append([(round(box["x"]), round(box["y"])) for box in boxes])


@SIZES
def test_a_showdown_says_who_won_with_what_and_a_replay_pays_the_pot(
    server: Server, browser: Any, size: tuple[int, int]
) -> None:
    ana = visitor(browser, server, size)
    ana.open("a kicker", pace="calm")
    until(lambda: ana.sees(".news:has-text('wins')"), ana, act=answer)
    assert ana.page.locator(".news > *").all_text_contents() == ["Ana wins 4", "a pair of aces, king kicker"]
    assert ana.page.locator(".card-lit").count() == 5
    assert ana.page.locator(".bet-paid").inner_text() == "+4"
    waits(ana, lambda: ana.page.locator(".seat-you .seat-chips").inner_text() == "202")
    box = ana.page.locator(".news").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    ana.picture(f"showdown-{size[0]}")
    ana.go(f"/history/{ana.room()}/1")
    ana.shows(".stepper")
    ana.page.keyboard.press("End")
    assert OVER in ana.page.locator(".step-words").inner_text()
    assert ana.page.locator(".seat-you .seat-chips").inner_text() == "202"
    assert ana.page.locator(".pots").inner_text().strip() == ""
    ana.all_is_well()


@SIZES
def test_the_dice_under_the_cups_are_counted_though_bots_answer_at_once(
    server: Server, browser: Any, size: tuple[int, int]
) -> None:
    ana = visitor(browser, server, size)
    ana.open("a count", "perudo", minds=("random",), pace="brisk")
    ana.note_news()
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    assert ana.news() == [
        "Ana has 3: 3 so far, of 7 bid",
        "Random has 0: 3 so far, of 7 bid",
        "7 fours were bid, 3 are there: the bid is not met",
        "Random loses a die: 4 are left",
    ]
    ana.go(f"/history/{ana.room()}/1")
    ana.shows(".stepper")
    ana.page.keyboard.press("End")
    waits(ana, lambda: ana.page.locator(".die-counts").count() == 3)
    ana.all_is_well()
