"""`tahur room`: check the card room's logs and the fairness of its deals, back them up and restore them."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import command_group
from tahur.cli.output import Json, console, print_json, watch
from tahur.cli.room.serve import serve

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tahur.room.rest import DealNotes, Fairness
    from tahur.room.store import Store
    from tahur.room.verify import LogVerdict

room = command_group("The card room in the browser: start it; verify, back up and restore its logs; check fair deals.")
room.command("serve", short_help="Start the card room: play in the browser, with people and bots.")(serve)

Data = Annotated[Path | None, typer.Option(help="The folder of the rooms, as given to tahur room serve.")]
Database = Annotated[str | None, typer.Option(help="The database, as given to tahur room serve.")]


@room.command("verify")
def verify(
    rooms: Annotated[list[str] | None, typer.Argument(metavar="ROOM", help="Rooms to check; all by default.")] = None,
    data: Data = None,
    database: Database = None,
    drop: Annotated[
        bool,
        typer.Option("--drop", help="Delete snapshots that do not match; those rooms are then loaded from their logs."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check every entry of the logs (hashes, rules, chips, decks) and the snapshots. Exit code 1 if anything is wrong.

    tahur room verify        tahur room verify abcd-efgh --json
    """
    store = _store(data, database)
    names = rooms or store.rooms()
    verdicts = watch(_verify_logs(store, names), "verify")
    for verdict in verdicts:
        if drop and verdict.snapshot:
            store.forget_snapshot(verdict.room)
    store.close()
    if as_json:
        print_json({"rooms": [asdict(verdict) for verdict in verdicts]})
    else:
        _print(verdicts)
    raise typer.Exit(1 if any(verdict.fault or verdict.snapshot for verdict in verdicts) else 0)


@room.command("fair")
def fair(
    hand: Annotated[
        str, typer.Argument(help="ROOM/HAND, such as abcd-efgh/12, or the file that you saved from the page.")
    ],
    commitment: Annotated[
        str | None,
        typer.Option(
            help="The commitment that you noted before the deal, for a file that does not contain your page's record "
            "of the deal."
        ),
    ] = None,
    older: Annotated[
        bool,
        typer.Option("--older", help="Accept a file of an older version, which proves less: no positions, no seeds."),
    ] = False,
    data: Data = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check that a hand was dealt from the deck or dice that the server committed to before it.

    tahur room fair deal.json                              what you saw, with your page's record of the deal
    tahur room fair fairness.json --commitment 5f2c...     the server's proof, with the commitment you noted
    tahur room fair abcd-efgh/12                           the whole deal, for the server's operator
    """
    path = Path(hand)
    if path.is_file():
        faults, summary = _check_file(*_read_proof(path), commitment, older)
    else:
        faults, summary = _check_log(hand, data, database)
    if as_json:
        print_json({"hand": hand, "faults": faults, "proves": summary})
    else:
        out = console()
        for fault in faults:
            out.print(f"[red]{fault}[/]")
        out.print(summary if faults else f"[green]The deal matches the commitment.[/] {summary}")
    raise typer.Exit(1 if faults else 0)


@room.command("backup")
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Copy all rooms to one file. The server may be running: the copy is a consistent snapshot.

    tahur room backup rooms-2026-01-31.db

    For PostgreSQL, use pg_dump.
    """
    from tahur.room.backup import backup as copied

    source = _file(data)
    count = copied(source, file)
    if as_json:
        print_json({"file": str(file), "entries": count})
    else:
        console().print(f"{count:,} entries of {source} are in {file}. Restore with: tahur room restore {file}")


@room.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by tahur room backup.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Replace the current rooms by a backup; they are renamed to rooms.db.before-restore.

    tahur room restore rooms-2026-01-31.db      stop the server first
    """
    from tahur.core.lock import lock
    from tahur.room.backup import private_file
    from tahur.room.backup import restore as restored

    folder = data or _folder()
    fresh = not (folder / "rooms.db").exists()
    target = private_file(folder / "rooms.db")
    held = lock(folder)
    if fresh:
        target.unlink()
    count = restored(file, target)
    held.release()
    if as_json:
        print_json({"file": str(target), "entries": count})
    else:
        console().print(f"{count:,} entries are in {target}. Check them with: tahur room verify")


def _verify_logs(store: Store, names: Sequence[str]) -> Generator[float, None, list[LogVerdict]]:
    """Check the logs of these rooms; yields the progress, returns the verdicts."""
    from tahur.core.errors import UnknownName
    from tahur.room.verify import verify as verified

    known = set(store.rooms())
    verdicts = []
    for at, name in enumerate(names):
        if name not in known:
            raise UnknownName(f"no room '{name}' in this database")
        steps = verified(name, store.entries(name), store.snapshot(name))
        while True:
            try:
                next(steps)
                yield at / len(names)
            except StopIteration as stop:
                verdicts.append(stop.value)
                break
    return verdicts


def _print(verdicts: Sequence[LogVerdict]) -> None:
    """Print for each room whether its log is intact."""
    out = console()
    for verdict in verdicts:
        sound = f"{verdict.entries:,} entries, {verdict.hands:,} hands"
        if verdict.fault:
            out.print(f"[red]{verdict.room}  {verdict.fault}[/]; valid before that: {sound}")
        else:
            out.print(f"[green]{verdict.room}[/]  {sound}  [dim]last hash {verdict.last}[/]")
        if verdict.snapshot:
            out.print(f"[red]{verdict.room}  {verdict.snapshot}[/]; --drop deletes it")
    if not verdicts:
        out.print("There are no rooms yet; start the server with: tahur room serve")


def _check_file(proof: Fairness, notes: DealNotes | None, noted: str | None, older: bool) -> tuple[list[str], str]:
    """Check a proof against the player's notes: the faults, and a summary in words."""
    from tahur.room.proof import check_fairness, check_older, remarks
    from tahur.room.rest import DealNotes

    if noted is not None:
        notes = replace(notes, commitment=noted) if notes else DealNotes(noted)
    summary = f"Hand {proof.hand}: {len(proof.openings)} of {len(proof.digests)} opened."
    if older and not proof.header:
        limits = "A deal of an older version: it does not show which card of the deck goes where."
        return check_older(proof, notes.commitment if notes else None), f"{summary} {limits}"
    faults = check_fairness(proof, notes)
    if not proof.header:
        faults.append("if the hand was played with an older version, check it with --older")
    return faults, " ".join([summary, *remarks(proof, notes)])


def _check_log(hand: str, data: Path | None, database: str | None) -> tuple[list[str], str]:
    """Check the deal `ROOM/HAND` in a database: the faults, and a summary in words."""
    from tahur.core.errors import TahurError
    from tahur.room.facts import Dealt
    from tahur.room.sealing import check_deal

    name, _, number = hand.rpartition("/")
    if not name or not number.isdecimal():
        raise typer.BadParameter(f"'{hand}' is neither a file nor ROOM/HAND, such as abcd-efgh/12")
    store = _store(data, database)
    entry = store.of_hand(name, Dealt.TYPE, int(number))
    store.close()
    if entry is None or not isinstance(dealt := entry.fact, Dealt):
        raise typer.BadParameter(f"no hand {number} in room '{name}'")
    try:
        check_deal(dealt)
    except TahurError as error:
        return [str(error)], ""
    return [], f"Hand {number}: all {len(dealt.values)} values open to the commitment {dealt.commitment}."


def _read_proof(path: Path) -> tuple[Fairness, DealNotes | None]:
    """Read a file that the page saved, with notes, or the server's proof alone."""
    from tahur.core.errors import RecordError
    from tahur.core.limits import parse_json, read_file
    from tahur.room.codec import WireError, read_as
    from tahur.room.rest import DealFile, Fairness

    try:
        value: Any = parse_json(read_file(path))
        if isinstance(value, dict) and "proof" in value:
            file: DealFile = read_as(DealFile, value, "deal")
            return file.proof, file.notes
        return read_as(Fairness, value, "fairness"), None
    except (OSError, ValueError, WireError) as error:
        raise RecordError(f"{path} is not a proof of a hand: {error}") from None


def _store(data: Path | None, database: str | None) -> Store:
    from tahur.room.store import Store, sqlite_url

    if database is not None:
        return Store(database)
    return Store(sqlite_url(str(_file(data))))


def _file(data: Path | None) -> Path:
    """The database of rooms."""
    from tahur.core.errors import UnknownName

    file = (data or _folder()) / "rooms.db"
    if not file.is_file():
        raise UnknownName(f"no file {file}; open a room with tahur room serve, or give its folder with --data")
    return file


def _folder() -> Path:
    """The default folder of `tahur room serve`."""
    if home := os.environ.get("TAHUR_DATA"):
        return Path(home) / "rooms"
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "tahur" / "rooms"
