"""`tahur hands`: show, check and convert hand histories, in PHH, PokerStars text or our own records."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from tahur.cli.commands import command_group
from tahur.cli.hands.reading import (
    Fault,
    Paths,
    PendingHand,
    files_of,
    history_of,
    readings,
)
from tahur.cli.hands.review import review
from tahur.cli.output import Json, console, note, print_json, watch
from tahur.core.errors import RecordError, TahurError

if TYPE_CHECKING:
    from tahur.core.record import Record
    from tahur.games.holdem.history import History
    from tahur.games.holdem.phh import Phh

MOST_TOLD = 5  # problems shown without --json

hand_history = command_group(
    "Show, review, check and convert hand histories: .phh, .phhs, the .jsonl of tahur play, matches and "
    "the card room, or the .txt of PokerStars.",
)
hand_history.command("review")(review)


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


# ---- replay --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A hand whose final stacks differ from its source, in the order and units of the source."""

    file: str
    hand: int
    expected: list[float]
    got: list[float]


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
