"""Every ``Checkout`` tells the same remotes; what only git can do follows below."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loopx.adapters.memory.checkout import MemoryCheckout
from loopx.adapters.process.git_checkout import GitCheckout
from loopx.application.ports.checkout import Checkout
from loopx.domain.remotes import Remote

REMOTES = (
    Remote("origin", "git@github.com:me/fork.git"),
    Remote("upstream", "https://github.com/octo/harbour.git", "base"),
)
Build = Callable[[tuple[Remote, ...]], Checkout]


def git(directory: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(directory), *arguments], check=True, capture_output=True)  # noqa: S607 - the git of the machine


def repository(directory: Path, remotes: tuple[Remote, ...]) -> Path:
    git(directory, "init", "--quiet")
    for remote in remotes:
        git(directory, "remote", "add", remote.name, remote.url)
        if remote.resolved:
            git(directory, "config", f"remote.{remote.name}.gh-resolved", remote.resolved)
    return directory


def checkout(directory: Path, **environment: str) -> GitCheckout:
    # Upwards of the test's folder there must be no repository, whatever the machine holds.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(directory.parent)}
    return GitCheckout(environment={**os.environ, **ceiling, **environment}, directory=str(directory))


@pytest.fixture(params=["memory", "git"])
def build(request: pytest.FixtureRequest, tmp_path: Path) -> Build:
    if request.param == "memory":
        return lambda remotes: MemoryCheckout(*remotes)
    return lambda remotes: checkout(repository(tmp_path, remotes))


def test_every_remote_is_told_with_its_address_and_default(build: Build) -> None:
    assert set(asyncio.run(build(REMOTES).remotes())) == set(REMOTES)


def test_without_remotes_there_is_nothing_to_tell(build: Build) -> None:
    assert asyncio.run(build(()).remotes()) == ()


def test_outside_a_repository_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert asyncio.run(checkout(tmp_path).remotes()) == ()


def test_addresses_come_as_git_rewrites_them(tmp_path: Path) -> None:
    repository(tmp_path, (Remote("origin", "gh:octo/harbour"),))
    git(tmp_path, "config", "url.https://github.com/.insteadOf", "gh:")
    (remote,) = asyncio.run(checkout(tmp_path).remotes())
    assert remote.url == "https://github.com/octo/harbour"


def test_a_remote_of_a_partial_clone_is_read_too(tmp_path: Path) -> None:
    repository(tmp_path, (Remote("origin", "https://github.com/octo/harbour"),))
    git(tmp_path, "config", "remote.origin.promisor", "true")
    git(tmp_path, "config", "remote.origin.partialclonefilter", "blob:none")
    (remote,) = asyncio.run(checkout(tmp_path).remotes())
    assert remote.url == "https://github.com/octo/harbour"


def test_without_git_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert asyncio.run(checkout(repository(tmp_path, REMOTES), PATH=str(tmp_path)).remotes()) == ()


def impostor(directory: Path, program: str) -> Path:
    found = directory / "bin"
    found.mkdir()
    (found / "git").write_text(f"#!{sys.executable}\n{program}")
    (found / "git").chmod(0o755)
    return found


def test_a_git_that_hangs_is_ended(tmp_path: Path) -> None:
    hanging = impostor(tmp_path, "import threading; threading.Event().wait()")
    slow = GitCheckout(environment={"PATH": str(hanging)}, directory=str(tmp_path), patience=0.5)
    assert asyncio.run(slow.remotes()) == ()


def test_git_gets_no_token_and_may_not_ask(tmp_path: Path) -> None:
    report = tmp_path / "environment"
    telling = impostor(tmp_path, f"import os; open({str(report)!r}, 'w').write(repr(dict(os.environ)))")
    environment = {"PATH": str(telling), "GH_TOKEN": "ghp_" + "0" * 36, "GIT_SSH_COMMAND": "evil"}
    assert asyncio.run(GitCheckout(environment=environment, directory=str(tmp_path)).remotes()) == ()
    seen = report.read_text()
    assert "ghp_" not in seen
    assert "evil" not in seen
    assert "'GIT_TERMINAL_PROMPT': '0'" in seen
