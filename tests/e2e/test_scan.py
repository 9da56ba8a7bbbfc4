"""The main job from end to end: the real program scans a GitHub over real sockets."""

import json
import socket
from math import ceil
from pathlib import Path

import pytest

from fakes.github import Answer, CutBody, FakeGitHub, GraphQLErrors, Hang, html_page, repository
from fakes.github.expected import expected, told
from fakes.github.faults import Fault
from fakes.program import peak_memory, run, scan, start

NAME = "octo-org/harbour"


def test_a_thousand_pull_requests_give_every_open_one_exactly_once_with_every_field_true() -> None:
    with FakeGitHub(repository(open=743, closed=150, merged=100, oversized=7)) as github:
        finished = run(*scan(github.url(NAME), "--filter", "open"))
        nodes = {node["number"]: node for node in github.repositories[NAME]["pullRequests"]}
        pages = [name for name in github.operations() if name == "ScanPullRequests"]
        host = github.base_url.removeprefix("http://")
    assert (finished.code, finished.stderr) == (0, "")
    records = finished.of_type("pull_request")
    wanted = sorted(number for number, node in nodes.items() if node["state"] == "OPEN")
    assert sorted(record["number"] for record in records) == wanted
    for record in records:
        found, truth = told(record), expected(nodes[record["number"]], host, NAME)
        assert {name: found[name] for name in truth} == truth
    assert len(pages) <= 1 + ceil(len(wanted) / 25)
    summary = finished.lines[-1]
    assert (summary["type"], summary["status"], summary["records"]) == ("summary", "ok", 750)
    assert summary["completeness"]["complete"] is True


def test_inner_lists_longer_than_a_page_are_read_to_their_end() -> None:
    with FakeGitHub(repository(oversized=1)) as github:
        (record,) = run(*scan(github.url(NAME))).of_type("pull_request")
    assert len(record["labels"]) == 105
    assert len(record["review"]["requested"]) == 103
    assert record["threads"]["total"] == 212
    assert sum(record["checks"]["counts"].values()) == 250
    assert record["checks"]["truncated"] is False


@pytest.mark.parametrize(("chosen", "states"), [
    ("open", {"open"}), ("closed", {"closed"}), ("merged", {"merged"}), ("all", {"open", "closed", "merged"}),
])  # fmt: skip
def test_the_filter_gives_the_states_it_names(chosen: str, states: set[str]) -> None:
    with FakeGitHub(repository(open=5, closed=4, merged=3)) as github:
        records = run(*scan(github.url(NAME), "--filter", chosen)).of_type("pull_request")
    assert {record["state"] for record in records} == states
    assert len(records) == {"open": 5, "closed": 4, "merged": 3, "all": 12}[chosen]


def test_a_limit_is_kept_and_told_and_is_no_failure() -> None:
    with FakeGitHub(repository(open=60)) as github:
        finished = run(*scan(github.url(NAME), "--limit", 30))
        asked = [request.variables["first"] for request in github.requests]
    assert finished.code == 0
    assert [record["number"] for record in finished.of_type("pull_request")] == list(range(60, 30, -1))
    assert asked == [25, 5]
    completeness = finished.lines[-1]["completeness"]
    assert (completeness["complete"], completeness["reason"]) == (False, "limit")


def test_several_repositories_are_scanned_and_one_that_is_missing_spoils_none() -> None:
    with FakeGitHub(repository(open=3), repository(open=2, name="lock")) as github:
        finished = run(
            *scan(
                github.url(NAME), "--repo", github.url("octo-org/gone"), "--repo", github.url("octo-org/lock")
            )
        )
    assert finished.code == 3
    assert [record["repository"] for record in finished.of_type("pull_request")] == [NAME] * 3 + [
        "octo-org/lock"
    ] * 2
    (problem,) = finished.of_type("error")
    assert (problem["code"], problem["reason"]) == ("provider_graphql_error", "not_found")
    assert "octo-org/gone" in problem["hint"]
    assert [part["complete"] for part in finished.lines[-1]["completeness"]["per_source"]] == [
        True,
        False,
        True,
    ]


def test_the_first_page_is_printed_while_the_second_is_still_awaited() -> None:
    with FakeGitHub(repository(open=40)) as github:
        github.fail(Hang(), on=2)
        process = start(*scan(github.url(NAME), "--timeout", 2))
        assert process.stdout is not None
        first = [json.loads(process.stdout.readline()) for _ in range(25)]
        still_running = process.poll() is None
        stdout, _ = process.communicate(timeout=30)
    assert [line["type"] for line in first] == ["pull_request"] * 25
    assert still_running
    rest = [json.loads(line) for line in stdout.splitlines()]
    assert [line["type"] for line in rest] == ["error", "summary"]
    assert (rest[0]["code"], rest[1]["status"], process.returncode) == ("deadline_exceeded", "partial", 3)


def test_memory_does_not_grow_with_the_number_of_pull_requests(tmp_path: Path) -> None:
    peaks = []
    for count in (100, 1_000):
        with FakeGitHub(repository(open=count)) as github:
            peaks.append(peak_memory(tmp_path / str(count), *scan(github.url(NAME))))
    assert peaks[1] < 1.05 * peaks[0]


def no_body(status: int) -> Answer:
    return Answer(status, {"message": "as the test wants it"})


FAILURES: dict[str, tuple[Fault, str, str, int]] = {
    "404": (no_body(404), "provider_http_error", "not_found", 69),
    "401": (no_body(401), "provider_http_error", "unauthorized", 77),
    "403": (no_body(403), "provider_http_error", "forbidden", 77),
    "429": (no_body(429), "provider_http_error", "rate_limited", 75),
    "500": (no_body(500), "provider_http_error", "server_error", 69),
    "502 page": (html_page(502), "provider_http_error", "server_error", 69),
    "page": (html_page(200), "provider_response_invalid", "content_type", 65),
    "no json": (Answer(200, "oops"), "provider_response_invalid", "json", 65),
    "json array": (Answer(200, "[]"), "provider_response_invalid", "schema", 65),
    "cut body": (CutBody(), "provider_network_error", "truncated", 69),
    "hang": (Hang(), "deadline_exceeded", "call", 75),
    "hang in body": (Hang(after=40), "deadline_exceeded", "call", 75),
}


@pytest.mark.parametrize("name", FAILURES)
def test_each_failure_ends_in_time_with_a_code_and_what_to_do(name: str) -> None:
    fault, code, reason, exit_code = FAILURES[name]
    with FakeGitHub(repository(open=3)) as github:
        github.fail(fault)
        finished = run(*scan(github.url(NAME), "--timeout", 2))
    assert (finished.error["code"], finished.error["reason"], finished.code) == (code, reason, exit_code)
    assert finished.error["hint"]
    assert finished.error["elapsed_ms"] is None or finished.error["elapsed_ms"] < 2_500
    assert finished.lines[-1]["type"] == "summary"
    assert finished.lines[-1]["completeness"]["complete"] is False


def test_a_dead_port_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        port = closed_soon.getsockname()[1]
    finished = run(*scan(f"http://127.0.0.1:{port}/{NAME}"))
    assert (finished.error["code"], finished.error["reason"]) == ("provider_network_error", "connect_refused")
    assert (finished.code, bool(finished.error["hint"])) == (69, True)


def test_a_token_goes_to_the_host_it_belongs_to_and_to_no_other() -> None:
    token = "ghp_" + "0" * 36
    with FakeGitHub(repository(open=1)) as github:
        host = github.base_url.removeprefix("http://")
        environments = (
            {"GH_TOKEN": token},
            {"GH_ENTERPRISE_TOKEN": token},
            {"GH_ENTERPRISE_TOKEN": token, "GH_HOST": host},
        )
        for environment in environments:
            run(*scan(github.url(NAME)), environment=environment)
        sent = [request.header("authorization") for request in github.requests]
    assert sent == [None, None, f"Bearer {token}"]


def test_every_call_says_who_makes_it() -> None:
    trace = f"00-{'a' * 32}-{'b' * 16}-01"
    with FakeGitHub(repository(open=1)) as github:
        run(
            *scan(github.url(NAME), "--agent-id", "agent-7", "--turn-id", "turn-3"),
            environment={"TRACEPARENT": trace},
        )
        (request,) = github.requests
    assert request.header("x-loopx-agent-id") == "agent-7"
    assert request.header("x-loopx-turn-id") == "turn-3"
    assert (request.header("traceparent") or "").startswith(f"00-{'a' * 32}-")
    assert (request.header("traceparent") or "")[36:52] != "b" * 16


def test_partial_answers_give_the_good_records_and_name_the_rest() -> None:
    path = ("repository", "pullRequests", "nodes", 1)
    saml = {"type": "FORBIDDEN", "path": list(path), "extensions": {"saml_failure": True}, "message": "SAML"}
    with FakeGitHub(repository(open=3)) as github:
        github.fail(GraphQLErrors([saml], null=[path]))
        finished = run(*scan(github.url(NAME)))
    assert (finished.code, [record["number"] for record in finished.of_type("pull_request")]) == (3, [3, 1])
    (problem,) = finished.of_type("error")
    assert (problem["code"], problem["reason"]) == ("provider_graphql_error", "saml_required")


def test_checks_that_may_not_be_read_are_unavailable_and_not_absent() -> None:
    path = ("repository", "pullRequests", "nodes", 0, "commits", "nodes", 0, "commit", "statusCheckRollup")
    refused = {"type": "FORBIDDEN", "path": list(path), "message": "Resource not accessible"}
    with FakeGitHub(repository(open=1)) as github:
        github.fail(GraphQLErrors([refused], null=[path]))
        finished = run(*scan(github.url(NAME)))
    (record,) = finished.of_type("pull_request")
    assert (record["checks"]["verdict"], finished.code) == ("unavailable", 3)


def test_a_cursor_that_repeats_ends_the_scan_with_a_code() -> None:
    page = {"hasNextPage": True, "endCursor": "again"}
    listing = {"totalCount": 0, "pageInfo": page, "nodes": []}
    answer = {
        "data": {
            "repository": {"nameWithOwner": NAME, "url": "x", "pullRequests": listing},
            "rateLimit": None,
        }
    }
    with FakeGitHub(repository(open=1)) as github:
        github.fail(Answer(200, answer))
        finished = run(*scan(github.url(NAME)))
        asked = len(github.requests)
    assert (finished.error["code"], finished.error["reason"]) == ("provider_pagination_error", "cursor_loop")
    assert asked <= 2
