"""`tahur hands`: show, check and convert hand histories, in PHH, PokerStars text or our own records."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from tahur.cli.commands import command_group
from tahur.cli.output import Json, console, note, print_json, watch
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
MOST_TOLD = 5  # problems shown without --json

hand_history = command_group(
    "Show, check and convert hand histories: .phh, .phhs, the .jsonl of tahur play, matches and "
    "the card room, or the .txt of PokerStars.",
)

Paths = Annotated[
    list[Path],
    typer.Argument(exists=True, metavar="PATH", help=f"Files ({', '.join(SUFFIXES)}) or folders of them."),
]


class Format(StrEnum):
    """The formats of `export`."""

    PHH = "phh"
    POKERSTARS = "pokerstars"
    JSONL = "jsonl"


@hand_history.command("show")
def show(
    paths: Paths,
    hand: Annotated[int | None, typer.Option(min=1, help="Only this hand, counted from 1 over all files.")] = None,
) -> None:
    """Print each hand in words, street by street.

    tahur hands show session.jsonl --hand 3
    """
    from tahur.cli.hands.words import hand_lines

    out = console()
    hands = readings(files_of(paths))
    chosen = list(islice(hands, hand - 1, hand)) if hand else hands
    if not chosen:
        raise typer.BadParameter(f"there is no hand {hand}", param_hint="--hand")
    failed = False
    for reading in chosen:
        try:
            for line in hand_lines(history_of(reading.read()), f"{reading.file}, hand {reading.number}"):
                out.print(line)
        except TahurError as error:
            failed = True
            note(_problem(reading.fault(error)))
    raise typer.Exit(1 if failed else 0)


@hand_history.command("replay")
def replay(
    paths: Paths,
    rake: Annotated[bool, typer.Option("--rake", help="Accept winners who got less than the pots.")] = False,
    as_json: Json = False,
) -> None:
    """Replay every hand through the rules and compare the final stacks; exit code 1 if any differs.

    tahur hands replay hands/ --json
    """
    tally = watch(_replay_files(files_of(paths), raked=rake), "replay")
    if as_json:
        print_json(asdict(tally))
    else:
        _print_tally(tally)
    raise typer.Exit(1 if tally.mismatched or tally.errors else 0)


@hand_history.command("export")
def export(
    paths: Paths,
    to: Annotated[Format, typer.Option(help="PHH, PokerStars text, or our own records.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", dir_okay=False, help="Write to this file instead of stdout.")
    ] = None,
    hero: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The hero, for hands without one, such as those of a match."),
    ] = None,
) -> None:
    """Convert every hand to another format. Hands that cannot be converted are listed on stderr, with exit code 1.

    tahur hands export session.jsonl --to phh -o session.phhs
    """
    texts, faults = watch(_export(files_of(paths), to, hero), "export")
    for fault in faults:
        note(_problem(fault))
    text = _join_texts(texts, to) if texts else ""
    if output is None:
        sys.stdout.write(text)
    elif texts:
        _write(output, text)
        note(f"{_count(len(texts), 'hand')} written to {output}, {len(faults):,} left out")
    raise typer.Exit(1 if faults or not texts else 0)


# ---- reading -------------------------------------------------------------------------------------


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


# ---- replay --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A hand whose final stacks differ from its source, in the order and units of the source."""

    file: str
    hand: int
    expected: list[float]
    got: list[float]


@dataclass(frozen=True, slots=True)
class Fault:
    """A hand that cannot be parsed or replayed."""

    file: str
    hand: int
    error: str


@dataclass(slots=True)
class ReplayTally:
    """Counts of a replay. `matched` includes the unstated and raked hands and those with odd chips elsewhere."""

    hands: int = 0
    matched: int = 0
    unstated: int = 0
    odd_chips: int = 0
    raked: int = 0
    mismatched: list[Mismatch] = field(default_factory=list)
    errors: list[Fault] = field(default_factory=list)


def _replay_files(files: Sequence[Path], *, raked: bool) -> Generator[float, None, ReplayTally]:
    """Replay all hands and compare results with the stated ones; yields the progress from 0 to 1."""
    tally = ReplayTally()
    for reading in readings(files):
        tally.hands += 1
        try:
            _count_in(tally, reading, raked=raked)
        except TahurError as error:
            tally.errors.append(reading.fault(error))
        yield reading.done
    return tally


def _count_in(tally: ReplayTally, reading: PendingHand, *, raked: bool) -> None:
    """Replay one hand and add the verdict to the tally; `raked`: results may differ by the rake."""
    from tahur.games.holdem.history import ReplayVerdict

    source = reading.read()
    history = history_of(source)
    verdict = history.verdict(raked=raked)
    if verdict is ReplayVerdict.MISMATCHED:
        stated, ours = _in_source_order(source, history, history.stated or (), history.finishing_stacks)
        tally.mismatched.append(Mismatch(str(reading.file), reading.number, stated, ours))
        return
    tally.matched += 1
    tally.unstated += verdict is ReplayVerdict.UNSTATED
    tally.odd_chips += verdict is ReplayVerdict.ODD_CHIPS
    tally.raked += verdict is ReplayVerdict.RAKED


def _in_source_order(source: Phh | Record, history: History, *stacks: Sequence[float]) -> list[list[float]]:
    """Stacks in the source's order (p1, p2, ... or seats) and units."""
    from tahur.core.record import Record

    seats = range(history.game.seats) if isinstance(source, Record) else history.game.stakes.order
    return [[_in_units(row[seat], history.scale) for seat in seats] for row in stacks]


def _in_units(chips: float, scale: int) -> float:
    return int(chips // scale) if chips % scale == 0 else chips / scale


def _print_tally(tally: ReplayTally) -> None:
    """Print how many hands matched, and which did not."""
    out = console()
    counts = (
        (tally.unstated, "without a stated result"),
        (tally.odd_chips, "except for odd chips"),
        (tally.raked, "except for the rake"),
    )
    notes = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    out.print(f"[bold]{_count(tally.hands, 'hand')}[/]")
    out.print(f"  [green]{tally.matched:,} matched[/]{f' ({notes})' if notes else ''}")
    for count, what in ((len(tally.mismatched), "mismatched"), (len(tally.errors), "cannot be played")):
        out.print(f"  [{'red' if count else 'dim'}]{count:,} {what}[/]")
    faults: list[Fault | Mismatch] = [*tally.errors[:MOST_TOLD], *tally.mismatched[:MOST_TOLD]]
    for fault in faults:
        out.print(_problem(fault), markup=False)
    if max(len(tally.mismatched), len(tally.errors)) > MOST_TOLD:
        out.print("[dim]only the first are shown; --json lists all[/]")
    if tally.mismatched:
        first = tally.mismatched[0]
        out.print(f"Next: tahur hands show {first.file} --hand {first.hand}", markup=False)


def _problem(fault: Fault | Mismatch) -> str:
    """The problem in one line; text from the file is printed without control characters."""
    what = fault.error if isinstance(fault, Fault) else f"stacks end at {fault.got}, the file says {fault.expected}"
    return "".join(sign if sign.isprintable() else "?" for sign in f"{fault.file}, hand {fault.hand}: {what}")


# ---- export --------------------------------------------------------------------------------------


def _export(
    files: Sequence[Path], to: Format, hero: str | None
) -> Generator[float, None, tuple[list[str], list[Fault]]]:
    """The hands as texts in another format, and those that could not be read; yields the progress from 0 to 1."""
    texts: list[str] = []
    faults: list[Fault] = []
    for reading in readings(files):
        try:
            texts.append(_text(reading, to, len(texts) + 1, hero))
        except TahurError as error:
            faults.append(reading.fault(error))
        yield reading.done
    return texts, faults


def _text(reading: PendingHand, to: Format, number: int, hero: str | None) -> str:
    """One hand in another format; a hand already in that format is unchanged."""
    from tahur.core.record import Record
    from tahur.games.holdem.history import record_of
    from tahur.games.holdem.phh import write_phh
    from tahur.games.holdem.pokerstars import pokerstars_text
    from tahur.games.holdem.transcribe import phh_of

    source = reading.read()
    history = _view_of_player(history_of(source), hero)
    match to:
        case Format.PHH:
            return write_phh(phh_of(history) if isinstance(source, Record) else source)
        case Format.JSONL:
            return (source if isinstance(source, Record) else record_of(history)).to_json() + "\n"
        case Format.POKERSTARS:
            written = datetime.fromtimestamp(reading.file.stat().st_mtime, UTC)
            return pokerstars_text(history, number=number, when=written)
    assert_never(to)


def _view_of_player(history: History, name: str | None) -> History:
    if name is None:
        return history
    if name not in history.names:
        raise RecordError(f"no player is named {name!r}; players: {', '.join(filter(None, history.names))}")
    return replace(history, hero=history.names.index(name))


def _join_texts(texts: Sequence[str], to: Format) -> str:
    """The texts of several hands as one file."""
    from tahur.games.holdem.phh import join_hands

    match to:
        case Format.PHH:
            return join_hands(texts)
        case Format.JSONL:
            return "".join(texts)
        case Format.POKERSTARS:
            return "\n\n\n".join(texts)
    assert_never(to)


def _write(output: Path, text: str) -> None:
    from tahur.core.cache import write_whole

    try:
        write_whole(output, text.encode("utf-8", "replace"))
    except OSError as error:
        raise typer.BadParameter(f"{output} cannot be written: {error.strerror}", param_hint="-o") from None


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
