import json
from typing import Any

import pytest

from fakes.runs import frame, incomplete, record, refused, shown, summary
from loopx.domain.errors import LoopXError
from loopx.domain.results import Status
from loopx.entrypoints.presentation.streaming import JsonSink, NdjsonSink

TOKEN = "ghp_" + "0" * 36


def ndjson(*items: Any, fields: str | None = None, **parts: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in shown("ndjson", items, fields, **parts)[0].splitlines()]


def document(*items: Any, fields: str | None = None, **parts: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shown("json", items, fields, **parts)[0])
    return found


class Watched:
    """A stream that remembers what it held whenever it was flushed."""

    def __init__(self) -> None:
        self.text = ""
        self.flushed: list[str] = []

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        self.flushed.append(self.text)


def test_ndjson_has_an_object_a_line_and_the_summary_last() -> None:
    lines = ndjson(record(7), refused(), record(8), summary(2))
    assert [line["type"] for line in lines] == ["pull_request", "error", "pull_request", "summary"]


def test_the_type_comes_first_in_every_line() -> None:
    text, _ = shown("ndjson", [record(), refused(), summary()])
    assert all(line.startswith('{"type":') for line in text.splitlines())


def test_ndjson_hands_on_every_line_at_once() -> None:
    out = Watched()
    sink = NdjsonSink(frame(out=out))
    for count in (1, 2, 3):
        sink.take(record(count))
        assert len(out.flushed[-1].splitlines()) == count


def test_json_hands_on_every_record_at_once() -> None:
    out = Watched()
    sink = JsonSink(frame(out=out))
    sink.take(record(7))
    assert '"number":7' in out.flushed[-1]


def test_json_is_one_document_with_records_errors_and_summary() -> None:
    found = document(record(7), refused(), record(8), summary(2))
    assert list(found) == ["schema", "records", "errors", "summary"]
    assert found["schema"] == "loopx.pull_request/1"
    assert [one["number"] for one in found["records"]] == [7, 8]
    assert [one["code"] for one in found["errors"]] == ["provider_http_error"]


@pytest.mark.parametrize("items", [[], [refused()]])
def test_json_without_records_is_a_document_too(items: list[Any]) -> None:
    assert document(*items, summary(0, status=Status.EMPTY))["records"] == []


def test_an_error_has_its_subject_and_every_field_of_the_error() -> None:
    (error, _) = ndjson(refused(), summary())
    assert error["subject"] == "github.com/octo/harbour"
    assert LoopXError.from_dict(error).status == 403
    assert error["hint"]


def test_the_summary_says_how_complete_it_is_what_it_took_and_what_is_left() -> None:
    (last,) = ndjson(summary(3, warnings=("it changed",), next=("loopx pr list",)))
    assert last["schema"] == "loopx.summary/1"
    assert (last["status"], last["records"], last["requests"], last["duration_ms"]) == ("ok", 3, 2, 1250)
    assert last["completeness"] == {
        "complete": True,
        "reason": None,
        "per_source": [
            {"source": "github.com/octo/harbour", "complete": True, "reason": None, "records": 3, "total": 3}
        ],
        "rerun": None,
    }
    rate = {"remaining": 4990, "limit": 5000, "reset_at": "2026-11-30T12:00:00Z"}
    assert last["rate"] == {"github.com": rate}
    assert (last["warnings"], last["next"]) == (["it changed"], ["loopx pr list"])


def test_an_incomplete_run_says_why_and_how_to_get_the_rest() -> None:
    (last,) = ndjson(summary(1, completeness=incomplete("limit", total=9, rerun="loopx pr list")))
    assert (last["completeness"]["complete"], last["completeness"]["reason"]) == (False, "limit")
    assert (last["completeness"]["per_source"][0]["total"], last["completeness"]["rerun"]) == (
        9,
        "loopx pr list",
    )


@pytest.mark.parametrize("output", ["ndjson", "json"])
def test_a_lone_surrogate_and_control_characters_are_escaped(output: str) -> None:
    text, _ = shown(output, [record(title="a\ud800b\x9b\u202ec"), summary()])
    text.encode("utf-8")
    assert r"a\ud800b\u009b\u202ec" in text


def test_what_only_looks_like_a_secret_stays_in_records() -> None:
    (line, _) = ndjson(record(title=f"use {TOKEN} here"), summary())
    assert line["title"] == f"use {TOKEN} here"


def test_fields_keep_the_type_and_what_was_asked_for() -> None:
    (line, _) = ndjson(record(7), summary(), fields="number,author.login")
    assert line == {"type": "pull_request", "number": 7, "author": {"login": "maya"}}
    assert document(record(7), summary(), fields="number")["records"] == [{"number": 7}]
