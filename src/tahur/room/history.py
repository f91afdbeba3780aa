"""Finished hands as a seat saw them: lists, replays, the bots' thoughts, odds, proofs and exports.

Everything is computed from the log's facts and a seat; hands that the seat never saw are never included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, assert_never

from tahur.cards.cards import Card
from tahur.core.errors import RecordError
from tahur.core.game import Hand, Seat
from tahur.core.record import UNSEEN, Record
from tahur.games.holdem.history import History, history_of
from tahur.games.holdem.phh import numbered, write_phh
from tahur.games.holdem.pokerstars import pokerstars_text
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.transcribe import phh_of
from tahur.games.perudo.bids import action_text, bid
from tahur.games.registry import game_of, make
from tahur.room.adapter import adapter_of, happenings_of
from tahur.room.bots import seen
from tahur.room.facts import Dealt, Ended
from tahur.room.live import moments
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
from tahur.room.scenes import scene_of_moment
from tahur.room.sealing import seals_of

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
    words = "; ".join(happening.words for happening in happenings_of(beats) if happening.kind == "pay")
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
        steps.append(ReplayStep(event, scene_of_moment(adapter, game, moment, known, like)))
    return Replay(ended.hand, tuple(steps))


# ---- thoughts and odds ---------------------------------------------------------------------------


def thoughts(ended: Ended) -> Thoughts:
    """The bots' thoughts at their actions."""
    record = Record.from_json(ended.record)
    game = game_of(record)
    tables = list(record.replay(game))
    lines = tuple(
        ThoughtLine(
            at=thought.at,
            seat=thought.seat,
            name=record.names[thought.seat],
            did=game.label(tables[thought.at], record.actions[thought.at]),
            words=plain(thought.text),
            thought=thought.text,
        )
        for thought in record.thoughts
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


# ---- thoughts as plain sentences -----------------------------------------------------------------

_PERSONA: Final = re.compile(
    r"\[.*?\] (?P<equity>\d+)% equity, (?P<needed>\d+)% needed \| mood (?P<mood>[^(|]+?) \((?P<feels>.*?)\)"
    r" \| plan (?P<plan>.*?) \| menu (?P<menu>.*?) \| blocked (?P<blocked>.*?)"
    r" \| chose (?P<number>\d+) by (?P<by>[^(]+?)(?: \((?P<why>.*)\))?$"
)
_LABELS: Final = {"+EV": "good", "neutral": "even", "marginal": "close", "-EV": "bad"}
_DICE: Final = re.compile(r"\| Bid: (?P<count>\d+)x(?P<face>\d) by (?P<who>[^|]+?) \|")
_CALL: Final = re.compile(r"\| (?P<call>Dudo|Calza) utility: -?[\d.]+ \(p=(?P<chance>[\d.]+)\)")
_BID: Final = re.compile(
    r"Best bid: (?P<count>\d+)x(?P<face>\d) utility: -?[\d.]+ \(p=(?P<chance>[\d.]+), (?P<way>\w+)\)"
)
_ODDS: Final = re.compile(
    r"\[Odds\] (?P<said>.+?): true (?P<true>[\d.]+), exact (?P<exact>[\d.]+), (?P<dice>[-+][\d.]+) dice"
)

_DOING: Final = {"fold": "folding", "check": "checking", "call": "calling", "raise": "raising"}


def plain(thought: str) -> str:
    """The thought in sentences."""
    for form, say in ((_PERSONA, _persona), (_ODDS, _odds)):
        if parts := form.match(thought):
            return " ".join(say(parts))
    if "| Chose: " in thought:
        return " ".join(_mind(thought))
    return re.sub(r"^\[[^]]*\] ?(\| )?", "", thought)


# ---- hold'em -------------------------------------------------------------------------------------


def _persona(parts: re.Match[str]) -> Iterator[str]:
    """A persona's thought in sentences, from the parts of its one-line form."""
    needed = int(parts["needed"])
    price = f"a call needed {needed} %" if needed else "a check was free"
    yield f"It expected {parts['equity']} % of the pot with its hand; {price}."
    if parts["mood"] != "composed":
        state, _, severity = parts["mood"].partition(":")
        grip = "and it showed" if "in its grip" in parts["feels"] else "but it kept its head"
        yield f"It was {state}{f' ({severity})' if severity else ''}, {grip}."
    plan = parts["plan"].partition(": ")[2] or parts["plan"]
    if plan:
        yield f"Its plan: {plan[0].lower()}{plan[1:].rstrip('.')}."
    yield from _labelled_options(parts["menu"])
    if parts["blocked"] != "nothing":
        act, _, why = parts["blocked"].partition(": ")
        yield f"It ruled out {_DOING.get(act, act)}: {why}."
    yield _choice_sentence(parts)


def _labelled_options(menu: str) -> Iterator[str]:
    """The options on the menu, with their labels."""
    options = re.findall(rf"\d+ (.+?) ({'|'.join(map(re.escape, _LABELS))})(?:, |$)", menu)
    if len(options) > 1:
        yield "Its options: " + _join_words([f"{words} ({_LABELS[label]})" for words, label in options]) + "."


def _choice_sentence(parts: re.Match[str]) -> str:
    """A sentence on how a persona chose its option, from the record of its thought."""
    by, why = parts["by"], parts["why"] or ""
    if by == "forced":
        return "Nothing else made sense."
    if by == "model":
        return f"The language model chose: {why.rstrip('.')}." if why else "The language model chose."
    if by.startswith("fallback"):
        return "The language model gave no answer, so the best option was played."
    share = re.search(rf"\b{parts['number']} (\d+)%", why)
    return f"It chooses this {share[1]} % of the time." if share else ""


# ---- Perudo --------------------------------------------------------------------------------------


def _mind(thought: str) -> Iterator[str]:
    """Sentences about a Perudo mind's decision, from the record of its thought."""
    standing, chose = _DICE.search(thought), thought.rpartition(": ")[2]
    chances = {call["call"]: float(call["chance"]) for call in _CALL.finditer(thought)}
    if standing:
        exact = f", exactly met with {_percent(chances['Calza'])}" if chances.get("Calza") else ""
        true = f"It held the bid of {standing['who']}, {_bid_words(standing)}, for true with "
        yield f"{true}{_percent(1 - chances['Dudo'])}{exact}."
    best = _BID.search(thought)
    if best:
        bluff = ", a bluff" if best["way"] == "bluff" else ""
        own = "Its own bid" if chose == "BID" else "The best bid it had"
        yield f"{own}, {_bid_words(best)}{bluff}, it held for true with {_percent(float(best['chance']))}."
    if chose in ("DUDO", "CALZA"):
        yield f"So it said {chose.lower()}."


def _odds(parts: re.Match[str]) -> Iterator[str]:
    spoken, dice = parts["said"], float(parts["dice"])
    if spoken in ("dudo", "calza"):
        yield f"It held the bid for true with {_percent(float(parts['true']))}."
    else:
        yield f"By its own dice it held {spoken} for true with {_percent(float(parts['true']))}."
    yield f"It expected to {'lose' if dice < 0 else 'gain'} {abs(dice):.2f} dice by this."


def _bid_words(found: re.Match[str]) -> str:
    return action_text(bid(int(found["count"]), int(found["face"])))


def _percent(share: float) -> str:
    return "less than 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def _join_words(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


# ---- exports -------------------------------------------------------------------------------------

Format = Literal["phh", "pokerstars", "json"]
SeenHand = tuple[Ended, Seat | None, float]  # a hand, the seat whose view it is, when it ended


def exported(hands: Sequence[SeenHand], to: Format, *, first: int = 1, total: int | None = None) -> str:
    """The hands in order as one text; if the first is not number 1, a continuation of an earlier text."""
    texts = [_text(hand, to) for hand in hands]
    between = {"json": "", "phh": "\n", "pokerstars": "\n\n\n"}[to]
    if to == "phh" and (total or len(texts)) > 1:
        texts = [numbered(text, number) for number, text in enumerate(texts, start=first)]
    return (between if first > 1 and texts else "") + between.join(texts)


def _text(hand: SeenHand, to: Format) -> str:
    """One hand in this format, as the seat saw it."""
    ended, seat, time = hand
    match to:
        case "json":
            return seen_record(ended, seat).to_json() + "\n"
        case "phh":
            return write_phh(phh_of(history_seen(ended, seat)))
        case "pokerstars":
            when = datetime.fromtimestamp(time, UTC)
            return pokerstars_text(history_seen(ended, seat), number=ended.hand, when=when)
        case _:
            assert_never(to)


def history_seen(ended: Ended, seat: Seat | None) -> History:
    """The hand as the seat saw it: unseen hands are left out, and a hand not shown at a showdown is mucked."""
    record = seen_record(ended, seat)
    if not isinstance(game_of(record), Holdem):
        raise RecordError(f"{record.game} has no hand history format; use json")
    return history_of(record)
