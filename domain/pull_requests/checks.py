"""The verdict on the checks of a commit: the newest attempt of each counts, unknown is never good."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from loopx.domain.pull_requests.record import Check, Checks, Verdict


class Bucket(StrEnum):
    """What one result means for the whole."""

    PASS = "pass"
    FAIL = "fail"
    PENDING = "pending"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    STALE = "stale"
    UNKNOWN = "unknown"


_BUCKETS: Final = {
    "success": Bucket.PASS,
    "neutral": Bucket.SKIPPED,
    "skipped": Bucket.SKIPPED,
    "failure": Bucket.FAIL,
    "error": Bucket.FAIL,
    "timed_out": Bucket.FAIL,
    "action_required": Bucket.FAIL,
    "startup_failure": Bucket.FAIL,
    "cancelled": Bucket.CANCELLED,
    "stale": Bucket.STALE,
    "queued": Bucket.PENDING,
    "in_progress": Bucket.PENDING,
    "waiting": Bucket.PENDING,
    "pending": Bucket.PENDING,
    "requested": Bucket.PENDING,
    "expected": Bucket.PENDING,
}

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One run of a check or one report of a status.

    ``identity`` is the same for attempts at the same check; ``order`` breaks ties of equal times.
    """

    identity: tuple[str | None, ...]
    check: Check
    started_at: datetime | None = None
    completed_at: datetime | None = None
    order: int = 0

    @property
    def recency(self) -> tuple[datetime, datetime, int]:
        """Sorts attempts at the same check from old to new."""
        return (self.started_at or self.completed_at or _NEVER, self.completed_at or _NEVER, self.order)


def bucket_of(state: str) -> Bucket:
    """What a state means; a word that GitHub may add tomorrow is ``unknown``."""
    return _BUCKETS.get(state, Bucket.UNKNOWN)


def judge_checks(
    attempts: Iterable[Attempt], *, required: Iterable[str] = (), truncated: bool = False
) -> Checks:
    """Weigh every attempt on a commit; ``truncated`` says that some could not be read."""
    newest, superseded = _split(attempts)
    sorted_into: dict[Bucket, list[Check]] = {bucket: [] for bucket in Bucket}
    for attempt in newest:
        sorted_into[bucket_of(attempt.check.state)].append(attempt.check)
    reported = {attempt.check.name for attempt in newest}
    missing = () if truncated else tuple(name for name in dict.fromkeys(required) if name not in reported)
    verdict = _verdict(
        {bucket: len(found) for bucket, found in sorted_into.items()}, missing, truncated=truncated
    )
    stale = (*sorted_into[Bucket.STALE], *(attempt.check for attempt in superseded))
    counts = {bucket: len(found) for bucket, found in sorted_into.items()} | {Bucket.STALE: len(stale)}
    return Checks(
        verdict=verdict,
        counts=tuple((bucket.value, number) for bucket, number in counts.items()),
        failing=tuple(sorted_into[Bucket.FAIL]),
        pending=tuple(sorted_into[Bucket.PENDING]),
        cancelled=tuple(sorted_into[Bucket.CANCELLED]),
        stale=stale,
        missing_required=missing,
        truncated=truncated,
    )


def unavailable_checks() -> Checks:
    """Checks that the credential may not read: neither green nor absent."""
    return Checks(verdict=Verdict.UNAVAILABLE)


def _split(attempts: Iterable[Attempt]) -> tuple[list[Attempt], list[Attempt]]:
    newest: dict[tuple[str | None, ...], Attempt] = {}
    superseded: list[Attempt] = []
    for attempt in attempts:
        standing = newest.get(attempt.identity)
        if standing is None or attempt.recency >= standing.recency:
            newest[attempt.identity] = attempt
            superseded += [standing] if standing is not None else []
        else:
            superseded.append(attempt)
    return list(newest.values()), superseded


def _verdict(counts: dict[Bucket, int], missing: tuple[str, ...], *, truncated: bool) -> Verdict:
    # A newest attempt that was cancelled blocks a required check just as a failed one does.
    if counts[Bucket.FAIL] or counts[Bucket.CANCELLED]:
        return Verdict.FAIL
    if counts[Bucket.PENDING] or missing:
        return Verdict.PENDING
    if truncated or counts[Bucket.UNKNOWN] or counts[Bucket.STALE]:
        return Verdict.UNKNOWN
    # A skipped check is no failure, but it proves nothing either.
    return Verdict.PASS if counts[Bucket.PASS] else Verdict.NONE
