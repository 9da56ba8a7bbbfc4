"""What an error of SQLite, or of the file system below it, means: by its number, never by its text.

Source: https://www.sqlite.org/rescode.html.
"""

import errno
import os
import sqlite3
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final


class Trouble(StrEnum):
    """What is wrong, in LoopX's own words."""

    CORRUPT = "it is damaged, or not what its name says"
    BUSY = "another process keeps it locked"
    FULL = "the disk is full"
    READ_ONLY = "it is read-only"
    NO_ACCESS = "it cannot be opened"
    DISK = "the disk failed"
    UNKNOWN = "SQLite failed"


_PRIMARY: Final = 0xFF
_BY_NUMBER: Final = {
    sqlite3.SQLITE_CORRUPT: Trouble.CORRUPT,
    sqlite3.SQLITE_NOTADB: Trouble.CORRUPT,
    sqlite3.SQLITE_ERROR: Trouble.CORRUPT,  # our statements are right, so the tables are not ours
    sqlite3.SQLITE_MISMATCH: Trouble.CORRUPT,
    sqlite3.SQLITE_CONSTRAINT: Trouble.CORRUPT,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_LOCKED: Trouble.BUSY,
    sqlite3.SQLITE_PROTOCOL: Trouble.BUSY,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.NO_ACCESS,
    sqlite3.SQLITE_PERM: Trouble.NO_ACCESS,
    sqlite3.SQLITE_AUTH: Trouble.NO_ACCESS,
    sqlite3.SQLITE_IOERR: Trouble.DISK,
}


_BY_EXTENDED_NUMBER: Final = {
    # The index of the write-ahead log is a file of its own, and grows.
    sqlite3.SQLITE_IOERR_SHMSIZE: Trouble.FULL,
}
_BY_ERRNO: Final = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EIO: Trouble.DISK,
}


def trouble_of(error: sqlite3.Error | OSError) -> Trouble:
    """What happened, as far as a number says it."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, Trouble.NO_ACCESS)
    number = getattr(error, "sqlite_errorcode", None)
    if number is None:
        return Trouble.UNKNOWN  # of Python's own layer
    return _BY_EXTENDED_NUMBER.get(number) or _BY_NUMBER.get(number & _PRIMARY, Trouble.UNKNOWN)


def trouble_at(place: Path, error: sqlite3.Error | OSError) -> Trouble:
    """The same, with a look at the place where SQLite says no more than that it cannot open a file."""
    trouble = trouble_of(error)
    with suppress(OSError):
        if trouble is Trouble.NO_ACCESS and os.statvfs(place.parent).f_flag & os.ST_RDONLY:
            return Trouble.READ_ONLY
    return trouble
