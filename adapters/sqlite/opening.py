"""Open a database: private to its user, made by one transaction, never overwritten."""

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loopx.adapters.sqlite.faults import Trouble, trouble_of
from loopx.domain.errors import LoopXError

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700
_PAUSE: Final = 0.005
_GLANCE: Final = 1
"""Milliseconds that SQLite itself waits: its pauses grow to 100 ms, and meanwhile others come and go."""


@dataclass(frozen=True, slots=True)
class Schema:
    """What a database must be: whose it is, in which version, and the statements that make a new one."""

    application: int
    version: int
    statements: Sequence[str]


def open_for_writing(place: Path, schema: Schema, patience: float) -> sqlite3.Connection:
    """Open a database or make a new one; ``patience`` is how long other writers are waited for, in seconds.

    Raises:
        LoopXError: ``state_error/corrupt``, ``state_error/newer_version``.
        OSError: the file or its folder cannot be made.
        sqlite3.Error: anything else, for the caller to translate.
    """
    place.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    _make_private(place)
    connection = sqlite3.connect(place, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        if _is_empty(connection):
            _make(connection, schema, patience)
        _check(connection, place, schema)
        connection.execute(f"PRAGMA busy_timeout = {_GLANCE}")
    except BaseException:  # whatever it is passes on; the file must not stay open
        connection.close()
        raise
    return connection


def _make_private(place: Path) -> None:
    """Make the file before SQLite does, which would let others read it; its companions take after it.

    A database that exists is never opened here: to close any descriptor of it would drop the locks
    that this process holds on it (SQLite, "How To Corrupt An SQLite Database File", section 2.2).
    """
    with suppress(FileExistsError):
        os.close(os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE_FILE))


def begin(connection: sqlite3.Connection, patience: float) -> None:
    """Begin a transaction that writes, in a turn that comes soon; ``patience`` is in seconds.

    Raises:
        sqlite3.OperationalError: ``SQLITE_BUSY`` when others keep the database too long.
    """
    end: float | None = None
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            end = end or time.monotonic() + patience
            if trouble_of(error) is not Trouble.BUSY or time.monotonic() >= end:
                raise
        else:
            return


def open_for_reading(place: Path, schema: Schema, patience: float) -> sqlite3.Connection | None:
    """Open a database that is there; ``None`` when there is none, or one that is empty yet.

    Raises:
        LoopXError: ``state_error/corrupt``, ``state_error/newer_version``.
        sqlite3.Error: anything else, for the caller to translate.
    """
    if not place.exists():
        return None
    connection = _connect(place, patience)
    try:
        if _is_empty(connection):
            connection.close()
            return None
        _check(connection, place, schema)
        # What is no UTF-8 is none of ours; it must not end the reading before it can be told.
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    except BaseException:  # whatever it is passes on; the file must not stay open
        connection.close()
        raise
    return connection


def _connect(place: Path, patience: float) -> sqlite3.Connection:
    """A connection that changes nothing.

    Where nothing can be written, neither can the file that readers of a live log share; but then nobody
    writes to the log either, and it may be read as it lies there.
    """
    address = place.absolute().as_uri()
    is_live = place.with_name(f"{place.name}-wal").exists() or os.access(place.parent, os.W_OK)
    query = "mode=rw" if is_live else "immutable=1"
    connection = sqlite3.connect(
        f"{address}?{query}", uri=True, timeout=patience, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = ON")
    return connection


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever made in it; that is all a database of no bytes can say."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return not tables and not _number(connection, "user_version")


def _make(connection: sqlite3.Connection, schema: Schema, patience: float) -> None:
    """Make all tables or none; of several processes that try, the first one does it."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    _use_write_ahead_log(connection, patience)
    with connection:
        begin(connection, patience)
        if _is_empty(connection):
            for statement in schema.statements:
                connection.execute(statement)


def _use_write_ahead_log(connection: sqlite3.Connection, patience: float) -> None:
    """Change the mode; SQLite does not wait by itself where that would be a deadlock."""
    end = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if trouble_of(error) is not Trouble.BUSY or time.monotonic() >= end:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _check(connection: sqlite3.Connection, place: Path, schema: Schema) -> None:
    if _number(connection, "application_id") != schema.application:
        raise LoopXError("state_error", "corrupt", detail=f"{place}: it is not what its name says")
    if _number(connection, "user_version") > schema.version:
        raise LoopXError("state_error", "newer_version", detail=str(place))
