"""What is declared, what follows from it, and what never does."""

from dataclasses import replace
from pathlib import Path

import pytest

from fakes.extension_bench import (
    NAME,
    Bench,
    Site,
    archive_of,
    disk_bench,
    files_of,
    memory_bench,
    sha256_of,
)
from fakes.outcomes import outcome_of, pair_of
from loopx.application.use_cases.add_extension import Addition
from loopx.domain.errors import LoopXError
from loopx.domain.registry.installation import InstallPolicy
from loopx.domain.registry.status import State

ONE = archive_of(files_of("1.0.0"))
TWO = archive_of(files_of("2.0.0"))


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture(params=["memory", "disk"])
def bench(request: pytest.FixtureRequest, site: Site, tmp_path: Path) -> Bench:
    return memory_bench(site) if request.param == "memory" else disk_bench(tmp_path, site)


def test_what_is_added_is_declared_and_nothing_runs(bench: Bench, site: Site) -> None:
    added = bench.add(site.offer("/one", ONE), sha256_of(ONE).upper())
    assert (added.addition, added.status.state) == (Addition.NEW, State.NOT_INSTALLED)
    assert added.status.entry.source.sha256 == sha256_of(ONE)
    assert (bench.versions(), site.asked) == ({}, [])


@pytest.mark.parametrize(("word", "wanted"), [("1", True), ("Yes", True), ("", False), ("off", False)])
def test_the_policy_is_read_from_the_environment(word: str, wanted: bool) -> None:
    assert InstallPolicy.of({"LOOPX_REQUIRE_CHECKSUM": word}).require_checksum is wanted
    assert InstallPolicy.of({}).require_checksum is False


def test_a_policy_that_cannot_be_read_is_no_permission() -> None:
    refused = outcome_of(InstallPolicy.of, {"LOOPX_REQUIRE_CHECKSUM": "maybe"})
    assert pair_of(refused) == "config_invalid/value"


@pytest.mark.parametrize("url", ["http://extensions.example/x", "http://127.0.0.1/x", "ftp://a/x", "x", ""])
def test_an_address_that_code_is_not_fetched_from_is_refused_when_it_is_declared(
    bench: Bench, url: str
) -> None:
    refused = outcome_of(bench.add, url)
    assert isinstance(refused, LoopXError)
    assert refused.code in {"egress_blocked", "request_invalid"}
    assert bench.statuses() == ()


@pytest.mark.parametrize(
    "name", ["", "..", "Quotes", "a/b", "registry", "github", "x" * 80, "-a", "quotes\n"]
)
def test_a_name_that_no_extension_can_have_is_refused(bench: Bench, name: str) -> None:
    assert pair_of(outcome_of(bench.add, "https://a.example/x", None, name)) == "usage_error/extension_name"
    assert bench.statuses() == ()


def test_a_registry_that_came_with_a_project_makes_nothing_run(site: Site, tmp_path: Path) -> None:
    own = disk_bench(tmp_path, site)
    own.add(site.offer("/one", ONE))
    own.install()
    cloned = disk_bench(tmp_path, site, project="cloned")
    declared = own.registry.read()
    cloned.registry.update(lambda _: declared)
    assert cloned.versions() == {}
    assert [status.state for status in cloned.statuses()] == [State.NOT_INSTALLED]
    cloned.install()
    assert (cloned.versions(), own.versions()) == ({NAME: "1.0.0"}, {NAME: "1.0.0"})
    cloned.remove()
    assert (cloned.versions(), own.versions()) == ({}, {NAME: "1.0.0"})


def test_a_pin_that_the_project_changed_stops_what_it_does_not_name(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    bench.registry.update(
        lambda old: old.without(NAME).declare(
            NAME, replace(old.entries[NAME].source, sha256="d" * 64), in_use=False
        )
    )
    assert bench.versions() == {}
    assert [status.state for status in bench.statuses()] == [State.PIN_CHANGED]


def test_the_version_before_is_kept_to_go_back_to_and_no_other(bench: Bench, site: Site) -> None:
    for number in ("1.0.0", "2.0.0", "3.0.0"):
        content = archive_of(files_of(number))
        bench.add(site.offer(f"/{number}", content), sha256_of(content))
        bench.install()
    assert [one.version for one in bench.approvals.read().approvals] == ["2.0.0", "3.0.0"]
    assert len(bench.approvals.read().pins) == 3
    bench.registry.update(
        lambda old: old.without(NAME).declare(
            NAME, replace(old.entries[NAME].source, sha256=sha256_of(TWO)), in_use=False
        )
    )
    assert bench.versions() == {NAME: "2.0.0"}


def test_what_is_not_declared_is_neither_installed_nor_removed(bench: Bench) -> None:
    assert pair_of(outcome_of(bench.install)) == "registry_error/unknown"
    assert pair_of(outcome_of(bench.remove)) == "registry_error/unknown"
