"""Scan pull requests of repositories, end to end."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from loopx.application.ports.clock import Clock
from loopx.application.ports.pull_request_source import PullRequestBatch, PullRequestSource
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.query import PullRequestQuery
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import Repository
from loopx.domain.results import (
    Completeness,
    Problem,
    RateLimit,
    SourceCompleteness,
    Status,
    Summary,
    status_of,
)


class ScanPullRequests:
    """Streams every pull request that a query wants, then says how complete that was."""

    def __init__(self, *, source: PullRequestSource, clock: Clock) -> None:
        self._source = source
        self._clock = clock

    async def __call__(
        self, query: PullRequestQuery, context: CallContext
    ) -> AsyncIterator[PullRequest | Problem | Summary]:
        """Yield records and problems as they come, the summary last.

        A repository that cannot be read becomes a problem and the others go on; nothing is raised.
        """
        started = self._clock.monotonic()
        tally = _Tally(query)
        for repository in query.repositories:
            async for item in self._scan(repository, tally, context):
                yield item
        yield tally.summarize(self._clock.monotonic() - started)

    async def _scan(
        self, repository: Repository, tally: "_Tally", context: CallContext
    ) -> AsyncIterator[PullRequest | Problem]:
        source = tally.open(repository)
        if tally.room == 0:
            return
        states = tally.query.filter.states
        try:
            async for batch in self._source.scan(repository, states, tally.room, context):
                for item in tally.take(batch, source):
                    yield item
            source.finished = True
        except LoopXError as error:
            source.error = error
            yield Problem(repository.id, error)


@dataclass(slots=True)
class _Source:
    """What is known so far of one repository's part of the result."""

    id: str
    host: str
    records: int = 0
    given: int = 0
    first_total: int | None = None
    total: int | None = None
    problems: int = 0
    finished: bool = False
    error: LoopXError | None = None

    def count(self, total: int | None) -> None:
        """Note how many the server says there are; it says so again with every page."""
        if total is not None:
            self.first_total = total if self.first_total is None else self.first_total
            self.total = total

    @property
    def short_of_total(self) -> bool:
        """Whether less came than the server counted."""
        return self.total is not None and self.given + self.problems < self.total

    @property
    def short_of_promise(self) -> bool:
        """Whether less came than was there from the first page to the last, whatever was opened meanwhile."""
        promised = min(self.first_total or 0, self.total or 0)
        return self.given + self.problems < promised

    def completeness(self, *, limited: bool) -> SourceCompleteness:
        """Incomplete unless the listing ended by itself; ``limited`` says the limit was reached."""
        reason = None
        if self.error is not None:
            reason = f"{self.error.code}/{self.error.reason}"
        elif limited and (not self.finished or self.short_of_total):
            reason = "limit"
        elif self.problems:
            reason = "problems"
        elif not limited and self.short_of_promise:
            reason = "missing_records"
        return SourceCompleteness(
            source=self.id, complete=reason is None, reason=reason, records=self.records, total=self.total
        )


class _Tally:
    """Counts what was given away, so that the summary needs no record to be kept."""

    def __init__(self, query: PullRequestQuery) -> None:
        self.query = query
        self._sources: list[_Source] = []
        self._records = 0
        self._requests = 0
        self._rate: dict[str, RateLimit] = {}
        # Keys, not records: duplicates are found without keeping what was already given away.
        self._seen: set[tuple[str, int]] = set()

    @property
    def room(self) -> int | None:
        """How many records may still come; ``None`` for any number."""
        return None if self.query.limit is None else self.query.limit - self._records

    def open(self, repository: Repository) -> _Source:
        """Start the part of a repository."""
        source = _Source(repository.id, repository.host)
        self._sources.append(source)
        return source

    def take(self, batch: PullRequestBatch, source: _Source) -> list[PullRequest | Problem]:
        """Count a batch and give back what of it is new."""
        self._requests += batch.requests
        source.count(batch.total)
        if batch.rate is not None:
            self._rate[source.host] = batch.rate
        fresh: list[PullRequest] = []
        for one in batch.pull_requests:
            key = (one.reference.repository.id, one.reference.number)
            if key not in self._seen:
                self._seen.add(key)
                fresh.append(one)
        source.given += len(batch.pull_requests)
        source.records += len(fresh)
        self._records += len(fresh)
        source.problems += len(batch.problems)
        return [*fresh, *batch.problems]

    def summarize(self, duration: float) -> Summary:
        """The last word."""
        limited = self.room == 0
        parts = tuple(source.completeness(limited=limited) for source in self._sources)
        errors = [source.error for source in self._sources if source.error is not None]
        nothing_read = len(errors) == len(self._sources) and self._records == 0
        reasons = [part.reason for part in parts if part.reason is not None]
        serious = [reason for reason in reasons if reason != "limit"]
        complete = not reasons
        return Summary(
            status=self._status(errors[0] if nothing_read else None, bool(serious)),
            completeness=Completeness(
                complete=complete,
                reason=next(iter(serious or reasons), None),
                per_source=parts,
                rerun=None if complete else self.query.rerun(),
            ),
            records=self._records,
            requests=self._requests,
            duration=duration,
            rate=tuple(self._rate.items()),
            warnings=() if limited else tuple(self._changed()),
            next=() if complete or serious else (self.query.rerun(),),
            error=errors[0] if nothing_read else None,
        )

    def _changed(self) -> Iterator[str]:
        for source in self._sources:
            if source.finished and source.short_of_total and not source.short_of_promise:
                yield f"{source.id} changed while it was read: {source.total} counted, {source.records} read"

    def _status(self, failure: LoopXError | None, partial: bool) -> Status:  # noqa: FBT001 - private, named at the call
        if failure is not None:
            return status_of(failure)
        if partial:
            return Status.PARTIAL
        return Status.OK if self._records else Status.EMPTY
