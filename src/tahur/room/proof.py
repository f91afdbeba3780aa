"""Check the proof of a deal against a player's notes: the player's side of fair deals.

docs/verify_deal.py does the same without importing tahur, page/src/logic/fairness.ts does it in the browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from tahur.cards.cards import DECK_SIZE
from tahur.core.errors import RecordError
from tahur.core.game import Seat
from tahur.room.adapter import Draws
from tahur.room.deck import Seal, commitment, places_of, sha256, turned
from tahur.room.rest import DealNotes, Fairness
from tahur.room.sealing import FORMAT, header_of

BOARD: Final = -1  # the owner of the board's draws
CARDS_EACH, CARDS_ON_BOARD = 2, 5
MOST_SEATS: Final = 10
_VALUES: Final = {"cards": re.compile("[2-9TJQKA][shdc]"), "dice": re.compile("[1-6]")}
_LINE: Final = re.compile(r"(seat|seed) (\d)|(hand|game|cards|dice|board)")


@dataclass(slots=True)
class DealHeader:
    """The parsed header of a commitment."""

    hand: int = 0
    game: str = ""
    unit: str = ""
    total: int = 0
    draws: dict[Seat, tuple[int, ...]] = field(default_factory=dict)  # by seat; those of the board under `BOARD`
    seeds: dict[Seat, str] = field(default_factory=dict)  # hashes


def read_header(text: str) -> DealHeader:
    """Parse a header; raises `RecordError` if it is invalid or its dealing order is not that of the game."""
    header, lines = DealHeader(), text.split("\n")
    if lines[0] != FORMAT:
        raise RecordError(f"the header begins with {lines[0][:40]!r}, not with {FORMAT!r}")
    for line in lines[1:]:
        _read_line(header, line)
    if not _is_dealing_order(header):
        raise RecordError("the dealing order is not that of the game")
    if _canonical_text(header) != text:
        raise RecordError("the header is not written as it should be")
    return header


def _canonical_text(header: DealHeader) -> str:
    """The header as the room writes it: a canonical form without repetitions."""
    seats = tuple((seat, _range(draws)) for seat, draws in sorted(header.draws.items()) if seat != BOARD)
    unit: Literal["cards", "dice"] = "dice" if header.unit == "dice" else "cards"
    draws = Draws(unit, header.total, seats, _range(header.draws.get(BOARD, ())))
    return header_of(header.hand, header.game, draws, [header.seeds.get(seat) for seat in range(MOST_SEATS)])


def _range(draws: tuple[int, ...]) -> range:
    return range(draws[0], draws[-1] + 1) if draws else range(0)


def _read_line(header: DealHeader, line: str) -> None:
    """Enter one line of the header, `NAME: VALUE`."""
    name, _, rest = line.partition(": ")
    parts = _LINE.fullmatch(name)
    try:
        match (parts[1] or parts[3]) if parts else None:
            case "hand":
                header.hand = int(rest)
            case "game":
                header.game = rest
            case "cards" | "dice":
                header.unit, header.total = name, int(rest)
            case "seat" | "board":
                header.draws[int(name[5:]) if name != "board" else BOARD] = tuple(map(int, rest.split(" ")))
            case "seed":
                header.seeds[int(name[5:])] = rest
            case _:
                raise ValueError
    except ValueError:
        raise RecordError(f"the header has a line {line[:40]!r}") from None


def _is_dealing_order(header: DealHeader) -> bool:
    """The required dealing order: seats ascending, each with the next draws (two cards, or dice), then the board."""
    seats = [seat for seat in header.draws if seat != BOARD]
    row = [draw for seat in [*sorted(seats), *header.draws.keys() & {BOARD}] for draw in header.draws[seat]]
    if row != list(range(len(row))):
        return False
    if header.unit == "dice":
        return BOARD not in header.draws and len(row) == header.total
    return (
        header.total == DECK_SIZE
        and len(header.draws.get(BOARD, ())) == CARDS_ON_BOARD
        and all(len(header.draws[seat]) == CARDS_EACH for seat in seats)
    )


# ---- the check -----------------------------------------------------------------------------------


def check_fairness(proof: Fairness, notes: DealNotes | None = None) -> list[str]:
    """The faults of a proof; without notes, only its consistency is checked."""
    faults = []
    if notes is not None and notes.commitment != proof.commitment:
        faults.append("the commitment is not the one that was published before the deal")
    if commitment(proof.digests, proof.header) != proof.commitment:
        faults.append("the header and the digests do not make up the commitment")
    if not proof.header:
        return [*faults, "the commitment has no header: it does not say which card of the deck goes where"]
    try:
        header = read_header(proof.header)
    except RecordError as error:
        return [*faults, str(error)]
    faults += _digest_faults(proof, header)
    faults += _seed_faults(proof, header, notes)
    if not faults:
        faults += _opening_faults(proof, header, notes)
    return faults


def check_older(proof: Fairness, noted: str | None = None) -> list[str]:
    """The same for a deal of an older version, without places and seeds."""
    faults = []
    if noted is not None and noted != proof.commitment:
        faults.append("the commitment is not the one that was published before the deal")
    if commitment(proof.digests, proof.header) != proof.commitment:
        faults.append("the digests do not make up the commitment")
    values = [opening.value for opening in proof.openings if not opening.value.isdigit()]
    twice = sorted({value for value in values if values.count(value) > 1})
    faults += [f"{value} is there twice" for value in twice]
    return faults + _seal_faults(proof)


def remarks(proof: Fairness, notes: DealNotes | None) -> list[str]:
    """What a proof without faults still does not prove, with reasons."""
    limits = []
    if notes is None:
        limits.append("Without your notes it is only shown that the file agrees with itself.")
    if notes is None or notes.seed is None:
        limits.append("No seed of yours is in the shuffle: it is not shown that the server did not choose the deck.")
    used = {seed.seat for seed in proof.seeds}
    promised = re.findall(r"^seed (\d): ", proof.header, re.MULTILINE)
    limits += [f"Seat {int(seat) + 1} did not reveal its seed in time." for seat in promised if int(seat) not in used]
    return limits


def _digest_faults(proof: Fairness, header: DealHeader) -> Iterator[str]:
    """What is wrong with the hand number, the digests and the opened values of a proof."""
    if header.hand != proof.hand:
        yield f"the commitment is of hand {header.hand}, not of hand {proof.hand}"
    if len(proof.digests) != header.total:
        yield f"there are {len(proof.digests)} digests, not {header.total}"
    if len(set(proof.digests)) != len(proof.digests):
        yield "a digest is there twice"
    wrong = [opening.value for opening in proof.openings if not _VALUES[header.unit].fullmatch(opening.value)]
    yield from (f"{value!r:.20} is not one of the {header.unit}" for value in wrong)
    yield from _seal_faults(proof)


def _seal_faults(proof: Fairness) -> list[str]:
    faults = []
    for opening in proof.openings:
        seal = Seal(proof.hand, opening.place, opening.value, opening.salt)
        if not 0 <= opening.place < len(proof.digests) or proof.digests[opening.place] != seal.digest:
            faults.append(f"{opening.value} of {opening.whose} is not what was sealed at place {opening.place}")
    return faults


def _seed_faults(proof: Fairness, header: DealHeader, notes: DealNotes | None) -> Iterator[str]:
    """What is wrong with the seeds of a proof, by the commitment and by the player's notes."""
    used = {used_seed.seat: used_seed.seed for used_seed in proof.seeds}
    if len(used) != len(proof.seeds):
        yield "a seat has two seeds"
    for seat, seed in used.items():
        if header.seeds.get(seat) != sha256(seed):
            yield f"the seed of seat {seat + 1} is not the one whose hash was committed to"
    if notes is not None and notes.seed is not None:
        seat = BOARD if notes.seat is None else notes.seat
        if header.seeds.get(seat) != sha256(notes.seed):
            yield "the hash of your seed is not in the commitment"
        if used.get(seat) != notes.seed:
            yield "your seed was not used: it came too late, or the server left it out"


def _opening_faults(proof: Fairness, header: DealHeader, notes: DealNotes | None) -> Iterator[str]:
    """Check that opened values are where the dealing order puts them, and equal to what the player saw."""
    values = _values_by_draw(proof, header)
    if len({opening.place for opening in proof.openings}) != len(proof.openings):
        yield "a place is opened twice"
    dealt = {draw for draws in header.draws.values() for draw in draws}
    yield from (f"draw {draw} is opened, which was dealt to nobody" for draw in sorted(values.keys() - dealt))
    if header.unit == "cards":
        cards = list(values.values())
        yield from (f"{card} is there twice" for card in sorted({card for card in cards if cards.count(card) > 1}))
    if notes is None:
        return
    if notes.seat in header.draws and any(draw not in values for draw in header.draws[notes.seat]):
        yield "not all of your own hand is opened"
    for hand in notes.hands:
        opened = [values.get(draw, "?") for draw in header.draws.get(hand.seat, ())]
        if sorted(opened) != sorted(hand.cards):
            yield f"seat {hand.seat + 1} held {_row(hand.cards)}; its places open to {_row(opened) or 'nothing'}"
    board = [values.get(draw, "?") for draw in header.draws.get(BOARD, ())]
    if board[: len(notes.board)] != list(notes.board):
        yield f"the board was {_row(notes.board)}; its places open to {_row(board[: len(notes.board)]) or 'nothing'}"


def _values_by_draw(proof: Fairness, header: DealHeader) -> dict[int, str]:
    """The opened values by draw."""
    used = {used_seed.seat: used_seed.seed for used_seed in proof.seeds}
    seeds = [used.get(seat) for seat in range(max(used, default=-1) + 1)]
    opened = {opening.place: opening.value for opening in proof.openings}
    if header.unit == "dice":
        sealed = [int(opened.get(place, "1")) for place in range(header.total)]
        return {place: str(die) for place, die in enumerate(turned(sealed, seeds)) if place in opened}
    places = places_of(seeds, header.total)
    return {draw: opened[place] for draw, place in enumerate(places) if place in opened}


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)
