"""Whatever GitHub hides, refuses or cuts off makes a record worse and never better."""

import asyncio
from typing import Any

import pytest

from fakes.github.answers import github, listing, node, page
from loopx.adapters.github.pull_requests import GitHubPullRequests
from loopx.adapters.memory.clock import MemoryClock
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.pull_requests.record import Decision, PersonKind, PullRequest, State, Threads, Verdict
from loopx.domain.pull_requests.triage import triage
from loopx.domain.repositories import Repository
from loopx.domain.results import Problem

HEAD, OTHER = "a" * 40, "b" * 40
NOON = "2026-11-30T12:00:00Z"
PATH = ["repository", "pullRequests", "nodes", 0]

Node = dict[str, Any]


def run(number: int, conclusion: str | None = "SUCCESS", **parts: object) -> Node:
    suite = {"app": {"slug": "actions"}, "workflowRun": {"event": "push", "workflow": {"name": "CI"}}}
    return {
        "__typename": "CheckRun",
        "id": f"CR_{number}",
        "databaseId": number,
        "name": "unit",
        "status": "COMPLETED" if conclusion else "QUEUED",
        "conclusion": conclusion,
        "startedAt": NOON if conclusion else None,
        "completedAt": NOON if conclusion else None,
        "detailsUrl": None,
        "checkSuite": suite,
    } | parts


def thread(number: int, *, resolved: bool) -> Node:
    return {"id": f"T_{number}", "isResolved": resolved, "isOutdated": False}


def given(number: int, login: str = "lena", kind: str = "User") -> Node:
    return {
        "id": f"R_{number}",
        "state": "APPROVED",
        "submittedAt": NOON,
        "author": {"__typename": kind, "login": login},
        "authorAssociation": "MEMBER",
        "authorCanPushToRepository": True,
        "commit": {"oid": HEAD},
    }


def commits(contexts: object, *, state: object = "SUCCESS", oid: str = HEAD) -> Node:
    rollup = {"state": state, "contexts": contexts}
    return {"nodes": [{"commit": {"oid": oid, "committedDate": NOON, "statusCheckRollup": rollup}}]}


def good(**parts: object) -> Node:
    """A pull request that is ready, with some of its parts changed."""
    ready = {"reviewDecision": "APPROVED", "reviews": page(given(1)), "commits": commits(page(run(1)))}
    return node() | ready | parts


def refused(*path: str | int) -> Node:
    return {"type": "FORBIDDEN", "message": "no", "path": [*PATH, *path]}


def inner(**fields: object) -> Node:
    return {"data": {"node": {"id": "PR_7", "headRefOid": HEAD} | fields, "rateLimit": None}}


def read(first: Node, *more: Node, errors: tuple[Node, ...] = ()) -> tuple[PullRequest, list[Problem]]:
    answer = listing(first) | ({"errors": list(errors)} if errors else {})
    source = GitHubPullRequests(transport=github(answer, *more), clock=MemoryClock())
    context = CallContext(trace=TraceContext("a" * 32, "b" * 16))

    async def scan() -> list[Any]:
        repository = Repository("github.com", "o", "r")
        return [batch async for batch in source.scan(repository, frozenset(State), None, context)]

    batches = asyncio.run(scan())
    (record,) = (one for batch in batches for one in batch.pull_requests)
    return record, [problem for batch in batches for problem in batch.problems]


def test_what_was_read_whole_is_ready() -> None:
    record, problems = read(good())
    assert (triage(record).state, problems) == ("ready", [])


@pytest.mark.parametrize(
    ("contexts", "verdict"),
    [
        (None, Verdict.UNAVAILABLE),
        (page() | {"nodes": None}, Verdict.UNAVAILABLE),
        (page(None, total=1), Verdict.UNAVAILABLE),
        (page(total=3), Verdict.UNAVAILABLE),
        (page(run(1), None, total=2), Verdict.UNKNOWN),
        (page(run(1), total=2), Verdict.UNKNOWN),
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_checks_that_are_hidden_or_fewer_than_counted_are_not_green(
    contexts: object, verdict: Verdict, told: bool
) -> None:
    errors = (refused("commits", "nodes", 0, "commit", "statusCheckRollup", "contexts"),) if told else ()
    record, _ = read(good(commits=commits(contexts)), errors=errors)
    assert record.checks.verdict is verdict
    assert triage(record).state == "checks_unclear"


def test_a_rerun_in_the_queue_is_not_replaced_by_an_older_success() -> None:
    record, _ = read(good(commits=commits(page(run(2, None), run(1)), state="PENDING")))
    assert record.checks.verdict is Verdict.PENDING


def test_two_runs_whose_suites_are_hidden_do_not_replace_each_other() -> None:
    runs = page(run(1, "FAILURE", checkSuite=None), run(2, checkSuite=None))
    record, _ = read(good(commits=commits(runs, state="FAILURE")))
    assert record.checks.verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        ("FAILURE", Verdict.UNKNOWN),
        ("PENDING", Verdict.PENDING),
        ("NEW", Verdict.UNKNOWN),
        (None, Verdict.UNKNOWN),
    ],
)
def test_githubs_own_summary_is_the_limit(state: object, verdict: Verdict) -> None:
    record, _ = read(good(commits=commits(page(run(1)), state=state)))
    assert record.checks.verdict is verdict


def test_the_checks_of_another_commit_do_not_judge_the_head() -> None:
    record, problems = read(good(commits=commits(page(run(1)), oid=OTHER)))
    assert (record.checks.verdict, record.checks.truncated) == (Verdict.UNKNOWN, True)
    assert [problem.error.reason for problem in problems] == ["changed_meanwhile"]


def test_further_checks_of_another_commit_do_not_count_either() -> None:
    first = good(commits=commits(page(run(1), total=2, cursor="x")))
    record, problems = read(first, inner(commits=commits(page(run(2, name="lint"), total=2), oid=OTHER)))
    assert (record.checks.verdict, dict(record.checks.counts)["pass"]) == (Verdict.UNKNOWN, 1)
    assert [problem.error.reason for problem in problems] == ["changed_meanwhile"]


def test_required_checks_that_were_refused_leave_no_green_and_those_that_are_null_do() -> None:
    record, _ = read(good(baseRef=None), errors=(refused("baseRef", "refUpdateRule"),))
    assert record.checks.verdict is Verdict.UNKNOWN
    record, _ = read(good(baseRef=None))
    assert record.checks.verdict is Verdict.PASS


@pytest.mark.parametrize(
    "threads",
    [
        None,
        page(None, total=1),
        page(total=2),
        page() | {"nodes": None},
        page(thread(1, resolved=True), None),
    ],
)
def test_threads_that_were_not_read_are_not_resolved(threads: object) -> None:
    record, _ = read(good(reviewThreads=threads))
    assert record.threads.truncated
    assert triage(record).state == "threads_unclear"


def test_threads_whose_further_page_fails_are_not_resolved() -> None:
    first = good(reviewThreads=page(thread(1, resolved=True), total=2, cursor="x"))
    record, problems = read(first, {"data": {"node": None, "rateLimit": None}})
    assert (record.threads, len(problems)) == (Threads(2, 0, 0, truncated=True), 1)


def test_a_thread_on_two_pages_is_one_thread_as_it_was_read_last() -> None:
    first = good(reviewThreads=page(thread(1, resolved=True), thread(2, resolved=False), total=3, cursor="x"))
    second = page(thread(2, resolved=True), thread(3, resolved=False), total=3)
    record, problems = read(first, inner(reviewThreads=second))
    assert (record.threads, problems) == (Threads(3, 1, 0), [])


def test_pages_that_overlap_and_end_early_are_truncated() -> None:
    first = good(reviewThreads=page(thread(1, resolved=True), total=3, cursor="x"))
    second = page(thread(1, resolved=True), thread(2, resolved=True), total=3)
    record, _ = read(first, inner(reviewThreads=second))
    assert record.threads.truncated


@pytest.mark.parametrize("reviews", [None, page(given(1), None), page(given(1), total=2)])
def test_a_refused_decision_is_not_computed_from_some_of_the_reviews(reviews: object) -> None:
    record, _ = read(good(reviewDecision=None, reviews=reviews), errors=(refused("reviewDecision"),))
    assert record.review.decision is Decision.UNKNOWN


def test_a_refused_decision_is_computed_from_all_of_the_reviews() -> None:
    record, _ = read(good(reviewDecision=None), errors=(refused("reviewDecision"),))
    assert record.review.decision is Decision.APPROVED


def test_a_kind_of_account_that_is_not_known_approves_nothing() -> None:
    reviews = page(given(1, "agent", "Machine"), given(2, "eve", "EnterpriseUserAccount"))
    record, _ = read(good(reviewDecision=None, reviews=reviews))
    assert record.review.approved_by == ("eve",)
    assert read(good(author={"__typename": "Machine", "login": "m"}))[0].author.kind is PersonKind.BOT


@pytest.mark.parametrize(
    ("mergeable", "state", "found"),
    [
        ("UNKNOWN", "UNKNOWN", "merge_unclear"),
        ("UNKNOWN", "CLEAN", "ready"),
        ("MERGEABLE", "NEW", "merge_unrecognized"),
    ],
)
def test_whether_it_can_be_merged_must_be_known(mergeable: str, state: str, found: str) -> None:
    record, _ = read(good(mergeable=mergeable, mergeStateStatus=state))
    assert triage(record).state == found
