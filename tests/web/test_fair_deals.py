"""Fair deals in a real browser: the page has a part in the shuffle, keeps notes, and finds out a server that cheats."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cardroom import ROOT, Server, Visitor, answer, serving, until, visitor, waits

pytestmark = pytest.mark.usefixtures("everybody_leaves")


@pytest.fixture(scope="module")
def forging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("forged"), program="forging_server.py") as found:
        yield found


def play_one_hand(who: Visitor, title: str, game: str = "nlhe", minds: tuple[str | None, ...] = ("caller",)) -> str:
    """The name of the room; hand 1 is over and the page has seen its end."""
    who.open(title, game, minds, pace="brisk")
    until(lambda: "is over" in who.log(), who, act=answer)
    return who.room()


def fold(who: Visitor) -> None:
    """Hands are over soon."""
    who.page.locator(".bar .act-fold, .bar .act-call").first.click()


def check(who: Visitor, room: str, hand: int = 1) -> str:
    """What the page says of the deal."""
    who.go(f"/history/{room}/{hand}")
    who.page.get_by_role("button", name="Check the deal").click()
    return str(who.shows(".fair-check [role=status]").inner_text())


@pytest.mark.parametrize("game", ["nlhe", "perudo"])
def test_the_page_puts_a_seed_into_the_shuffle_and_checks_the_deal(
    server: Server, browser: Any, tmp_path: Path, game: str
) -> None:
    ana = visitor(browser, server)
    room = play_one_hand(ana, "with seeds", game, ("caller",) if game == "nlhe" else ("persona:turtle",))
    words = check(ana, room)
    assert "all as committed before the deal. Your seed is in the shuffle." in words
    ana.picture(f"fair-{game}")
    with ana.page.expect_download() as download:
        ana.page.get_by_role("link", name="Save the proof and your notes").click()
    file = tmp_path / "deal.json"
    download.value.save_as(file)
    notes = json.loads(file.read_text("utf-8"))["notes"]
    assert notes["seed"] is not None
    assert len(notes["hands"]) == 2
    assert len(notes["board"]) == (5 if game == "nlhe" else 0)
    script = [sys.executable, "-I", str(ROOT / "docs" / "verify_deal.py"), str(file)]
    done = subprocess.run(script, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "Hand 1 was dealt as it was committed to.")
    ana.all_is_well()


def test_two_people_have_their_seeds_in_the_same_deal(server: Server, browser: Any) -> None:
    ana, ben = visitor(browser, server), visitor(browser, server, name="Ben")
    ana.open("with seeds", "nlhe", (None,), pace="brisk", wait=True)
    ben.join(ana.room())
    ana.page.get_by_role("button", name="Start the game").click()
    until(lambda: "is over" in ana.log() and "is over" in ben.log(), ana, ben, act=answer)
    room = ana.room()
    for who in (ana, ben):
        words = check(who, room)
        assert "Your seed is in the shuffle." in words
        assert "did not reveal" not in words
    proof = ana.page.request.get(f"{server.address}/api/rooms/{room}/hands/1/fairness").json()
    assert [each["seat"] for each in proof["seeds"]] == [0, 1]


def test_two_tabs_of_one_person_offer_the_same_seed(server: Server, browser: Any) -> None:
    """Each made its own once: the one that was offered was then revealed by neither."""
    ana = visitor(browser, server)
    ana.open("with seeds", "nlhe", (None,), pace="brisk", wait=True)
    other = ana.page.context.new_page()
    other.goto(ana.page.url)
    other.wait_for_selector(".felt")
    ben = visitor(browser, server, name="Ben")
    ben.join(ana.room())
    ana.page.get_by_role("button", name="Start the game").click()
    until(lambda: "Hand 3 is over" in ana.log(), ana, ben, act=fold)
    room = ana.room()
    assert not other.locator("[role=alert]").count()
    for hand in (1, 2, 3):
        words = check(ana, room, hand)
        assert "Your seed is in the shuffle." in words
        assert "did not reveal" not in words


def test_a_server_that_takes_the_river_from_elsewhere_in_the_deck_is_found_out(forging: Server, browser: Any) -> None:
    ana = visitor(browser, forging)
    room = play_one_hand(ana, "a forged river")
    words = check(ana, room)
    assert words.startswith("✕")
    assert "dealt to nobody" in words
    ana.picture("fair-forged")


def _without_an_opening(proof: dict[str, Any]) -> None:
    del proof["openings"][0]


def _without_my_seed(proof: dict[str, Any]) -> None:
    proof["seeds"] = []


def _with_a_header_less_commitment(proof: dict[str, Any]) -> None:
    proof["header"] = ""


def _with_places_of_another_seat(proof: dict[str, Any]) -> None:
    mine, other = proof["openings"][0], proof["openings"][2]
    mine["value"], mine["salt"], mine["place"] = other["value"], other["salt"], other["place"]


def _with_a_digest_less(proof: dict[str, Any]) -> None:
    proof["digests"].pop()


def _answering(forge: Callable[[dict[str, Any]], None]) -> Callable[[Any], None]:
    """The server's answer, forged on its way to the page."""

    def forged(route: Any) -> None:
        proof = route.fetch().json()
        forge(proof)
        route.fulfill(json=proof)

    return forged


FORGERIES: tuple[tuple[Callable[[dict[str, Any]], None], str], ...] = (
    (_without_an_opening, "Not all of your own hand is opened"),
    (_without_my_seed, "Your seed was not used"),
    (_with_a_header_less_commitment, "not those that were committed to"),
    (_with_places_of_another_seat, "opened twice"),
    (_with_a_digest_less, "not those that were committed to"),
)


def test_a_forged_proof_is_refused_by_the_page(server: Server, browser: Any) -> None:
    ana = visitor(browser, server)
    room = play_one_hand(ana, "with seeds")
    for forge, words in FORGERIES:
        ana.page.route("**/fairness", _answering(forge))
        said = check(ana, room)
        ana.page.unroute("**/fairness")
        assert said.startswith("✕")
        assert words in said


def test_a_deck_that_was_sealed_and_never_dealt_is_found_out(server: Server, browser: Any) -> None:
    """The server seals a deck, learns the seeds, does not like it, and goes on with another number."""
    ana = visitor(browser, server)
    room = play_one_hand(ana, "with seeds")
    ana.page.evaluate(
        """(room) => {
          const notes = JSON.parse(localStorage.getItem('tahur-deals'));
          const [, first] = notes.find(([name]) => name === `${room}/1`);
          notes.unshift([`${room}/0`, {...first, hands: [], board: []}]);
          localStorage.setItem('tahur-deals', JSON.stringify(notes));
        }""",
        room,
    )
    assert "never dealt" in check(ana, room)
    waits(ana, lambda: ana.sees(".fair-check .wrong"))
