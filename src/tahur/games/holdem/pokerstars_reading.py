"""Reading hands in the text format of PokerStars, as PHH: what `pokerstars` writes, and hands our tables support.

Lines that are not about the hand (chat, players joining or leaving) are skipped. Amounts may have decimals: `scale`
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
_AMOUNT: Final = r"\D?(\d+(?:\.\d+)?)"  # perhaps with a currency sign
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
    """What has been read of a text so far, in its own amounts."""

    seats: dict[str, Seat] = field(default_factory=dict)  # by name
    stacks: dict[str, Decimal] = field(default_factory=dict)
    posts: dict[str, Decimal] = field(default_factory=dict)  # the highest ante and each blind that was posted in full
    cards: dict[str, str] = field(default_factory=dict)
    hero: str | None = None
    steps: list[tuple[Verb, str, str, Decimal]] = field(default_factory=list)
    collected: dict[str, Decimal] = field(default_factory=dict)


def split_pokerstars(text: str) -> list[str]:
    """The text of each hand in a file."""
    starts = [match.start() for match in re.finditer(rf"^{START}(?:\w+ )?Hand #", text, re.MULTILINE)]
    return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def read_pokerstars(text: str) -> Phh:
    """Parse a hand in the format of PokerStars; a `RecordError` says what is wrong with it."""
    lines = text.strip().splitlines()
    header = _HEADER.fullmatch(lines[0].strip()) if lines else None
    table = _TABLE.match(lines[1]) if len(lines) > 1 else None
    if header is None or table is None:
        raise RecordError(f"not a hold'em hand of PokerStars: {text[:60]!r}")
    hand = _HandText()
    summary = False
    for line in lines[2:]:
        summary = summary or line.startswith("*** SUMMARY")
        _read_line(hand, line.rstrip(), summary=summary)
    return _phh(hand, header, table)


def _read_line(hand: _HandText, line: str, *, summary: bool) -> None:
    """Add what one line says to the hand; `summary`: whether it is after `*** SUMMARY ***`."""
    if (seat := _SEAT.fullmatch(line)) and not hand.steps and not summary:
        hand.seats[seat["name"]] = int(seat["seat"]) - 1
        hand.stacks[seat["name"]] = Decimal(seat[3])
    elif board := _BOARD.match(line):
        hand.steps.append((Verb.BOARD, "", board[1].replace(" ", ""), Decimal()))
    elif summary:
        _read_summary(hand, line)
    elif line.startswith("Dealt to "):
        hand.hero = _name_at_start(hand, line.removeprefix("Dealt to "), " [")
        _read_cards(hand, hand.hero, line)
    elif name := _name_at_start(hand, line, ": "):
        _read_action(hand, name, line[len(name) + 2 :])
    elif (name := _name_at_start(hand, line, " collected ")) and (won := _COLLECTED.fullmatch(line[len(name) :])):
        hand.collected[name] = hand.collected.get(name, Decimal()) + Decimal(won[1])


def _read_action(hand: _HandText, name: str, words: str) -> None:
    """Add a player's post, action, show or muck to the hand; `words` is the line after the name."""
    if post := _POST.fullmatch(words):
        if not words.endswith("all-in"):
            hand.posts[post["what"]] = max(Decimal(post[2]), hand.posts.get(post["what"], Decimal()))
    elif act := _ACT.fullmatch(words):
        hand.steps.append((_VERBS[act["what"]], name, "", Decimal(act[3] or act[2] or 0)))
    elif words.startswith("shows ["):
        _read_cards(hand, name, words)
        hand.steps.append((Verb.SHOW, name, hand.cards[name], Decimal()))
    elif words.startswith("mucks hand"):
        hand.steps.append((Verb.SHOW, name, "", Decimal()))


def _read_summary(hand: _HandText, line: str) -> None:
    """Mucked hands that the summary shows."""
    seat, _, words = line.partition(": ")
    name = _name_at_start(hand, words, " ")
    if seat.startswith("Seat ") and name is not None and " mucked [" in words:
        _read_cards(hand, name, words)


def _read_cards(hand: _HandText, name: str | None, words: str) -> None:
    match = _CARDS.search(words)
    if name is None or match is None:
        raise RecordError(f"'{words}': a seated player and two cards were expected")
    hand.cards[name] = match[1] + match[2]


def _name_at_start(hand: _HandText, line: str, after: str) -> str | None:
    """The player whose name a line begins with; the longest name if several match."""
    return max((name for name in hand.seats if line.startswith(name + after)), key=len, default=None)


# ---- as PHH --------------------------------------------------------------------------------------


def _phh(hand: _HandText, header: re.Match[str], table: re.Match[str]) -> Phh:
    """The hand as a PHH record."""
    players = _players(hand, int(table["button"]) - 1, int(table["seats"]))
    small, big = Decimal(header["small"]), Decimal(header["big"])
    amounts = [small, big, *hand.stacks.values(), *hand.posts.values(), *hand.collected.values()]
    scale = _scale([*amounts, *(chips for *_, chips in hand.steps)])
    limit = header["no"] is None
    blinds = (hand.posts.get("small blind", small / 2), hand.posts.get("big blind", small)) if limit else (small, big)
    return Phh(
        variant=Variant.FIXED_LIMIT if limit else Variant.NO_LIMIT,
        antes=(_chips(hand.posts.get("the ante", Decimal()), scale),) * len(players),
        blinds=(_chips(blinds[0], scale), _chips(blinds[1], scale), *(0,) * (len(players) - 2)),
        bets=tuple(_chips(bet, scale) for bet in ((small, big) if limit else (big,))),
        stacks=tuple(_chips(hand.stacks[name], scale) for name in players),
        steps=tuple(_steps(hand, players, scale)),
        winnings=tuple(_chips(hand.collected.get(name, Decimal()), scale) for name in players),
        scale=scale,
        fields=_fields(hand, players, header, table),
    )


def _players(hand: _HandText, button: Seat, seats: int) -> list[str]:
    """The players from the left of the button on, the button last."""
    if len(hand.seats) < 2 or button not in hand.seats.values():
        numbers = sorted(seat + 1 for seat in hand.seats.values())
        raise RecordError(f"seats {numbers} with the button at {button + 1}; expected two or more, with the button's")
    return sorted(hand.seats, key=lambda name: (hand.seats[name] - button - 1) % seats)


def _steps(hand: _HandText, players: Sequence[str], scale: int) -> Iterator[PhhAction]:
    """The actions of the record: first all hole cards, then what happened, in order."""
    number_of = {name: number for number, name in enumerate(players)}
    for name in players:
        yield PhhAction(Verb.HOLE, number_of[name], hand.cards.get(name, 2 * UNKNOWN_CARD))
    for verb, name, cards, chips in hand.steps:
        if verb is Verb.BOARD:
            yield PhhAction(verb, cards=cards)
        else:
            yield PhhAction(verb, number_of[name], cards, _chips(chips, scale) if verb is Verb.RAISE else 0)


def _fields(hand: _HandText, players: Sequence[str], header: re.Match[str], table: re.Match[str]) -> dict[str, Any]:
    """The optional fields of the record: hand number, table, seats, names, time."""
    fields: dict[str, Any] = {
        "hand": int(header["hand"]),
        "table": table["name"],
        "seats": [hand.seats[name] + 1 for name in players],
        "seat_count": int(table["seats"]),
        "players": list(players),
    }
    if "the ante" in hand.posts:
        fields["ante_trimming_status"] = True
    if hand.hero is not None:
        fields["_hero"] = hand.seats[hand.hero] + 1
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
    decimals = [-int(amount.normalize().as_tuple().exponent) for amount in amounts]
    return int(10 ** max(0, *decimals))


def _chips(amount: Decimal, scale: int) -> int:
    return int(amount * scale)
