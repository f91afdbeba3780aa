"""Reading hand histories from files: PHH, PokerStars text or our own records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tahur.core.errors import RecordError, TahurError
from tahur.core.limits import MOST_TEXT, parse_json, read_file

if TYPE_CHECKING:
    from tahur.core.record import Record
    from tahur.games.holdem.history import History
    from tahur.games.holdem.phh import Phh

RECORDS = ".jsonl"
POKERSTARS = ".txt"
SUFFIXES = (".phh", ".phhs", RECORDS, POKERSTARS)
SESSION = '{"session"'  # how the header of a session of `tahur play` begins
BLOCKS = "blocks.jsonl"  # in a match's folder: sums, not hands

Paths = Annotated[
    list[Path],
    typer.Argument(exists=True, metavar="PATH", help=f"Files ({', '.join(SUFFIXES)}) or folders of them."),
]


@dataclass(frozen=True, slots=True)
class Fault:
    """A hand that cannot be parsed or replayed."""

    file: str
    hand: int
    error: str


@dataclass(frozen=True, slots=True)
class PendingHand:
    """One hand of a file, not parsed yet."""

    file: Path
    number: int  # of the hand in its file, from 1
    read: Callable[[], Phh | Record]
    done: float  # progress (0 to 1) when this hand is done

    def fault(self, error: TahurError) -> Fault:
        return Fault(str(self.file), self.number, str(error))


def files_of(paths: Sequence[Path]) -> list[Path]:
    """The given files and the files in given folders, in natural order of names."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            histories = [file for file in path.rglob("*") if file.suffix in SUFFIXES and _has_hands(file)]
            files += sorted(histories, key=lambda file: [_place(part) for part in re.split(r"(\d+)", str(file))])
        elif path.suffix in SUFFIXES:
            files.append(path)
        else:
            raise typer.BadParameter(
                f"{path}: the file name must end in one of {', '.join(SUFFIXES)}", param_hint="PATH"
            )
    if not files:
        raise typer.BadParameter(f"the folder has no file ending in {', '.join(SUFFIXES)}", param_hint="PATH")
    return files


def _has_hands(file: Path) -> bool:
    """Whether a file in a folder holds hands: a match's folder has other files too."""
    if file.suffix != POKERSTARS or not file.is_file():
        return file.name != BLOCKS and file.is_file()
    from tahur.games.holdem.pokerstars_reading import START

    with file.open("rb") as text:
        return text.read(len(START) + 3).lstrip(b"\xef\xbb\xbf").startswith(START.encode())


def _place(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (-1, part)


def readings(files: Sequence[Path]) -> Iterator[PendingHand]:
    """Every hand of the files, in order, not parsed yet."""
    for at, file in enumerate(files):
        readers = _readers(file)
        for number, read in enumerate(readers, start=1):
            yield PendingHand(file, number, read, (at + number / len(readers)) / len(files))


def _readers(file: Path) -> list[Callable[[], Phh | Record]]:
    """A parser for each hand of a file. An unreadable file counts as one unreadable hand."""
    from tahur.games.holdem.phh import read_phh, split_hands
    from tahur.games.holdem.pokerstars_reading import read_pokerstars, split_pokerstars

    try:
        text = read_file(file, MOST_TEXT).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        return [partial(_refuse, error)]
    if file.suffix == POKERSTARS:
        return [partial(read_pokerstars, hand) for hand in split_pokerstars(text) or [text]]
    if file.suffix != RECORDS:
        return [partial(read_phh, hand) for hand in split_hands(text)]
    lines = [line for line in text.split("\n") if line.strip()]
    you = _whose(lines[0]) if lines else None
    return [partial(_record, line, you) for line in lines if not line.startswith(SESSION)]


def _whose(line: str) -> int | None:
    """The user's seat, if the line is the header of a `tahur play` session."""
    try:
        you = parse_json(line)["session"]["you"] if line.startswith(SESSION) else None
    except (ValueError, KeyError, TypeError):
        return None
    return you if type(you) is int else None


def _record(line: str, you: int | None) -> Record:
    from tahur.core.record import Record

    record = Record.from_json(line)
    return record if you is None or record.seat is not None else replace(record, seat=you)


def _refuse(error: OSError | ValueError) -> Phh:
    if isinstance(error, OSError):
        raise RecordError(f"the file cannot be read: {error.strerror or error}")
    reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
    raise RecordError(f"the file cannot be read: {reason}")


def history_of(source: Phh | Record) -> History:
    """Replay a hand that was read."""
    from tahur.core.record import Record
    from tahur.games.holdem import history
    from tahur.games.holdem.replay import replay

    return history.history_of(source) if isinstance(source, Record) else replay(source)


def record_in(reading: PendingHand) -> Record:
    """The hand as a record, from any format; errors name the file and hand."""
    from tahur.core.record import Record
    from tahur.games.holdem.history import record_of

    try:
        source = reading.read()
        return source if isinstance(source, Record) else record_of(history_of(source))
    except RecordError as error:
        raise RecordError(f"{reading.file.name}, hand {reading.number}: {error}") from None
