"""A token of no known shape, echoed by the server wherever it can, reaches no output."""

import pytest

from fakes.github import Answer, FakeGitHub, GraphQLErrors, repository
from fakes.github.faults import Fault
from fakes.program import run, scan

NAME = "octo-org/harbour"
TOKEN = "0123456789abcdef" * 2
ECHO = f"you sent {TOKEN}, did you not"

ECHOES: dict[str, Fault] = {
    "graphql error": GraphQLErrors([{"message": ECHO}], null=None),
    "graphql error beside data": GraphQLErrors([{"message": ECHO, "path": ["repository"]}]),
    "refusal": Answer(403, {"message": ECHO}),
    "refusal in a header": Answer(403, {"message": "no"}, {"X-GitHub-Request-Id": TOKEN}),
    "redirect without a place": Answer(302, {"message": ECHO}),
    "redirect with the token in its place": Answer(302, "", {"Location": f"/elsewhere/{TOKEN}"}),
    "no json": Answer(200, ECHO),
    "not the shape": Answer(
        200, {"data": {"repository": {"nameWithOwner": NAME, "pullRequests": {TOKEN: 1}}}}
    ),
}


@pytest.mark.parametrize(
    ("name", "output"), list(zip(ECHOES, ["ndjson", "table"] * len(ECHOES), strict=False))
)
def test_what_the_server_says_back_is_masked(name: str, output: str) -> None:
    with FakeGitHub(repository(open=2)) as github:
        github.fail(ECHOES[name])
        host = github.base_url.removeprefix("http://")
        environment = {"GH_HOST": host, "GH_ENTERPRISE_TOKEN": TOKEN}
        finished = run(*scan(github.url(NAME), "-o", output, "--debug"), environment=environment)
        assert github.requests[0].header("authorization") == f"Bearer {TOKEN}"
    assert TOKEN not in finished.stdout + finished.stderr


def test_a_title_that_holds_the_token_is_masked() -> None:
    with FakeGitHub(repository(open=1)) as github:
        github.repositories[NAME]["pullRequests"][0]["title"] = ECHO
        host = github.base_url.removeprefix("http://")
        environment = {"GH_HOST": host, "GH_ENTERPRISE_TOKEN": TOKEN}
        outputs = [
            run(*scan(github.url(NAME), "-o", output), environment=environment)
            for output in ("ndjson", "table")
        ]
    assert all(TOKEN not in finished.stdout + finished.stderr for finished in outputs)
    assert "you sent ***" in outputs[0].stdout
