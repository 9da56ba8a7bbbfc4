"""What is checked twice, at the wrong moment or behind somebody's back."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fakes.extension_bench import NAME, Bench, Site, archive_of, disk_bench, files_of, leftovers, sha256_of
from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.memory.consent import StandingConsent
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.byte_source import ByteSource
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.extensions.grants import NO_GRANTS
from loopx.domain.registry.document import Source
from loopx.domain.registry.status import State

ONE = archive_of(files_of("1.0.0"))


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def bench(site: Site, tmp_path: Path) -> Bench:
    return disk_bench(tmp_path, site)


@pytest.fixture
def installed(bench: Bench, site: Site) -> Bench:
    bench.add(site.offer("/one", ONE))
    bench.install()
    return bench.but(consent=StandingConsent(assume_yes=True))


def asked(bench: Bench) -> list[Question]:
    assert isinstance(bench.consent, StandingConsent)
    return bench.consent.asked


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """A person who agrees, after something has happened."""

    happens: Callable[[], object]

    def ask(self, question: Question, context: CallContext) -> None:
        self.happens()


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Reads another archive than the one that was compared with its checksum."""

    inner: ArchiveReader

    async def inspect(self, source: ByteSource, limits: ArchiveLimits) -> ArchiveSummary:
        return await self.inner.inspect(source, limits)

    async def extract(self, source: ByteSource, destination: str, limits: ArchiveLimits) -> ArchiveSummary:
        summary = await self.inner.extract(source, destination, limits)
        return replace(summary, sha256="e" * 64)


def test_nobody_is_asked_about_bytes_that_are_refused_anyway(installed: Bench, site: Site) -> None:
    other = archive_of(files_of("1.0.0", more={"extra.py": b""}))
    installed.add(site.offer("/other", other))
    assert pair_of(outcome_of(installed.install)) == "integrity_error/republished"
    assert asked(installed) == []


def test_nobody_is_asked_about_an_extension_for_another_loopx(bench: Bench, site: Site) -> None:
    files = files_of("1.0.0")
    files["extension.toml"] = files["extension.toml"].replace(b">=1,<2", b">=9")
    bench.add(site.offer("/one", archive_of(files)))
    assert pair_of(outcome_of(bench.install)) == "extension_error/api_range"
    assert asked(bench) == []


def test_what_was_compared_is_what_is_unpacked(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE), sha256_of(ONE))
    exchanging = bench.but(archives=Exchanged(bench.archives))
    assert pair_of(outcome_of(exchanging.install)) == "archive_error/changed"
    assert (asked(bench), bench.versions()) == ([], {})


@pytest.mark.parametrize("what", ["removed", "redirected"])
def test_a_registry_that_changes_while_a_person_thinks_is_not_overruled(
    bench: Bench, site: Site, tmp_path: Path, what: str
) -> None:
    bench.add(site.offer("/one", ONE))

    def change() -> None:
        if what == "removed":
            bench.registry.update(lambda old: old.without(NAME))
        else:
            other = Source(site.offer("/other", ONE), "d" * 64)
            bench.registry.update(lambda old: old.declare(NAME, other, in_use=False))

    thinking = bench.but(consent=Meanwhile(change))
    assert pair_of(outcome_of(thinking.install)) == "registry_error/changed"
    assert (bench.versions(), bench.approvals.read().approvals) == ({}, ())
    bench.statuses()
    assert leftovers(tmp_path) == []


def test_what_was_approved_is_repaired_without_asking_again(installed: Bench, tmp_path: Path) -> None:
    stored = tmp_path / "data" / "extensions" / sha256_of(ONE) / "content" / "quotes" / "units.py"
    stored.write_bytes(b"import os")
    assert pair_of(outcome_of(installed.versions)) == "integrity_error/stored"
    nobody = installed.but(consent=StandingConsent())
    assert nobody.install().changed is True
    assert nobody.versions() == {NAME: "1.0.0"}
    assert asked(nobody) == []


def test_an_installation_clears_away_what_others_left(bench: Bench, site: Site, tmp_path: Path) -> None:
    abandoned = tmp_path / "data" / "staging" / ("f" * 32)
    stray = tmp_path / "data" / "extensions" / ("f" * 64)
    for folder in (abandoned / "tree", stray / "content"):
        folder.mkdir(parents=True)
        (folder / "file").write_bytes(b"x")
    bench.add(site.offer("/one", b"no archive"))
    assert not abandoned.exists()
    abandoned.mkdir(parents=True)
    assert pair_of(outcome_of(bench.install)) == "archive_error/format"
    assert not abandoned.exists()
    assert not stray.exists()


def test_code_that_would_get_more_than_was_agreed_to_does_not_run(installed: Bench) -> None:
    installed.approvals.update(
        lambda old: replace(old, approvals=tuple(replace(one, grants=NO_GRANTS) for one in old.approvals))
    )
    assert installed.versions() == {}
    assert [status.state for status in installed.statuses()] == [State.NOT_INSTALLED]
    installed.install()
    assert len(asked(installed)) == 1
    assert installed.versions() == {NAME: "1.0.0"}


def test_a_version_that_the_registry_names_is_the_only_one_it_takes(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.registry.update(
        lambda old: replace(old, entries={NAME: replace(old.entries[NAME], version="3.0.0")})
    )
    refused = outcome_of(bench.install)
    assert pair_of(refused) == "registry_error/other_version"
    assert "3.0.0" in str(refused)
