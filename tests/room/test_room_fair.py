"""Fair deals: seeds of the players mix the sealed deck, and forged proofs are refused by every check there is.

The same forgeries are refused by the page: page/tests/fairness.test.ts reads the file that `forgers.py` writes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from desk import Desk, Dice, settings
from forgers import FILE, digest_of, offer, played, reveal, seed_of, written
from test_room_versions import last
from typer.testing import CliRunner

from tahur.cli.room.command import room
from tahur.games.registry import make
from tahur.room import facts, wire
from tahur.room.adapter import adapter_of
from tahur.room.codec import read_as, text_of
from tahur.room.deck import CupsDealer, DeckDealer, places_of, turned
from tahur.room.history import fairness
from tahur.room.keeper import Keeper
from tahur.room.log import Draft, LogEntry, chain_entries
from tahur.room.proof import check_fairness, check_older, remarks
from tahur.room.rest import DealFile, DealNotes
from tahur.room.sealing import check_deal, dealt, sealed
from tahur.room.state import replay_log
from tahur.room.verify import LogVerdict, verify

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deal.py"
CASES: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
NAMES = [(kind, name) for kind, files in CASES.items() for name in files]

app = typer.Typer(pretty_exceptions_enable=False)
app.add_typer(room, name="room")


# ---- every check on every deal -------------------------------------------------------------------


def test_the_file_of_deals_is_what_the_forgers_make() -> None:
    assert FILE.read_text("utf-8") == written(), "run: python tests/room/forgers.py"


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_an_honest_deal_is_accepted_and_a_forged_one_refused_by_our_check(kind: str, name: str) -> None:
    file: DealFile = read_as(DealFile, CASES[kind][name], "deal")
    faults = check_fairness(file.proof, file.notes)
    assert (faults == []) == (kind == "honest"), faults


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_the_command_and_the_script_say_the_same(tmp_path: Path, kind: str, name: str) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(CASES[kind][name]), "utf-8")
    command = CliRunner().invoke(app, ["room", "fair", str(file)])
    assert (command.exit_code, "The deal matches the commitment" in command.stdout) == (
        (0, True) if kind == "honest" else (1, False)
    )
    script = subprocess.run([sys.executable, "-I", "-S", str(SCRIPT), str(file)], capture_output=True, text=True)
    words = script.stdout if kind == "honest" else script.stderr
    assert (script.returncode, "was dealt as" in words, "REFUSED: " in words) == (
        (0, True, False) if kind == "honest" else (1, False, True)
    ), script.stderr


def test_the_script_is_short_and_imports_nothing_but_the_standard_library() -> None:
    text = SCRIPT.read_text("utf-8")
    tree = ast.parse(text)
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert imported == {"hashlib", "json", "re", "sys"}
    docstring = (ast.get_docstring(tree) or "").splitlines()
    assert len([line for line in text.splitlines() if line.strip()]) - len(docstring) <= 60


CHECKS = [line.strip() for line in SCRIPT.read_text("utf-8").splitlines() if line.strip().startswith("need(")]


@pytest.mark.parametrize("line", CHECKS, ids=range(len(CHECKS)))
def test_without_any_one_of_its_checks_the_script_would_accept_a_forged_deal(line: str) -> None:
    script: dict[str, Any] = {"__name__": "script"}
    exec(SCRIPT.read_text("utf-8").replace(line, "pass"), script)
    assert any(not _is_refused(script["check"], deal) for deal in CASES["forged"].values())


def _is_refused(check: Any, deal: dict[str, Any]) -> bool:
    try:
        check(deal["proof"], deal["notes"])
    except SystemExit:
        return True
    except TypeError:  # a header that cannot be read
        return False
    return False


def test_a_deal_of_an_older_version_is_checked_only_if_asked_for(tmp_path: Path) -> None:
    deal = CASES["forged"]["nlhe, no header"]
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(deal), "utf-8")
    refused = CliRunner().invoke(app, ["room", "fair", str(file)])
    assert (refused.exit_code, "--older" in refused.stdout) == (1, True)
    accepted = CliRunner().invoke(app, ["room", "fair", str(file), "--older"])
    assert (accepted.exit_code, "does not show which card" in " ".join(accepted.stdout.split())) == (0, True)
    proof = read_as(DealFile, deal, "deal").proof
    assert check_older(proof, "0" * 64)
    opened = {opening.place for opening in proof.openings}
    unopened = next(place for place in range(51) if not {place, place + 1} & opened)
    digests = list(proof.digests)
    digests[unopened], digests[unopened + 1] = digests[unopened + 1], digests[unopened]
    assert check_older(replace(proof, digests=tuple(digests)), proof.commitment)


def test_what_a_sound_proof_leaves_open_is_said() -> None:
    file: DealFile = read_as(DealFile, CASES["honest"]["nlhe, one seed came too late"], "deal")
    assert remarks(file.proof, file.notes) == ["Seat 2 did not reveal its seed in time."]
    without = replace(file.notes, seed=None)
    assert any("No seed of yours" in line for line in remarks(file.proof, without))


# ---- the dealing order and the mix ---------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 10))
def test_cards_go_where_the_dealing_order_says(seats: int) -> None:
    rng, adapter = np.random.default_rng(seats), adapter_of("nlhe")
    stacks = [int(chips) for chips in rng.integers(0, 2, seats) * 100]
    stacks[0] = stacks[-1] = 100
    button = next(seat for seat, chips in enumerate(stacks) if chips)
    game = make("nlhe", {"stacks": stacks, "blinds": [1, 2], "button": button})
    deck = Dice(seats).deck()
    dealer, draws = DeckDealer(deck), adapter.draws(game)
    hands = dealer.deal(game)
    for seat, numbers in draws.seats:
        assert sorted(adapter.hand_texts(hands[seat])) == sorted(adapter.value_text(deck[draw]) for draw in numbers)
    assert [seat for seat, _ in draws.seats] == [seat for seat, chips in enumerate(stacks) if chips]
    assert [dealer.chance(game, None, hands) for _ in draws.board] == [deck[draw] for draw in draws.board]


@pytest.mark.parametrize("cups", [[5, 5], [3, 0, 1], [1, 1, 0, 4, 5, 2]])
def test_dice_go_where_the_dealing_order_says(cups: list[int]) -> None:
    adapter, game = adapter_of("perudo"), make("perudo", {"dice": 5, "cups": cups, "opener": 0})
    dice, draws = Dice(1).dice(sum(cups)), adapter.draws(game)
    hands = CupsDealer(dice).deal(game)
    assert [(seat, len(numbers)) for seat, numbers in draws.seats] == [(at, cup) for at, cup in enumerate(cups) if cup]
    for seat, numbers in draws.seats:
        assert sorted(adapter.hand_texts(hands[seat])) == sorted(str(dice[draw]) for draw in numbers)
    assert (draws.total, list(draws.board)) == (sum(cups), [])


def test_the_mix_is_what_the_docs_say() -> None:
    """By the words of docs/room.md, without our functions."""
    seeds = ["ab" * 32, None, "cd" * 32]
    mix = hashlib.sha256(f"0:{'ab' * 32}\n2:{'cd' * 32}".encode()).hexdigest()
    hashes = [hashlib.sha256(f"{mix}:{place}".encode()).hexdigest() for place in range(52)]
    assert places_of(seeds, 52) == tuple(hashes.index(each) for each in sorted(hashes))
    dice = (1, 2, 3, 4, 5, 6)
    expected = tuple((die - 1 + int(each, 16) % 6) % 6 + 1 for die, each in zip(dice, hashes, strict=False))
    assert turned(dice, seeds) == expected
    assert turned(expected, seeds, back=True) == dice
    assert places_of([None, None], 52) == tuple(range(52))


def test_one_honest_seed_leaves_every_card_equally_likely_at_every_draw() -> None:
    """Whatever was sealed, and whatever the other seeds are; chi-squared with 51 degrees of freedom."""
    counts = Counter(places_of([seed_of(0, hand), "00" * 32], 52)[0] for hand in range(5200))
    assert sum((counts[place] - 100) ** 2 / 100 for place in range(52)) < 88  # one in a thousand is above
    faces = Counter(turned([6, 6, 6], [seed_of(0, hand)])[2] for hand in range(6000))
    assert sum((faces[face] - 1000) ** 2 / 1000 for face in range(1, 7)) < 21


# ---- in a room -----------------------------------------------------------------------------------


def brisk(seats: int = 2, game: str = "nlhe", minds: Sequence[str | None] = (), **changes: Any) -> Desk:
    return Desk(settings(game, seats, pace="brisk", **changes), minds)


def kinds(desk: Desk) -> list[str]:
    return [entry.kind for entry in desk.log if entry.kind not in ("opened", "joined", "mind sat")]


def test_where_nobody_offers_a_seed_a_hand_is_dealt_at_once() -> None:
    desk = brisk()
    began = desk.now
    desk.run()
    assert (kinds(desk), desk.now) == (["dealt"], began)


def test_a_deck_is_sealed_then_seeds_are_revealed_then_it_is_dealt() -> None:
    desk = brisk()
    assert desk.frame("p0").scene.seed_for == 1
    assert desk.frame(None).scene.seed_for is None
    offer(desk, 0, 1)
    assert desk.frame("p0").scene.seed_for is None
    desk.run()
    deck = desk.frame("p0").scene.sealed
    assert deck is not None
    assert deck == desk.frame(None).scene.sealed
    assert (deck.hand, deck.seeds) == (1, (digest_of(0, 1), digest_of(1, 1)))
    assert desk.frame("p0").scene.phase == "between"
    reveal(desk, 1, 0)
    desk.run()
    assert kinds(desk) == ["seed offered", "seed offered", "sealed", "seed revealed", "seed revealed", "dealt"]
    live = desk.state.live
    assert live is not None
    assert (live.dealt.commitment, live.dealt.seeds) == (deck.commitment, (seed_of(0, 1), seed_of(1, 1)))
    assert desk.frame("p0").scene.commitment == deck.commitment
    assert desk.frame("p0").scene.seed_for == 2
    assert desk.frame("p0").scene.sealed is None
    for viewer in ("p0", "p1", None):
        assert not {seed_of(0, 1), seed_of(1, 1)} & set(wire.encode(desk.frame(viewer)).split('"'))


def test_a_seed_is_waited_for_a_second_and_no_longer() -> None:
    desk = brisk()
    offer(desk, 0, 1)
    desk.run()
    reveal(desk, 1)
    desk.run(0.99)
    assert desk.state.live is None
    desk.run(0.02)
    assert desk.state.live is not None
    assert desk.state.live.dealt.seeds == (None, seed_of(1, 1))
    late = desk.ask("p0", wire.RevealSeed("late", 1, seed_of(0, 1)))
    assert isinstance(late, wire.Refused)


def test_only_pages_that_offer_seeds_are_waited_for_and_a_second_at_most() -> None:
    desk = Desk(settings("nlhe", 2, pace="brisk"))
    desk.keeper.connected("p0", -1, desk.now)
    desk.keeper.connected("p0", 1, desk.now, seeds=True)
    desk.run(0.99)
    assert kinds(desk) == []
    desk.run(0.02)
    assert kinds(desk) == ["dealt"]


def test_who_offers_in_time_is_not_waited_for_any_longer() -> None:
    desk = Desk(settings("nlhe", 2, pace="brisk"))
    desk.keeper.connected("p0", -1, desk.now)
    desk.keeper.connected("p0", 1, desk.now, seeds=True)
    began = desk.now
    offer(desk, 0)
    desk.run()
    reveal(desk, 0)
    desk.run()
    assert (kinds(desk)[-1], desk.now) == ("dealt", began)


def test_a_room_for_programs_asks_for_no_seed_and_waits_for_none() -> None:
    desk = Desk(settings("nlhe", 2, pace="instant"))
    desk.keeper.connected("p0", 1, desk.now, seeds=True)
    assert desk.frame("p0").scene.seed_for is None
    assert isinstance(desk.ask("p0", wire.OfferSeed("x", 1, digest_of(0, 1))), wire.Refused)
    began = desk.now
    desk.run()
    assert (kinds(desk), desk.now) == (["dealt"], began)


@pytest.mark.parametrize(
    "message",
    [
        wire.OfferSeed("a", 2, digest_of(0, 1)),
        wire.OfferSeed("a", 1, "Z" * 64),
        wire.RevealSeed("a", 1, seed_of(0, 1)),
    ],
    ids=["another hand", "no hash", "nothing is sealed"],
)
def test_a_seed_message_out_of_turn_is_refused(message: wire.OfferSeed | wire.RevealSeed) -> None:
    desk = brisk()
    assert isinstance(desk.ask("p0", message), wire.Refused)
    assert kinds(desk) == []


def test_a_seed_is_offered_and_revealed_once_and_must_be_the_same() -> None:
    desk = brisk()
    offer(desk, 0)
    again = wire.OfferSeed("offer 1", 1, digest_of(0, 1))
    assert isinstance(desk.ask("p0", again), wire.Ack)  # a copy
    assert isinstance(desk.ask("p0", replace(again, id="other", digest=digest_of(0, 9))), wire.Refused)
    desk.run()
    assert isinstance(desk.ask("p1", wire.OfferSeed("x", 1, digest_of(1, 1))), wire.Refused)  # it is sealed
    assert isinstance(desk.ask("p1", wire.RevealSeed("x", 1, seed_of(1, 1))), wire.Refused)
    assert isinstance(desk.ask("p0", wire.RevealSeed("y", 1, seed_of(0, 9))), wire.Refused)
    reveal(desk, 0)
    reveal(desk, 0)  # a copy
    assert isinstance(desk.ask("p0", wire.RevealSeed("z", 1, seed_of(0, 1))), wire.Refused)
    desk.run()
    assert kinds(desk) == ["seed offered", "sealed", "seed revealed", "dealt"]


def test_once_it_is_sealed_a_hand_is_dealt_whoever_leaves_comes_or_buys() -> None:
    """Else a server could have a bot leave, and seal another deck once it knows the seeds."""
    desk = brisk(4)
    desk.ask("p3", wire.Leave("bye"))
    offer(desk, 0, 1)
    desk.run()
    commitment = desk.state.next_hand.sealed
    assert commitment is not None
    desk.ask("p1", wire.Leave("bye"))
    desk.join("p4", 3)
    reveal(desk, 0)
    assert desk.state.chairs[1].leaving
    desk.run(1.0)
    live = desk.state.live
    assert live is not None
    assert live.dealt.commitment == commitment.commitment
    assert live.game.start().stakes.stacks == (200, 200, 200, 0)
    assert desk.state.seat_in("p4", 1) is None
    desk.random_hand(np.random.default_rng(1))
    assert not desk.state.chairs[1].taken
    assert desk.state.seat_in("p1", 1) == 1
    assert verdict(desk.log).fault is None


def test_chips_asked_for_after_sealing_come_with_the_hand_after() -> None:
    desk = brisk(2)
    desk.run()
    desk.act(desk.state.ask.view.table.actions()[0])  # type: ignore[union-attr]
    desk.run(one_hand=True)
    poor = next(seat for seat, chair in enumerate(desk.state.chairs) if chair.chips < 200)
    offer(desk, 0)
    while not desk.state.next_hand.sealed:
        desk.run(0.5)
    chips = desk.state.chairs[poor].chips
    assert isinstance(desk.ask(f"p{poor}", wire.Rebuy("more")), wire.Ack)
    reveal(desk, 0)
    desk.run()
    assert (desk.state.hand, desk.state.chairs[poor].chips, desk.state.chairs[poor].rebuys) == (2, chips, True)
    assert verdict(desk.log).fault is None


def test_a_room_that_is_closed_or_paused_deals_no_sealed_hand() -> None:
    for message in (wire.CloseRoom("x"), wire.Pause("x", True)):
        desk = brisk()
        offer(desk, 0)
        desk.run()
        assert isinstance(desk.ask("p0", message), wire.Ack)
        desk.run(5)
        assert desk.state.hand == 0
        assert verdict(desk.log).fault is None
    desk.ask("p0", wire.Pause("y", False))
    desk.run(1)
    assert desk.state.hand == 1


def test_an_offer_is_gone_with_who_leaves() -> None:
    desk = brisk(3)
    offer(desk, 0, 1)
    desk.ask("p1", wire.Leave("bye"))
    desk.run()
    assert desk.state.next_hand.sealed is not None
    assert desk.state.next_hand.sealed.digests == (digest_of(0, 1), None, None)


@pytest.mark.parametrize("game", ["nlhe", "limit", "perudo"])
def test_what_was_dealt_with_seeds_replays_and_proves_itself_to_every_seat(game: str) -> None:
    desk, rng = brisk(3, game), np.random.default_rng(2)
    for hand in range(1, 6):
        if desk.state.match.winner is not None:
            desk.ask("p0", wire.Rematch(f"again {hand}"))
        offer(desk, *(seat for seat in range(3) if (seat + hand) % 3))
        while not desk.state.next_hand.sealed:
            desk.run(0.5)
        reveal(desk, *desk.state.next_hand.missing)
        desk.random_hand(rng)
        live = desk.state.live
        assert live is not None
        for seat in (0, 1, 2, None):
            proof = fairness(live.dealt, live.table, seat, live.shown)
            seed = None if seat is None or not live.dealt.seeds else live.dealt.seeds[seat]
            assert check_fairness(proof, DealNotes(live.dealt.commitment, seat, seed)) == []
    again = replay_log(desk.log)
    assert (again.number, again.hand) == (desk.state.number, desk.state.hand)
    assert verdict(desk.log).fault is None


# ---- a server that goes away ---------------------------------------------------------------------


def test_a_server_killed_between_sealing_and_dealing_deals_the_same_deck() -> None:
    desk = brisk()
    offer(desk, 0, 1)
    desk.run()
    reveal(desk, 1)
    deck = desk.state.next_hand.sealed
    assert deck is not None
    state = replay_log(desk.log)
    assert state.next_hand == desk.state.next_hand
    keeper = Keeper(state, Dice(99), lambda mind, game: mind, 5000.0)  # other randomness: it is not asked
    assert keeper.tick(5004.9) == []  # seat 0 has time to come back
    fact = keeper.tick(5005.1)[0].fact
    assert isinstance(fact, facts.Dealt)
    assert (fact.commitment, fact.key, fact.seeds) == (deck.commitment, deck.key, (None, seed_of(1, 1)))


# ---- the log -------------------------------------------------------------------------------------


def verdict(entries: list[LogEntry]) -> LogVerdict:
    return last(verify("test-room", entries))


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    desk = brisk()
    offer(desk, 0, 1)
    desk.run()
    reveal(desk, 0, 1)
    desk.random_hand(np.random.default_rng(1))
    return [Draft(entry.fact, entry.person, entry.request) for entry in desk.log]


def rewritten(drafts: list[Draft], kind: type, **changes: Any) -> LogVerdict:
    """The log written anew, with the last fact of that kind changed."""
    at = max(at for at, draft in enumerate(drafts) if isinstance(draft.fact, kind))
    changed = [*drafts[:at], replace(drafts[at], fact=replace(drafts[at].fact, **changes)), *drafts[at + 1 :]]
    return verdict(chain_entries("test-room", None, changed, 1.0))


def test_a_log_with_seeds_is_verified(drafts: list[Draft]) -> None:
    found = verdict(chain_entries("test-room", None, drafts, 1.0))
    assert (found.fault, found.hands) == (None, 1)


@pytest.mark.parametrize(
    ("kind", "changes", "why"),
    [
        (facts.Dealt, {"seeds": (seed_of(0, 1), None)}, "not dealt"),
        (facts.Dealt, {"seeds": ()}, "not dealt"),
        (facts.Dealt, {"header": ""}, "not dealt"),
        (facts.Sealed, {"key": "11" * 32}, "not dealt as it was committed"),
        (facts.Sealed, {"commitment": "11" * 32}, "not dealt as it was committed"),
        (facts.Sealed, {"digests": (digest_of(0, 1), None)}, "hashes of seeds that were offered"),
        (facts.SeedOffered, {"digest": digest_of(1, 7)}, "hashes of seeds that were offered"),
        (facts.SeedOffered, {"hand": 2}, "out of turn"),
        (facts.SeedRevealed, {"seed": seed_of(1, 7)}, "did not offer"),
    ],
)
def test_a_log_whose_seeds_or_sealed_deck_do_not_fit_is_refused(
    drafts: list[Draft], kind: type, changes: dict[str, Any], why: str
) -> None:
    found = rewritten(drafts, kind, **changes)
    assert found.fault is not None
    assert why in found.fault


def test_a_deal_that_is_sound_in_itself_must_come_from_the_sealed_deck_and_all_revealed_seeds(
    drafts: list[Draft],
) -> None:
    """Another deck under a commitment of its own; the sealed deck, mixed without a seed that was revealed."""
    at = next(at for at, draft in enumerate(drafts) if isinstance(draft.fact, facts.Dealt))
    fact = next(draft.fact for draft in drafts if isinstance(draft.fact, facts.Sealed))
    seeds = {0: seed_of(0, 1), 1: seed_of(1, 1)}
    game = make(fact.game, json.loads(fact.settings))
    other = sealed(adapter_of(fact.game), game, 1, fact.names, fact.digests, Dice(77))
    for forged in (dealt(other, seeds), dealt(fact, {1: seeds[1]}), dealt(fact, {})):
        check_deal(forged)
        found = verdict(chain_entries("test-room", None, [*drafts[:at], Draft(forged)], 1.0))
        assert found.fault is not None
        assert "not dealt from its sealed deck" in found.fault


def test_a_deck_cannot_be_sealed_twice_for_one_hand_nor_dealt_with_seeds_unsealed(drafts: list[Draft]) -> None:
    at = next(at for at, draft in enumerate(drafts) if isinstance(draft.fact, facts.Sealed))
    twice = verdict(chain_entries("test-room", None, [*drafts[: at + 1], *drafts[at:]], 1.0))
    assert twice.fault is not None
    assert "out of turn" in twice.fault
    deal = played("nlhe", 2).dealt
    people = [draft for draft in drafts if isinstance(draft.fact, facts.Opened | facts.Joined)]
    unsealed = verdict(chain_entries("test-room", None, [*people, Draft(deal)], 1.0))
    assert unsealed.fault is not None
    assert "no deck was sealed" in unsealed.fault


def test_a_proof_file_is_read_as_it_was_written() -> None:
    file = played("nlhe").file()
    assert read_as(DealFile, json.loads(text_of(file)), "deal") == file
