"""Audit rows and what is said about them as JSON-ready data (``loopx.audit_row/1`` and its kin)."""

from datetime import UTC, datetime
from typing import Final

from loopx.domain.audit.chain import FORMAT, Anchor
from loopx.domain.audit.row import MICROSECONDS, AuditPhase, AuditRow
from loopx.domain.audit.statistics import HostFigures
from loopx.domain.audit.verification import Verdict
from loopx.domain.schema import INTEGER, Field, RecordSpec, text

AUDIT_ROW: Final = RecordSpec(
    schema=FORMAT,
    type="audit_row",
    fields=(
        Field("sequence", INTEGER, "its number in the log, from 1 without a gap"),
        Field("id", text(), "the attempt, the same in its intent and its outcome"),
        Field("time", text(form="date-time"), "when it was written, to the microsecond"),
        Field("phase", text(choices=tuple(AuditPhase)), "about to be sent, ended, or never sent"),
        Field("agent_id", text(), "on whose behalf", nullable=True),
        Field("turn_id", text(), "in which turn of the agent", nullable=True),
        Field("trace_id", text(), "the trace, as the server was told"),
        Field("span_id", text(), "the span, as the server was told, if it was", nullable=True),
        Field("capability", text(), "what it was for", nullable=True),
        Field("method", text(), "the HTTP method", nullable=True),
        Field("host", text(), "the host that was called", nullable=True),
        Field("url", text(), "the address, redacted", nullable=True),
        Field("attempt", INTEGER, "which try it was, from 1"),
        Field("status", INTEGER, "the status of the answer", nullable=True),
        Field("code", text(), "the code of the error, if it was one", nullable=True),
        Field("reason", text(), "its reason", nullable=True),
        Field("elapsed_ms", INTEGER, "how long it took, in milliseconds", nullable=True),
        Field("bytes_out", INTEGER, "bytes written to the connection", nullable=True),
        Field("bytes_in", INTEGER, "bytes read from it", nullable=True),
        Field("cache", text(), "what the cache had to do with it", nullable=True),
        Field("rate_remaining", INTEGER, "what the server said is left of its rate limit", nullable=True),
        Field("note", text(), "what else is to be said", nullable=True),
        Field("hash", text(), "SHA-256 over the hash before it and all of the above"),
    ),
    columns=(
        "sequence",
        "time",
        "id",
        "phase",
        "agent_id",
        "turn_id",
        "capability",
        "method",
        "host",
        "url",
        "status",
        "code",
        "reason",
        "elapsed_ms",
        "bytes_out",
        "bytes_in",
        "rate_remaining",
        "note",
    ),
)

AUDIT_HEAD: Final = RecordSpec(
    schema="loopx.audit_head/1",
    type="audit_head",
    fields=(
        Field("head", text(), "what to keep elsewhere: the number of rows and the hash behind the last"),
        Field("sequence", INTEGER, "the number of the last row"),
        Field("hash", text(), "its hash"),
    ),
    columns=("head",),
)

AUDIT_VERDICT: Final = RecordSpec(
    schema="loopx.audit_verdict/1",
    type="audit_verdict",
    fields=(
        Field("rows", INTEGER, "how many rows fit"),
        Field("first", INTEGER, "the number of the oldest row that is left", nullable=True),
        Field("head", text(), "the place behind the last row"),
        Field("kept_head", text(), "the head that was kept, if one was given", nullable=True),
        Field("pruned", INTEGER, "how many rows were dropped by pruning"),
        Field("pruned_at", text(form="date-time"), "when", nullable=True),
        Field("unfinished", INTEGER, "what was about to be sent and has no outcome"),
    ),
    columns=("rows", "first", "head", "kept_head", "pruned", "pruned_at", "unfinished"),
)

AUDITED_HOST: Final = RecordSpec(
    schema="loopx.audited_host/1",
    type="audited_host",
    fields=(
        Field("host", text(), "the host that was called", nullable=True),
        Field("attempts", INTEGER, "what was sent"),
        Field("failed", INTEGER, "attempts that ended in an error"),
        Field("refused", INTEGER, "calls that were refused before anything was sent"),
        Field("from_cache", INTEGER, "calls that a cache answered"),
        Field("unfinished", INTEGER, "attempts without an outcome"),
        Field("bytes_out", INTEGER, "bytes written to connections"),
        Field("bytes_in", INTEGER, "bytes read from them"),
        Field("mean_ms", INTEGER, "the mean duration of an attempt, in milliseconds", nullable=True),
        Field("slowest_ms", INTEGER, "the longest"),
        Field("first", text(form="date-time"), "when the first row was written"),
        Field("last", text(form="date-time"), "when the last row was written"),
    ),
    columns=(
        "host",
        "attempts",
        "failed",
        "refused",
        "unfinished",
        "bytes_out",
        "bytes_in",
        "mean_ms",
        "last",
    ),
)


def row_data(row: AuditRow) -> dict[str, object]:
    """A row as data."""
    entry = row.entry
    subject, outcome = entry.subject, entry.outcome
    return {
        "sequence": row.sequence,
        "id": subject.id,
        "time": moment(entry.at),
        "phase": entry.phase.value,
        "agent_id": subject.agent_id,
        "turn_id": subject.turn_id,
        "trace_id": subject.trace_id,
        "span_id": subject.span_id,
        "capability": subject.capability,
        "method": subject.method,
        "host": subject.host,
        "url": subject.url,
        "attempt": subject.attempt,
        "status": outcome.status,
        "code": outcome.code,
        "reason": outcome.reason,
        "elapsed_ms": outcome.elapsed_ms,
        "bytes_out": outcome.bytes_out,
        "bytes_in": outcome.bytes_in,
        "cache": outcome.cache,
        "rate_remaining": outcome.rate_remaining,
        "note": entry.note,
        "hash": row.hash,
    }


def head_data(head: Anchor) -> dict[str, object]:
    """The head as data."""
    return {"head": str(head), "sequence": head.sequence, "hash": head.hash}


def verdict_data(verdict: Verdict, kept: str | None) -> dict[str, object]:
    """What a check of the chain found, as data."""
    return {
        "rows": verdict.rows,
        "first": verdict.start.sequence + 1 if verdict.rows else None,
        "head": str(verdict.head),
        "kept_head": kept,
        "pruned": verdict.start.sequence,
        "pruned_at": None if verdict.pruned_at is None else moment(verdict.pruned_at),
        "unfinished": verdict.unfinished,
    }


def figures_data(figures: HostFigures) -> dict[str, object]:
    """The figures of a host as data."""
    return {
        "host": figures.host,
        "attempts": figures.attempts,
        "failed": figures.failed,
        "refused": figures.refused,
        "from_cache": figures.from_cache,
        "unfinished": figures.unfinished,
        "bytes_out": figures.bytes_out,
        "bytes_in": figures.bytes_in,
        "mean_ms": figures.mean_ms,
        "slowest_ms": figures.slowest_ms,
        "first": moment(figures.first),
        "last": moment(figures.last),
    }


def moment(at: int) -> str:
    """Unix time in microseconds as ISO 8601 in UTC; what no calendar knows stays a number."""
    try:
        # Whole seconds and the rest apart: a float would lose the last digit.
        whole = datetime.fromtimestamp(at // MICROSECONDS, UTC).replace(microsecond=at % MICROSECONDS)
    except (OverflowError, ValueError, OSError):
        return str(at)
    return whole.isoformat(timespec="microseconds").replace("+00:00", "Z")
