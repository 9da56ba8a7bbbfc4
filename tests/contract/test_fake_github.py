"""The fake GitHub keeps GitHub's promises, and tells when the test itself is wrong."""

import time
from typing import Any

import httpx
import pytest

from fakes.github import FakeGitHub, FakeGitHubDefectError, Received, repository
from fakes.github.asking import ask, only_page, post

SERVER_SECONDS = 20


def scan(github: FakeGitHub, first: int = 25, states: list[str] | None = None) -> list[dict[str, Any]]:
    nodes, after, more = [], None, True
    with httpx.Client(trust_env=False) as client:
        while more:
            page_of = {
                "owner": "octo-org",
                "name": "harbour",
                "first": first,
                "after": after,
                "states": states,
            }
            answer = post(client, github, "ScanPullRequests", **page_of).json()
            assert "errors" not in answer
            page = answer["data"]["repository"]["pullRequests"]
            nodes += page["nodes"]
            more, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
    return nodes


def numbers(nodes: list[dict[str, Any]]) -> list[int]:
    return [node["number"] for node in nodes]


@pytest.mark.parametrize("first", [1, 3, 25])
def test_pages_hold_every_pull_request_once_newest_first(first: int) -> None:
    with FakeGitHub(repository(open=8, closed=3, merged=2)) as github:
        assert numbers(scan(github, first)) == list(range(13, 0, -1))


@pytest.mark.parametrize(("state", "count"), [("OPEN", 8), ("CLOSED", 3), ("MERGED", 2)])
def test_states_are_filtered_and_counted(state: str, count: int) -> None:
    with FakeGitHub(repository(open=8, closed=3, merged=2)) as github:
        nodes = scan(github, 5, [state])
        assert [node["state"] for node in nodes] == [state] * count
        assert set(github.operations()) == {"ScanPullRequests"}


def test_a_pull_request_closed_in_the_middle_of_a_scan_costs_no_other() -> None:
    def close(_request: Received) -> None:
        for node in github.repositories["octo-org/harbour"]["pullRequests"]:
            if node["number"] in {6, 9}:
                node["state"] = "CLOSED"

    with FakeGitHub(repository(open=10)) as github:
        github.before(close, on=2)
        # 9 was the end of page 1, and its cursor must still be good; 6 had yet to come.
        assert numbers(scan(github, 2, ["OPEN"])) == [10, 9, 8, 7, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("document", "field", "total"),
    [
        ("MoreLabels", "labels", 105),
        ("MoreReviewRequests", "reviewRequests", 103),
        ("MoreReviews", "reviews", 230),
        ("MoreThreads", "reviewThreads", 212),
        ("MoreChecks", "contexts", 250),
    ],
)
def test_inner_lists_are_followed_by_node_id(document: str, field: str, total: int) -> None:
    def page_of(node: dict[str, Any]) -> dict[str, Any]:
        rollup = node["commits"]["nodes"][0]["commit"]["statusCheckRollup"] if field == "contexts" else node
        found: dict[str, Any] = rollup[field]
        return found

    with FakeGitHub(repository(oversized=1)) as github:
        [pull_request] = scan(github)
        page = page_of(pull_request)
        seen = list(page["nodes"])
        while page["pageInfo"]["hasNextPage"]:
            after = page["pageInfo"]["endCursor"]
            page = page_of(ask(github, document, id=pull_request["id"], after=after).json()["data"]["node"])
            seen += page["nodes"]
        assert len(seen) == total == page["totalCount"]
        assert len({str(item) for item in seen}) == total


def test_a_thousand_pull_requests_are_served_fast() -> None:
    with FakeGitHub(repository(open=750, closed=150, merged=100)) as github:
        started = time.process_time()
        assert len(scan(github)) == 1_000
        assert time.process_time() - started < SERVER_SECONDS


def test_points_are_charged_as_github_charges_them() -> None:
    with FakeGitHub(repository(open=30)) as github:
        scan(github)
        answer = only_page(github).json()
    assert answer["data"]["rateLimit"] == {
        "cost": 1,
        "limit": 5_000,
        "used": 5,
        "remaining": 4_995,
        "resetAt": "2026-11-30T13:00:00Z",
        "nodeCount": 5_030,
    }


def test_requests_are_remembered_in_order_with_their_connections() -> None:
    with FakeGitHub(repository(open=3)) as github:
        scan(github, 1)
        ask(github, "ReadPullRequest", owner="octo-org", name="harbour", number=2)
        assert github.operations() == ["ScanPullRequests"] * 3 + ["ReadPullRequest"]
        assert [request.number for request in github.requests] == [1, 2, 3, 4]
        assert [request.connection for request in github.requests] == [1, 1, 1, 2]
        assert github.requests[-1].variables["number"] == 2
        assert github.requests[-1].header("Content-Type") == "application/json"
        assert github.most_in_flight == 1


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        ("ReadPullRequest", {"owner": "no", "name": "such", "number": 1}),
        ("ReadPullRequest", {"owner": "octo-org", "name": "harbour", "number": 99}),
        ("MoreLabels", {"id": "PR_no_such", "after": "x"}),
    ],
)
def test_what_is_not_there_is_not_found_in_githubs_words(document: str, variables: dict[str, Any]) -> None:
    with FakeGitHub(repository(open=1)) as github:
        [error] = ask(github, document, **variables).json()["errors"]
        assert error["type"] == "NOT_FOUND"
        assert error["message"].startswith("Could not resolve to a ")


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ("first: 101", "EXCESSIVE_PAGINATION"),
        ("orderBy: {field: CREATED_AT, direction: ASC}", "MISSING_PAGINATION_BOUNDARIES"),
        ('first: 1, after: "nonsense"', "INVALID_CURSOR_ARGUMENTS"),
    ],
)
def test_pages_github_would_refuse_are_refused(arguments: str, kind: str) -> None:
    page = f"pullRequests({arguments}) {{ totalCount }}"
    query = f'query q {{ repository(owner: "octo-org", name: "harbour") {{ {page} }} }}'
    with FakeGitHub(repository(open=1)) as github:
        assert [error["type"] for error in ask(github, query).json()["errors"]] == [kind]


def test_a_token_is_asked_for_when_the_test_wants_one() -> None:
    with FakeGitHub(repository(open=1), token="ghp_fake") as github:
        assert only_page(github).status_code == 401


def test_data_that_lack_a_field_fail_the_test() -> None:
    incomplete = repository(open=3)
    del incomplete["pullRequests"][1]["mergeable"]
    with pytest.raises(FakeGitHubDefectError, match="mergeable"), FakeGitHub(incomplete) as github:
        only_page(github)


def test_null_where_the_schema_allows_none_fails_the_test() -> None:
    wrong = repository(open=3)
    wrong["pullRequests"][1]["title"] = None
    with pytest.raises(FakeGitHubDefectError, match="non-nullable"), FakeGitHub(wrong) as github:
        only_page(github)


def test_a_query_against_the_schema_fails_the_test() -> None:
    with pytest.raises(FakeGitHubDefectError, match="nonsense"), FakeGitHub() as github:
        ask(github, "query q { nonsense }")


def test_a_defect_does_not_hide_the_tests_own_failure() -> None:
    def go_wrong(github: FakeGitHub) -> None:
        ask(github, "query q { nonsense }")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), FakeGitHub() as github:
        go_wrong(github)


def test_an_action_that_fails_fails_the_test() -> None:
    def stumble(_request: Received) -> None:
        raise ZeroDivisionError("on purpose")

    def stumble_over_a_request() -> None:
        with FakeGitHub() as github:
            github.before(stumble)
            with pytest.raises(httpx.RemoteProtocolError):
                only_page(github)

    with pytest.raises(FakeGitHubDefectError, match="on purpose"):
        stumble_over_a_request()
