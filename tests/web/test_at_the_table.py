"""What users met at the table and in the history, each where they met it: in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cardroom import DESKTOP, OVER, PHONE, Server, Visitor, answer, serving, until, visitor, waits

from tahur.players.perudo.personalities import NAMES

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("everybody_leaves")]

AT_END = "element => element.scrollHeight - element.scrollTop - element.clientHeight"


def two_people(browser: Any, server: Server, **settings: Any) -> tuple[Visitor, Visitor]:
    """Ana and Ben at one table, in the first hand."""
    ana, ben = visitor(browser, server, name="Ana"), visitor(browser, server, name="Ben")
    ana.open("two people", minds=(None,), **settings)
    ben.join(ana.room())
    ana.shows(".seat-turn")
    return ana, ben


def in_bursts(who: Visitor) -> Callable[[Visitor], None]:
    """How to act so that all the room's answers come to the page at once, as they do when bots answer at once."""
    held: list[str] = []
    routes: list[Any] = []
    holding = False

    def through(route: Any) -> None:
        routes.append(route)
        route.connect_to_server().on_message(lambda text: held.append(text) if holding else route.send(text))

    def act(each: Visitor) -> None:
        nonlocal holding
        holding = True
        answer(each)
        who.page.wait_for_timeout(150)
        holding = False
        while held:
            routes[-1].send(held.pop(0))

    who.page.route_web_socket("**/socket*", through)
    return act


def test_the_log_follows_new_lines_unless_the_reader_has_scrolled_up(server: Server, browser: Any) -> None:
    ana = visitor(browser, server, (1280, 620))
    act = in_bursts(ana)
    ana.open("a long log", minds=("caller",) * 5)
    log = ana.page.locator(".log")
    until(lambda: f"5 {OVER}" in ana.log(), ana, act=act)
    assert log.evaluate(AT_END) < 5
    log.hover()
    ana.page.mouse.wheel(0, -200)
    waits(ana, lambda: log.evaluate(AT_END) > 100)
    place = log.evaluate("element => element.scrollTop")
    until(lambda: f"6 {OVER}" in ana.log(), ana, act=act)
    assert log.evaluate("element => element.scrollTop") == place
    log.hover()
    ana.page.mouse.wheel(0, 5000)
    waits(ana, lambda: log.evaluate(AT_END) < 5)
    until(lambda: f"7 {OVER}" in ana.log(), ana, act=act)
    assert log.evaluate(AT_END) < 5


def test_arrow_keys_move_the_bet_slider_by_a_big_blind(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a slider", blinds=[5, 10], stack=1000)
    slider, amount = ana.shows(".slider"), ana.page.locator(".typed input")
    slider.focus()
    ana.page.keyboard.press("Home")
    least = int(amount.input_value())
    for key, more in (("ArrowRight", 10), ("ArrowUp", 20), ("ArrowLeft", 10), ("PageUp", 60), ("ArrowDown", 50)):
        ana.page.keyboard.press(key)
        assert int(amount.input_value()) == least + more, key
    ana.page.keyboard.press("End")
    assert amount.input_value() == "1000"


def test_fifteen_seconds_to_decide_come_with_a_time_bank(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.go("/new")
    ana.page.get_by_text("15 s", exact=True).click()
    assert ana.page.get_by_label("Time bank, seconds").input_value() == "60"
    ana.page.get_by_text("at once", exact=True).click()
    with ana.page.expect_websocket() as opening:
        ana.page.get_by_role("button", name="Open the room").click()
    with opening.value.expect_event("framereceived", lambda text: '"bank":60000' in text):
        pass
    assert " s" in ana.shows(".seat-you .doing-clock").inner_text()


def test_a_spectator_takes_a_free_seat_without_loading_the_page_again(server: Server, browser: Any) -> None:
    ana, zoe = visitor(browser, server, name="Ana"), visitor(browser, server, name="Zoe")
    ana.open("a free seat", minds=("caller", None))
    zoe.go(f"/room/{ana.room()}")
    zoe.page.get_by_role("button", name="Watch").click()
    zoe.shows("button.seat-free:has-text('take this seat')").click()
    zoe.shows(".seat-you:has-text('Zoe')")
    assert "Zoe sits down" in zoe.log()
    until(lambda: zoe.sees(".seat-you .holding .card"), ana, zoe, act=answer)
    zoe.all_is_well()


def test_an_invitation_says_that_this_machine_alone_can_open_it(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("an invitation", minds=(None,))
    ana.page.get_by_role("button", name="Invite").click()
    assert "tahur room serve --host 0.0.0.0" in ana.shows("dialog code").inner_text()


def test_an_invitation_is_a_link_that_works_on_other_machines(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", "--password", "four aces") as server:
        ana, ben = visitor(browser, server, name="Ana"), visitor(browser, server, name="Ben")
        ana.open("an invitation", minds=(None,), password="four aces")
        ana.page.get_by_role("button", name="Invite").click()
        link = ana.shows(".invite-link input").input_value()
        assert "localhost" not in link
        assert "127.0.0.1" not in link
        ben.page.goto(link)
        assert ana.room() in link
        ben.page.get_by_label("Password of this card room").fill("four aces")
        ben.page.keyboard.press("Enter")
        ben.page.get_by_text("One seat is free.").wait_for()


@pytest.mark.parametrize(("entry", "told"), [("Close the room", "closes the room"), ("Leave the seat", "Ana has left")])
def test_closing_and_leaving_are_asked_once_more(server: Server, browser: Any, entry: str, told: str) -> None:
    ana, ben = two_people(browser, server)
    ana.menu(entry)
    ana.page.get_by_role("button", name="Stay").click()
    assert ana.sees(".felt")
    assert told not in ben.log()
    ana.menu(entry)
    ana.page.locator("dialog").get_by_role("button", name=entry).click()
    until(lambda: told in ben.log(), ben, act=answer)


def test_every_page_tells_the_same_number_of_hands(server: Server, browser: Any) -> None:
    ana, ben = visitor(browser, server, name="Ana"), visitor(browser, server, name="Ben")
    ana.open("counted", minds=("caller", None))
    until(lambda: f"2 {OVER}" in ana.log(), ana, act=answer)
    ben.join(ana.room())  # the third is dealt already
    until(lambda: f"4 {OVER}" in ana.log() and "Hand 5" in ana.log(), ana, ben, act=answer)
    for who, words in ((ana, "4 hands"), (ben, "4 hands, 1 of them yours")):
        for path in ("/history", "/rooms", f"/history/{ana.room()}"):
            who.go(path)
            who.page.locator(".room-who, .history-head").get_by_text(re.compile(rf"{words}$")).wait_for()
        assert who.page.locator(".hand-row").count() == 4
    assert "after 4 hands" in ana.shows(".curve-box h2").inner_text()


def test_a_room_that_was_left_stays_in_the_history(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("left")
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    ana.menu("Leave the seat")
    ana.page.locator("dialog").get_by_role("button", name="Leave the seat").click()
    ana.go("/history")
    assert "left" in ana.shows(".room-list").inner_text()


def test_words_that_were_read_are_not_new_after_loading_the_page_again(server: Server, browser: Any) -> None:
    ana, ben = two_people(browser, server)
    for word in ("hello", "anybody?"):
        ben.page.get_by_role("tab", name="Talk").click()
        ben.page.get_by_label("Say something").fill(word)
        ben.page.keyboard.press("Enter")
    badge = ana.page.locator(".tab-new")
    ana.page.locator(".tab-new", has_text="2").wait_for()
    ana.page.get_by_role("tab", name="Talk").click()
    ana.page.get_by_text("anybody?").first.wait_for()
    ana.page.get_by_role("tab", name="Log").click()
    assert badge.count() == 0
    ana.page.reload()
    ana.shows(".log")
    assert badge.count() == 0
    ben.page.get_by_label("Say something").fill("again")
    ben.page.keyboard.press("Enter")
    assert ana.shows(".tab-new").inner_text().startswith("1")


def test_away_goes_away_when_the_player_comes_back(server: Server, browser: Any) -> None:
    ana, ben = two_people(browser, server, seconds=60)
    while not ben.sees(".bar"):
        answer(ana) if ana.sees(".bar") else ana.page.wait_for_timeout(50)
    ben.go("/fair")
    ana.shows(".doing-clock:has-text('away')")
    ben.go(f"/room/{ana.room()}")
    ben.shows(".bar")
    ana.shows(".doing-clock:not(:has-text('away'))")
    assert "away" not in ana.page.locator(".felt").inner_text()
    assert "away" not in ben.page.locator(".felt").inner_text()


def test_every_name_for_perudo_can_be_seated_in_the_gallery(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.go("/new")
    ana.page.get_by_text("Perudo", exact=True).first.click()
    shown = ana.page.locator(".mind-head b").all_inner_texts()
    names = [name for names in NAMES.values() for name in names]
    assert len(names) == 25
    assert set(names) <= set(shown)
    for place, name in enumerate(("Doña Suerte", "El Tahúr", "La Calavera Loca")):
        ana.page.locator(".seat-list button").nth(place).click()
        ana.page.locator(".mind", has=ana.page.get_by_text(name, exact=True)).click()
    ana.page.get_by_text("at once", exact=True).click()
    ana.page.get_by_role("button", name="Open the room").click()
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    assert [each for each in ana.page.locator(".seat-name").all_inner_texts() if "you" not in each] == [
        "Doña Suerte",
        "El Tahúr",
        "La Calavera Loca",
    ]
    ana.all_is_well()


# ---- the table says what happened ----------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_side_pots_are_paid_one_by_one(server: Server, browser: Any, size: tuple[int, int]) -> None:
    ana = visitor(browser, server, size)
    ana.open("side pots", minds=("caller", "caller"), pace="quick")
    for hand, chips in enumerate((60, 100), start=1):
        ana.raise_to(chips)
        until(lambda hand=hand: f"{hand} {OVER}" in ana.log(), ana, act=answer)  # type: ignore[misc]
    ana.note_news()
    ana.raise_to(340)
    ana.shows(".doing-equity")
    assert ana.page.locator(".doing-equity").all_inner_texts() == ["18% to win", "16% to win", "67% to win"]
    assert ana.page.locator(".holding .card:not(.card-back)").count() == 6
    boards = []

    def run_out() -> bool:
        cards = ana.page.locator(".board .card:not(.card-place)").count()
        boards.extend([cards] if cards not in boards else [])
        return ana.sees(".news")

    waits(ana, run_out, tries=400)
    assert boards == [0, 3, 4, 5]
    waits(ana, lambda: f"3 {OVER}" in ana.log(), tries=400)
    assert [words for words in ana.news() if " pot" in words] == [
        "Caller 2 wins the main pot, 120: a pair of aces",
        "Ana wins side pot 1, 360: a pair of kings",
    ]
    ana.all_is_well()


def test_a_split_pot_lights_both_hands(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a split pot", pace="calm")
    until(lambda: ana.sees(".news:has-text('split')"), ana, act=answer)
    assert ana.page.locator(".bet-paid").all_inner_texts() == ["+2", "+2"]
    assert ana.page.locator(".seat .card-lit").count() == 4


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("motion", [True, False], ids=["moving", "still"])
def test_the_pot_moves_and_the_stack_counts_up_unless_motion_is_unwanted(
    server: Server, browser: Any, motion: bool, size: tuple[int, int]
) -> None:
    ana = visitor(browser, server, size)
    ana.page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
    ana.open("a kicker", pace="brisk")
    ana.page.evaluate(
        """() => {
          window.stacks = new Set(); window.flights = 0;
          new MutationObserver((changes) => {
            window.stacks.add(document.querySelector('.seat-you .seat-chips')?.textContent);
            for (const change of changes) for (const node of change.addedNodes)
              if (node.classList?.contains('bet-paid'))
                requestAnimationFrame(() => { window.flights += node.getAnimations().length; });
          }).observe(document.querySelector('.felt'), {childList: true, subtree: true, characterData: true});
        }"""
    )
    ana.raise_to(100)
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    between = [int(text) for text in ana.page.evaluate("[...window.stacks]") if text and 101 <= int(text) < 300]
    assert bool(ana.page.evaluate("window.flights")) == motion
    assert (len([chips for chips in between if 110 < chips < 299]) > 2) == motion


def test_the_log_tells_no_more_than_the_table_shows(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a run-out", pace="brisk")
    ana.raise_to(200)
    ana.shows(".doing-equity")
    assert "wins" not in ana.log()
    assert "The river" not in ana.log()
    waits(ana, lambda: "Ana wins 400 with three of a kind, aces" in ana.log(), tries=400)
    assert ana.sees(".news")


def test_nobody_is_asked_again_while_the_end_is_written(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a kicker", minds=("caller",) * 3, pace="brisk")
    ana.page.evaluate(
        """() => {
          window.bars = 0;
          new MutationObserver(() => {
            if (document.querySelector('.bar')) { if (!window.open_) window.bars += 1; window.open_ = true; }
            else window.open_ = false;
          }).observe(document.body, {childList: true, subtree: true});
        }"""
    )
    acted = 0

    def act(who: Visitor) -> None:
        nonlocal acted
        acted += 1
        answer(who)

    until(lambda: f"1 {OVER}" in ana.log(), ana, act=act)
    assert ana.page.evaluate("window.bars") in (acted - 1, acted)  # the first may have been there before the count
    assert not ana.sees(".action .wrong")


def test_who_comes_back_sees_how_it_ended_and_not_the_way_there(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("a run-out", pace="calm")
    ana.raise_to(200)
    ana.shows(".doing-equity")
    ana.page.reload()
    assert "Ana wins 400" in ana.shows(".news").inner_text()
    assert ana.page.locator(".board .card-lit").count() == 3


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_end_of_a_match_has_a_screen_and_a_rematch(server: Server, browser: Any, size: tuple[int, int]) -> None:
    ana = visitor(browser, server, size)
    ana.open("one die each", "perudo", minds=("random",), pace="brisk", dice=1)
    until(lambda: ana.sees(".match"), ana, act=answer)
    assert ana.page.locator(".match h2").inner_text() in ("You win the match", "Random wins the match")
    assert ana.page.locator(".match-places li").count() == 2
    ana.picture(f"match-{size[0]}")
    ana.page.get_by_role("button", name="Rematch").click()
    ana.page.locator(".match").wait_for(state="detached")
    ana.shows(".bar, .seat-turn")
    assert ana.page.locator(".seat-chips").all_inner_texts() == ["1 die", "1 die"]
    ana.all_is_well()


@pytest.mark.parametrize("game", ["nlhe", "perudo"])
def test_nothing_moves_between_turns_on_a_phone(server: Server, browser: Any, game: str) -> None:
    ana = visitor(browser, server, PHONE)
    ana.open("still", game, minds=("random", "random"), pace="brisk")
    places = set()

    def look() -> bool:
        box = ana.page.locator(".seat-you .seat-plate").bounding_box()
        places.add((round(box["x"]), round(box["y"])))
        return f"2 {OVER}" in ana.log()

    until(look, ana, act=answer)
    assert len(places) == 1


def test_what_they_thought_is_told_in_sentences_with_the_record_behind_it(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    ana.open("thoughts", minds=("persona:duelist", "persona:barber"))
    until(lambda: f"1 {OVER}" in ana.log(), ana, act=answer)
    ana.go(f"/history/{ana.room()}/1")
    told = ana.shows(".thought-text").inner_text()
    assert "of the pot with its hand" in told
    assert "|" not in told
    record = ana.page.locator(".thought-record p").first
    assert not record.is_visible()
    ana.page.locator(".thought-record summary").first.click()
    assert "equity" in record.inner_text()
