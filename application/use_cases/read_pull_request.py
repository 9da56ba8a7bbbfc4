"""Read one pull request."""

from collections.abc import AsyncIterator

from loopx.application.ports.clock import Clock
from loopx.application.ports.pull_request_source import PullRequestBatch, PullRequestSource
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import PullRequestReference
from loopx.domain.results import Completeness, Problem, SourceCompleteness, Status, Summary, status_of


class ReadPullRequest:
    """Gives one pull request as it is now, in the same shape as a scan."""

    def __init__(self, *, source: PullRequestSource, clock: Clock) -> None:
        self._source = source
        self._clock = clock

    async def __call__(
        self, reference: PullRequestReference, context: CallContext
    ) -> AsyncIterator[PullRequest | Problem | Summary]:
        """Yield the pull request, what of it could not be read, and the summary last.

        A pull request that cannot be read at all becomes the error of the summary; nothing is raised.
        """
        started = self._clock.monotonic()
        batch = PullRequestBatch(pull_requests=())
        failure: LoopXError | None = None
        try:
            batch = await self._source.read(reference, context)
        except LoopXError as error:
            failure = error
            yield Problem(reference.id, error)
        for pull_request in batch.pull_requests:
            yield pull_request
        for problem in batch.problems:
            yield problem
        yield _summarize(reference, batch, failure, self._clock.monotonic() - started)


def _summarize(
    reference: PullRequestReference, batch: PullRequestBatch, failure: LoopXError | None, duration: float
) -> Summary:
    reason = f"{failure.code}/{failure.reason}" if failure else "problems" if batch.problems else None
    source = SourceCompleteness(
        source=reference.id,
        complete=reason is None,
        reason=reason,
        records=len(batch.pull_requests),
        total=None if failure else 1,
    )
    rerun = f"loopx pr show {reference.argument}"
    whole = Status.PARTIAL if batch.problems else Status.OK
    return Summary(
        status=status_of(failure) if failure else whole,
        completeness=Completeness(
            complete=reason is None, reason=reason, per_source=(source,), rerun=rerun if reason else None
        ),
        records=len(batch.pull_requests),
        requests=None if failure else batch.requests,
        duration=duration,
        rate=((reference.repository.host, batch.rate),) if batch.rate else (),
        error=failure,
    )
