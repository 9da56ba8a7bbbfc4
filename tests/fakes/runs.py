"""Runs to show: records, problems and summaries as a capability would yield them."""

import io
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from typing import Any

from fakes.pull_requests import NOON, pull_request
from loopx.application.capabilities.capability import Item, Record
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.pull_requests.data import PULL_REQUEST, to_data
from loopx.domain.results import (
    Completeness,
    Problem,
    RateLimit,
    SourceCompleteness,
    Status,
    Summary,
)
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.selection import Selection
from loopx.entrypoints.presentation.sinks import open_sink

SOURCE = "github.com/octo/harbour"
NOW = NOON.timestamp() + 3 * 86_400


def record(number: int = 7, **changes: object) -> Record:
    """A pull request as a capability yields it."""
    return Record("pull_request", to_data(pull_request(number, **changes)))


def refused(subject: str = SOURCE) -> Problem:
    """A source that could not be read."""
    call = CallFacts(method="POST", url="https://api.github.com/graphql", status=403, request_id="AB:12")
    return Problem(subject, LoopXError("provider_http_error", "forbidden", call=call))


def summary(records: int = 1, **changes: object) -> Summary:
    """The end of a run that went well, with some of it changed."""
    part = SourceCompleteness(source=SOURCE, complete=True, reason=None, records=records, total=records)
    good = Summary(
        status=Status.OK,
        completeness=Completeness(complete=True, per_source=(part,)),
        records=records,
        requests=2,
        duration=1.25,
        rate=(("github.com", RateLimit(4990, 5000, NOON.timestamp())),),
    )
    return replace(good, **changes)  # type: ignore[arg-type]  # names are checked by replace


def incomplete(
    reason: str, *, records: int = 1, total: int | None = None, rerun: str | None = None
) -> Completeness:
    """What a run says that ended early."""
    part = SourceCompleteness(source=SOURCE, complete=False, reason=reason, records=records, total=total)
    return Completeness(complete=False, reason=reason, per_source=(part,), rerun=rerun)


async def stream(items: Iterable[Item | BaseException]) -> AsyncIterator[Item]:
    """Yield items; an exception among them is raised there."""
    for item in items:
        if isinstance(item, BaseException):
            raise item
        yield item


def frame(fields: str | None = None, **parts: Any) -> Frame:
    """A frame with its output in memory."""
    chosen = Selection.read(fields, PULL_REQUEST) if fields else None
    return Frame(
        **{
            "spec": PULL_REQUEST,
            "out": io.StringIO(),
            "talk": io.StringIO(),
            "now": NOW,
            "selection": chosen,
            **parts,
        }
    )


def shown(output: str, items: Sequence[Item], fields: str | None = None, **parts: Any) -> tuple[str, str]:
    """What a sink prints as data, and what it says beside."""
    given = frame(fields, **parts)
    sink = open_sink(Output(output), given)
    for item in items:
        if isinstance(item, Summary):
            sink.finish(item)
        else:
            sink.take(item)
    assert isinstance(given.out, io.StringIO)
    assert isinstance(given.talk, io.StringIO)
    return given.out.getvalue(), given.talk.getvalue()
