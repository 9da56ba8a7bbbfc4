"""The example extension, from its folder to its records: packed, served, installed and run."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from fakes.downloads import Answer, Downloads
from fakes.program import CHECKOUT, Finished, run

pytestmark = pytest.mark.xdist_group("finance-probe")  # it is installed once

EXAMPLE = CHECKOUT / "examples" / "extensions" / "finance-probe"
UNIT = "finance_probe.filings"
TOKEN = "enterprise-token-of-a-test"


def page(*numbers: int, following: str | None = None, **columns: Any) -> Answer:
    count = len(numbers)
    filings = {
        "accession": [f"0001-26-{number:06}" for number in numbers],
        "form": ["10-K" if number % 2 else "8-K" for number in numbers],
        "filed_on": ["2026-02-03"] * count,
        "accepted_at": ["2026-02-03T16:30:00Z", "", "2026-02-03T16:30:00.5+01:00"][:count],
        "document": ["main.htm"] * count,
        "items": ["1.01,9.01", "", "2.02"][:count],
    }
    company = {"id": "7", "name": "Acme Corp", "tickers": ["ACME"]}
    payload = {"company": company, "filings": filings | columns, "next": following}
    return Answer(body=json.dumps(payload).encode(), headers={"Content-Type": "application/json"})


class Person:
    """Somebody with a home of their own, in which the extension is installed."""

    def __init__(self, home: Path, downloads: Downloads) -> None:
        self.home = home
        self.downloads = downloads
        self.host = urlsplit(downloads.url("/")).netloc
        self.environment = {
            "HOME": str(home),
            "LOOPX_HOME": str(home / "project"),
            "LOOPX_DATA_HOME": str(home / "data"),
            "GH_HOST": self.host,
            "GH_ENTERPRISE_TOKEN": TOKEN,
            **downloads.environment,
        }

    def loopx(self, *arguments: str, **environment: str) -> Finished:
        return run(*arguments, environment={**self.environment, **environment}, cwd=self.home)

    def ask(self, unit: str = UNIT, *arguments: str, output: str = "ndjson") -> Finished:
        given = ("--company", "ACME", "--host", self.host, *arguments)
        return self.loopx("capability", "run", unit, *given, "-o", output)

    def install(self) -> None:
        folder = self.home / "finance-probe"
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        manifest = folder / "extension.toml"
        manifest.write_text(manifest.read_text().replace("filings.example.com", self.host))
        packed = self.loopx("extension", "pack", str(folder), "-o", "json")
        (record,) = json.loads(packed.stdout)["records"]
        url = self.downloads.offer("/finance-probe.tar.gz", Path(record["path"]).read_bytes())
        added = ("--name", "finance-probe", "--url", url, "--checksum", record["sha256"])
        assert self.loopx("registry", "add", *added).code == 0
        installed = self.loopx("registry", "install", "finance-probe", "--yes")
        assert installed.code == 0, installed.stderr


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with Downloads(tmp_path_factory.mktemp("authority")) as downloads:
        person = Person(tmp_path_factory.mktemp("home"), downloads)
        person.install()
        yield person


@pytest.fixture
def person(shared: Person) -> Person:
    shared.downloads.answers.clear()
    shared.downloads.asked.clear()
    shared.downloads.heard.clear()
    return shared


def serve(person: Person, *pages: Answer) -> None:
    for number, answer in enumerate(pages):
        query = f"?cursor={number}" if number else ""
        person.downloads.answers[f"/v1/companies/ACME/filings{query}"] = answer


def test_its_own_tests_pass(tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLE, tmp_path / "probe")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    ran = subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": f"{CHECKOUT / 'src'}:{folder}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "3 passed" in ran.stdout


def test_its_units_are_listed_and_described_like_what_is_built_in(person: Person) -> None:
    listed = json.loads(person.loopx("capability", "list", "-o", "json").stdout)["records"]
    assert [one["name"] for one in listed] == ["pr_review", UNIT, "finance_probe.company"]
    described = json.loads(person.loopx("capability", "describe", UNIT, "-o", "json").stdout)
    assert described["parameters"]["properties"]["form"]["type"] == "array"
    assert described["record"]["title"] == "finance_probe.filing/1"
    shown = person.loopx("capability", "describe", "finance_probe.company").stdout
    assert "next: loopx capability run finance_probe.company --company ACME" in shown
    assert person.downloads.asked == []


def test_its_options_are_those_of_its_manifest(person: Person) -> None:
    shown = person.loopx("capability", "run", UNIT, "--help").stdout
    for wanted in (
        "--company COMPANY",
        "--form FORM",
        "--limit N",
        "--signed-in / --no-signed-in",
        "required",
    ):
        assert wanted in shown
    refused = person.loopx("capability", "run", UNIT, "--limit", "0", "-o", "json")
    assert (refused.code, refused.error["reason"]) == (2, "parameter")


def test_filings_are_read_page_by_page(person: Person) -> None:
    serve(person, page(1, 2, following="1"), page(3))
    ran = person.ask()
    assert (ran.code, ran.stderr) == (0, "")
    filings = ran.of_type("filing")
    assert [one["accession"] for one in filings] == ["0001-26-000001", "0001-26-000002", "0001-26-000003"]
    assert filings[0] == {
        "type": "filing",
        "accession": "0001-26-000001",
        "company": "Acme Corp",
        "form": "10-K",
        "filed_on": "2026-02-03",
        "accepted_at": "2026-02-03T16:30:00Z",
        "document_url": f"https://{person.host}/documents/0001-26-000001/main.htm",
        "items": ["1.01", "9.01"],
    }
    (summary,) = ran.of_type("summary")
    assert (summary["status"], summary["records"], summary["requests"]) == ("ok", 3, 2)
    assert summary["completeness"]["complete"]


def test_filters_and_limits_are_the_extensions_own(person: Person) -> None:
    serve(person, page(1, 2, 3, following="1"))
    ran = person.ask(UNIT, "--form", "10-K", "--limit", "2")
    assert [one["form"] for one in ran.of_type("filing")] == ["10-K", "10-K"]
    assert len(person.downloads.asked) == 1


def test_a_table_shows_the_columns_of_the_manifest(person: Person) -> None:
    serve(person, page(1))
    lines = person.ask(output="table").stdout.splitlines()
    assert lines[0].split() == ["filed_on", "form", "accession", "document_url"]
    assert lines[1].split()[:3] == ["2026-02-03", "10-K", "0001-26-000001"]


def test_a_packet_runs_it_too(person: Person) -> None:
    serve(person, page(1))
    packet = {
        "schema": "loopx.request/1",
        "capability": UNIT,
        "params": {"company": "ACME", "host": person.host},
    }
    (person.home / "packet.json").write_text(json.dumps(packet))
    ran = person.loopx("capability", "run", "--packet", "packet.json", "-o", "ndjson")
    assert (ran.code, len(ran.of_type("filing"))) == (0, 1)


def test_a_credential_goes_along_only_where_the_extension_asks_by_its_slot(person: Person) -> None:
    serve(person, page(1))
    person.ask()
    person.ask(UNIT, "--signed-in")
    without, with_it = person.downloads.heard
    assert "authorization" not in without
    assert with_it["authorization"] == f"Bearer {TOKEN}"
    assert without["traceparent"] != with_it["traceparent"]


def test_a_host_that_was_not_granted_is_not_called(person: Person) -> None:
    other = person.host.replace("localhost", "127.0.0.1")
    ran = person.loopx("capability", "run", UNIT, "--company", "ACME", "--host", other, "-o", "ndjson")
    assert (ran.code, ran.error["code"], ran.error["reason"]) == (77, "egress_blocked", "host_not_allowed")
    assert ran.of_type("summary")[0]["status"] == "blocked"
    assert person.downloads.asked == []


def test_a_redirect_to_a_host_that_was_not_granted_is_not_followed(person: Person) -> None:
    elsewhere = person.downloads.url("/x").replace("localhost", "127.0.0.1")
    serve(person, Answer(status=302, headers={"Location": elsewhere}))
    ran = person.ask()
    assert (ran.code, ran.error["code"]) == (77, "egress_blocked")
    assert len(person.downloads.asked) == 1


def test_an_answer_that_says_no_is_the_error_it_would_be_anywhere(person: Person) -> None:
    ran = person.ask()
    assert (ran.code, ran.error["code"], ran.error["reason"]) == (69, "provider_http_error", "not_found")
    company = person.ask("finance_probe.company")
    assert (company.code, company.of_type("summary")[0]["status"]) == (0, "empty")
    assert company.of_type("summary")[0]["warnings"] == [f"{person.host} knows no company ACME"]


def test_records_of_another_shape_are_told_and_the_rest_is_given(person: Person) -> None:
    serve(person, page(1, 2, 3, filed_on=["2026-02-03", "3 February", "2026-02-03"]))
    ran = person.ask()
    assert ran.code == 3
    assert len(ran.of_type("filing")) == 2
    (problem,) = ran.of_type("error")
    assert (problem["code"], problem["reason"]) == ("extension_error", "record")
    assert "filed_on is no date" in problem["message"]


def test_an_answer_that_it_cannot_read_is_its_failure_with_the_place(person: Person) -> None:
    serve(person, page(1, 2, form=["10-K"]))
    partial = person.ask()
    assert (partial.code, len(partial.of_type("filing"))) == (3, 1)
    assert partial.of_type("error")[0]["reason"] == "raised"
    serve(person, Answer(body=b"<html>"))
    ran = person.ask(output="table")
    assert ran.code == 70
    assert "JSONDecodeError at finance_probe/units.py:" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "payload = response.json()" in person.ask(UNIT, "--debug", output="table").stderr


def test_what_was_only_declared_does_not_run(person: Person, tmp_path: Path) -> None:
    elsewhere = person.loopx("capability", "run", UNIT, "-o", "json", LOOPX_DATA_HOME=str(tmp_path))
    assert (elsewhere.code, elsewhere.error["reason"]) == (2, "capability")
    other_project = person.loopx("capability", "list", "-o", "json", "--project", str(tmp_path))
    assert [one["name"] for one in json.loads(other_project.stdout)["records"]] == ["pr_review"]


def test_another_project_named_behind_the_capability_counts(person: Person, tmp_path: Path) -> None:
    serve(person, page(1))
    given = ("--company", "ACME", "--host", person.host, "--project", str(person.home / "project"))
    ran = person.loopx("capability", "run", UNIT, *given, "-o", "ndjson", LOOPX_HOME=str(tmp_path))
    assert len(ran.of_type("filing")) == 1


def test_a_stored_file_that_was_changed_does_not_run(person: Person) -> None:
    (stored,) = (person.home / "data" / "extensions").rglob("units.py")
    before = stored.read_bytes()
    try:
        stored.chmod(0o644)
        stored.write_bytes(before + b"\nimport os\n")
        ran = person.ask()
        assert (ran.code, ran.error["code"], ran.error["reason"]) == (65, "integrity_error", "stored")
        assert "units.py" in ran.error["message"]
        assert person.downloads.asked == []
    finally:
        stored.write_bytes(before)
