"""Storage of logs in SQLite or PostgreSQL, through SQLAlchemy Core.

An entry is on disk before `append` is done: SQLite writes ahead with synchronous = FULL, PostgreSQL commits as usual.
One thread writes for all rooms. Entries of different rooms that come within a few milliseconds go into one transaction,
so that rooms share its cost.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, Final

import sqlalchemy as sql

from tahur.core.errors import missing_extra
from tahur.room.log import LogEntry, StoredSnapshot
from tahur.room.log import StoreError as StoreError

MOST_AT_ONCE: Final = 512  # entries of one transaction
GROUPING: Final = 0.005  # seconds that a transaction waits for entries of other rooms
CLOSING: Final = 3.0  # seconds that closing waits for pending writes
BUSY: Final = 1000  # milliseconds that SQLite waits for another process
SYNCHRONOUS: Final = 2  # SQLite's number for FULL

_SCHEMA: Final = sql.MetaData()
LOG: Final = sql.Table(
    "room_log",
    _SCHEMA,
    sql.Column("room", sql.String(32), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("time", sql.Double, nullable=False),
    sql.Column("person", sql.String(32)),
    sql.Column("request", sql.String(64)),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("hand", sql.Integer),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("digest", sql.String(64), nullable=False),
    sql.UniqueConstraint("room", "person", "request"),  # each request of a person at most once
    sql.Index("room_log_kind", "room", "kind", "hand"),
)

_INSERT: Final = sql.insert(LOG)

# The newest snapshot of each room. Only a cache: missing or mismatched rows are harmless.
SNAPSHOTS: Final = sql.Table(
    "room_snapshot",
    _SCHEMA,
    sql.Column("room", sql.String(32), primary_key=True),
    sql.Column("number", sql.Integer, nullable=False),
    sql.Column("format", sql.String(64), nullable=False),
    sql.Column("digest", sql.String(64), nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("checksum", sql.String(64), nullable=False),
)

# The server's last heartbeat: one row, on the same clock as the times of entries.
ALIVE: Final = sql.Table("room_alive", _SCHEMA, sql.Column("time", sql.Double, nullable=False))

# The version of these tables: one row. A database without it has version 1.
SCHEMA: Final = 1
VERSION: Final = sql.Table("room_schema", _SCHEMA, sql.Column("version", sql.Integer, nullable=False))
MIGRATIONS: Final[dict[int, Callable[[sql.Connection], None]]] = {}  # migrations from each version to the next

PAGE: Final = 2_000  # entries read at once
_Job = tuple[Sequence[LogEntry | StoredSnapshot], "Future[None]"]


class Store:
    """Logs of many rooms in one database."""

    def __init__(self, url: str) -> None:
        """Open the database at this URL, and start the thread that writes to it."""
        self._engine = _engine(url)
        try:
            self._open()
        except (sql.exc.SQLAlchemyError, StoreError) as error:
            self._engine.dispose()
            raise StoreError(f"the database {_plain(url)} cannot be opened: {_short(error)}") from None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._beat: float | None = None  # the time of a heartbeat that is not written yet
        self._closing = threading.Event()
        self._connection: sql.Connection | None = None  # the writer's, for SQLite
        self._writer = threading.Thread(target=self._write_all, name="room log", daemon=True)
        self._writer.start()

    def _open(self) -> None:
        """Check the file, create or migrate the tables; retried once if the connection is lost."""
        for last in (False, True):
            try:
                self._check_whole()
                _SCHEMA.create_all(self._engine)
                self._migrate()
                return
            except sql.exc.DBAPIError as error:
                if last or not error.connection_invalidated:
                    raise

    def _check_whole(self) -> None:
        """Raise an error for a damaged SQLite file before anything is written to it."""
        if self._engine.dialect.name != "sqlite":
            return
        with self._engine.connect() as connection:
            verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if verdict != "ok":
            raise StoreError(f"it is damaged: {verdict}; restore a backup with tahur room restore FILE")

    def _migrate(self) -> None:
        """Migrate older tables to this version; raise an error for newer ones."""
        with self._engine.begin() as connection:
            version = connection.execute(sql.select(VERSION.c.version)).scalar()
            if version is None:
                connection.execute(sql.insert(VERSION), [{"version": 1}])
                version = 1
            if version > SCHEMA:
                raise StoreError(f"it has version {version}, from a newer tahur; this one reads up to {SCHEMA}")
            for step in range(version, SCHEMA):
                MIGRATIONS[step](connection)
            connection.execute(sql.update(VERSION).values(version=SCHEMA))

    def append(self, entries: Sequence[LogEntry]) -> Future[None]:
        """Write entries; done when all are on disk, failed if none is."""
        done: Future[None] = Future()
        self._jobs.put((entries, done))
        return done

    def keep(self, snapshot: StoredSnapshot) -> Future[None]:
        """Replace the room's snapshot; the entries up to it must already be on disk."""
        done: Future[None] = Future()
        self._jobs.put(((snapshot,), done))
        return done

    def beat(self, time: float) -> Future[None]:
        """Record the server's heartbeat; written soon, without waiting."""
        self._beat = time
        return self.append(())

    def last_beat(self) -> float | None:
        """The last heartbeat that was written; None if there is none."""
        last: float | None = self._rows(sql.select(sql.func.max(ALIVE.c.time)))[0][0]
        return last

    def rooms(self) -> list[str]:
        """All rooms, oldest first."""
        query = sql.select(LOG.c.room).where(LOG.c.number == 1).order_by(LOG.c.time, LOG.c.room)
        return [row[0] for row in self._rows(query)]

    def recent(self, since: float, most: int) -> list[str]:
        """The rooms with entries since then, the latest first."""
        latest = sql.func.max(LOG.c.time)
        query = sql.select(LOG.c.room).group_by(LOG.c.room).having(latest >= since).order_by(latest.desc()).limit(most)
        return [row[0] for row in self._rows(query)]

    def entries(self, room: str) -> Iterator[LogEntry]:
        """The log of a room from its first entry on."""
        after = 0
        while page := self.tail(room, after, PAGE):
            yield from page
            after = page[-1].number

    def tail(self, room: str, after: int, most: int | None = None) -> list[LogEntry]:
        """Up to `most` entries of a room after a given one."""
        query = sql.select(LOG).where(LOG.c.room == room, LOG.c.number > after).order_by(LOG.c.number)
        return list(self._entries_of(query if most is None else query.limit(most)))

    def of_kind(
        self,
        room: str,
        kind: str,
        *,
        after: int | None = None,
        before: int | None = None,
        most: int | None = None,
        oldest_first: bool = False,
    ) -> list[LogEntry]:
        """Entries of a type that occurs once per hand, for a range of hands; newest first by default."""
        query = sql.select(LOG).where(LOG.c.room == room, LOG.c.kind == kind)
        query = query.order_by(LOG.c.hand if oldest_first else LOG.c.hand.desc())
        if after is not None:
            query = query.where(LOG.c.hand > after)
        if before is not None:
            query = query.where(LOG.c.hand < before)
        return list(self._entries_of(query if most is None else query.limit(most)))

    def of_hand(self, room: str, kind: str, hand: int) -> LogEntry | None:
        """The entry of a type in one hand."""
        entries = self.of_kind(room, kind, after=hand - 1, before=hand + 1)
        return entries[0] if entries else None

    def snapshot(self, room: str) -> StoredSnapshot | None:
        """The stored snapshot of a room."""
        rows = self._rows(sql.select(SNAPSHOTS).where(SNAPSHOTS.c.room == room))
        return StoredSnapshot(*rows[0]) if rows else None

    def forget_snapshot(self, room: str) -> None:
        """Delete the snapshot of a room, which is then loaded from its log."""
        with self._engine.begin() as connection:
            connection.execute(sql.delete(SNAPSHOTS).where(SNAPSHOTS.c.room == room))

    def synchronous(self) -> int | None:
        """SQLite's `PRAGMA synchronous` on the writer's connection; None for other databases."""
        if self._engine.dialect.name != "sqlite":
            return None
        with self._engine.connect() as connection:
            return int(connection.exec_driver_sql("PRAGMA synchronous").scalar_one())

    def close(self) -> None:
        """Write what is waiting, checkpoint SQLite's write-ahead log, and close the database."""
        self._closing.set()
        self._jobs.put(None)
        self._writer.join(CLOSING)
        if self._connection is not None:
            self._connection.close()
        if self._engine.dialect.name == "sqlite":
            with suppress(sql.exc.SQLAlchemyError), self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self._engine.dispose()

    def _entries_of(self, query: sql.Select[Any]) -> Iterator[LogEntry]:
        for row in self._rows(query):
            yield LogEntry(*row)

    def _rows(self, query: sql.Select[Any]) -> Sequence[Any]:
        """The result of a query; retried once if the connection is lost."""
        try:
            return self._fetch(query)
        except sql.exc.DBAPIError as error:
            try:
                if error.connection_invalidated:
                    return self._fetch(query)
            except sql.exc.SQLAlchemyError as again:
                error = again  # type: ignore[assignment]
            raise StoreError(f"the log could not be read: {_short(error)}") from None

    def _fetch(self, query: sql.Select[Any]) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(query).all()

    def _write_all(self) -> None:
        """The writer thread: takes what is waiting, writes it in one transaction, completes the futures.

        If other rooms are active too, it first waits a little for their entries; a room alone does not wait.
        """
        rooms: set[str] = set()
        while (job := self._jobs.get()) is not None:
            if _rooms_of([job]) != rooms:
                self._closing.wait(GROUPING)
            jobs, ends = self._waiting_jobs(job)
            rooms = _rooms_of(jobs)
            self._write(jobs)
            if ends:
                return

    def _waiting_jobs(self, first: _Job) -> tuple[list[_Job], bool]:
        """The first job and those waiting behind it, up to a limit; and whether the store is being closed."""
        jobs, entries = [first], len(first[0])
        while entries < MOST_AT_ONCE and not self._jobs.empty():
            job = self._jobs.get()
            if job is None:
                return jobs, True
            jobs.append(job)
            entries += len(job[0])
        return jobs, False

    def _write(self, jobs: list[_Job]) -> None:
        """Write jobs in one transaction; if it fails, one by one, so that only the bad one fails."""
        values = [value for part, _ in jobs for value in part]
        rows = [_row(LOG, value) for value in values if isinstance(value, LogEntry)]
        snapshots = {
            value.room: value for value in values if isinstance(value, StoredSnapshot)
        }  # the latest snapshot of each room
        try:
            with self._transaction() as connection:
                if rows:
                    connection.execute(_INSERT, rows)
                for snapshot in snapshots.values():
                    connection.execute(sql.delete(SNAPSHOTS).where(SNAPSHOTS.c.room == snapshot.room))
                    connection.execute(sql.insert(SNAPSHOTS), [_row(SNAPSHOTS, snapshot)])
                self._note_beat(connection)
        except sql.exc.SQLAlchemyError as error:
            if len(jobs) > 1:  # one bad job must not fail the others
                for job in jobs:
                    self._write([job])
                return
            jobs[0][1].set_exception(StoreError(f"the log could not be written: {_short(error)}"))
            return
        for _, done in jobs:
            done.set_result(None)

    @contextmanager
    def _transaction(self) -> Iterator[sql.Connection]:
        """A transaction of the writer. With SQLite it keeps its connection, which a file does not lose."""
        if self._engine.dialect.name != "sqlite":
            with self._engine.begin() as connection:
                yield connection
            return
        if self._connection is None:
            self._connection = self._engine.connect()
        with self._connection.begin():
            yield self._connection

    def _note_beat(self, connection: sql.Connection) -> None:
        time, self._beat = self._beat, None
        if time is None:
            return
        if not connection.execute(sql.update(ALIVE).values(time=time)).rowcount:
            connection.execute(sql.insert(ALIVE), [{"time": time}])


def _rooms_of(jobs: Sequence[_Job]) -> set[str]:
    return {value.room for values, _ in jobs for value in values}


def _row(table: sql.Table, value: LogEntry | StoredSnapshot) -> dict[str, Any]:
    return {column.name: getattr(value, column.name) for column in table.columns}


def _engine(url: str) -> sql.Engine:
    """The SQLAlchemy engine of a database URL; raises `StoreError` for an invalid one."""
    if url.startswith(("postgres://", "postgresql://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    try:
        engine = sql.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))  # a file loses no connection
    except ModuleNotFoundError:
        raise missing_extra(f"{_plain(url)} needs psycopg", "postgres") from None
    except (sql.exc.SQLAlchemyError, ValueError) as error:
        raise StoreError(f"{_plain(url)} is not a database URL: {_short(error)}") from None
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _durable)
    return engine


def _durable(connection: Any, _: Any) -> None:
    """Write-ahead log, synced at every commit: acknowledged entries survive a power loss."""
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    cursor.close()


def _plain(url: str) -> str:
    """The URL without its password."""
    head, _, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://...@{tail}" if head else url


def _short(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def sqlite_url(path: str) -> str:
    """The URL of a SQLite file."""
    return f"sqlite:///{path}"
