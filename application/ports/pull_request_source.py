"""Where pull requests come from."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from loopx.domain.context import CallContext
from loopx.domain.pull_requests.record import PullRequest, State
from loopx.domain.repositories import PullRequestReference, Repository
from loopx.domain.results import Problem, RateLimit


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestBatch:
    """Some pull requests, whole, as soon as they are known.

    ``total`` is how many the source holds for the query; ``requests`` were made since the batch
    before; ``problems`` name what is missing from this batch.
    """

    pull_requests: tuple[PullRequest, ...]
    problems: tuple[Problem, ...] = ()
    total: int | None = None
    requests: int = 0
    rate: RateLimit | None = None


class PullRequestSource(Protocol):
    """Reads pull requests of a repository."""

    def scan(
        self, repository: Repository, states: frozenset[State], limit: int | None, context: CallContext
    ) -> AsyncIterator[PullRequestBatch]:
        """All pull requests in these states, newest first, at most ``limit``.

        Raises:
            LoopXError: the listing could not be read to its end; batches given so far hold.
        """
        ...

    async def read(self, reference: PullRequestReference, context: CallContext) -> PullRequestBatch:
        """One pull request.

        Raises:
            LoopXError: ``provider_graphql_error/not_found``, or as for ``scan``.
        """
        ...
