"""Hands of a room as files: PHH, the text of PokerStars, JSON lines; each as one seat saw it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, assert_never

from tahur.core.errors import RecordError
from tahur.core.game import Seat
from tahur.games.holdem.history import History, history_of
from tahur.games.holdem.phh import join_hands, write_phh
from tahur.games.holdem.pokerstars import pokerstars_text
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.transcribe import phh_of
from tahur.games.registry import game_of
from tahur.room.facts import Ended
from tahur.room.history import seen_record

Format = Literal["phh", "pokerstars", "json"]
Told = tuple[Ended, Seat | None, float]  # a hand, the seat that tells it, when it ended


def exported(hands: Sequence[Told], to: Format) -> str:
    """The hands, the first first, in one text."""
    match to:
        case "json":
            return "".join(seen_record(ended, seat).to_json() + "\n" for ended, seat, _ in hands)
        case "phh":
            return join_hands([write_phh(phh_of(history_seen(ended, seat))) for ended, seat, _ in hands])
        case "pokerstars":
            return "\n\n\n".join(
                pokerstars_text(history_seen(ended, seat), number=ended.hand, when=datetime.fromtimestamp(time, UTC))
                for ended, seat, time in hands
            )
        case _:
            assert_never(to)


def history_seen(ended: Ended, seat: Seat | None) -> History:
    """The hand as the seat saw it: hands it never saw are not in it, and who showed nothing at a showdown mucked."""
    record = seen_record(ended, seat)
    if not isinstance(game_of(record), Holdem):
        raise RecordError(f"{record.game} has no hand history format; take json")
    return history_of(record)
