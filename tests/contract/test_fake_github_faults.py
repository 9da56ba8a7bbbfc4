"""The fake GitHub breaks its promises on demand, in the ways that networks and servers do."""

import time
from typing import Any

import httpx
import pytest

from fakes.github import (
    Answer,
    CutBody,
    Drip,
    FakeGitHub,
    GraphQLErrors,
    Hang,
    Latency,
    Reset,
    html_page,
    repository,
)
from fakes.github.asking import ask, only_page


def test_another_answer_can_be_given_with_its_own_headers() -> None:
    with FakeGitHub(repository(open=1)) as github:
        github.fail(Answer(403, {"message": "slow down"}, {"Retry-After": "7"}), on=1)
        refused, served = only_page(github), only_page(github)
    assert (refused.status_code, refused.headers["retry-after"], refused.json()) == (
        403,
        "7",
        {"message": "slow down"},
    )
    assert served.status_code == 200


def test_an_html_page_can_stand_in_for_an_answer() -> None:
    with FakeGitHub() as github:
        github.fail(html_page(502))
        response = only_page(github)
    assert response.status_code == 502
    assert response.headers["content-type"].startswith("text/html")
    assert response.text.startswith("<!DOCTYPE html>")


def test_a_fault_can_be_bound_to_requests_and_times() -> None:
    with FakeGitHub(repository(open=1)) as github:
        github.fail(Answer(500), on=lambda request: request.operation == "ReadPullRequest", times=1)
        found = {"owner": "octo-org", "name": "harbour", "number": 1}
        codes = [
            only_page(github).status_code,
            ask(github, "ReadPullRequest", **found).status_code,
            ask(github, "ReadPullRequest", **found).status_code,
        ]
    assert codes == [200, 500, 200]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (CutBody(), httpx.RemoteProtocolError),
        (CutBody(after=0), httpx.RemoteProtocolError),
        (Reset(), httpx.ReadError),
        (Reset(after=10), httpx.ReadError),
        (Hang(), httpx.ReadTimeout),
        (Hang(after=10), httpx.ReadTimeout),
        (Latency(60), httpx.ReadTimeout),
    ],
    ids=str,
)
def test_the_wire_can_break(fault: Any, error: type[Exception]) -> None:
    with FakeGitHub(repository(open=1)) as github:
        github.fail(fault)
        with pytest.raises(error):
            only_page(github, patience=0.3 if error is httpx.ReadTimeout else 30)


def test_an_answer_can_come_drop_by_drop() -> None:
    with FakeGitHub() as github:
        github.fail(Answer(404, b"0123456789"))
        github.fail(Drip(0.001, chunk=3))
        assert only_page(github).content == b"0123456789"


def test_an_answer_can_come_late() -> None:
    with FakeGitHub(repository(open=1)) as github:
        github.fail(Latency(0.05))
        started = time.monotonic()
        assert only_page(github).status_code == 200
        assert time.monotonic() - started >= 0.05


def test_part_of_an_answer_can_be_forbidden() -> None:
    path = ("repository", "pullRequests", "nodes", 1)
    forbidden = {
        "type": "FORBIDDEN",
        "path": list(path),
        "message": "Resource protected by organization SAML",
    }
    with FakeGitHub(repository(open=3)) as github:
        github.fail(GraphQLErrors([forbidden], null=[path]))
        answer = only_page(github).json()
    nodes = answer["data"]["repository"]["pullRequests"]["nodes"]
    assert [node and node["number"] for node in nodes] == [3, None, 1]
    assert answer["errors"] == [forbidden]


def test_all_of_an_answer_can_be_withheld() -> None:
    with FakeGitHub(repository(open=3)) as github:
        github.fail(GraphQLErrors([{"message": "Something went wrong"}], null=None))
        assert only_page(github).json() == {"data": None, "errors": [{"message": "Something went wrong"}]}
