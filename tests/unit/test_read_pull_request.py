import asyncio

from fakes.pull_requests import REPOSITORY, pull_request
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.application.ports.pull_request_source import PullRequestBatch, PullRequestSource
from loopx.application.use_cases.read_pull_request import ReadPullRequest
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import PullRequestReference
from loopx.domain.results import Problem, Status, Summary

CONTEXT = CallContext(trace=TraceContext("a" * 32, "b" * 16))


def read(source: PullRequestSource, number: int = 7) -> list[PullRequest | Problem | Summary]:
    async def run() -> list[PullRequest | Problem | Summary]:
        deed = ReadPullRequest(source=source, clock=MemoryClock())
        return [item async for item in deed(PullRequestReference(REPOSITORY, number), CONTEXT)]

    return asyncio.run(run())


def test_a_pull_request_comes_with_a_summary_that_says_it_is_whole() -> None:
    found, summary = read(MemoryPullRequests([pull_request(7), pull_request(8)]))
    assert found == pull_request(7)
    assert isinstance(summary, Summary)
    assert (summary.status, summary.records, summary.requests) == (Status.OK, 1, 1)
    assert summary.completeness.complete


def test_one_that_is_not_there_is_the_error_of_the_summary() -> None:
    problem, summary = read(MemoryPullRequests([pull_request(7)]), 9)
    assert isinstance(problem, Problem)
    assert isinstance(summary, Summary)
    assert (problem.subject, problem.error.reason) == ("github.com/octo/harbour#9", "not_found")
    assert (summary.status, summary.error) == (Status.NOT_FOUND, problem.error)
    assert not summary.completeness.complete
    assert summary.completeness.rerun == "loopx pr show octo/harbour#9"


class Patchy(MemoryPullRequests):
    async def read(self, reference: PullRequestReference, context: CallContext) -> PullRequestBatch:
        problem = Problem(reference.id, LoopXError("provider_graphql_error", "forbidden"))
        return PullRequestBatch(pull_requests=(pull_request(7),), problems=(problem,), requests=2)


def test_parts_that_could_not_be_read_are_named_and_make_it_partial() -> None:
    found, problem, summary = read(Patchy())
    assert isinstance(found, PullRequest)
    assert isinstance(problem, Problem)
    assert isinstance(summary, Summary)
    assert (summary.status, summary.completeness.reason, summary.error) == (Status.PARTIAL, "problems", None)
