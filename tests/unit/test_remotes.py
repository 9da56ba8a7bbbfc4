import pytest

from loopx.domain.remotes import Remote, choose_repository


def chosen(*remotes: Remote, host: str | None = None) -> str | None:
    repository = choose_repository(remotes, host)
    return repository.id if repository else None


ORIGIN = Remote("origin", "git@github.com:me/fork.git")
UPSTREAM = Remote("upstream", "https://github.com/octo/harbour.git")


def test_upstream_comes_before_github_before_origin_before_the_rest() -> None:
    github = Remote("github", "https://github.com/octo/mirror")
    other = Remote("colleague", "https://github.com/her/fork")
    assert chosen(other, ORIGIN, github, UPSTREAM) == "github.com/octo/harbour"
    assert chosen(other, ORIGIN, github) == "github.com/octo/mirror"
    assert chosen(other, ORIGIN) == "github.com/me/fork"
    assert chosen(other) == "github.com/her/fork"


def test_a_default_that_was_set_with_gh_counts_first() -> None:
    assert chosen(UPSTREAM, Remote("origin", ORIGIN.url, "base")) == "github.com/me/fork"


def test_a_default_may_name_another_repository_than_its_remote() -> None:
    assert chosen(Remote("origin", ORIGIN.url, "octo/harbour")) == "github.com/octo/harbour"
    enterprise = Remote("origin", "https://ghes.example/me/fork", "octo/harbour")
    assert chosen(enterprise) == "ghes.example/octo/harbour"


def test_a_default_that_is_no_repository_is_passed_over() -> None:
    assert chosen(Remote("origin", ORIGIN.url, "nonsense")) == "github.com/me/fork"


def test_remotes_on_the_preferred_host_come_first() -> None:
    enterprise = Remote("origin", "https://ghes.example/me/fork")
    assert chosen(UPSTREAM, enterprise) == "github.com/octo/harbour"
    assert chosen(UPSTREAM, enterprise, host="ghes.example") == "ghes.example/me/fork"
    assert chosen(UPSTREAM, host="ghes.example") == "github.com/octo/harbour"


@pytest.mark.parametrize(
    "path",
    ["../harbour", "/srv/git/harbour.git", "octo/harbour", "file:///srv/git/harbour", "C:\\git\\harbour"],
)
def test_a_path_is_no_repository(path: str) -> None:
    assert chosen(Remote("origin", path)) is None


def test_a_token_in_the_address_of_a_remote_is_dropped() -> None:
    remote = Remote("origin", "https://x-access-token:ghp_000000000000@github.com/octo/harbour.git")
    assert chosen(remote) == "github.com/octo/harbour"


def test_without_remotes_there_is_no_repository() -> None:
    assert chosen() is None
