"""Study in a real browser: from the first screen to a river, by mouse on a phone and by keyboard at a desk."""

from __future__ import annotations

from typing import Any

import pytest
from cardroom import DESKTOP, PHONE, Server, Visitor, barriers, visitor, waits

pytestmark = pytest.mark.usefixtures("everybody_leaves")

SPOT = "Turn in a 3-bet pot"


def opened(server: Server, browser: Any, size: tuple[int, int]) -> Visitor:
    """Somebody who came from the first screen to the first decision of a spot."""
    ana = visitor(browser, server, size)
    ana.go("/")
    ana.page.locator(".door", has_text="Study").click()
    ana.page.get_by_role("link", name=SPOT, exact=True).click()
    ana.shows(".matrix")
    return ana


def steps(who: Visitor) -> str:
    return str(who.page.url.partition("/study/")[2])


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_spot_is_solved_on_first_opening_and_walked_to_a_river(
    server: Server, browser: Any, size: tuple[int, int]
) -> None:
    ana = opened(server, browser, size)
    assert barriers(ana) == []
    ana.page.locator(".study-choice", has_text="33% of the pot").click()
    ana.page.locator(".study-choice", has_text="Call").click()
    ana.shows(".runout-grid")
    waits(ana, lambda: "%" in ana.page.locator(".runout-c").last.inner_text())
    assert barriers(ana) == []
    ana.picture(f"study-runouts-{size[0]}")
    ana.page.locator(".runout-c").last.click()
    ana.shows(".study-moves")
    assert steps(ana) == "turn-3-bet/bet6.6bb/call/2c"
    ana.page.get_by_role("tab", name="EV").click()
    ana.page.get_by_role("button", name="EV, bb").click()
    first = ana.page.locator(".hand-table tbody tr").first.inner_text()
    assert first.count("A") == 2  # the best hand is a set of aces
    ana.page.locator(".cell", has_text="AKs").first.click()
    assert ana.page.locator(".cell-hands li").count() == 3  # the ace of hearts is on the board
    assert ana.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert barriers(ana) == []
    ana.picture(f"study-river-{size[0]}")
    ana.page.reload()
    ana.shows(".matrix")
    assert "Out of position decides" in ana.page.locator(".study-state").inner_text()
    ana.page.locator(".trail-option", has_text="check").first.click()
    waits(ana, lambda: "In position decides" in ana.page.locator(".study-state").inner_text())
    assert steps(ana) == "turn-3-bet/check"
    ana.all_is_well()


def test_the_keyboard_walks_down_and_up_again(server: Server, browser: Any) -> None:
    ana = opened(server, browser, DESKTOP)
    press = ana.page.keyboard.press
    focused = ana.page.locator(":focus b").first
    press("ArrowDown")
    assert focused.inner_text() == "Bet 6.6bb"  # the most frequent move is marked first
    for key in ("ArrowUp", "Enter"):
        press(key)
    waits(ana, lambda: "In position decides" in ana.page.locator(".study-state").inner_text())
    assert steps(ana) == "turn-3-bet/check"
    while focused.inner_text() != "Check":
        press("ArrowDown")
    press("Enter")
    ana.shows(".runout-grid")
    waits(ana, lambda: ana.sees(".runout:focus"))
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        press(key)
    waits(ana, lambda: "Out of position decides" in ana.page.locator(".study-state").inner_text())
    assert steps(ana) == "turn-3-bet/check/check/Kd"
    ana.page.locator(".cell[tabindex='0']").focus()
    press("ArrowRight")
    assert ana.page.locator(".cell-hands h3").inner_text() == "AKs, out of position"
    for _ in range(3):
        press("Backspace")
    waits(ana, lambda: steps(ana) == "turn-3-bet")
    ana.all_is_well()


def test_an_address_that_leads_nowhere_says_what_is_possible(server: Server, browser: Any) -> None:
    ana = opened(server, browser, DESKTOP)
    ana.go("/study/turn-3-bet/check/jump")
    assert "valid: check, bet6.6bb" in ana.shows(".notice-error").inner_text()
    ana.page.get_by_role("link", name="To its first decision").click()
    ana.shows(".matrix")
    ana.go("/study/nowhere")
    assert "is not in the library" in ana.shows(".notice-error").inner_text()


def test_the_library_is_changed_and_the_change_undone(server: Server, browser: Any) -> None:
    ana = opened(server, browser, DESKTOP)
    ana.page.get_by_role("link", name="All spots").click()
    with ana.page.expect_download() as download:
        ana.page.get_by_role("link", name=f"Download {SPOT}").click()
    ana.page.locator("input[type=file]").set_input_files(
        [{"name": "My own spot.tahur", "mimeType": "", "buffer": download.value.path().read_bytes()}]
    )
    line = ana.page.locator(".spot-line", has_text="My own spot")
    line.get_by_role("button", name="Rename").click()
    ana.page.get_by_label("Name", exact=True).fill("Third barrel")
    ana.page.get_by_role("button", name="Save").click()
    ana.page.get_by_role("button", name="Delete Third barrel").click()
    waits(ana, lambda: not ana.sees(".spot-name:has-text('Third barrel')"))
    ana.page.get_by_role("button", name="Undo").click()
    ana.shows(".spot-name:has-text('Third barrel')")
    ana.page.locator("input[type=file]").set_input_files(
        [{"name": "notes.tahur", "mimeType": "", "buffer": b"not a spot"}]
    )
    assert "not a file of" in ana.shows(".wrong").inner_text()
    assert barriers(ana) == []
