"""The twin test on everything that a seat receives from a room: two deals that differ only in what the seat may not
know must give the same bytes, frame by frame, and in refusals, history, exports, odds and proofs; and to the language
model of a mind in that seat the same prompts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from desk import Desk, Stacked, settings
from fake_model import FakeModel, chooser_of
from forgers import offer, reveal

from tahur.core.record import Record
from tahur.core.referee import Ask
from tahur.players.registry import make_player
from tahur.room import wire
from tahur.room.codec import text_of
from tahur.room.facts import Ended
from tahur.room.history import exported, fairness, hand_line, odds, replay
from tahur.room.live import view_at_start
from tahur.room.scenes import Scenes

GAMES = (("nlhe", 3), ("perudo", 3), ("nlhe", 2), ("limit", 3))
# Seals, salts and commitments hide what they seal; they are random signs, and differ where what they seal does.
SEALS = re.compile(r"[0-9a-f]{32,64}")


def check_pairs(pairs: int, seed: int, prompts: int) -> int:
    """So many pairs, with prompts in every so many of them; the number of messages that were compared."""
    rng = np.random.default_rng(seed)
    compared = 0
    for number in range(pairs):
        asks = number // len(GAMES) % prompts == 0
        game, seats = GAMES[number % len(GAMES)]
        viewer = (None, *range(seats))[number // len(GAMES) % (seats + 1)]
        whole = game != "perudo" and bool(rng.integers(0, 2))  # to the end: then only folded hands may differ
        pace = "brisk" if number % 2 else "instant"  # with the moments of the end, and without
        first = Desk(settings(game, seats, pace=pace), randomness=_Fresh(rng))
        seeded = range(seats) if number % 4 == 3 else range(0)
        _seed(first, seeded)
        one = list(_received(first, viewer, whole, _at_random(first, rng), asks))
        twin = _dealt_again(first, _twin_values(first, viewer, whole, rng))
        _seed(twin, seeded)
        two = list(_received(twin, viewer, whole, iter(_script(first)), asks))
        assert len(one) == len(two)
        for at, (a, b) in enumerate(zip(one, two, strict=True)):
            assert a == b, f"pair {number}, {game}, viewer {viewer}: message {at} tells the twins apart\n{a}\n{b}"
        compared += len(one)
    return compared


def test_two_deals_that_differ_in_hidden_cards_give_a_seat_the_same_bytes() -> None:
    assert check_pairs(200, seed=1, prompts=4) > 2500


@pytest.mark.slow(minutes=10)
def test_ten_thousand_pairs_of_deals_give_a_seat_the_same_bytes() -> None:
    assert check_pairs(10_000, seed=2, prompts=1) > 200_000


def test_a_spectators_scene_has_no_hand_before_the_showdown() -> None:
    rng = np.random.default_rng(3)
    desk = Desk(settings("nlhe", 3))
    desk.run()
    for _ in range(30):
        if desk.state.ask is None:
            break
        scene = desk.frame(None).scene
        assert all(seat.hand == () for seat in scene.seats)
        assert scene.choices is None
        legal = desk.state.ask.view.table.actions()
        desk.act(legal[min(int(rng.integers(0, 2)), len(legal) - 1)])


# ---- making twins --------------------------------------------------------------------------------


def _played_at_random(game: str, seats: int, rng: np.random.Generator) -> Desk:
    desk = Desk(settings(game, seats), randomness=_Fresh(rng))
    desk.random_hand(rng)
    return desk


class _Fresh(Stacked):
    """New cards from the test's generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__([])
        self._cards = rng

    def deck(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self._cards.permutation(52))

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(int(die) for die in self._cards.integers(1, 7, count))


def _values(desk: Desk) -> tuple[int, ...]:
    assert desk.state.live is not None
    return desk.state.live.dealt.values


def _twin_values(desk: Desk, viewer: int | None, whole: bool, rng: np.random.Generator) -> tuple[int, ...]:
    """Other values wherever the viewer may not look; `whole`: even after the end, so that only folded hands differ."""
    live, state = desk.state.live, desk.state
    assert live is not None
    last = live.table
    kept = {seat for seat in range(live.game.seats) if seat == viewer or (whole and seat in last.live)}
    whose = [state.adapter.whose(live.game, last, place) for place in range(len(live.dealt.values))]
    free = [place for place, owner in enumerate(whose) if owner != "board" and owner not in kept]
    values = list(live.dealt.values)
    if state.settings.game == "perudo":
        fresh = [int(die) for die in rng.integers(1, 7, len(free))]
    else:
        fresh = [values[free[at]] for at in rng.permutation(len(free))]
    for place, value in zip(free, fresh, strict=True):
        values[place] = value
    return tuple(values)


def _at_random(desk: Desk, rng: np.random.Generator) -> Iterator[int]:
    """What people do, small raises more often than large."""
    while desk.state.ask is not None:
        legal = desk.state.ask.view.table.actions()
        yield legal[min(int(rng.integers(0, 3) + rng.integers(0, 2) * rng.integers(0, 5)), len(legal) - 1)]


def _dealt_again(first: Desk, values: tuple[int, ...]) -> Desk:
    assert first.state.live is not None
    sealed = first.state.adapter.unmixed(values, first.state.live.dealt.seeds)
    return Desk(first.state.settings, randomness=Stacked([sealed]))


def _seed(desk: Desk, seats: range) -> None:
    """These people have seeds in the shuffle of the next hand."""
    if seats:
        offer(desk, *seats)
        desk.run()
        reveal(desk, *seats)


# ---- what a seat receives ------------------------------------------------------------------------


def _received(desk: Desk, viewer: int | None, whole: bool, actions: Iterator[int], asks: bool) -> Iterator[str]:
    """One hand is played; every message to the viewer, up to the showdown or, if `whole`, to the end. With `asks`, what
    the model of a mind in the viewer's place would be asked, too."""
    person = None if viewer is None else f"p{viewer}"
    mind = _Mind()
    seen = at = 0
    desk.run()
    while (ask := desk.state.ask) is not None:
        for since in (seen, 0) if at % 5 == 2 else (seen,):
            yield _plain(wire.encode(desk.frame(person, since)))
        seen = desk.state.number
        yield from _refusals(desk, person, ask.view.seat == viewer)
        if asks and ask.view.seat == viewer and desk.state.settings.game != "perudo":
            yield mind.prompt(desk)
        desk.act(next(actions))
        at += 1
    if whole:
        desk.run(one_hand=True)
        yield _plain(wire.encode(desk.frame(person, seen)))
        yield from _afterwards(desk, viewer)


class _Mind:
    """A persona with a language model, asked as a room asks it, and nothing else known to it."""

    def __init__(self) -> None:
        self._notes: list[dict[str, Any]] = []
        chooser = chooser_of(FakeModel(), self._notes.append)
        self._player = make_player("llm:duelist", models=lambda text: chooser)
        self._begun = False

    def prompt(self, desk: Desk) -> str:
        """All that goes to the model, and all that its log keeps, for the decision that is open."""
        ask, live = desk.state.ask, desk.state.live
        assert ask is not None
        assert live is not None
        if not self._begun:
            self._begun = True
            self._player.begin(view_at_start(ask, live), np.random.default_rng(1))
        decision = self._player.act(ask.view, np.random.default_rng(len(ask.view.table.history)))
        return json.dumps([self._notes, decision.thought, decision.action])


def _script(desk: Desk) -> list[int]:
    """What people did in the hand."""
    live = desk.state.live
    assert live is not None
    assert live.record is not None
    tables = list(live.record.replay(live.game))
    return [action for table, action in zip(tables, live.record.actions, strict=False) if table.turn >= 0]


def _refusals(desk: Desk, person: str | None, my_turn: bool) -> Iterator[str]:
    """What the viewer is told when it asks for what it cannot have."""
    if person is None:
        return
    live = desk.state.live
    assert live is not None
    wrong = wire.Act("wrong", desk.state.hand, len(live.table.history), 10**9)
    yield wire.encode(desk.ask(person, wrong))
    if not my_turn:
        yield wire.encode(desk.ask(person, wire.Act("early", desk.state.hand, len(live.table.history), 1)))


def _proof(desk: Desk, viewer: int | None) -> Any:
    live = desk.state.live
    assert live is not None
    return fairness(live.dealt, live.table, viewer, live.shown if live.ended else ())


def _afterwards(desk: Desk, viewer: int | None) -> Iterator[str]:
    live, ended = desk.state.live, desk.state.ended[-1]
    assert live is not None
    assert isinstance(ended, Ended)
    yield text_of(hand_line(ended, viewer, 0.0))
    yield _plain(text_of(replay(live.dealt, ended, viewer, Scenes(desk.keeper).scene(None, 0.0))))
    if len([seat for seat in ended.shown if seat != viewer]) < 1:  # comparing hands would load the kernels
        yield text_of(odds(ended, viewer))
    yield _plain(text_of(_proof(desk, viewer)))
    for to in ("json", "phh", "pokerstars"):
        yield exported([(ended, viewer, 1.0)], to)  # type: ignore[arg-type]


def _plain(text: str) -> str:
    return SEALS.sub("(seal)", text)


def test_a_mind_that_saw_another_hand_would_be_asked_otherwise() -> None:
    """The comparison of prompts has something to find: the same decision, for the deal's other hands."""
    desk = Desk(settings("nlhe", 3), randomness=_Fresh(np.random.default_rng(4)))
    desk.run()
    ask = desk.state.ask
    assert ask is not None
    assert desk.state.live is not None
    prompts = set()
    for hand in desk.state.live.hands:
        desk.state.live.ask = Ask(ask.view._replace(hand=hand))
        prompts.add(_Mind().prompt(desk))
    assert len(prompts) == 3


def test_the_log_itself_does_tell_the_twins_apart() -> None:
    """The comparison above has something to find."""
    rng = np.random.default_rng(5)
    first = _played_at_random("nlhe", 3, rng)
    values = _twin_values(first, 0, False, rng)
    assert values != _values(first)
    record = Record.from_json(json.loads(first.log[-1].text)["record"])
    again = _dealt_again(first, values)
    again.run()
    assert again.state.live is not None
    assert again.state.live.hands != record.hands
    assert again.state.live.hands[0] == record.hands[0]
