"""Export hands of a room as PHH, PokerStars text or JSON lines, each from the view of one seat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, assert_never

from tahur.core.errors import RecordError
from tahur.core.game import Seat
from tahur.games.holdem.history import History, history_of
from tahur.games.holdem.phh import numbered, write_phh
from tahur.games.holdem.pokerstars import pokerstars_text
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.transcribe import phh_of
from tahur.games.registry import game_of
from tahur.room.facts import Ended
from tahur.room.history import seen_record

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
