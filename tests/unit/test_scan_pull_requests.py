"""The scan as a use case: what is counted, what is missing, and how it ends."""

import asyncio
from datetime import timedelta

from fakes.pull_requests import NOON, REPOSITORY, pull_request
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.application.use_cases.scan_pull_requests import ScanPullRequests
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.query import Filter, PullRequestQuery
from loopx.domain.pull_requests.record import PullRequest, State
from loopx.domain.repositories import Repository
from loopx.domain.results import Problem, Status, Summary

CONTEXT = CallContext(trace=TraceContext("a" * 32, "b" * 16))
GONE = Repository("github.com", "octo", "gone")
CUT = LoopXError("provider_network_error", "truncated")


def held(count: int, **changes: object) -> list[PullRequest]:
    return [
        pull_request(number, created_at=NOON + timedelta(minutes=number), **changes)
        for number in range(1, count + 1)
    ]


def scan(source: MemoryPullRequests, *repositories: Repository, **wishes: object) -> list[object]:
    query = PullRequestQuery(repositories=repositories or (REPOSITORY,), **wishes)  # type: ignore[arg-type]  # checked by the dataclass

    async def collect() -> list[object]:
        use_case = ScanPullRequests(source=source, clock=MemoryClock())
        return [item async for item in use_case(query, CONTEXT)]

    return asyncio.run(collect())


def summary_of(items: list[object]) -> Summary:
    assert isinstance(items[-1], Summary)
    return items[-1]


def test_everything_wanted_is_given_and_the_summary_says_it_is_complete() -> None:
    items = scan(MemoryPullRequests(held(30)))
    summary = summary_of(items)
    assert [one.reference.number for one in items if isinstance(one, PullRequest)] == list(range(30, 0, -1))
    assert (summary.status, summary.records, summary.requests) == (Status.OK, 30, 2)
    assert (summary.completeness.complete, summary.completeness.rerun, summary.error) == (True, None, None)


def test_nothing_to_give_is_empty_and_complete() -> None:
    summary = summary_of(scan(MemoryPullRequests(repositories=[REPOSITORY])))
    assert (summary.status, summary.completeness.complete) == (Status.EMPTY, True)


def test_a_limit_that_cuts_is_told_with_the_command_for_the_rest() -> None:
    summary = summary_of(scan(MemoryPullRequests(held(30)), limit=10))
    assert (summary.status, summary.records) == (Status.OK, 10)
    assert (summary.completeness.complete, summary.completeness.reason) == (False, "limit")
    assert summary.completeness.rerun == "loopx capability run pr_review --repo octo/harbour --filter open"


def test_a_limit_that_is_not_reached_or_just_reached_cuts_nothing() -> None:
    for limit in (30, 31):
        assert summary_of(scan(MemoryPullRequests(held(30)), limit=limit)).completeness.complete


def test_the_limit_is_for_all_repositories_together() -> None:
    other = Repository("github.com", "octo", "lock")
    source = MemoryPullRequests([*held(3), pull_request(9, reference=_reference(other, 9))])
    items = scan(source, REPOSITORY, other, limit=3)
    summary = summary_of(items)
    assert len([one for one in items if isinstance(one, PullRequest)]) == 3
    assert [part.complete for part in summary.completeness.per_source] == [True, False]
    assert len(source.requests) == 1


def test_a_repository_that_fails_does_not_spoil_the_others() -> None:
    items = scan(MemoryPullRequests(held(2)), GONE, REPOSITORY)
    summary = summary_of(items)
    assert [one.subject for one in items if isinstance(one, Problem)] == ["github.com/octo/gone"]
    assert (summary.status, summary.records, summary.error) == (Status.PARTIAL, 2, None)
    assert summary.completeness.reason == "provider_graphql_error/not_found"


def test_when_nothing_at_all_could_be_read_the_first_error_decides() -> None:
    summary = summary_of(scan(MemoryPullRequests(), GONE))
    assert summary.error is not None
    assert (summary.status, summary.error.reason) == (Status.NOT_FOUND, "not_found")


def test_a_failure_after_the_first_page_keeps_the_page_and_is_partial() -> None:
    items = scan(MemoryPullRequests(held(30), failures={2: CUT}))
    summary = summary_of(items)
    assert (summary.status, summary.records, summary.error) == (Status.PARTIAL, 25, None)
    assert (summary.completeness.complete, summary.completeness.reason) == (
        False,
        "provider_network_error/truncated",
    )


def test_only_the_states_of_the_filter_are_given() -> None:
    items = scan(
        MemoryPullRequests([pull_request(1), pull_request(2, state=State.MERGED)]), filter=Filter.MERGED
    )
    assert [one.reference.number for one in items if isinstance(one, PullRequest)] == [2]


def test_the_same_pull_request_twice_is_given_once() -> None:
    items = scan(MemoryPullRequests([pull_request(1), pull_request(1)]))
    assert len([one for one in items if isinstance(one, PullRequest)]) == 1


def _reference(repository: Repository, number: int) -> object:
    from loopx.domain.repositories import PullRequestReference

    return PullRequestReference(repository, number)
