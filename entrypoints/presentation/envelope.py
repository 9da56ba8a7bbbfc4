"""Problems, summaries and errors as JSON-ready data: the same shape behind every door."""

import json
from dataclasses import replace
from typing import Final, cast

from loopx.application.capabilities.capability import Item, Record
from loopx.domain.errors import LoopXError
from loopx.domain.redaction import Redactor
from loopx.domain.results import Completeness, Problem, SourceCompleteness, Status, Summary, status_of
from loopx.domain.schema import Data
from loopx.entrypoints.presentation.times import iso
from loopx.entrypoints.presentation.untrusted import escape_json, visible

SUMMARY_SCHEMA: Final = "loopx.summary/1"

JsonData = dict[str, object]


def to_json(data: object) -> str:
    """One line of JSON that is valid UTF-8 and shows no control character."""
    return escape_json(json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def problem_data(problem: Problem) -> JsonData:
    """A problem, flat: the subject beside the fields of the error."""
    return {"type": "error", "subject": problem.subject, **problem.error.to_dict()}


def error_data(error: LoopXError) -> JsonData:
    """A fatal error as the one object on stderr."""
    return {"error": error.to_dict()}


def summary_data(summary: Summary) -> JsonData:
    """The last word of a run; times in milliseconds, resets in ISO 8601."""
    return {
        "schema": SUMMARY_SCHEMA,
        "status": summary.status.value,
        "completeness": _completeness_data(summary.completeness),
        "records": summary.records,
        "requests": summary.requests,
        "rate": {
            host: {"remaining": rate.remaining, "limit": rate.limit, "reset_at": iso(rate.reset_at)}
            for host, rate in summary.rate
        },
        "duration_ms": round(summary.duration * 1000),
        "warnings": list(summary.warnings),
        "next": list(summary.next),
    }


def _completeness_data(completeness: Completeness) -> JsonData:
    return {
        "complete": completeness.complete,
        "reason": completeness.reason,
        "per_source": [_source_data(source) for source in completeness.per_source],
        "rerun": completeness.rerun,
    }


def _source_data(source: SourceCompleteness) -> JsonData:
    return {
        "source": source.source,
        "complete": source.complete,
        "reason": source.reason,
        "records": source.records,
        "total": source.total,
    }


def cut_summary(records: int, duration: float, *, reason: str, error: LoopXError | None = None) -> Summary:
    """The last word of a run that could not finish by itself; ``duration`` is in seconds."""
    return Summary(
        status=status_of(error) if error and not records else Status.PARTIAL,
        completeness=Completeness(complete=False, reason=reason),
        records=records,
        requests=None,
        duration=duration,
        error=error,
    )


def without_secrets(item: Item, redactor: Redactor) -> Item:
    """The same item with every text in it masked; numbers and shape stay as they are."""
    if isinstance(item, Problem):
        return Problem(redactor.exact(item.subject), item.error.masked(redactor.exact))
    if isinstance(item, Summary):
        error = item.error.masked(redactor.exact) if item.error is not None else None
        warnings = tuple(redactor.exact(warning) for warning in item.warnings)
        return replace(item, error=error, warnings=warnings)
    return Record(item.type, cast("Data", hide_secrets(item.data, redactor)))


def _mask(text: str, redactor: Redactor) -> str:
    """Mask also a secret that is cut up by characters which the next renderer would drop."""
    masked = redactor.exact(text)
    bare = visible(masked)
    return masked if redactor.exact(bare) == bare else redactor.exact(bare)


def hide_secrets(value: object, redactor: Redactor) -> object:
    """Data without the secrets that the redactor knows; everything else stays as it is."""
    if isinstance(value, str):
        return _mask(value, redactor)
    if isinstance(value, dict):
        parts = cast("JsonData", value)
        return {name: hide_secrets(part, redactor) for name, part in parts.items()}
    if isinstance(value, list | tuple):
        return [hide_secrets(item, redactor) for item in cast("list[object]", value)]
    return value
