"""``pr_review``: the pull requests of repositories, with checks, reviews and whose turn it is."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final, cast

from loopx.application.capabilities.capability import Item, Parameters, Record
from loopx.application.use_cases.scan_pull_requests import ScanPullRequests
from loopx.domain.context import CallContext
from loopx.domain.pull_requests.data import PULL_REQUEST, to_data
from loopx.domain.pull_requests.query import Filter, Order, PullRequestQuery
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import GITHUB, read_repository
from loopx.domain.schema import CapabilitySpec, ParameterSpec

PR_REVIEW: Final = CapabilitySpec(
    name="pr_review",
    summary="Scan pull requests: checks, reviews, threads and whose turn it is",
    description=(
        "Reads every pull request of the given repositories in the wanted states, newest first, and "
        "yields one record each: who wrote it, what its checks and reviews amount to, which "
        "conversations are open, and who has to act next and why."
    ),
    parameters=(
        ParameterSpec(
            name="repo",
            description="A repository: owner/name or its address",
            required=True,
            repeated=True,
            example="octo-org/octo-repo",
        ),
        ParameterSpec(
            name="filter",
            description="Which states; closed means closed without merge",
            choices=tuple(Filter),
            default=Filter.OPEN.value,
        ),
        ParameterSpec(name="limit", description="At most this many records in all", kind=int, minimum=1),
        ParameterSpec(
            name="sort",
            description="Order of finished lists (table, markdown, csv); json and ndjson stream",
            choices=tuple(Order),
            default=Order.QUEUE.value,
        ),
    ),
    record=PULL_REQUEST,
)


class PullRequestReview:
    """The capability over the use case."""

    def __init__(self, *, scan: ScanPullRequests, default_host: str = GITHUB) -> None:
        self._scan = scan
        self._default_host = default_host

    @property
    def spec(self) -> CapabilitySpec:
        """Name, parameters and record."""
        return PR_REVIEW

    def run(self, parameters: Parameters, context: CallContext) -> AsyncIterator[Item]:
        """Start a scan.

        Raises:
            LoopXError: ``usage_error`` when a repository is not one.
        """
        names = cast("tuple[str, ...]", parameters["repo"])
        repositories = tuple(dict.fromkeys(read_repository(name, self._default_host) for name in names))
        query = PullRequestQuery(
            repositories=repositories,
            filter=Filter(str(parameters["filter"])),
            limit=cast("int | None", parameters["limit"]),
        )
        return self._stream(query, replace(context, capability=PR_REVIEW.name))

    async def _stream(self, query: PullRequestQuery, context: CallContext) -> AsyncIterator[Item]:
        async for item in self._scan(query, context):
            yield Record(PULL_REQUEST.type, to_data(item)) if isinstance(item, PullRequest) else item
