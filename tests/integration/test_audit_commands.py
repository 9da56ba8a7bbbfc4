"""``loopx audit`` in this process, over a log with known rows."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fakes.audit import DONE, MISSING, subject
from fakes.program import CHECKOUT
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.sqlite.audit_log import SqliteAuditLog
from loopx.domain.audit.row import Outcome
from loopx.entrypoints.cli.main import run

Audit = Callable[..., tuple[int, str, str]]
SEC = {"host": "data.sec.gov", "url": "https://data.sec.gov/x", "agent_id": None, "capability": "filings"}


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Audit:
    """Run one command line; code, stdout and stderr."""
    log = SqliteAuditLog(Path(os.environ["HOME"], ".local", "state", "loopx"), clock=SystemClock())
    log.intent(subject(1))
    log.outcome(subject(1), DONE)
    log.intent(subject(2, turn_id="turn-4"))
    log.outcome(subject(2, turn_id="turn-4"), MISSING)
    log.note(subject(3, span_id=None, **SEC), Outcome(code="egress_blocked", reason="private_address"))
    log.note(subject(4, span_id=None, **SEC), Outcome(status=200, cache="hit"))
    log.intent(subject(5, **SEC))
    log.close()

    def start(*arguments: str) -> tuple[int, str, str]:
        code = run(("audit", *arguments))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return start


def records(audit: Audit, *arguments: str) -> list[dict[str, Any]]:
    """What a command gives as ndjson, less the summary."""
    code, out, err = audit(*arguments, "-o", "ndjson")
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()][:-1]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ("", [1, 2, 3, 4, 5, 6, 7]),
        ("--agent agent-7", [1, 2, 3, 4]),
        ("--agent agent-7 --turn turn-4", [3, 4]),
        ("--turn turn-3", [1, 2, 5, 6, 7]),
        ("--capability filings", [5, 6, 7]),
        ("--host DATA.sec.gov", [5, 6, 7]),
        ("--host nobody.example", []),
        ("--code 404", [4]),
        ("--code egress_blocked", [5]),
        ("--code provider_http_error/not_found", [4]),
        ("--code provider_http_error/gone", []),
        ("--since 1h", [1, 2, 3, 4, 5, 6, 7]),
        ("--until 1h", []),
        ("--since 2020-01-01 --until 2020-01-02T00:00:00Z", []),
    ],
)
def test_filters_choose_rows(audit: Audit, options: str, wanted: list[int]) -> None:
    assert [row["sequence"] for row in records(audit, "export", *options.split())] == wanted
    assert [row["sequence"] for row in records(audit, "list", *options.split())] == wanted[::-1]
    assert [row["sequence"] for row in records(audit, "tail", *options.split())] == wanted


def test_the_list_says_when_there_is_more(audit: Audit) -> None:
    _, out, _ = audit("list", "--limit", "2", "-o", "json")
    document = json.loads(out)
    assert [row["sequence"] for row in document["records"]] == [7, 6]
    assert document["summary"]["completeness"]["reason"] == "limit"
    _, out, _ = audit("list", "--limit", "7", "-o", "json")
    assert json.loads(out)["summary"]["completeness"]["complete"] is True


def test_a_table_shows_how_each_call_ended(audit: Audit) -> None:
    code, out, err = audit("list")
    assert (code, err) == (0, "")
    ends = {line.split()[0]: line for line in out.splitlines()[1:]}
    for sequence, words in (
        ("2", "200"), ("4", "404 not_found"), ("5", "egress_blocked/private_address"), ("6", "cache hit"),
    ):  # fmt: skip
        assert words in ends[sequence]


def test_sheets_and_markdown_hold_the_same(audit: Audit) -> None:
    _, out, _ = audit("list", "-o", "csv", "--fields", "sequence,status")
    assert out.split() == ["sequence,status", "7,", "6,200", "5,", "4,404", "3,", "2,200", "1,"]
    _, out, _ = audit("list", "-o", "markdown")
    assert out.startswith("| # | Time (utc) |")


def test_the_last_rows_are_shown_in_their_order(audit: Audit) -> None:
    _, out, _ = audit("tail", "-n", "3", "--fields", "sequence,status")
    assert out.splitlines() == ["5", "6  200", "7"]
    _, out, _ = audit("tail", "-n", "2")
    assert ["note" in out.splitlines()[0], "intent" in out.splitlines()[1]] == [True, True]
    assert audit("tail", "-n", "0") == (0, "", "")


def test_an_attempt_is_shown_by_its_id_a_trace_by_its_own_and_a_row_by_its_number(audit: Audit) -> None:
    assert [row["sequence"] for row in records(audit, "show", f"{2:016x}")] == [3, 4]
    assert [row["sequence"] for row in records(audit, "show", "4")] == [4]
    assert len(records(audit, "show", subject(1).trace_id)) == 7
    code, out, _ = audit("show", f"{2:016x}")
    assert code == 0
    for words in (
        "intent",
        "outcome",
        "404 not_found",
        "310 out, 700 in",
        "9 ms",
        "agent-7 turn-4",
        "pr_review",
    ):
        assert words in out


def test_figures_are_told_by_host(audit: Audit) -> None:
    github, sec = records(audit, "stats")
    assert (github["host"], github["attempts"], github["failed"]) == ("api.github.com", 2, 1)
    assert (sec["refused"], sec["from_cache"], sec["unfinished"]) == (1, 1, 1)
    _, out, _ = audit("stats", "--host", "data.sec.gov")
    assert [line.split()[0] for line in out.splitlines()] == ["host", "data.sec.gov"]


def test_a_verdict_tells_what_was_proven_and_what_was_not(audit: Audit) -> None:
    _, head, _ = audit("head")
    code, out, _ = audit("verify")
    assert (code, "whole: 7 audit rows" in out, "no head was given" in out) == (0, True, True)
    assert "1 sent without an outcome" in out
    code, out, _ = audit("verify", "--against", head)
    assert (code, "is part of it" in out) == (0, True)
    code, out, err = audit("verify", "--against", head.replace("7:", "8:"))
    assert (code, out, "row 8 is missing" in err) == (65, "", True)
    (record,) = records(audit, "head")
    assert f"{record['sequence']}:{record['hash']}\n" == f"{record['head']}\n" == head


def test_the_summary_of_an_export_comes_last(audit: Audit) -> None:
    _, out, _ = audit("export", "-o", "table")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["type"] for line in lines] == ["audit_row"] * 7 + ["summary"]
    assert lines[-1]["completeness"]["complete"] is True


@pytest.mark.parametrize(
    "line",
    ["list --limit 0", "list --since soon", "list --code ?", "list --fields nope", "show", "show what",
     "show 99", "verify --against 12", "prune", "prune --keep 1 --before 1h", "prune --keep 0", "tail -n -1"],
)  # fmt: skip
def test_what_cannot_be_understood_is_a_usage_error(audit: Audit, line: str) -> None:
    code, out, err = audit(*line.split(), "-o", "ndjson")
    error = json.loads(err)["error"]
    assert (code, error["code"], bool(error["hint"])) == (2, "usage_error", True)
    assert [json.loads(each)["type"] for each in out.splitlines()] in ([], ["summary"])


@pytest.mark.parametrize("words", ["", "list", "tail", "show", "stats", "head", "verify", "export", "prune"])
def test_every_command_has_help(audit: Audit, words: str) -> None:
    code, out, err = audit(*words.split(), "--help")
    assert (code, err, "Global options" in out) == (0, "", True)


def test_rows_of_a_hostile_name_move_no_cursor(audit: Audit) -> None:
    log = SqliteAuditLog(Path(os.environ["HOME"], ".local", "state", "loopx"), clock=SystemClock())
    log.note(replace(subject(6), agent_id="\x1b[2J\u202e", url="https://x/\x1b]0;"), DONE, "\x1b[31m")
    log.close()
    for command in ("list", "tail", "show 8", "list -o markdown", "list -o csv", "export"):
        _, out, _ = audit(*command.split())
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_the_page_shows_how_to_check_the_chain_without_loopx(audit: Audit) -> None:
    page = (CHECKOUT / "docs" / "audit.md").read_text(encoding="utf-8")
    program = page.split("```python\n")[1].split("```")[0]
    _, exported, _ = audit("export")
    _, head, _ = audit("head")

    def check(text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program], input=text, capture_output=True, text=True, check=False
        )

    assert check(exported).stdout == head
    assert "row 4 does not fit" in check(exported.replace('"status":404', '"status":200')).stderr
