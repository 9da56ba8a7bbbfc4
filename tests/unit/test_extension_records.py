"""Extensions and verifications as records, tables and pages."""

import io
from dataclasses import replace

import pytest

from fakes.extension_bench import NAME, Bench, Site, archive_of, files_of, memory_bench
from loopx.application.capabilities.capability import Record
from loopx.application.use_cases.verify_extensions import Verification
from loopx.domain.errors import LoopXError
from loopx.domain.registry.tree import Change, Difference
from loopx.domain.results import Completeness, Status, Summary
from loopx.domain.schema import Data, RecordSpec
from loopx.entrypoints.presentation.extension_views import extension_pages
from loopx.entrypoints.presentation.extensions import (
    EXTENSION,
    VERIFICATION,
    extension_data,
    verification_data,
)
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.lists import Renderer
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.sinks import open_sink
from loopx.entrypoints.presentation.style import Terminal

SUMMARY = Summary(
    status=Status.OK,
    completeness=Completeness(complete=True),
    records=1,
    requests=0,
    duration=0.0,
    warnings=("mind this",),
    next=("loopx registry list",),
)


@pytest.fixture
def bench() -> Bench:
    site = Site()
    bench = memory_bench(site)
    bench.add(site.offer("/one", archive_of(files_of("1.0.0"))))
    return bench


def shown(spec: RecordSpec, data: Data, terminal: Terminal, page: Renderer | None = None) -> str:
    out = io.StringIO()
    frame = Frame(spec=spec, out=out, talk=io.StringIO(), terminal=terminal, now=1_700_000_000.0)
    sink = open_sink(Output.TABLE, frame, page)
    sink.take(Record(spec.type, data))
    sink.finish(SUMMARY)
    return out.getvalue()


def test_a_record_has_exactly_the_fields_of_its_specification(bench: Bench) -> None:
    declared = extension_data(bench.statuses()[0], "/project")
    bench.install()
    installed = extension_data(bench.statuses()[0], "/project")
    wanted = [field.name for field in EXTENSION.fields]
    assert sorted(declared) == sorted(installed) == sorted(wanted)
    assert [field.name for field in VERIFICATION.fields] == list(verification_data(bench.verify()[0]))
    for field in EXTENSION.fields:
        assert field.nullable or declared[field.name] is not None


@pytest.mark.parametrize("terminal", [Terminal(), Terminal(columns=60, colour=True)])
def test_a_page_says_what_it_is_from_where_and_what_to_do_next(bench: Bench, terminal: Terminal) -> None:
    declared = shown(EXTENSION, extension_data(bench.statuses()[0], "/p"), terminal, extension_pages)
    assert "not installed" in declared
    assert "trusted" in declared
    bench.install()
    installed = shown(EXTENSION, extension_data(bench.statuses()[0], "/p"), terminal, extension_pages)
    for wanted in ("quotes 1.0.0", "installed", "first download", "GET https://api.example.com", "mind this"):
        assert wanted in installed
    assert "next: loopx registry list" in installed


def test_a_table_has_a_line_for_each(bench: Bench) -> None:
    bench.install()
    lines = shown(EXTENSION, extension_data(bench.statuses()[0], "/p"), Terminal()).splitlines()
    assert lines[0].split() == ["NAME", "VERSION", "STATE", "AGE", "SHA256", "FROM"]
    assert lines[1].split()[:3] == [NAME, "1.0.0", "installed"]


@pytest.mark.parametrize(("change", "verdict"), [
    ({}, "intact"),
    ({"differences": (Difference("a\x1b[2J", Change.CHANGED),)}, "damaged"),
    ({"error": LoopXError("state_error", "unreadable", detail="/x")}, "unreadable"),
])  # fmt: skip
def test_a_verdict_names_what_differs_and_hides_what_could_deceive(
    bench: Bench, change: dict[str, object], verdict: str
) -> None:
    assert verification_data(bench.verify()[0])["verdict"] == "not_installed"
    bench.install()
    found: Verification = replace(bench.verify()[0], **change)  # type: ignore[arg-type]  # named by the test
    data = verification_data(found)
    assert data["verdict"] == verdict
    text = shown(VERIFICATION, data, Terminal())
    assert verdict in text
    assert "\x1b" not in text


def test_only_the_first_of_many_differences_are_listed_in_a_table(bench: Bench) -> None:
    bench.install()
    many = tuple(Difference(f"file{number}", Change.MISSING) for number in range(5))
    data = verification_data(replace(bench.verify()[0], differences=many))
    text = shown(VERIFICATION, data, Terminal())
    assert "file2 (missing), 2 more files" in text
    assert "file3" not in text


def test_a_manifest_that_this_version_cannot_read_spoils_no_list(bench: Bench) -> None:
    bench.install()
    (status,) = bench.statuses()
    assert status.approval is not None
    foreign = replace(status, approval=replace(status.approval, manifest="no manifest"))
    data = extension_data(foreign, "/p")
    assert (data["description"], data["provides"], data["version"]) == (None, [], "1.0.0")
