"""What a run of a capability yields besides records: problems on the way and the summary."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from loopx.domain.errors import LoopXError


class Status(StrEnum):
    """How a run ended, in one word."""

    OK = "ok"
    EMPTY = "empty"
    PARTIAL = "partial"
    STALE = "stale"
    BLOCKED = "blocked"
    UNAUTHENTICATED = "unauthenticated"
    NOT_FOUND = "not_found"
    INVALID_QUERY = "invalid_query"
    UNAVAILABLE = "unavailable"
    SCHEMA_DRIFT = "schema_drift"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is missing from the result: a source, a record or a part of one."""

    subject: str
    error: LoopXError


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCompleteness:
    """Whether everything that a source had and the query wanted is in the result."""

    source: str
    complete: bool
    reason: str | None
    records: int
    total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """Whether the result is whole; if not, why, and the command that asks for the rest."""

    complete: bool
    reason: str | None = None
    per_source: tuple[SourceCompleteness, ...] = ()
    rerun: str | None = None


@dataclass(frozen=True, slots=True)
class RateLimit:
    """What a host says is left: requests or points, until the reset (Unix time, seconds)."""

    remaining: int
    limit: int
    reset_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The last word of a run; ``duration`` is in seconds.

    ``requests`` is ``None`` when the run was cut before it could count them.
    """

    status: Status
    completeness: Completeness
    records: int
    requests: int | None
    duration: float
    rate: tuple[tuple[str, RateLimit], ...] = ()
    warnings: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    error: LoopXError | None = None
    """Set when nothing at all could be read; it decides the exit code."""


_BY_PAIR: Final = {
    ("provider_http_error", "unauthorized"): Status.UNAUTHENTICATED,
    ("provider_http_error", "not_found"): Status.NOT_FOUND,
    ("provider_http_error", "gone"): Status.NOT_FOUND,
    ("provider_http_error", "forbidden"): Status.REFUSED,
    ("provider_graphql_error", "not_found"): Status.NOT_FOUND,
    ("provider_graphql_error", "forbidden"): Status.REFUSED,
    ("provider_graphql_error", "saml_required"): Status.REFUSED,
    ("provider_graphql_error", "query_rejected"): Status.SCHEMA_DRIFT,
    ("provider_response_invalid", "schema"): Status.SCHEMA_DRIFT,
    ("extension_error", "record"): Status.SCHEMA_DRIFT,
    ("extension_error", "grant"): Status.BLOCKED,
}
_BY_CODE: Final = {
    "egress_blocked": Status.BLOCKED,
    "credential_error": Status.UNAUTHENTICATED,
    "usage_error": Status.INVALID_QUERY,
    "request_invalid": Status.INVALID_QUERY,
}


def status_of(error: LoopXError) -> Status:
    """How a run ends that an error ended before it found anything."""
    return _BY_PAIR.get((error.code, error.reason)) or _BY_CODE.get(error.code, Status.UNAVAILABLE)
