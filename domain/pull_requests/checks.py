"""The verdict on the checks of a commit: the newest attempt of each counts, unknown is never good."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import inf
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

# A summary of GitHub that is not good, what it makes of a verdict that would be, and which attempts
# that LoopX leaves aside as replaced explain it: GitHub counts those too.
_SUMMARIES: Final = {
    "failure": (Verdict.UNKNOWN, frozenset({Bucket.FAIL, Bucket.CANCELLED})),
    "error": (Verdict.UNKNOWN, frozenset({Bucket.FAIL, Bucket.CANCELLED})),
    "pending": (Verdict.PENDING, frozenset({Bucket.PENDING, Bucket.STALE})),
    "expected": (Verdict.PENDING, frozenset({Bucket.PENDING, Bucket.STALE})),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One run of a check or one report of a status.

    ``identity`` is the same for attempts at the same check. ``order`` is a number that grows with
    each attempt and decides over the dates, which a run that still waits does not have.
    """

    identity: tuple[str | None, ...]
    check: Check
    started_at: datetime | None = None
    completed_at: datetime | None = None
    order: int | None = None


def bucket_of(state: str) -> Bucket:
    """What a state means; a word that GitHub may add tomorrow is ``unknown``."""
    return _BUCKETS.get(state, Bucket.UNKNOWN)


def judge_checks(
    attempts: Iterable[Attempt],
    *,
    required: Iterable[str] | None = (),
    truncated: bool = False,
    provider_state: str | None = None,
) -> Checks:
    """Weigh every attempt on a commit.

    ``required`` is ``None`` when it could not be read, and ``truncated`` says that some attempts could
    not. ``provider_state`` is GitHub's own summary in lower case; ``None`` when there is none.
    """
    newest, superseded = _split(attempts)
    found = _sorted(newest)
    # Among what could not be read may be any of the required.
    missing = () if truncated else _missing(required or (), newest)
    stale = (*found[Bucket.STALE], *(one.check for one in superseded))
    verdict = _verdict(found, missing, unread=truncated or required is None)
    return Checks(
        verdict=_no_better_than(provider_state, verdict, superseded),
        counts=tuple(
            (bucket.value, len(listed)) for bucket, listed in (found | {Bucket.STALE: stale}).items()
        ),
        failing=found[Bucket.FAIL],
        pending=found[Bucket.PENDING],
        cancelled=found[Bucket.CANCELLED],
        stale=stale,
        missing_required=missing,
        truncated=truncated,
        provider_state=provider_state,
    )


def unavailable_checks() -> Checks:
    """Checks that the credential may not read: neither green nor absent."""
    return Checks(verdict=Verdict.UNAVAILABLE)


def _sorted(attempts: list[Attempt]) -> dict[Bucket, tuple[Check, ...]]:
    checks = [one.check for one in attempts]
    return {bucket: tuple(check for check in checks if bucket_of(check.state) is bucket) for bucket in Bucket}


def _missing(required: Iterable[str], newest: list[Attempt]) -> tuple[str, ...]:
    reported = {one.check.name for one in newest}
    return tuple(name for name in dict.fromkeys(required) if name not in reported)


def _split(attempts: Iterable[Attempt]) -> tuple[list[Attempt], list[Attempt]]:
    groups: dict[tuple[str | None, ...], list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.identity, []).append(attempt)
    newest: list[Attempt] = []
    superseded: list[Attempt] = []
    for group in groups.values():
        numbered = all(attempt.order is not None for attempt in group)
        placed = [(_recency(attempt, numbered=numbered), attempt) for attempt in group]
        last = max((when for when, _ in placed if when is not None), default=None)
        for when, attempt in placed:
            # What cannot be told to be older is not set aside: each of them counts.
            (newest if when is None or when == last else superseded).append(attempt)
    return newest, superseded


def _recency(attempt: Attempt, *, numbered: bool) -> tuple[float, float] | None:
    """Sorts attempts at the same check from old to new; ``None`` where nothing tells the place."""
    if numbered:
        return (attempt.order or 0, 0)
    began = attempt.started_at or attempt.completed_at
    if began is None:
        # Whatever has not even begun was asked for last.
        return (inf, inf) if bucket_of(attempt.check.state) is Bucket.PENDING else None
    ended = attempt.completed_at
    return (began.timestamp(), ended.timestamp() if ended is not None else inf)


def _verdict(found: dict[Bucket, tuple[Check, ...]], missing: tuple[str, ...], *, unread: bool) -> Verdict:
    # A newest attempt that was cancelled blocks a required check just as a failed one does.
    if found[Bucket.FAIL] or found[Bucket.CANCELLED]:
        return Verdict.FAIL
    if found[Bucket.PENDING] or missing:
        return Verdict.PENDING
    if unread or found[Bucket.UNKNOWN] or found[Bucket.STALE]:
        return Verdict.UNKNOWN
    # A skipped check is no failure, but it proves nothing either.
    return Verdict.PASS if found[Bucket.PASS] else Verdict.NONE


def _no_better_than(summary: str | None, verdict: Verdict, superseded: list[Attempt]) -> Verdict:
    """GitHub's list can lack a run that its summary counts, so the summary is the limit of a good verdict."""
    if verdict not in {Verdict.PASS, Verdict.NONE} or summary in {None, "success"}:
        return verdict
    limit, explained_by = _SUMMARIES.get(str(summary), (Verdict.UNKNOWN, frozenset[Bucket]()))
    explained = any(bucket_of(one.check.state) in explained_by for one in superseded)
    return verdict if explained else limit
