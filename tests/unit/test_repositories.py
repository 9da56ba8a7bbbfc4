"""Repositories and pull requests as people write them."""

import pytest

from loopx.domain.errors import LoopXError
from loopx.domain.repositories import PullRequestReference, Repository, read_reference, read_repository

HARBOUR = Repository("github.com", "octo", "harbour")


@pytest.mark.parametrize(
    "text",
    [
        "octo/harbour",
        " octo/harbour ",
        "github.com/octo/harbour",
        "https://github.com/octo/harbour",
        "https://github.com/octo/harbour/",
        "https://github.com/octo/harbour.git",
        "https://www.github.com/octo/harbour",
        "https://GitHub.com/octo/harbour",
        "https://x-access-token:ghp_000000000000000000000000@github.com/octo/harbour.git",
        "git@github.com:octo/harbour.git",
        "git@github.com:octo/harbour",
        "ssh://git@github.com/octo/harbour.git",
        "ssh://git@ssh.github.com:443/octo/harbour.git",
        "git://github.com/octo/harbour.git",
    ],
)
def test_every_usual_spelling_means_the_same_repository(text: str) -> None:
    assert read_repository(text) == HARBOUR


@pytest.mark.parametrize(
    ("text", "graphql"),
    [
        ("octo/harbour", "https://api.github.com/graphql"),
        ("https://tenant.ghe.com/octo/harbour", "https://api.tenant.ghe.com/graphql"),
        ("https://ghes.example/octo/harbour", "https://ghes.example/api/graphql"),
        ("https://ghes.example:8443/octo/harbour", "https://ghes.example:8443/api/graphql"),
        ("http://127.0.0.1:4000/octo/harbour", "http://127.0.0.1:4000/api/graphql"),
        ("http://localhost:4000/octo/harbour", "http://localhost:4000/api/graphql"),
    ],
)
def test_each_host_has_its_own_api_address(text: str, graphql: str) -> None:
    assert read_repository(text).graphql_url == graphql


def test_a_short_name_goes_to_the_default_host() -> None:
    assert read_repository("octo/harbour", "ghes.example").host == "ghes.example"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "harbour",
        "octo/",
        "/harbour",
        "octo/..",
        "octo/.git",
        "octo/harbour/extra",
        "octo harbour",
        "https://github.com/octo",
        "https://github.com/octo/harbour?tab=code",
        "https://[broken/octo/harbour",
        "octo/har\nbour",
        "../octo/harbour",
        "-octo/harbour",
    ],
)
def test_what_is_no_repository_is_refused_with_its_own_words(text: str) -> None:
    with pytest.raises(LoopXError) as caught:
        read_repository(text)
    assert (caught.value.code, caught.value.reason) in {
        ("usage_error", "repository"),
        ("request_invalid", "url"),
    }


def test_plain_http_is_for_loopback_only() -> None:
    with pytest.raises(LoopXError) as caught:
        read_repository("http://github.com/octo/harbour")
    assert (caught.value.code, caught.value.reason) == ("egress_blocked", "scheme")


def test_a_token_in_an_address_is_not_shown_again() -> None:
    with pytest.raises(LoopXError) as caught:
        read_repository("https://ghp_000000000000000000000000@github.com/octo")
    assert "ghp_" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("#12", 12),
        ("octo/harbour#12", 12),
        ("https://github.com/octo/harbour/pull/12", 12),
        ("https://github.com/octo/harbour/pull/12/files", 12),
        ("https://github.com/octo/harbour/pull/12#issuecomment-99", 12),
        ("https://github.com/octo/harbour/pull/12?diff=split", 12),
        ("https://github.com/octo/harbour#12", 12),
        ("git@github.com:octo/harbour.git#12", 12),
    ],
)
def test_every_usual_spelling_means_the_same_pull_request(text: str, number: int) -> None:
    assert read_reference(text, HARBOUR) == PullRequestReference(HARBOUR, number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#",
        "0",
        "#0",
        "twelve",
        "octo/harbour",
        "octo/harbour#",
        "12#13x",
        "-1",
        "1e3",
        "https://[x/o/r/pull/1",
    ],
)
def test_what_is_no_pull_request_is_refused(text: str) -> None:
    with pytest.raises(LoopXError) as caught:
        read_reference(text, HARBOUR)
    assert caught.value.code == "usage_error"


def test_a_bare_number_needs_a_repository() -> None:
    with pytest.raises(LoopXError) as caught:
        read_reference("12", None)
    assert caught.value.reason == "no_repository"


@pytest.mark.parametrize(
    "text", ["octo/harbour", "https://ghes.example/octo/harbour", "http://127.0.0.1:4000/o/r"]
)
def test_the_argument_of_a_repository_and_of_its_pull_requests_read_back(text: str) -> None:
    repository = read_repository(text)
    reference = PullRequestReference(repository, 12)
    assert read_repository(repository.argument) == repository
    assert read_reference(reference.argument, None) == reference
