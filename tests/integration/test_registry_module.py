"""``loopx.registry`` as a program uses it, over a real server and a real disk."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.downloads import Downloads
from fakes.extension_bench import NAME, archive_of, files_of, sha256_of
from fakes.outcomes import outcome_of, pair_of
from loopx import registry

ONE = archive_of(files_of("1.0.0"))


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Downloads]:
    monkeypatch.setenv("LOOPX_HOME", str(tmp_path / "project"))
    monkeypatch.setenv("LOOPX_DATA_HOME", str(tmp_path / "data"))
    with Downloads(tmp_path) as downloads:
        for name, value in downloads.environment.items():
            monkeypatch.setenv(name, value)
        yield downloads


def test_a_program_adds_installs_lists_verifies_and_removes(downloads: Downloads) -> None:
    url = downloads.offer("/one", ONE)
    added = registry.add(NAME, url, checksum=sha256_of(ONE))
    assert (added.name, added.state, added.url, added.installed) == (NAME, "not_installed", url, False)
    installed = registry.install(NAME, yes=True)
    assert (installed.state, installed.version, installed.sha256) == ("installed", "1.0.0", sha256_of(ONE))
    assert installed.grants == ("GET https://api.example.com",)
    assert (installed.installed, installed.first_download) == (True, False)
    assert registry.list_extensions() == (installed,)
    (checked,) = registry.verify(NAME)
    assert (checked.extension, checked.intact, checked.files, checked.differences) == (installed, True, 3, ())
    removed = registry.remove(NAME)
    assert (removed.state, removed.version, removed.installed) == ("not_installed", "1.0.0", False)
    assert registry.list_extensions() == ()


def test_damage_is_told_by_name(downloads: Downloads, tmp_path: Path) -> None:
    registry.add(NAME, downloads.offer("/one", ONE))
    assert registry.install(NAME, yes=True).first_download is True
    (tmp_path / "data" / "extensions" / sha256_of(ONE) / "content" / "extension.toml").unlink()
    (checked,) = registry.verify()
    assert (checked.intact, checked.differences) == (False, ("extension.toml (missing)",))


def test_a_program_decides_for_nobody(downloads: Downloads, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.add(NAME, downloads.offer("/one", ONE))
    assert pair_of(outcome_of(registry.install, NAME)) == "consent_required/unattended"
    monkeypatch.setenv("LOOPX_AGENT_ID", "agent-7")
    assert pair_of(outcome_of(registry.install, NAME, yes=True)) == "consent_required/agent"
    assert not registry.list_extensions()[0].installed


def test_within_a_running_loop_there_is_an_async_twin(downloads: Downloads, tmp_path: Path) -> None:
    other = tmp_path / "other"
    registry.add(NAME, downloads.offer("/one", ONE), project=other)

    async def main() -> registry.Extension:
        return await registry.ainstall(NAME, yes=True, project=other, timeout=20)

    assert asyncio.run(main()).installed
    assert registry.list_extensions() == ()
    assert [found.installed for found in registry.list_extensions(project=other)] == [True]
