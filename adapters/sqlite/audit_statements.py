"""The tables of the audit log, and how a filter reads as SQL."""

from typing import Final

from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.row import FIELDS, NEVER_NULL, NUMBERS

VERSION: Final = 1
"""``PRAGMA user_version``; it grows with every change that an older LoopX could not read."""

APPLICATION: Final = 0x4C6F5841
"""``PRAGMA application_id``: "LoXA", by which ``file`` and we know what it is."""


def _column(name: str) -> str:
    kind = "INTEGER" if name in NUMBERS else "TEXT"
    return f"{name} {kind}{' NOT NULL' if name in NEVER_NULL else ''}"


_TABLE: Final = ", ".join(map(_column, FIELDS))
SCHEMA: Final = (
    f"CREATE TABLE audit_row (sequence INTEGER PRIMARY KEY, {_TABLE}, hash TEXT NOT NULL)",
    # One row: what was dropped. Rows up to it may still be there for a while, and are not read.
    "CREATE TABLE audit_start (only INTEGER PRIMARY KEY CHECK (only = 1), sequence INTEGER, hash TEXT)",
    "INSERT INTO audit_start VALUES (1, 0, hex(zeroblob(32)))",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)

# The names in these statements are constants of the format; values are bound.
_ALL: Final = f"sequence, {', '.join(FIELDS)}, hash"
_MARKS: Final = ", ".join("?" * (len(FIELDS) + 2))
INSERT: Final = f"INSERT INTO audit_row ({_ALL}) VALUES ({_MARKS})"  # noqa: S608 - see above
LAST: Final = "SELECT sequence, hash FROM audit_row ORDER BY sequence DESC LIMIT 1"
START: Final = "SELECT sequence, hash FROM audit_start"
PLACE: Final = "SELECT hash FROM audit_row WHERE sequence = ?"
MOVE_START: Final = "UPDATE audit_start SET sequence = ?, hash = ?"
SWEEP: Final = """
    DELETE FROM audit_row WHERE sequence IN (
        SELECT sequence FROM audit_row WHERE sequence <= (SELECT sequence FROM audit_start)
        ORDER BY sequence LIMIT ?
    )"""
SEGMENTS: Final = """
    SELECT first, last, hash, oldest, newest FROM (
        SELECT min(sequence) AS first, max(sequence) AS last, min(at) AS oldest, max(at) AS newest
        FROM audit_row WHERE sequence > (SELECT sequence FROM audit_start) GROUP BY (sequence - 1) / ?
    ) JOIN audit_row ON sequence = last ORDER BY first"""
_WANTED: Final = f"SELECT {_ALL} FROM audit_row WHERE sequence > (SELECT sequence FROM audit_start)"  # noqa: S608 - see above


def select(wanted: AuditFilter, *, newest_first: bool) -> tuple[str, list[str | int]]:
    """The rows that a filter wants: a statement and its values."""
    asked: dict[str, str | int | None] = {
        "sequence > ?": wanted.after,
        "at >= ?": wanted.since,
        "at < ?": wanted.until,
        **{f"{name} = ?": value for name, value in wanted.equal.items()},
    }
    given = {condition: value for condition, value in asked.items() if value is not None}
    order = "DESC" if newest_first else "ASC"
    return " AND ".join((_WANTED, *given)) + f" ORDER BY sequence {order}", [*given.values()]
