"""What everything that keeps a registry or approvals promises, on disk and in memory."""

from pathlib import Path

import pytest

from fakes.outcomes import outcome_of, pair_of
from fakes.registry import PROJECT, URL, A, approval, pin
from loopx.adapters.filesystem.approvals_file import JsonApprovalsFile
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.filesystem.registry_file import JsonRegistryFile
from loopx.adapters.memory.registry import MemoryApprovalsFile, MemoryRegistryFile
from loopx.application.ports.approvals_file import ApprovalsFile
from loopx.application.ports.registry_file import RegistryFile
from loopx.domain.errors import LoopXError
from loopx.domain.registry.approvals import Approvals
from loopx.domain.registry.document import Registry, Source


@pytest.fixture(params=["memory", "real"])
def registry(request: pytest.FixtureRequest, tmp_path: Path) -> RegistryFile:
    if request.param == "memory":
        return MemoryRegistryFile()
    folder = tmp_path / "home" / ".loopx"
    return JsonRegistryFile(folder, locks=FileLocks(folder))


@pytest.fixture(params=["memory", "real"])
def approvals(request: pytest.FixtureRequest, tmp_path: Path) -> ApprovalsFile:
    if request.param == "memory":
        return MemoryApprovalsFile()
    folder = tmp_path / "data"
    return JsonApprovalsFile(folder, locks=FileLocks(folder))


def declare(registry: Registry) -> Registry:
    return registry.declare("quotes", Source(URL, A), in_use=False)


def test_where_nothing_was_written_nothing_is_declared(registry: RegistryFile) -> None:
    assert registry.read() == Registry()
    registry.recover()
    assert registry.read() == Registry()


def test_what_an_update_makes_is_what_is_read(registry: RegistryFile) -> None:
    made = registry.update(declare)
    assert made.entries["quotes"].source == Source(URL, A)
    assert registry.read() == made
    assert registry.update(lambda old: old.without("quotes")) == Registry()
    assert registry.read() == Registry()


def test_an_update_that_fails_changes_nothing(registry: RegistryFile) -> None:
    before = registry.update(declare)

    def fail(_: Registry) -> Registry:
        raise LoopXError("registry_error", "changed")

    assert pair_of(outcome_of(registry.update, fail)) == "registry_error/changed"
    assert registry.read() == before
    registry.update(declare)


def test_the_project_is_an_absolute_path(registry: RegistryFile) -> None:
    assert Path(registry.project).is_absolute()


def test_approvals_are_read_as_they_were_made(approvals: ApprovalsFile) -> None:
    assert approvals.read() == Approvals()
    approvals.recover()
    made = approvals.update(lambda old: old.approve(approval(), pin()))
    assert made.of("quotes", PROJECT) == (approval(),)
    assert approvals.read() == made
    assert approvals.update(lambda old: old.revoke("quotes", PROJECT)).approvals == ()
    assert approvals.read().pins == (pin(),)


def test_an_approval_that_is_refused_changes_nothing(approvals: ApprovalsFile) -> None:
    made = approvals.update(lambda old: old.approve(approval(), pin()))
    other = approval("b" * 64)
    refused = outcome_of(approvals.update, lambda old: old.approve(other, pin("b" * 64)))
    assert pair_of(refused) == "integrity_error/republished"
    assert approvals.read() == made
