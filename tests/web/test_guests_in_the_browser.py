"""What host and guests do about each other, in the browser: the password, mutes, bans, and writing too fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cardroom import DESKTOP, PHONE, Server, Visitor, barriers, need_page, serving, visitor

from tahur.room.rate_limits import CHAT

PASSWORD = "four aces"
pytestmark = pytest.mark.usefixtures("everybody_leaves")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With a password, and with its limits."""
    need_page()
    with serving(tmp_path_factory.mktemp("house"), "--password", PASSWORD, limited=True) as found:
        yield found


def two_people(browser: Any, server: Server, size: tuple[int, int] = DESKTOP, **more: Any) -> tuple[Visitor, Visitor]:
    """Ana, the host, and Eve, at a table that waits, with a bot."""
    ana, eve = visitor(browser, server, size, name="Ana"), visitor(browser, server, name="Eve")
    ana.open("guests", minds=(None, "caller"), wait=True, **more)
    eve.join(ana.room())
    ana.page.get_by_text("Eve", exact=True).first.wait_for()
    return ana, eve


def says(who: Visitor, words: str) -> None:
    who.page.get_by_role("tab", name="Talk").click()
    who.page.get_by_label("Say something at the table").fill(words)
    who.page.keyboard.press("Enter")


# ---- the password --------------------------------------------------------------------------------


def test_nothing_is_shown_before_the_password_and_it_is_asked_once(house: Server, browser: Any) -> None:
    ana, ben = visitor(browser, house, name="Ana"), visitor(browser, house, name="Ben")
    ana.open("Zanzibar", minds=(None,), password=PASSWORD)
    for path in ("/", "/rooms", "/new", "/history", f"/room/{ana.room()}", f"/history/{ana.room()}"):
        ben.go(path)
        ben.shows(".gate")
        assert "Zanzibar" not in ben.page.content()
        assert "Ana" not in ben.page.inner_text("body")
    ben.go(f"/room/{ana.room()}")
    ben.shows(".gate")
    ben.picture("password-gate")
    assert barriers(ben) == []
    field = ben.page.get_by_label("Password of this card room")
    field.fill("five aces")
    ben.page.keyboard.press("Enter")
    ben.page.get_by_role("alert").filter(has_text="that is not the password").wait_for()
    field.fill(PASSWORD)
    ben.page.keyboard.press("Enter")
    ben.page.get_by_role("heading", name="Zanzibar").wait_for()
    ben.page.reload()
    ben.page.get_by_role("button", name="Take a seat").click()
    ben.shows(".seat-you")
    ben.go("/rooms")
    ben.page.get_by_text("Zanzibar").wait_for()
    assert not ben.sees(".gate")


# ---- mutes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_who_is_muted_is_heard_neither_in_the_talk_nor_in_bubbles_nor_by_the_screen_reader(
    server: Server, browser: Any, size: tuple[int, int]
) -> None:
    ana, eve = two_people(browser, server, size)
    says(eve, "first words")
    ana.page.get_by_role("tab", name="Talk").click()
    ana.page.locator(".talk-lines").get_by_text("first words").wait_for()
    assert ana.page.locator(".bubble", has_text="first words").count() == 1
    ana.page.locator(".mutes summary").focus()
    ana.page.keyboard.press("Enter")  # by the keyboard alone
    ana.page.keyboard.press("Tab")
    ana.page.keyboard.press("Space")
    ana.page.get_by_text("Mute (1 muted)").wait_for()
    assert ana.page.get_by_role("switch", name="Mute Eve").is_checked()
    assert ana.page.get_by_role("switch", name="Mute Caller").count() == 1
    assert barriers(ana) == []
    ana.picture(f"mutes-{size[0]}")
    says(eve, "second words")
    eve.page.locator(".talk-lines").get_by_text("second words").wait_for()
    says(ana, "I hear nothing")
    ana.page.locator(".talk-lines").get_by_text("I hear nothing").wait_for()
    assert "words" not in ana.page.locator(".talk-lines").inner_text()
    assert ana.page.locator(".bubble", has_text="words").count() == 0
    assert "second words" not in ana.page.locator("[role=log]").first.inner_text()
    ana.page.reload()
    ana.shows(".felt")
    ana.page.get_by_role("tab", name="Talk").click()
    ana.page.locator(".talk-lines").get_by_text("I hear nothing").wait_for()
    assert "words" not in ana.page.locator(".talk-lines").inner_text()
    ana.page.locator(".mutes summary").click()
    ana.page.get_by_role("switch", name="Mute Eve").click()
    ana.page.locator(".talk-lines").get_by_text("second words").wait_for()
    ana.all_is_well()


# ---- bans ----------------------------------------------------------------------------------------


def test_the_host_bans_after_a_question_sees_the_ban_and_lifts_it(server: Server, browser: Any) -> None:
    ana, eve = two_people(browser, server)
    room = ana.room()
    ana.menu("Ban Eve")
    ana.shows("dialog[open]")
    ana.picture("ban-question")
    ana.page.locator("dialog").get_by_role("button", name="Cancel").click()
    assert not eve.page.get_by_text("banned you").count()
    ana.menu("Ban Eve")
    ana.shows("dialog[open]")
    assert barriers(ana) == []
    ana.page.locator("dialog").get_by_role("button", name="Ban Eve").click()
    eve.page.get_by_role("alert").filter(has_text="the host has banned you from this room").wait_for()
    eve.picture("banned")
    ana.page.get_by_text("Eve is banned only by their browser's token").wait_for()  # all tests have one address
    assert "The host bans Eve" in ana.log()
    eve.go(f"/room/{room}")
    for button in ("Take a seat", "Watch"):
        eve.page.get_by_role("button", name=button).click()
        eve.page.get_by_role("alert").filter(has_text="the host has banned you").wait_for()
    ana.menu("Banned people (1)")
    ana.shows("dialog[open]")
    ana.picture("bans")
    assert barriers(ana) == []
    ana.page.get_by_role("button", name="Lift the ban of Eve").click()
    ana.page.get_by_text("No one is banned.").wait_for()
    eve.page.get_by_role("button", name="Take a seat").click()
    eve.shows(".seat-you:has-text('Eve')")
    ana.all_is_well()


def test_a_bot_and_oneself_cannot_be_banned_and_guests_have_no_such_entry(server: Server, browser: Any) -> None:
    ana, eve = two_people(browser, server)
    for who, entries in ((ana, ["Ban Eve"]), (eve, [])):
        who.page.get_by_role("button", name="Room", exact=True).click()
        texts = who.page.locator(".menu-list button").all_inner_texts()
        assert [text for text in texts if text.startswith("Ban")] == entries


# ---- chat ----------------------------------------------------------------------------------------


def test_who_writes_too_fast_is_told_so_and_keeps_the_words(house: Server, browser: Any) -> None:
    from playwright.sync_api import expect

    ana = visitor(browser, house, name="Ana")
    ana.open("chat", minds=(None,), wait=True, password=PASSWORD)
    for at in range(int(CHAT.burst)):
        says(ana, f"line {at}")
        ana.page.locator(".talk-lines").get_by_text(f"line {at}").wait_for()
    says(ana, "one too many")
    ana.page.get_by_role("alert").filter(has_text="you are writing too fast; try again in").wait_for()
    expect(ana.page.get_by_label("Say something at the table")).to_have_value("one too many")
    assert "one too many" not in ana.page.locator(".talk-lines").inner_text()
    ana.picture("too-fast")


def test_a_name_that_shows_nothing_is_refused_in_words(server: Server, browser: Any) -> None:
    ana = visitor(browser, server, name="\u3164")
    ana.go("/")
    ana.page.get_by_role("button", name="Play a hand now").click()
    ana.page.get_by_role("alert").filter(has_text="invisible").wait_for()
