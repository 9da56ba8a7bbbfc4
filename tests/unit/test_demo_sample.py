"""The sample shows what can happen to a pull request, and is true to itself."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from graphql import GraphQLEnumType

from fakes.github.execution import github_schema
from loopx.entrypoints.demo.nodes import Node
from loopx.entrypoints.demo.sample import sample_repository, sample_stories
from loopx.entrypoints.demo.story import Check, Review, Story

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PULL_REQUESTS: list[Node] = sample_repository(NOW)["pullRequests"]
CONTEXTS: list[Node] = [
    context
    for node in PULL_REQUESTS
    if (rollup := node["commits"][0]["commit"]["statusCheckRollup"])
    for context in rollup["contexts"]
]


def enumeration(name: str) -> set[str]:
    kind = github_schema().type_map[name]
    assert isinstance(kind, GraphQLEnumType)
    return set(kind.values)


def values(field: str, nodes: list[Node] = PULL_REQUESTS) -> set[Any]:
    return {node[field] for node in nodes}


def flat(field: str) -> list[Node]:
    return [item for node in PULL_REQUESTS for item in node[field]]


def kinds(actors: list[Node | None]) -> set[str | None]:
    return {actor["__typename"] if actor else None for actor in actors}


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def test_there_are_about_40_pull_requests_with_numbers_in_the_order_of_their_opening() -> None:
    assert 38 <= len(PULL_REQUESTS) <= 46
    assert [node["number"] for node in sorted(PULL_REQUESTS, key=lambda node: str(node["createdAt"]))] == [
        story.number for story in sample_stories()
    ]


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("state", "PullRequestState"),
        ("mergeable", "MergeableState"),
        ("reviewDecision", "PullRequestReviewDecision"),
    ],
)
def test_every_value_of_a_pull_requests_own_states_occurs(field: str, name: str) -> None:
    assert values(field) - {None} == enumeration(name)


def test_there_are_pull_requests_without_a_decision() -> None:
    assert None in values("reviewDecision")


def test_every_state_of_a_merge_but_hooks_occurs() -> None:
    assert values("mergeStateStatus") == enumeration("MergeStateStatus") - {"HAS_HOOKS"}


def test_every_state_of_a_review_occurs() -> None:
    assert values("state", flat("reviews")) == enumeration("PullRequestReviewState")


def test_every_conclusion_of_a_check_occurs() -> None:
    runs = [context for context in CONTEXTS if context["__typename"] == "CheckRun"]
    assert values("conclusion", runs) - {None} == enumeration("CheckConclusionState")
    assert {"QUEUED", "IN_PROGRESS", "COMPLETED"} <= values("status", runs)


def test_every_state_of_a_status_occurs() -> None:
    statuses = [context for context in CONTEXTS if context["__typename"] == "StatusContext"]
    assert values("state", statuses) == enumeration("StatusState")


def test_every_kind_of_account_opens_pull_requests() -> None:
    authors = kinds([node["author"] for node in PULL_REQUESTS])
    assert authors == {"User", "Bot", "Organization", "Mannequin", None}


def test_every_kind_of_reviewer_is_asked_also_as_code_owner() -> None:
    requests = flat("reviewRequests")
    asked = kinds([request["requestedReviewer"] for request in requests])
    assert asked == {"User", "Bot", "Mannequin", "Team", None}
    assert values("asCodeOwner", requests) == {True, False}


def test_heads_lie_here_in_forks_and_nowhere() -> None:
    heads = {node["headRepository"] and node["headRepository"]["nameWithOwner"] for node in PULL_REQUESTS}
    assert {"loopx-demo/harbour", None} < heads


@pytest.mark.parametrize("field", ["isDraft", "isInMergeQueue"])
def test_what_may_be_so_or_not_is_shown_both_ways(field: str) -> None:
    assert values(field) == {True, False}


@pytest.mark.parametrize("field", ["milestone", "autoMergeRequest", "baseRef", "closedAt", "mergedAt"])
def test_what_may_be_missing_is_shown_both_ways(field: str) -> None:
    assert {node[field] is None for node in PULL_REQUESTS} == {True, False}


def test_an_approval_can_be_older_than_the_head() -> None:
    stale = [
        review
        for node in PULL_REQUESTS
        for review in node["reviews"]
        if review["state"] == "APPROVED" and review["commit"]["oid"] != node["headRefOid"]
    ]
    assert stale


def test_threads_are_resolved_unresolved_and_outdated() -> None:
    found = {(thread["isResolved"], thread["isOutdated"]) for thread in flat("reviewThreads")}
    assert found == {(True, False), (False, False), (False, True)}


def test_some_pull_request_becomes_ready_after_it_was_a_draft() -> None:
    assert flat("timelineItems")


def test_some_checks_are_superseded_by_a_rerun() -> None:
    def identities(story: Story) -> list[object]:
        return [(run.name, run.workflow, run.event) for run in story.checks if isinstance(run, Check)]

    assert any(len(set(identities(story))) < len(identities(story)) for story in sample_stories())


def test_some_required_check_is_missing_though_others_passed() -> None:
    def names(node: Node) -> set[str]:
        rollup = node["commits"][0]["commit"]["statusCheckRollup"] or {"contexts": []}
        return {context.get("name") or context["context"] for context in rollup["contexts"]}

    assert any({"build"} <= names(node) and "unit tests" not in names(node) for node in PULL_REQUESTS)
    assert any(names(node) == set() for node in PULL_REQUESTS)


@pytest.mark.parametrize("field", ["reviews", "reviewThreads"])
def test_some_lists_take_more_than_one_page(field: str) -> None:
    assert max(len(node[field]) for node in PULL_REQUESTS) > 100


def test_some_checks_take_more_than_one_page() -> None:
    assert max(len(story.checks) for story in sample_stories()) > 100


@pytest.mark.parametrize("sign", ["\x1b[", "\x1b]", "\x07", "\u202e", "|", "🚢", "潮"])
def test_titles_hold_what_a_terminal_or_a_table_must_not_trip_over(sign: str) -> None:
    assert any(sign in node["title"] for node in PULL_REQUESTS)


def test_a_title_starts_like_a_formula() -> None:
    assert any(node["title"].startswith("=") for node in PULL_REQUESTS)


def test_nothing_happens_in_the_future() -> None:
    limit = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
    moments = [
        text for text in strings(PULL_REQUESTS) if len(text) == 20 and text.endswith("Z") and "T" in text
    ]
    assert moments
    assert max(moments) <= limit


def test_every_node_of_a_kind_has_an_id_of_its_own() -> None:
    ids = [node["id"] for node in (*PULL_REQUESTS, *CONTEXTS, *flat("reviews"), *flat("reviewThreads"))]
    assert len(set(ids)) == len(ids)


def test_the_same_moment_gives_the_same_sample() -> None:
    assert sample_repository(NOW) == sample_repository(NOW)
    assert sample_repository(NOW) != sample_repository(NOW + timedelta(hours=1))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"state": "DRAFT"}, "no such state"),
        ({"state": "MERGED"}, "only an ended"),
        ({"ended": 0.5}, "only an ended"),
        ({"pushed": 2.0}, "before it was opened"),
        ({"reviews": (Review("ada", "APPROVED", 1.5),)}, "before it was opened"),
        ({"pushed": 0.001, "checks": (Check("build"),)}, "in the future"),
    ],
)
def test_a_story_that_contradicts_itself_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Story(title="Too good to be true", opened=1.0, **wrong)
