"""The card room in a real browser. Pictures of what was seen are kept in build/screens: look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cardroom import OVER, PHONE, Server, Visitor, answer, serving, until, visitor

from scripted_endpoint import serving as endpoint

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("everybody_leaves")]


def open_room(host: Visitor, game: str, free: int = 1) -> None:
    """By the form: four seats, the last ones free for friends, minds that answer at once."""
    host.go("/new")
    host.page.get_by_text(game, exact=True).first.click()
    for place in range(free):
        host.page.locator(".seat-list button").nth(2 - place).click()
        host.page.get_by_role("button", name="No one yet").click()
    host.page.get_by_text("at once", exact=True).click()
    host.page.get_by_role("button", name="Open the room").click()
    host.shows(".felt")


@pytest.mark.parametrize("game", ["No-limit hold'em", "Limit hold'em", "Perudo"])
def test_two_people_and_two_minds_finish_a_hand(server: Server, browser: Any, game: str) -> None:
    ana, ben = visitor(browser, server, name="Ana"), visitor(browser, server, name="Ben")
    open_room(ana, game)
    ben.go(f"/room/{ana.room()}")
    ben.page.get_by_role("button", name="Take a seat").click()
    ana.page.locator(".log").get_by_text("Ben sits down").wait_for()
    ana.page.get_by_role("button", name="Start the game").click()
    held: dict[int, list[str]] = {}

    def act(who: Visitor) -> None:
        held.setdefault(id(who), who.own_hand())
        if f"1 {OVER}" not in ana.log():
            shown = ben.page.locator(".seat:not(.seat-you) .holding .card:not(.card-back), .seat:not(.seat-you) .die")
            assert shown.count() == 0  # before the showdown nobody's hand but one's own is there
        answer(who)

    slug = game.split()[0].lower()
    ana.shows(".bar, .seat-turn")
    ana.picture(f"{slug}-ana")
    until(lambda: f"1 {OVER}" in ana.log() and f"1 {OVER}" in ben.log(), ana, ben, act=act)
    ana.page.get_by_role("tab", name="Last").click()
    ana.shows(".last h4")
    ana.picture(f"{slug}-over")
    assert all(held.get(id(who)) for who in (ana, ben))  # both were dealt in, and asked
    ana.all_is_well()
    ben.all_is_well()


def test_a_page_loaded_again_in_mid_hand_goes_on_where_it_was(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    open_room(ana, "No-limit hold'em", free=0)
    ana.shows(".bar")
    before = (ana.own_hand(), ana.page.locator(".pots").inner_text(), ana.page.locator(".bar-buttons").inner_text())
    ana.page.reload()
    ana.shows(".bar")
    after = (ana.own_hand(), ana.page.locator(".pots").inner_text(), ana.page.locator(".bar-buttons").inner_text())
    assert after == before
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    ana.all_is_well()


def test_a_hand_is_played_by_the_keyboard_alone(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.go("/")
    press = ana.page.keyboard.press
    ana.shows(".button-main")
    for _ in range(12):
        press("Tab")
        if ana.page.evaluate("document.activeElement.textContent") == "Play a hand now":
            break
    press("Enter")
    ana.shows(".bar")
    press("?")
    ana.shows("dialog.dialog[open]")
    ana.picture("keys")
    press("Escape")
    ana.page.locator("dialog").wait_for(state="detached")
    press("a")
    assert "sure?" in ana.shows(".act-bet").inner_text()  # all-in is asked once more
    press("Escape")
    press("2")
    chosen = ana.page.locator(".size-chosen b").inner_text()
    assert chosen in ana.page.locator(".act-ready").inner_text()
    press("ArrowUp")
    press("r")
    ana.page.keyboard.type("7")
    assert "7" in ana.page.locator(".act-bet").inner_text()
    ana.picture("raise")
    press("Enter")
    ana.page.locator(".log").get_by_text("raises to 7").wait_for()
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=lambda who: who.page.keyboard.press("c"))
    ana.all_is_well()


@pytest.mark.parametrize("game", ["No-limit hold'em", "Perudo"])
def test_on_a_phone_everything_is_in_reach_of_a_thumb(server: Server, browser: Any, game: str) -> None:
    ana = visitor(browser, server, PHONE)
    open_room(ana, game, free=0)
    ana.shows(".bar")
    ana.picture(f"phone-{game.split()[0].lower()}")
    wide, high = PHONE
    assert ana.page.evaluate("document.documentElement.scrollWidth") == wide
    for button in ana.page.locator(".act").all():
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= wide
        assert box["y"] + box["height"] <= high
        assert min(box["height"], box["width"]) >= 44
    own = ana.page.locator(".seat-you .holding").bounding_box()
    assert own["y"] + own["height"] < ana.page.locator(".bar").bounding_box()["y"]
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    ana.all_is_well()


def test_a_lost_connection_says_what_was_kept_and_comes_back(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    sockets: list[Any] = []

    def through(route: Any) -> None:
        route.connect_to_server()
        sockets.append(route)

    ana.page.route_web_socket("**/socket*", through)
    open_room(ana, "No-limit hold'em", free=0)
    ana.shows(".bar")
    answer(ana)
    ana.page.get_by_text("Connected").wait_for()
    sockets[0].close()
    words = ana.shows(".link-lost").inner_text()
    assert "Connection lost." in words
    assert "was saved." in words
    assert "Reconnecting, 1 s" in words
    ana.picture("lost")
    ana.shows(".link-open")
    assert len(sockets) == 2
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    numbers = ana.page.locator(".log-hand").all_inner_texts()
    assert len(numbers) == len(set(numbers))  # nothing is told twice


def test_a_server_that_was_killed_in_mid_hand_goes_on_with_the_same_deck(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        ana = visitor(browser, first)
        open_room(ana, "No-limit hold'em", free=0)
        ana.shows(".bar")
        hand = ana.own_hand()
    assert "Connection lost." in ana.shows(".link-lost").inner_text()
    with serving(tmp_path, port=first.port):
        ana.shows(".link-open")
        assert ana.own_hand() == hand
        until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)


def test_who_watches_sees_no_hand(server: Server, browser: Any) -> None:
    ana, zoe = visitor(browser, server), visitor(browser, server)
    open_room(ana, "No-limit hold'em", free=0)
    ana.shows(".bar")
    zoe.go(f"/room/{ana.room()}")
    zoe.page.get_by_role("button", name="Watch").click()
    zoe.shows(".felt .card-back")
    assert not zoe.sees(".holding .card:not(.card-back)")
    assert not zoe.sees(".bar")
    zoe.picture("watching")
    zoe.all_is_well()


def test_every_page_loads_by_itself_and_asks_nobody_else(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    open_room(ana, "No-limit hold'em", free=0)
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    room = ana.room()
    places = {
        "/": "Play a hand now",
        "/new": "Who sits where",
        "/rooms": "Go on",
        "/history": "What was played",
        f"/history/{room}": "Export",
        f"/history/{room}/1": "What they thought",
        "/fair": "What it does not prove",
        "/nowhere": "There is no such page",
    }
    for path, words in places.items():
        ana.go(path)
        ana.page.get_by_text(words).first.wait_for()
        ana.picture(f"page{path.replace(room, 'room').replace('/', '-')}")
        assert unnamed(ana) == []
    ana.all_is_well()


def test_a_finished_hand_is_stepped_through_and_its_deal_checked(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    open_room(ana, "No-limit hold'em", free=0)
    ana.shows(".bar")
    hand = ana.own_hand()
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    ana.go(f"/history/{ana.room()}/1")
    ana.shows(".stepper")
    assert ana.own_hand() == hand
    words = [ana.page.locator(".step-words").inner_text()]
    while ana.page.get_by_role("button", name="Next").is_enabled():
        ana.page.keyboard.press("ArrowRight")
        words.append(ana.page.locator(".step-words").inner_text())
    assert OVER in words[-1] or "wins" in " ".join(words)
    ana.page.get_by_role("button", name="Check the deal").click()
    assert "as committed before the deal" in ana.shows(".right").inner_text()
    with ana.page.expect_download() as loading:
        ana.page.get_by_role("link", name="PHH").click()
    assert "actions" in Path(loading.value.path()).read_text()


MODEL = "A language model chooses"


def test_without_a_language_model_its_switch_is_off_and_says_why(server: Server, browser: Any) -> None:
    ana = visitor(browser, server, name="Ana")
    ana.go("/new")
    switch = ana.shows(f".tick:has-text('{MODEL}')")
    assert switch.locator("input").is_disabled()
    assert "tahur room serve --llm" in switch.inner_text()
    ana.all_is_well()


def test_a_language_model_chooses_in_a_room_that_was_opened_with_it(browser: Any, tmp_path: Path) -> None:
    with (
        endpoint() as model,
        serving(tmp_path, "--llm", model.url, "--model", "small", environment={"TAHUR_DATA": str(tmp_path)}) as server,
    ):
        ana = visitor(browser, server, name="Ana")
        ana.go("/new")
        switch = ana.shows(f".tick:has-text('{MODEL}')")
        assert "small" in switch.inner_text()
        ana.page.get_by_text("Perudo", exact=True).first.click()
        assert switch.locator("input").is_disabled()
        ana.page.get_by_text("No-limit hold'em", exact=True).first.click()
        switch.click()
        ana.page.get_by_text("at once", exact=True).click()
        ana.picture("new-model")
        ana.page.get_by_role("button", name="Open the room").click()
        ana.shows(".felt")
        until(lambda: OVER in ana.log(), ana, act=answer)
        assert ana.page.locator(".seat abbr", has_text="LLM").count() == 3
        ana.picture("model")
        assert model.heard
        ana.all_is_well()


def test_hints_and_palette_stay_as_they_were_set(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    open_room(ana, "No-limit hold'em", free=0)
    assert "1/3" in ana.shows(".hint").inner_text()
    ana.page.get_by_role("button", name="Next").click()
    assert "2/3" in ana.shows(".hint").inner_text()
    ana.page.get_by_role("button", name="No hints").click()
    ana.page.get_by_role("button", name="Room", exact=True).click()
    ana.page.get_by_role("button", name="Settings").click()
    ana.page.get_by_text("Colour-blind palette").click()
    ana.picture("palette")
    ana.page.reload()
    ana.shows(".felt")
    assert not ana.sees(".hint")
    assert ana.page.evaluate("document.documentElement.dataset.palette") == "safe"


def test_a_server_that_does_not_answer_is_said_in_words(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as gone:
        ana = visitor(browser, gone)
        ana.go("/")
        ana.shows(".button-main")
    ana.page.get_by_role("link", name="Open rooms").first.click()
    words = ana.shows(".notice-error").inner_text()
    assert "does not answer" in words
    assert "Nothing that was played is lost" in words
    ana.picture("no-answer")


def unnamed(who: Visitor) -> list[str]:
    """Controls and pictures without a name for who cannot see them."""
    return list(
        who.page.evaluate(
            """() => [...document.querySelectorAll('button, a, input, svg:not([aria-hidden])')].filter((each) =>
              !(each.textContent.trim() || each.getAttribute('aria-label') || each.closest('label') || each.title
                || (each.id && document.querySelector(`label[for="${each.id}"]`)))).map((each) => each.outerHTML)"""
        )
    )
