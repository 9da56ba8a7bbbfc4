"""Pull requests without a server."""

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Final

from loopx.application.ports.pull_request_source import PullRequestBatch
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import PullRequest, State
from loopx.domain.repositories import PullRequestReference, Repository

PAGE_SIZE: Final = 25


class MemoryPullRequests:
    """Holds pull requests of some repositories; whatever is not there is not found.

    ``failures`` maps the number of a request, counted from 1, to the error it ends with.
    ``requests`` keeps who was asked for what: the repository or pull request, by its id.
    """

    def __init__(
        self,
        pull_requests: Iterable[PullRequest] = (),
        *,
        repositories: Iterable[Repository] = (),
        failures: Mapping[int, LoopXError] | None = None,
    ) -> None:
        self.requests: list[tuple[str, CallContext]] = []
        self._held = sorted(
            pull_requests, key=lambda one: (one.created_at, one.reference.number), reverse=True
        )
        self._known = {*repositories, *(one.reference.repository for one in self._held)}
        self._failures = dict(failures or {})

    async def scan(
        self, repository: Repository, states: frozenset[State], limit: int | None, context: CallContext
    ) -> AsyncIterator[PullRequestBatch]:
        wanted = [one for one in self._of(repository) if one.state in states]
        given = 0
        while True:
            self._ask(repository.id, repository, context)
            size = PAGE_SIZE if limit is None else min(PAGE_SIZE, limit - given)
            page = tuple(wanted[given : given + size])
            yield PullRequestBatch(pull_requests=page, total=len(wanted), requests=1)
            given += len(page)
            if given >= len(wanted) or (limit is not None and given >= limit):
                return

    async def read(self, reference: PullRequestReference, context: CallContext) -> PullRequestBatch:
        self._ask(reference.id, reference.repository, context)
        for one in self._of(reference.repository):
            if one.reference.number == reference.number:
                return PullRequestBatch(pull_requests=(one,), total=1, requests=1)
        raise LoopXError("provider_graphql_error", "not_found")

    def _of(self, repository: Repository) -> list[PullRequest]:
        return [one for one in self._held if one.reference.repository == repository]

    def _ask(self, subject: str, repository: Repository, context: CallContext) -> None:
        self.requests.append((subject, context))
        failure = self._failures.get(len(self.requests))
        if failure is not None:
            raise failure
        if repository not in self._known:
            raise LoopXError("provider_graphql_error", "not_found")
