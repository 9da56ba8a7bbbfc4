"""Pull requests of GitHub repositories over GraphQL."""

from collections.abc import AsyncIterator, Mapping
from typing import Final, cast

from marshmallow import ValidationError

from loopx.adapters.github.advice import advise
from loopx.adapters.github.assembly import Unreadable, assemble
from loopx.adapters.github.graphql import Answer, GraphQLClient, Node
from loopx.adapters.github.inner_pages import InnerPages, invalid_shape, is_whole, withheld
from loopx.adapters.github.listing import Listing, read_listing, read_rate, read_single
from loopx.adapters.github.nodes import PullRequestNode
from loopx.adapters.github.pull_request_schema import PullRequestSchema
from loopx.adapters.github.queries import READ_PULL_REQUEST, SCAN_PULL_REQUESTS
from loopx.application.ports.clock import Clock
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.pull_request_source import PullRequestBatch
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError, Sent
from loopx.domain.paging import PageWalk
from loopx.domain.pull_requests.record import State
from loopx.domain.repositories import PullRequestReference, Repository
from loopx.domain.results import Problem

PAGE_SIZE: Final = 25
"""GitHub runs into its own 10-second limit with larger pages of this query."""


class GitHubPullRequests:
    """A ``PullRequestSource`` over GitHub.com, ghe.com and GitHub Enterprise Server."""

    def __init__(self, *, transport: HttpTransport, clock: Clock) -> None:
        self._client = GraphQLClient(transport=transport, clock=clock)
        self._schema = PullRequestSchema()

    async def scan(
        self, repository: Repository, states: frozenset[State], limit: int | None, context: CallContext
    ) -> AsyncIterator[PullRequestBatch]:
        """All pull requests in these states, newest first, at most ``limit``.

        Raises:
            LoopXError: as the transport; ``provider_graphql_error``, ``provider_response_invalid``
                or ``provider_pagination_error`` when the listing cannot be read to its end.
        """
        try:
            async for batch in self._scan(repository, states, limit, context):
                yield batch
        except LoopXError as error:
            raise advise(error, repository) from None

    async def _scan(
        self, repository: Repository, states: frozenset[State], limit: int | None, context: CallContext
    ) -> AsyncIterator[PullRequestBatch]:
        walk, seen, given = PageWalk(), set[int](), 0
        while limit is None or given < limit:
            variables: Node = {
                "owner": repository.owner,
                "name": repository.name,
                "states": sorted(state.value.upper() for state in states),
                "first": PAGE_SIZE if limit is None else min(PAGE_SIZE, limit - given),
                "after": walk.cursor,
            }
            try:
                answer = await self._client.ask(
                    repository.graphql_url, SCAN_PULL_REQUESTS, variables, context
                )
                page = read_listing(answer, repository)
            except LoopXError as error:
                # A request that went out counts, whatever became of it.
                yield PullRequestBatch(pull_requests=(), requests=int(error.sent is not Sent.NO))
                raise
            async for batch in self._read_nodes(page, answer, context):
                yield batch
            fresh = page.fresh(seen)
            given += fresh
            if not walk.move_on(has_next=page.has_next, cursor=page.cursor, fresh=fresh):
                return

    async def read(self, reference: PullRequestReference, context: CallContext) -> PullRequestBatch:
        """One pull request.

        Raises:
            LoopXError: ``provider_graphql_error/not_found``, or as for ``scan``.
        """
        repository = reference.repository
        variables: Node = {"owner": repository.owner, "name": repository.name, "number": reference.number}
        try:
            answer = await self._client.ask(repository.graphql_url, READ_PULL_REQUEST, variables, context)
            page = read_single(answer, repository, reference.number)
            batches = [batch async for batch in self._read_nodes(page, answer, context)]
        except LoopXError as error:
            raise advise(error, repository) from None
        problems = tuple(problem for batch in batches for problem in batch.problems)
        found_whole = tuple(one for batch in batches for one in batch.pull_requests)
        if not found_whole:
            raise problems[0].error
        return PullRequestBatch(
            pull_requests=found_whole,
            problems=problems,
            requests=sum(batch.requests for batch in batches),
            rate=batches[0].rate,
        )

    async def _read_nodes(
        self, page: Listing, answer: Answer, context: CallContext
    ) -> AsyncIterator[PullRequestBatch]:
        """First what is whole, at once; then the rest, each when its inner pages are in."""
        problems, waiting, ready = list(page.faults(answer)), [], []
        for index, raw in enumerate(page.nodes):
            unreadable = page.unreadable(answer, index)
            try:
                node = self._load(raw, answer)
            except LoopXError as error:
                problems.append(Problem(page.subject(index), error))
                continue
            if node is None:
                continue
            problems += withheld(node, page.subject(index), unreadable, answer)
            if is_whole(node):
                ready.append(assemble(node, page.repository, unreadable))
            else:
                waiting.append((node, unreadable))
        yield PullRequestBatch(
            pull_requests=tuple(ready),
            problems=tuple(problems),
            total=page.total,
            requests=1,
            rate=read_rate(answer.data.get("rateLimit")),
        )
        for node, unreadable in waiting:
            yield await self._complete(node, unreadable, page.repository, context)

    def _load(self, raw: object, answer: Answer) -> PullRequestNode | None:
        if raw is None:
            return None
        try:
            return cast("PullRequestNode", self._schema.load(cast("Mapping[str, object]", raw)))
        except ValidationError as error:
            raise invalid_shape(error, answer) from None

    async def _complete(
        self, node: PullRequestNode, unreadable: Unreadable, repository: Repository, context: CallContext
    ) -> PullRequestBatch:
        pages = InnerPages(self._client, repository.graphql_url, context)
        whole, problems = await pages.complete(node, PullRequestReference(repository, node.number))
        return PullRequestBatch(
            pull_requests=(assemble(whole, repository, unreadable),),
            problems=tuple(problems),
            requests=pages.requests,
        )
