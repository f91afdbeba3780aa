"""Hands in the text of PokerStars, read as PHH: what `pokerstars` writes, and hands of PokerStars that our tables know.

Lines that tell nothing of the hand (chat, who joins or leaves) are passed over. Amounts may have decimals: `scale`
chips are 1 in the text, as in `phh`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import time
from decimal import Decimal
from typing import Any, Final

from tahur.core.errors import RecordError
from tahur.core.game import Seat
from tahur.games.holdem.phh import UNKNOWN_CARD, Phh, PhhAction, Variant, Verb

START: Final = "PokerStars "
_AMOUNT: Final = r"\D?(\d+(?:\.\d+)?)"  # a currency's sign may stand before it
_HEADER: Final = re.compile(
    r"PokerStars (?:\w+ )?Hand #(?P<hand>\d+):\s+Hold'em (?P<no>No )?Limit"
    r" \((?P<symbol>[^\d\s])?(?P<small>[\d.]+)/\D?(?P<big>[\d.]+)(?: (?P<currency>[A-Z]+))?\)"
    r"(?: - (?P<day>[\d/]+) (?P<time>[\d:]+) (?P<zone>\w+))?.*"
)
_TABLE: Final = re.compile(r"Table '(?P<name>.*)' (?P<seats>\d+)-max.*Seat #(?P<button>\d+) is the button")
_SEAT: Final = re.compile(rf"Seat (?P<seat>\d+): (?P<name>.+) \({_AMOUNT} in chips\).*")
_BOARD: Final = re.compile(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* .*\[([^\]]+)\]")
_CARDS: Final = re.compile(r"\[(\w\w) (\w\w)\]")
_POST: Final = re.compile(rf"posts (?P<what>the ante|small blind|big blind) {_AMOUNT}.*")
_ACT: Final = re.compile(rf"(?P<what>folds|checks|calls|bets|raises)(?: {_AMOUNT})?(?: to {_AMOUNT})?.*")
_COLLECTED: Final = re.compile(rf" collected {_AMOUNT} from .*")
_VERBS: Final = {"folds": Verb.FOLD, "checks": Verb.CALL, "calls": Verb.CALL, "bets": Verb.RAISE, "raises": Verb.RAISE}


@dataclass(slots=True)
class _HandText:
    """What a text has told so far, in its own amounts."""

    seats: dict[str, Seat] = field(default_factory=dict)  # by name
    stacks: dict[str, Decimal] = field(default_factory=dict)
    posts: dict[str, Decimal] = field(default_factory=dict)  # the highest ante and each blind that was posted in full
    cards: dict[str, str] = field(default_factory=dict)
    hero: str | None = None
    steps: list[tuple[Verb, str, str, Decimal]] = field(default_factory=list)
    collected: dict[str, Decimal] = field(default_factory=dict)


def split_pokerstars(text: str) -> list[str]:
    """The text of each hand in a file."""
    starts = [found.start() for found in re.finditer(rf"^{START}(?:\w+ )?Hand #", text, re.MULTILINE)]
    return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def read_pokerstars(text: str) -> Phh:
    """The hand that a text of PokerStars tells; a `RecordError` says what is wrong with it."""
    lines = text.strip().splitlines()
    header = _HEADER.fullmatch(lines[0].strip()) if lines else None
    table = _TABLE.match(lines[1]) if len(lines) > 1 else None
    if header is None or table is None:
        raise RecordError(f"not a hold'em hand of PokerStars: {text[:60]!r}")
    told = _HandText()
    summary = False
    for line in lines[2:]:
        summary = summary or line.startswith("*** SUMMARY")
        _hear(told, line.rstrip(), summary=summary)
    return _phh(told, header, table)


def _hear(told: _HandText, line: str, *, summary: bool) -> None:
    if (seat := _SEAT.fullmatch(line)) and not told.steps and not summary:
        told.seats[seat["name"]] = int(seat["seat"]) - 1
        told.stacks[seat["name"]] = Decimal(seat[3])
    elif board := _BOARD.match(line):
        told.steps.append((Verb.BOARD, "", board[1].replace(" ", ""), Decimal()))
    elif summary:
        _hear_summary(told, line)
    elif line.startswith("Dealt to "):
        told.hero = _named(told, line.removeprefix("Dealt to "), " [")
        _hear_cards(told, told.hero, line)
    elif name := _named(told, line, ": "):
        _hear_action(told, name, line[len(name) + 2 :])
    elif (name := _named(told, line, " collected ")) and (won := _COLLECTED.fullmatch(line[len(name) :])):
        told.collected[name] = told.collected.get(name, Decimal()) + Decimal(won[1])


def _hear_action(told: _HandText, name: str, words: str) -> None:
    if post := _POST.fullmatch(words):
        if not words.endswith("all-in"):
            told.posts[post["what"]] = max(Decimal(post[2]), told.posts.get(post["what"], Decimal()))
    elif act := _ACT.fullmatch(words):
        told.steps.append((_VERBS[act["what"]], name, "", Decimal(act[3] or act[2] or 0)))
    elif words.startswith("shows ["):
        _hear_cards(told, name, words)
        told.steps.append((Verb.SHOW, name, told.cards[name], Decimal()))
    elif words.startswith("mucks hand"):
        told.steps.append((Verb.SHOW, name, "", Decimal()))


def _hear_summary(told: _HandText, line: str) -> None:
    """Hands that were mucked, and are told afterwards."""
    seat, _, words = line.partition(": ")
    name = _named(told, words, " ")
    if seat.startswith("Seat ") and name is not None and " mucked [" in words:
        _hear_cards(told, name, words)


def _hear_cards(told: _HandText, name: str | None, words: str) -> None:
    found = _CARDS.search(words)
    if name is None or found is None:
        raise RecordError(f"'{words}': a seated player and two cards were expected")
    told.cards[name] = found[1] + found[2]


def _named(told: _HandText, line: str, after: str) -> str | None:
    """The player that a line begins with; of several the longest name."""
    return max((name for name in told.seats if line.startswith(name + after)), key=len, default=None)


# ---- as PHH --------------------------------------------------------------------------------------


def _phh(told: _HandText, header: re.Match[str], table: re.Match[str]) -> Phh:
    players = _players(told, int(table["button"]) - 1, int(table["seats"]))
    small, big = Decimal(header["small"]), Decimal(header["big"])
    amounts = [small, big, *told.stacks.values(), *told.posts.values(), *told.collected.values()]
    scale = _scale([*amounts, *(chips for *_, chips in told.steps)])
    limit = header["no"] is None
    blinds = (told.posts.get("small blind", small / 2), told.posts.get("big blind", small)) if limit else (small, big)
    return Phh(
        variant=Variant.FIXED_LIMIT if limit else Variant.NO_LIMIT,
        antes=(_chips(told.posts.get("the ante", Decimal()), scale),) * len(players),
        blinds=(_chips(blinds[0], scale), _chips(blinds[1], scale), *(0,) * (len(players) - 2)),
        bets=tuple(_chips(bet, scale) for bet in ((small, big) if limit else (big,))),
        stacks=tuple(_chips(told.stacks[name], scale) for name in players),
        steps=tuple(_steps(told, players, scale)),
        winnings=tuple(_chips(told.collected.get(name, Decimal()), scale) for name in players),
        scale=scale,
        fields=_fields(told, players, header, table),
    )


def _players(told: _HandText, button: Seat, seats: int) -> list[str]:
    """From the left of the button on, the button last."""
    if len(told.seats) < 2 or button not in told.seats.values():
        numbers = sorted(seat + 1 for seat in told.seats.values())
        raise RecordError(f"seats {numbers} with the button at {button + 1}; two or more, the button's among them")
    return sorted(told.seats, key=lambda name: (told.seats[name] - button - 1) % seats)


def _steps(told: _HandText, players: Sequence[str], scale: int) -> Iterator[PhhAction]:
    place = {name: at for at, name in enumerate(players)}
    for name in players:
        yield PhhAction(Verb.HOLE, place[name], told.cards.get(name, 2 * UNKNOWN_CARD))
    for verb, name, cards, chips in told.steps:
        if verb is Verb.BOARD:
            yield PhhAction(verb, cards=cards)
        else:
            yield PhhAction(verb, place[name], cards, _chips(chips, scale) if verb is Verb.RAISE else 0)


def _fields(told: _HandText, players: Sequence[str], header: re.Match[str], table: re.Match[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "hand": int(header["hand"]),
        "table": table["name"],
        "seats": [told.seats[name] + 1 for name in players],
        "seat_count": int(table["seats"]),
        "players": list(players),
    }
    if "the ante" in told.posts:
        fields["ante_trimming_status"] = True
    if told.hero is not None:
        fields["_hero"] = told.seats[told.hero] + 1
    if header["symbol"]:
        fields["currency_symbol"] = header["symbol"]
    if header["currency"]:
        fields["currency"] = header["currency"]
    if header["day"]:
        fields["year"], fields["month"], fields["day"] = map(int, header["day"].split("/"))
        fields["time"] = time.fromisoformat(header["time"].rjust(8, "0"))
        fields["time_zone_abbreviation"] = header["zone"]
    return fields


def _scale(amounts: Sequence[Decimal]) -> int:
    places = [-int(amount.normalize().as_tuple().exponent) for amount in amounts]
    return int(10 ** max(0, *places))


def _chips(amount: Decimal, scale: int) -> int:
    return int(amount * scale)
