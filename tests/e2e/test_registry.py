"""Extensions from end to end: the real program, a real https server, archives of our own packer."""

import json

import pytest

from fakes.downloads import Answer
from fakes.extension_bench import NAME, archive_of, files_of, sha256_of
from fakes.program import run
from fakes.registry_user import Person
from fakes.tar_bytes import file, targz


def test_an_extension_is_declared_installed_shown_verified_and_removed(person: Person, packed: bytes) -> None:
    added = person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    assert (added.code, "next: loopx registry install quotes" in added.stdout) == (0, True)
    installed = person.registry("install", NAME, "--yes")
    assert installed.code == 0
    assert "next: loopx capability list" in installed.stdout
    (record,) = person.listed()
    assert (record["state"], record["version"], record["sha256"], record["trust"]) == (
        "installed", "1.0.0", sha256_of(packed), "checksum",
    )  # fmt: skip
    assert record["hosts"] == [{"host": "api.example.com", "methods": ["GET"]}]
    assert record["provides"] == [{"name": "quotes.latest", "kind": "capability"}]
    shown = person.registry("show", NAME)
    for wanted in ("quotes 1.0.0", "Prices of things", sha256_of(packed), "GET https://api.example.com"):
        assert wanted in shown.stdout
    verified = person.registry("verify", "-o", "ndjson")
    assert (verified.code, verified.of_type("verification")[0]["verdict"]) == (0, "intact")
    assert person.registry("remove", NAME).code == 0
    assert (person.listed(), person.left()) == ([], set())


def test_a_first_download_without_a_checksum_is_told_in_so_many_words(person: Person, packed: bytes) -> None:
    added = person.add(person.downloads.offer("/quotes.tar.gz", packed))
    assert "trusted unseen" in added.stdout
    installed = person.registry("install", "--yes", "-o", "json")
    assert "trusted unseen" in installed.stderr
    assert sha256_of(packed) in installed.stderr
    assert json.loads(installed.stdout)["records"][0]["trust"] == "first_download"
    pinned = json.loads((person.home / "project" / "registry.json").read_text())
    assert pinned["extensions"][NAME]["sha256"] == sha256_of(packed)


def test_a_policy_can_ask_for_a_checksum(person: Person) -> None:
    url = person.downloads.url("/quotes.tar.gz")
    refused = person.registry(
        "add", "--name", NAME, "--url", url, "-o", "json", LOOPX_REQUIRE_CHECKSUM="true"
    )
    assert (refused.error["code"], refused.error["reason"]) == ("registry_error", "checksum_required")
    assert person.listed() == []


@pytest.mark.parametrize(("served", "looks"), [
    (b"<!doctype html><title>Sign in</title>", "an HTML page"),
    (b'{"message": "Not Found"}', "JSON"),
    (b"PK\x03\x04" + b"\0" * 50, "a zip archive"),
    (archive_of(files_of("9.9.9")), "gzip data"),
    (b"", "nothing: it is empty"),
])  # fmt: skip
def test_a_wrong_checksum_stops_before_extraction_and_shows_what_came(
    person: Person, packed: bytes, served: bytes, looks: str
) -> None:
    url = person.downloads.offer("/quotes.tar.gz", served)
    person.add(url, "--checksum", sha256_of(packed))
    refused = person.registry("install", NAME, "--yes", "-o", "json")
    error = refused.error
    assert (error["code"], error["reason"], refused.code) == ("integrity_error", "checksum", 65)
    for wanted in (sha256_of(packed), sha256_of(served), f"{len(served)} bytes", looks):
        assert wanted in error["message"]
    assert "Install quotes" not in refused.stderr
    assert (person.listed()[0]["state"], person.left()) == ("not_installed", set())


@pytest.mark.parametrize(("checksum", "says"), [
    ("abc", "3 digits"),
    ("a" * 40, "SHA-1"),
    ("n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=", "base64"),
    ("sha512:" + "a" * 128, "only SHA-256"),
    ("g" * 64, "no hexadecimal digit"),
    ("a" * 64 + "  quotes.tar.gz", "stands behind it"),
    ("", "empty"),
])  # fmt: skip
def test_what_is_no_checksum_is_refused_with_the_reason(person: Person, checksum: str, says: str) -> None:
    refused = person.add(person.downloads.url("/x"), "--checksum", checksum)
    assert (refused.code, says in refused.stderr) == (2, True)
    assert person.listed() == []


def test_a_redirect_to_plain_http_is_refused(person: Person, packed: bytes) -> None:
    person.downloads.answers["/quotes.tar.gz"] = Answer(
        status=302, headers={"Location": "http://localhost:1/quotes.tar.gz"}
    )
    person.add(person.downloads.url("/quotes.tar.gz"), "--checksum", sha256_of(packed))
    refused = person.registry("install", NAME, "--yes", "-o", "json")
    assert (refused.error["code"], refused.error["reason"]) == ("provider_redirect_error", "downgrade")
    assert person.listed()[0]["state"] == "not_installed"


def test_a_redirect_within_https_is_followed(person: Person, packed: bytes) -> None:
    target = person.downloads.offer("/elsewhere.tar.gz", packed)
    person.downloads.answers["/quotes.tar.gz"] = Answer(status=302, headers={"Location": target})
    person.add(person.downloads.url("/quotes.tar.gz"), "--checksum", sha256_of(packed))
    assert person.registry("install", NAME, "--yes").code == 0


@pytest.mark.parametrize(("answer", "code", "reason"), [
    (Answer(status=200, body=b"<!doctype html>"), "archive_error", "format"),
    (Answer(status=404, body=b"<!doctype html>"), "provider_http_error", "not_found"),
    (Answer(status=200, body=b"\x1f\x8b\x08", announced=1000), "provider_network_error", "truncated"),
])  # fmt: skip
def test_what_is_served_instead_of_an_archive_is_named(
    person: Person, answer: Answer, code: str, reason: str
) -> None:
    person.downloads.answers["/quotes.tar.gz"] = answer
    person.add(person.downloads.url("/quotes.tar.gz"))
    refused = person.registry("install", NAME, "--yes", "-o", "json")
    assert (refused.error["code"], refused.error["reason"]) == (code, reason)
    assert (person.listed()[0]["state"], person.left()) == ("not_installed", set())


def test_other_bytes_under_the_same_version_are_refused_with_both_digests(
    person: Person, packed: bytes
) -> None:
    url = person.downloads.offer("/quotes.tar.gz", packed)
    person.add(url)
    assert person.registry("install", NAME, "--yes").code == 0
    person.registry("remove", NAME)
    other = archive_of(files_of("1.0.0", more={"extra.py": b"import os"}))
    person.downloads.offer("/quotes.tar.gz", other)
    person.add(url)
    refused = person.registry("install", NAME, "--yes", "-o", "json")
    assert (refused.error["code"], refused.error["reason"]) == ("integrity_error", "republished")
    assert sha256_of(packed) in refused.error["message"]
    assert sha256_of(other) in refused.error["message"]
    assert person.left() == set()


def test_a_hostile_archive_is_refused_and_nothing_of_it_is_left(person: Person) -> None:
    hostile = targz(file(b"quotes/../../escaped", b"x"))
    person.add(person.downloads.offer("/quotes.tar.gz", hostile), "--checksum", sha256_of(hostile))
    before = {path for path in person.home.parent.rglob("*") if person.home not in path.parents}
    refused = person.registry("install", NAME, "--yes", "-o", "json")
    assert (refused.error["code"], refused.error["reason"]) == ("archive_error", "path_escape")
    assert {path for path in person.home.parent.rglob("*") if person.home not in path.parents} == before
    assert person.left() == set()


def test_code_that_fails_on_trial_is_not_installed(person: Person) -> None:
    broken = archive_of(files_of("1.0.0", more={"quotes/units.py": b"raise SystemExit(7)"}))
    person.add(person.downloads.offer("/quotes.tar.gz", broken), "--checksum", sha256_of(broken))
    refused = person.registry("install", NAME, "--yes", "-o", "json")
    assert refused.error["code"] == "extension_error"
    assert (person.listed()[0]["state"], person.left()) == ("not_installed", set())


def test_a_stored_file_that_was_changed_is_named_and_fetched_again(person: Person, packed: bytes) -> None:
    person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    person.registry("install", NAME, "--yes")
    stored = person.home / "data" / "extensions" / sha256_of(packed) / "content" / "quotes" / "units.py"
    stored.write_bytes(b"import os\n" + stored.read_bytes())
    verified = person.registry("verify")
    assert verified.code == 5
    assert "quotes/units.py (changed)" in verified.stdout
    assert "next: loopx registry install quotes" in verified.stdout
    person.registry("install", NAME)
    assert person.registry("verify").code == 0


def test_all_that_is_declared_is_installed_and_one_failure_stops_no_other(
    person: Person, packed: bytes
) -> None:
    person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    person.registry("add", "--name", "gone", "--url", person.downloads.url("/gone"))
    finished = person.registry("install", "--yes", "-o", "ndjson")
    assert finished.code == 3
    assert [record["name"] for record in finished.of_type("extension")] == [NAME]
    assert [problem["subject"] for problem in finished.of_type("error")] == ["gone"]
    assert finished.lines[-1]["completeness"]["complete"] is False


def test_a_registry_that_came_with_a_repository_is_found_and_makes_nothing_run(
    person: Person, packed: bytes
) -> None:
    clone = person.home / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / ".loopx").mkdir()
    entry = {"url": person.downloads.offer("/quotes.tar.gz", packed), "sha256": sha256_of(packed)}
    (clone / ".loopx" / "registry.json").write_text(
        json.dumps({"schema": "loopx.registry/1", "extensions": {NAME: entry}})
    )
    environment = {name: value for name, value in person.environment.items() if name != "LOOPX_HOME"}
    listed = run("registry", "list", "-o", "json", environment=environment, cwd=clone)
    assert [one["state"] for one in json.loads(listed.stdout)["records"]] == ["not_installed"]
    assert run("registry", "install", "--yes", environment=environment, cwd=clone).code == 0
    assert run("registry", "verify", environment=environment, cwd=clone).code == 0
    assert person.listed() == []
