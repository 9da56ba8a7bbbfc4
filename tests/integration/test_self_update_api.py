"""``loopx.self_update`` as programs use it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.downloads import Downloads
from fakes.releases import pack
from loopx import LoopXError, self_update

TINY = pack("9.0.0")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LOOPX_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path) -> Iterator[str]:
    with Downloads(tmp_path) as downloads:
        for name, value in downloads.environment.items():
            monkeypatch.setenv(name, value)
        yield downloads.offer("/tiny.tar.gz", TINY.content)


def test_a_program_adopts_and_sees_what_is_here(url: str, home: Path) -> None:
    assert self_update.list_versions() == ()
    steps = self_update.plan(url, checksum=TINY.sha256, adopt=True)
    assert all(step.verdict is not self_update.Verdict.BLOCKED for step in steps)
    assert not home.exists()
    change = self_update.adopt(url, checksum=f"sha256:{TINY.sha256}", yes=True)
    assert change.deed is self_update.Deed.ADOPTED
    assert change.launcher == str(home / "current" / "bin" / "loopx")
    assert [each.standing for each in self_update.list_versions()] == [self_update.Standing.CURRENT]
    assert self_update.recover() is None
    again = asyncio.run(self_update.aadopt(url, checksum=TINY.sha256, yes=True))
    assert again.deed is self_update.Deed.UNCHANGED


def test_without_a_yes_nothing_happens(url: str, home: Path) -> None:
    with pytest.raises(LoopXError, match="consent_required/unattended"):
        self_update.adopt(url, checksum=TINY.sha256)
    assert not home.exists()


def test_an_agent_has_no_say(monkeypatch: pytest.MonkeyPatch, url: str, home: Path) -> None:
    monkeypatch.setenv("LOOPX_AGENT_ID", "agent-7")
    with pytest.raises(LoopXError, match="consent_required/agent"):
        self_update.adopt(url, checksum=TINY.sha256, yes=True)


def test_a_foreign_copy_is_told_its_command(home: Path) -> None:
    deeds: tuple[Callable[[], object], ...] = (
        lambda: self_update.update("https://localhost:1/x", checksum=TINY.sha256, yes=True),
        lambda: self_update.roll_back(yes=True),
    )
    for deed in deeds:
        with pytest.raises(LoopXError) as caught:
            deed()
        assert (caught.value.code, caught.value.reason) == ("update_error", "owner")


def test_a_checksum_that_is_none_is_refused_before_anything_else(home: Path) -> None:
    with pytest.raises(LoopXError, match="usage_error/checksum"):
        self_update.update("https://localhost:1/x", checksum="abc", yes=True)


def test_every_exported_name_is_there() -> None:
    assert all(hasattr(self_update, name) for name in self_update.__all__)
