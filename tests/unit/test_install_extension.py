"""Installing, updating and removing extensions, over ports in memory and on a disk."""

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
from fakes.extensions import CONTEXT
from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.memory.consent import StandingConsent
from loopx.adapters.memory.transport import Reply
from loopx.application.use_cases.add_extension import Addition
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers
from loopx.domain.registry.installation import UNSEEN, InstallPolicy
from loopx.domain.registry.status import State

ONE = archive_of(files_of("1.0.0"))
TWO = archive_of(files_of("2.0.0"))
AGENT = replace(CONTEXT, agent_id="agent-7")


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture(params=["memory", "disk"])
def bench(request: pytest.FixtureRequest, site: Site, tmp_path: Path) -> Bench:
    return memory_bench(site) if request.param == "memory" else disk_bench(tmp_path, site)


def asked(bench: Bench) -> list[str]:
    assert isinstance(bench.consent, StandingConsent)
    return [question.deed for question in bench.consent.asked]


def facts(bench: Bench) -> str:
    assert isinstance(bench.consent, StandingConsent)
    return "\n".join(bench.consent.asked[-1].facts)


def test_what_is_installed_is_in_force_pinned_and_intact(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE), sha256_of(ONE))
    installed = bench.install()
    assert (installed.changed, installed.before, installed.status.state) == (True, None, State.INSTALLED)
    assert bench.versions() == {NAME: "1.0.0"}
    assert bench.running()[NAME].files == files_of("1.0.0")
    (status,) = bench.statuses()
    assert (status.entry.version, status.entry.source.sha256) == ("1.0.0", sha256_of(ONE))
    (verified,) = bench.verify()
    assert (verified.intact, verified.files) == (True, 3)


def test_a_person_is_shown_digest_grants_and_units_before_anything_is_in_force(
    bench: Bench, site: Site
) -> None:
    url = site.offer("/one", ONE)
    bench.add(url)
    bench.install()
    assert asked(bench) == ["Install quotes 1.0.0"]
    for wanted in (
        url,
        sha256_of(ONE),
        str(len(ONE)),
        UNSEEN,
        "quotes.latest",
        "GET https://api.example.com",
    ):
        assert wanted in facts(bench)


def test_a_checksum_that_was_named_is_nothing_to_warn_of(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE), sha256_of(ONE))
    bench.install()
    assert UNSEEN not in facts(bench)
    assert bench.approvals.read().approvals[0].unseen is False


def test_what_is_installed_already_is_neither_fetched_nor_asked_for_again(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    again = bench.install()
    assert (again.changed, site.asked, len(asked(bench))) == (False, ["/one"], 1)


def test_other_bytes_than_promised_stop_before_anything_looks_inside(bench: Bench, site: Site) -> None:
    page = b"<!doctype html><title>Sign in</title>"
    bench.add(site.offer("/one", page), sha256_of(ONE))
    refused = outcome_of(bench.install)
    assert pair_of(refused) == "integrity_error/checksum"
    for wanted in (sha256_of(ONE), sha256_of(page), f"{len(page)} bytes", "an HTML page"):
        assert wanted in str(refused)
    assert (bench.versions(), asked(bench)) == ({}, [])


def test_an_update_replaces_the_old_and_says_what_is_new(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    more = archive_of(files_of("2.0.0", methods='["GET", "POST"]'))
    added = bench.add(site.offer("/two", more), sha256_of(more))
    assert (added.addition, added.status.state) == (Addition.WAITING, State.UPDATE_WAITING)
    assert bench.versions() == {NAME: "1.0.0"}
    installed = bench.install()
    assert installed.before is not None
    assert (installed.before.version, bench.versions()) == ("1.0.0", {NAME: "2.0.0"})
    assert asked(bench)[-1] == "Replace quotes 1.0.0 by 2.0.0"
    assert "new: POST https://api.example.com" in facts(bench)
    assert bench.statuses()[0].entry.next is None


@pytest.mark.parametrize("trouble", ["checksum", "consent", "load", "archive"])
def test_an_update_that_fails_leaves_the_old_in_force(bench: Bench, site: Site, trouble: str) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    before = (bench.registry.read(), bench.approvals.read())
    new = archive_of(files_of("2.0.0"))
    content = {
        "archive": b"no archive",
        "load": archive_of(files_of("2.0.0", more={"x.so": b"\x7fELF"})),
    }.get(trouble, new)
    url = site.offer("/two", content)
    bench.add(url, sha256_of(b"other" if trouble == "checksum" else content))
    failing = bench.but(consent=StandingConsent(declines=True)) if trouble == "consent" else bench
    refused = outcome_of(failing.install)
    assert (
        pair_of(refused)
        == {
            "checksum": "integrity_error/checksum",
            "consent": "consent_required/declined",
            "load": "extension_error/tree",
            "archive": "archive_error/format",
        }[trouble]
    )
    assert bench.versions() == {NAME: "1.0.0"}
    assert bench.approvals.read() == before[1]
    assert bench.registry.read().entries[NAME].source == before[0].entries[NAME].source


def test_other_bytes_under_the_same_version_are_refused_with_both_digests(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    other = archive_of(files_of("1.0.0", more={"extra.py": b"import os"}))
    bench.add(site.offer("/other", other), sha256_of(other))
    refused = outcome_of(bench.install)
    assert pair_of(refused) == "integrity_error/republished"
    assert sha256_of(ONE) in str(refused)
    assert sha256_of(other) in str(refused)
    assert bench.versions() == {NAME: "1.0.0"}


def test_a_removed_version_is_still_remembered_until_that_is_forgotten(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    bench.remove()
    assert (bench.statuses(), bench.versions()) == ((), {})
    other = archive_of(files_of("1.0.0", more={"extra.py": b""}))
    bench.add(site.offer("/one", other))
    assert pair_of(outcome_of(bench.install)) == "integrity_error/republished"
    bench.remove(forget=True)
    bench.add(site.offer("/one", other))
    bench.install()
    assert bench.versions() == {NAME: "1.0.0"}


def test_forgetting_is_a_persons(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE))
    bench.install()
    refused = outcome_of(bench.remove, forget=True, context=AGENT)
    assert pair_of(refused) == "consent_required/agent"
    assert bench.versions() == {NAME: "1.0.0"}
    assert bench.approvals.read().pins


def test_an_agent_installs_nothing_whatever_was_said_beforehand(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE), sha256_of(ONE))
    assert pair_of(outcome_of(bench.install, context=AGENT)) == "consent_required/agent"
    assert (bench.versions(), bench.approvals.read().approvals) == ({}, ())
    allowed = bench.but(consent=StandingConsent(assume_yes=True, allowed_agents={"agent-7"}))
    allowed.install(context=AGENT)
    assert bench.versions() == {NAME: "1.0.0"}


def test_without_consent_nothing_is_in_force(bench: Bench, site: Site) -> None:
    bench.add(site.offer("/one", ONE), sha256_of(ONE))
    nobody = bench.but(consent=StandingConsent())
    assert pair_of(outcome_of(nobody.install)) == "consent_required/unattended"
    assert (bench.versions(), bench.approvals.read().approvals) == ({}, ())


def test_a_policy_can_forbid_to_trust_a_first_download(bench: Bench, site: Site) -> None:
    strict = bench.but(policy=InstallPolicy(require_checksum=True))
    url = site.offer("/one", ONE)
    assert pair_of(outcome_of(strict.add, url)) == "registry_error/checksum_required"
    bench.add(url)
    assert pair_of(outcome_of(strict.install)) == "registry_error/checksum_required"
    assert site.asked == []
    strict.add(url, sha256_of(ONE))
    strict.install()
    assert bench.versions() == {NAME: "1.0.0"}


def test_an_archive_that_holds_another_extension_is_refused(bench: Bench, site: Site) -> None:
    other = archive_of(files_of(name="other"))
    bench.add(site.offer("/one", other))
    refused = outcome_of(bench.install)
    assert pair_of(refused) == "registry_error/other_extension"
    assert "other" in str(refused)
    assert NAME in str(refused)
    assert bench.approvals.read().approvals == ()


def test_a_redirect_to_plain_http_is_not_followed(bench: Bench, site: Site) -> None:
    url = site.offer("/one", ONE)
    site.replies["/one"] = Reply(status=302, headers=Headers.of({"Location": "http://extensions.example/x"}))
    bench.add(url, sha256_of(ONE))
    refused = outcome_of(bench.install)
    assert isinstance(refused, LoopXError)
    assert refused.code in {"provider_redirect_error", "egress_blocked"}
    assert site.asked == ["/one"]
