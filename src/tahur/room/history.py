"""Finished hands as a seat saw them: lists, replays, the bots' thoughts, odds and proofs.

Everything is computed from the log's facts and a seat; hands that the seat never saw are never included.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tahur.cards.cards import Card
from tahur.core.game import Hand, Seat
from tahur.core.record import UNSEEN, Record
from tahur.games.registry import game_of, make
from tahur.room.adapter import adapter_of, happenings_of
from tahur.room.bots import seen
from tahur.room.facts import Dealt, Ended
from tahur.room.moments import moments
from tahur.room.rest import (
    Fairness,
    HandLine,
    Odds,
    Opening,
    Replay,
    ReplayStep,
    ThoughtLine,
    Thoughts,
    UsedSeed,
)
from tahur.room.scene import Scene, SeatScene
from tahur.room.scenes import still_scene
from tahur.room.sealing import seals_of
from tahur.room.thinking import plain

PROOF = (
    "Before the deal the room sealed the deck and sent you its commitment, with the dealing order and the hashes of "
    "the players' seeds; the seeds then shuffled it again. What you were entitled to see opens to its place in that "
    "deck. It does not prove that the server's operator cannot look at the cards."
)
OLDER_PROOF = (
    "This deal was made by an older version. What you were entitled to see opens to the seals that were sent to you "
    "before the deal, but the commitment does not say which card of the deck goes where, and players had no part in "
    "the shuffle."
)


def hand_line(ended: Ended, seat: Seat | None, total: float | None) -> HandLine:
    """A finished hand as a row of a list."""
    record = Record.from_json(ended.record)
    game, known = game_of(record), seen(ended, seat)
    adapter = adapter_of(record.game)
    *_, last = record.replay(game)
    beats = adapter.ending(game, record, ended.shown, record.names, ended.hand)
    words = "; ".join(each.words for each in happenings_of(beats) if each.kind == "pay")
    hand = known.hands[seat] if seat is not None else None
    cards = adapter.hand_texts(hand) if hand is not None else ()
    board = tuple(str(Card(card)) for card in getattr(last, "board", ()))
    return HandLine(
        hand=ended.hand,
        result=record.payoffs[seat] if seat is not None else None,
        total=total,
        words=words,
        board=board,
        cards=cards,
    )


# ---- step by step --------------------------------------------------------------------------------


def replay(dealt: Dealt, ended: Ended, seat: Seat | None, like: Scene) -> Replay:
    """Every moment of a hand as the seat saw it; the room's name and title come from `like`."""
    record = Record.from_json(ended.record)
    game, adapter = game_of(record), adapter_of(record.game)
    seats = tuple(
        SeatScene(seat=at, name=name, mind=None, state="in", here=True, chips=0, bet=0, last="", hand=(), hidden=0)
        for at, name in enumerate(dealt.names[: game.seats])
    )
    like = replace(like, hand=ended.hand, you=seat, seats=seats, commitment=dealt.commitment)
    beats = adapter.ending(game, record, ended.shown, dealt.names, ended.hand)
    own: tuple[Hand | None, ...] = tuple(hand if at == seat else None for at, hand in enumerate(record.hands))
    steps = []
    for number, moment in enumerate(moments(adapter, game, record, dealt.names, ended.hand, beats), start=1):
        known = tuple(record.hands[at] if at in moment.look.up else hand for at, hand in enumerate(own))
        event = moment.happening.event(number, ended.hand)
        steps.append(ReplayStep(event, still_scene(adapter, game, moment, known, like)))
    return Replay(ended.hand, tuple(steps))


# ---- thoughts and odds ---------------------------------------------------------------------------


def thoughts(ended: Ended) -> Thoughts:
    """The bots' thoughts at their actions."""
    record = Record.from_json(ended.record)
    game = game_of(record)
    tables = list(record.replay(game))
    lines = tuple(
        ThoughtLine(
            at=each.at,
            seat=each.seat,
            name=record.names[each.seat],
            did=game.label(tables[each.at], record.actions[each.at]),
            words=plain(each.text),
            thought=each.text,
        )
        for each in record.thoughts
    )
    return Thoughts(ended.hand, lines)


def odds(ended: Ended, seat: Seat | None) -> Odds:
    """The equities of the hands known to the seat, street by street; in Perudo, the odds of each bid for the seat."""
    record = Record.from_json(ended.record)
    streets, words = adapter_of(record.game).odds(game_of(record), record, seen(ended, seat).hands, seat)
    return Odds(ended.hand, streets, words)


# ---- proofs --------------------------------------------------------------------------------------


def fairness(dealt: Dealt, table: Any, seat: Seat | None, shown: Sequence[Seat]) -> Fairness:
    """The proof of a deal: all digests, and the openings of the values that the seat may see."""
    adapter, game = adapter_of(dealt.game), make(dealt.game, json.loads(dealt.settings))
    sealed = seals_of(dealt)
    openings = []
    for draw, place in enumerate(adapter.places_of(dealt.seeds, len(sealed))):
        whose, seal = adapter.whose(game, table, draw), sealed[place]
        if whose == "board" or (whose is not None and (whose == seat or whose in shown)):
            name = whose if isinstance(whose, str) else dealt.names[whose]
            openings.append(Opening(seal.place, name, seal.value, seal.salt))
    return Fairness(
        hand=dealt.hand,
        commitment=dealt.commitment,
        digests=tuple(seal.digest for seal in sealed),
        openings=tuple(openings),
        words=PROOF if dealt.header else OLDER_PROOF,
        header=dealt.header,
        seeds=tuple(UsedSeed(at, seed) for at, seed in enumerate(dealt.seeds) if seed is not None),
    )


def seen_record(ended: Ended, seat: Seat | None) -> Record:
    """A hand as the seat saw it: without unseen hands, and without thoughts."""
    record, known = Record.from_json(ended.record), seen(ended, seat)
    *_, last = record.replay(game_of(record))
    live = getattr(last, "live", ())
    hands = tuple(UNSEEN if hand is None else hand for hand in known.hands)
    mucked = tuple(sorted(at for at in live if at not in ended.shown)) if len(live) > 1 else ()
    return replace(record, hands=hands, thoughts=(), seat=seat, mucked=mucked)
