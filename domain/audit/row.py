"""The audit row: what was called for whom, and how it ended. Its texts are redacted before they get here."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, cast

from loopx.domain.errors import LoopXError

MICROSECONDS: Final = 1_000_000
"""In a second: times in rows are whole numbers, so that they read the same everywhere."""

Value = str | int | None


class AuditPhase(StrEnum):
    """What a row tells of a call."""

    INTENT = "intent"
    """It is about to be sent; written before the first byte leaves."""
    OUTCOME = "outcome"
    """How what was sent ended."""
    NOTE = "note"
    """Nothing was sent: it was refused, answered from a cache, or is about the log itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Which attempt a row is about, the same in all its rows.

    ``span_id`` is the one that the server was told; ``attempt`` counts from 1.
    """

    id: str
    trace_id: str
    span_id: str | None = None
    agent_id: str | None = None
    turn_id: str | None = None
    capability: str | None = None
    method: str | None = None
    host: str | None = None
    url: str | None = None
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an attempt ended; an answer has a status, a failure a code and a reason, some have all three.

    ``elapsed_ms`` is in milliseconds. ``bytes_out`` and ``bytes_in`` are as they crossed the wire.
    """

    status: int | None = None
    code: str | None = None
    reason: str | None = None
    elapsed_ms: int | None = None
    bytes_out: int | None = None
    bytes_in: int | None = None
    cache: str | None = None
    rate_remaining: int | None = None


UNKNOWN: Final = Outcome()
"""How everything stands before it has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """What a row says; ``at`` is Unix time in microseconds."""

    at: int
    phase: AuditPhase
    subject: Subject
    outcome: Outcome = UNKNOWN
    note: str | None = None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An entry in its place: rows are numbered from 1 without a gap, and ``hash`` seals all before."""

    sequence: int
    entry: AuditEntry
    hash: str


TEXTS: Final = (
    "phase",
    "id",
    "trace_id",
    "span_id",
    "agent_id",
    "turn_id",
    "capability",
    "method",
    "host",
    "url",
    "code",
    "reason",
    "cache",
    "note",
)
NUMBERS: Final = ("at", "attempt", "status", "elapsed_ms", "bytes_out", "bytes_in", "rate_remaining")
NEVER_NULL: Final = ("at", "phase", "id", "trace_id", "attempt")
FIELDS: Final = (*NUMBERS, *TEXTS)
"""The order in which an entry is stored and hashed: part of the format ``loopx.audit_row/1``."""


def to_fields(entry: AuditEntry) -> tuple[Value, ...]:
    """The values of an entry in the order of ``FIELDS``."""
    subject, outcome = entry.subject, entry.outcome
    return (
        entry.at,
        subject.attempt,
        outcome.status,
        outcome.elapsed_ms,
        outcome.bytes_out,
        outcome.bytes_in,
        outcome.rate_remaining,
        entry.phase.value,
        subject.id,
        subject.trace_id,
        subject.span_id,
        subject.agent_id,
        subject.turn_id,
        subject.capability,
        subject.method,
        subject.host,
        subject.url,
        outcome.code,
        outcome.reason,
        outcome.cache,
        entry.note,
    )


def read_row(sequence: object, stored: Sequence[object], digest: object) -> AuditRow:
    """Read a stored row back.

    Raises:
        LoopXError: ``audit_error/chain_broken`` when it is none that LoopX writes.
    """
    values = dict(zip(FIELDS, stored, strict=True))
    fits = [
        *(type(values[name]) is int or values[name] is None for name in NUMBERS),
        *(type(values[name]) is str or values[name] is None for name in TEXTS),
        *(values[name] is not None for name in NEVER_NULL),
        values["phase"] in {*AuditPhase},
    ]
    if not all(fits) or type(sequence) is not int or type(digest) is not str:
        raise LoopXError(
            "audit_error", "chain_broken", detail=f"row {sequence!s:.20} is not one that LoopX writes"
        )
    return AuditRow(sequence, _read_entry(cast("dict[str, Value]", values)), digest)


def _read_entry(values: dict[str, Value]) -> AuditEntry:
    return AuditEntry(
        at=cast("int", values["at"]),
        phase=AuditPhase(str(values["phase"])),
        subject=Subject(**_part(values, Subject)),  # type: ignore[arg-type]  # the types were checked above
        outcome=Outcome(**_part(values, Outcome)),  # type: ignore[arg-type]  # the same
        note=cast("str | None", values["note"]),
    )


def _part(values: dict[str, Value], kind: type[Subject | Outcome]) -> dict[str, Value]:
    return {field.name: values[field.name] for field in fields(kind)}
