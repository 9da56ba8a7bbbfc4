"""The file of the audit log: appending, reading and sweeping, with SQLite loaded."""

import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, cast

from loopx.adapters.sqlite.audit_statements import (
    APPLICATION,
    INSERT,
    LAST,
    MOVE_START,
    PLACE,
    SCHEMA,
    SEGMENTS,
    START,
    SWEEP,
    VERSION,
    select,
)
from loopx.adapters.sqlite.faults import Trouble, trouble_at
from loopx.adapters.sqlite.opening import Schema, begin, open_for_reading, open_for_writing
from loopx.domain.audit.chain import GENESIS, Anchor, link
from loopx.domain.audit.filters import EVERYTHING, AuditFilter
from loopx.domain.audit.pruning import SEGMENT_ROWS, Segment
from loopx.domain.audit.row import AuditEntry, AuditRow, read_row, to_fields
from loopx.domain.errors import LoopXError

_SCHEMA: Final = Schema(APPLICATION, VERSION, SCHEMA)
_SWEPT: Final = 1000
_LEFT_ALONE: Final[list[sqlite3.Connection]] = []
"""Connections that came along with a fork, or whose file was moved away: to close one could harm others."""


class AuditFile:
    """One file; the caller lets one thread at a time write."""

    def __init__(self, place: Path, *, patience: float) -> None:
        self._place = place
        self._patience = patience
        self._writer: sqlite3.Connection | None = None
        self._known: tuple[int, int, int] | None = None

    def append(self, entry: AuditEntry) -> None:
        """Write one row behind the last, whoever wrote that."""
        try:
            connection = self._open()
            with connection:
                # The write lock comes first, so that nobody else links to the same row.
                begin(connection, self._patience)
                self._link(connection, entry)
        except (sqlite3.Error, OSError) as error:
            raise self._unwritable(error) from None

    def drop(self, through: Anchor, entry: AuditEntry) -> None:
        """Let the chain begin behind a place, then take away what lies before it, little by little."""
        try:
            connection = self._open()
            with connection:
                begin(connection, self._patience)
                self._begin_behind(connection, through, entry)
            while self._sweep(connection) == _SWEPT:
                pass  # others write in between
            with connection:
                begin(connection, self._patience)
                connection.execute("PRAGMA incremental_vacuum").fetchall()
        except (sqlite3.Error, OSError) as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Give back the file."""
        if self._writer is not None and self._known == self._identity():
            self._writer.close()
        elif self._writer is not None:
            _LEFT_ALONE.append(self._writer)
        self._writer = None

    def rows(self, wanted: AuditFilter, *, newest_first: bool) -> Iterator[AuditRow]:
        """The rows that match."""
        with self._reading():
            connection = open_for_reading(self._place, _SCHEMA, self._patience)
            if connection is not None:
                with closing(connection):
                    yield from _rows(connection, wanted, newest_first=newest_first)

    def chain(self) -> tuple[Anchor, Iterator[AuditRow]]:
        """The start and all rows behind it, of one moment."""
        walk = self._walk()
        # Begun here, the walk closes the file however it ends, also when nobody goes on with it.
        start = cast("Anchor", next(walk))
        return start, cast("Iterator[AuditRow]", walk)

    def _walk(self) -> Iterator[Anchor | AuditRow]:
        with self._reading():
            connection = open_for_reading(self._place, _SCHEMA, self._patience)
            if connection is None:
                yield GENESIS
                return
            with closing(connection):
                connection.execute("BEGIN")
                yield self._anchor(connection.execute(START).fetchone())
                yield from _rows(connection, EVERYTHING, newest_first=False)

    def segments(self) -> Iterator[Segment]:
        """What is left of each segment."""
        with self._reading():
            connection = open_for_reading(self._place, _SCHEMA, self._patience)
            if connection is not None:
                with closing(connection):
                    for first, last, digest, oldest, newest in connection.execute(SEGMENTS, (SEGMENT_ROWS,)):
                        yield Segment(first, self._anchor((last, digest)), oldest, newest)

    def head(self) -> Anchor:
        """The place behind the last row."""
        with self._reading():
            connection = open_for_reading(self._place, _SCHEMA, self._patience)
            if connection is None:
                return GENESIS
            with closing(connection):
                return self._last(connection)

    def _open(self) -> sqlite3.Connection:
        identity = self._identity()
        if self._writer is not None and identity == self._known:
            return self._writer
        if self._writer is not None:
            # After a fork, or when the file was moved away: rows in it would be lost.
            _LEFT_ALONE.append(self._writer)
            self._writer = None
        self._writer = open_for_writing(self._place, _SCHEMA, self._patience)
        self._known = self._identity()
        return self._writer

    def _identity(self) -> tuple[int, int, int] | None:
        """Which file lies there, and which process looks."""
        try:
            found = os.stat(self._place)  # noqa: PTH116 - once a row, and Path costs as much again
        except FileNotFoundError:
            return None
        return os.getpid(), found.st_dev, found.st_ino

    def _link(self, connection: sqlite3.Connection, entry: AuditEntry) -> None:
        row = link(self._last(connection), entry)
        connection.execute(INSERT, (row.sequence, *to_fields(entry), row.hash))

    def _last(self, connection: sqlite3.Connection) -> Anchor:
        return self._anchor(connection.execute(LAST).fetchone() or connection.execute(START).fetchone())

    def _anchor(self, stored: tuple[Any, ...] | None) -> Anchor:
        if stored is None or type(stored[0]) is not int or type(stored[1]) is not str:
            raise self._corrupt()
        return Anchor(stored[0], stored[1])

    def _begin_behind(self, connection: sqlite3.Connection, through: Anchor, entry: AuditEntry) -> None:
        if through.sequence <= self._anchor(connection.execute(START).fetchone()).sequence:
            return
        if connection.execute(PLACE, (through.sequence,)).fetchone() != (through.hash,):
            raise LoopXError("audit_error", "chain_broken", detail=f"row {through.sequence} is another one")
        self._link(connection, entry)
        connection.execute(MOVE_START, (through.sequence, through.hash))

    def _sweep(self, connection: sqlite3.Connection) -> int:
        with connection:
            begin(connection, self._patience)
            return connection.execute(SWEEP, (_SWEPT,)).rowcount

    def _corrupt(self) -> LoopXError:
        return LoopXError("state_error", "corrupt", detail=f"{self._place}: {Trouble.CORRUPT}")

    def _unwritable(self, error: sqlite3.Error | OSError) -> LoopXError:
        trouble = trouble_at(self._place, error)
        if trouble is Trouble.CORRUPT:
            return self._corrupt()
        return LoopXError("audit_error", "unwritable", detail=f"{self._place}: {trouble}")

    @contextmanager
    def _reading(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            trouble = trouble_at(self._place, error)
            reason = {Trouble.CORRUPT: "corrupt", Trouble.BUSY: "locked"}.get(trouble, "unreadable")
            raise LoopXError("state_error", reason, detail=f"{self._place}: {trouble}") from None


def _rows(connection: sqlite3.Connection, wanted: AuditFilter, *, newest_first: bool) -> Iterator[AuditRow]:
    statement, values = select(wanted, newest_first=newest_first)
    for stored in connection.execute(statement, values):
        yield read_row(stored[0], stored[1:-1], stored[-1])
