"""What GitHub answers on odd days: legal, rare, and each once the end of some other tool."""

import asyncio
import json
from itertools import count
from typing import Any

import pytest

from fakes.github.answers import github, listing, node, page
from loopx.adapters.github.pull_requests import GitHubPullRequests
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.transport import MemoryTransport
from loopx.application.use_cases.scan_pull_requests import ScanPullRequests
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest
from loopx.domain.pull_requests.data import to_data
from loopx.domain.pull_requests.query import PullRequestQuery
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import PullRequestReference, Repository
from loopx.domain.results import Problem, Status, Summary

REPOSITORY = Repository("github.com", "o", "r")
CONTEXT = CallContext(trace=TraceContext("a" * 32, "b" * 16))


class Scanned:
    """A scan of o/r over these answers, sorted by what came."""

    def __init__(self, transport: MemoryTransport, limit: int | None = None, *more: Repository) -> None:
        clock = MemoryClock()
        scan = ScanPullRequests(source=GitHubPullRequests(transport=transport, clock=clock), clock=clock)
        query = PullRequestQuery(repositories=(REPOSITORY, *more), limit=limit)
        items = asyncio.run(_collect(scan, query))
        self.records = [item for item in items if isinstance(item, PullRequest)]
        self.problems = [item for item in items if isinstance(item, Problem)]
        self.summary = next(item for item in items if isinstance(item, Summary))
        self.requests = len(transport.requests)

    @property
    def numbers(self) -> list[int]:
        return [record.reference.number for record in self.records]

    @property
    def reasons(self) -> list[str]:
        return [problem.error.reason for problem in self.problems]


async def _collect(scan: ScanPullRequests, query: PullRequestQuery) -> list[object]:
    return [item async for item in scan(query, CONTEXT)]


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "soon", "2026-11-30", 7]
)
def test_a_moment_that_is_none_is_a_problem_of_its_pull_request_alone(moment: object) -> None:
    found = Scanned(github(listing(node(2, createdAt=moment), node(1))))
    assert (found.numbers, found.reasons) == ([1], ["schema"])
    assert "createdAt" in found.problems[0].error.what


def test_the_first_moment_of_all_is_written_as_a_moment() -> None:
    found = Scanned(github(listing(node(createdAt="0001-01-01T00:00:00Z"))))
    assert to_data(found.records[0])["created_at"] == "0001-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "reset", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-01-01T00:00:00Z", "soon"]
)
def test_a_limit_that_is_reset_at_no_time_is_left_out(reset: str) -> None:
    answer = listing(node())
    answer["data"]["rateLimit"] = {
        "cost": 1,
        "limit": 5,
        "remaining": 4,
        "used": 1,
        "resetAt": reset,
        "nodeCount": 1,
    }
    assert Scanned(github(answer)).summary.rate == ()


def test_half_a_character_in_a_title_costs_that_character_only() -> None:
    found = Scanned(github(listing(node(title="a\ud800b"))))
    assert [record.title for record in found.records] == ["a\ufffdb"]


def test_fewer_than_were_counted_without_a_further_page_is_incomplete() -> None:
    found = Scanned(github(listing(node(), total=500)))
    assert (found.summary.status, found.summary.completeness.reason) == (Status.PARTIAL, "missing_records")


def test_what_was_opened_or_closed_meanwhile_is_no_loss() -> None:
    opened = Scanned(github(listing(node(2), total=2, cursor="c"), listing(node(1), total=3)))
    closed = Scanned(github(listing(node(3), total=3, cursor="c"), listing(node(1), total=2)))
    assert opened.summary.completeness.complete
    assert closed.summary.completeness.complete
    assert "changed while it was read" in opened.summary.warnings[0]


def test_a_pull_request_on_two_pages_does_not_fill_the_limit_twice() -> None:
    answers = (
        listing(node(3), node(2), total=9, cursor="c"),
        listing(node(2), node(1), total=9, cursor="d"),
        listing(node(9), total=9),
    )
    found = Scanned(github(*answers), limit=4)
    assert found.numbers == [3, 2, 1, 9]


def test_the_same_repository_under_two_names_gives_each_pull_request_once() -> None:
    found = Scanned(github(listing(node())), None, Repository("github.com", "o", "old-name"))
    assert found.numbers == [7]


def test_new_cursors_for_the_same_page_end_with_a_code() -> None:
    cursors = count()
    found = Scanned(github(lambda _request: listing(node(), total=1, cursor=str(next(cursors)))))
    assert (found.reasons, found.requests) == (["no_progress"], 4)


def test_inner_pages_that_bring_nothing_end_with_a_code() -> None:
    cursors = count()

    def more(_request: HttpRequest) -> dict[str, Any]:
        threads = page(total=150, cursor=str(next(cursors)))
        return {
            "data": {
                "node": {"id": "PR_7", "headRefOid": "a" * 40, "reviewThreads": threads},
                "rateLimit": None,
            }
        }

    found = Scanned(github(listing(node(reviewThreads=page(total=150, cursor="x"))), more))
    assert (found.reasons, found.numbers) == (["no_progress"], [7])
    assert found.requests < 6


def test_what_the_server_says_of_an_inner_page_is_told() -> None:
    checks = {"state": "SUCCESS", "contexts": page(total=150, cursor="x")}
    commit = {"oid": "a" * 40, "committedDate": "2026-11-30T12:00:00Z", "statusCheckRollup": checks}
    first = node(commits={"nodes": [{"commit": commit}]})
    rest = {"oid": "a" * 40, "statusCheckRollup": {"state": "SUCCESS", "contexts": page(None, total=150)}}
    inner = {"id": "PR_7", "headRefOid": "a" * 40, "commits": {"nodes": [{"commit": rest}]}}
    refused = {"type": "FORBIDDEN", "message": "no", "path": ["node", "commits"]}
    found = Scanned(github(listing(first), {"data": {"node": inner, "rateLimit": None}, "errors": [refused]}))
    assert found.reasons == ["forbidden"]
    assert found.problems[0].subject == "checks of github.com/o/r#7"
    assert not found.summary.completeness.complete


def test_entries_that_are_left_out_without_a_word_are_told() -> None:
    found = Scanned(github(listing(node(2, reviews=page(None)), None, node(1))))
    assert (found.numbers, sorted(found.reasons)) == ([2, 1], ["withheld", "withheld"])
    assert found.summary.status is Status.PARTIAL


def test_results_that_single_sign_on_cut_are_not_complete() -> None:
    found = Scanned(github(listing(node()), **{"X-GitHub-SSO": "partial-results; organizations=1,2"}))
    assert (found.numbers, found.reasons) == ([7], ["saml_required"])


def test_another_pull_request_than_the_one_asked_for_is_refused() -> None:
    answer = {"data": {"repository": {"nameWithOwner": "o/r", "pullRequest": node(99)}, "rateLimit": None}}
    source = GitHubPullRequests(transport=github(answer), clock=MemoryClock())
    with pytest.raises(LoopXError) as caught:
        asyncio.run(source.read(PullRequestReference(REPOSITORY, 7), CONTEXT))
    assert (caught.value.code, caught.value.reason) == ("provider_response_invalid", "schema")


def test_a_moved_api_is_asked_the_same_question_again() -> None:
    from loopx.adapters.memory.transport import Reply
    from loopx.domain.http.message import Headers

    def handle(request: HttpRequest) -> Reply:
        if request.url.endswith("/graphql"):
            return Reply(status=301, headers=Headers.of({"Location": "/moved"}))
        return Reply(content=json.dumps(listing(node())).encode())

    transport = MemoryTransport(handle)
    assert Scanned(transport).numbers == [7]
    assert [(sent.method, bool(sent.body)) for sent in transport.requests] == [("POST", True), ("POST", True)]
