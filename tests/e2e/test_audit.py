"""The audit log from end to end: the real program calls, and tells later what it called."""

import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fakes.audit import pruning, subject
from fakes.github import FakeGitHub, html_page, repository
from fakes.program import PATIENCE, Finished, run, scan, start
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.sqlite.audit_log import FILE, SqliteAuditLog

NAME = "octo-org/harbour"


def state() -> Path:
    return Path(os.environ["HOME"], ".local", "state", "loopx")


def audit(*arguments: str, **options: Any) -> Finished:
    return run("audit", *arguments, **options)


def rows(*arguments: str) -> list[dict[str, Any]]:
    return audit("export", *arguments).of_type("audit_row")


@pytest.fixture
def scanned() -> FakeGitHub:
    """A GitHub that was asked twice, once in vain; it is gone by now."""
    with FakeGitHub(repository(open=3)) as github:
        who = ("--agent-id", "agent-7", "--turn-id", "turn-3")
        assert run(*scan(github.url(NAME), *who)).code == 0
        github.fail(html_page(502))
        assert run(*scan(github.url(NAME), "--agent-id", "agent-8")).code == 69
        return github


def test_every_request_that_the_server_got_is_a_pair_of_rows(scanned: FakeGitHub) -> None:
    found = rows()
    assert [row["phase"] for row in found] == ["intent", "outcome"] * len(scanned.requests)
    spans = [(request.header("traceparent") or "")[36:52] for request in scanned.requests]
    assert [row["span_id"] for row in found[::2]] == spans
    assert [row["span_id"] for row in found[1::2]] == spans
    assert [row["status"] for row in found[1::2]] == [200, 502]
    first = found[1]
    assert (first["agent_id"], first["turn_id"], first["capability"]) == ("agent-7", "turn-3", "pr_review")
    assert (first["method"], first["host"], first["attempt"]) == ("POST", "127.0.0.1", 1)
    assert first["bytes_out"] > 1_000
    assert first["rate_remaining"] is not None
    assert (found[3]["code"], found[3]["reason"]) == ("provider_http_error", "server_error")


def test_an_error_names_the_row_that_tells_more_of_it(scanned: FakeGitHub) -> None:
    error = run(*scan("http://127.0.0.1:9/o/r")).error
    shown = audit("show", error["audit_id"], "-o", "ndjson").of_type("audit_row")
    assert [row["phase"] for row in shown] == ["intent", "outcome"]
    assert shown[1]["reason"] == "connect_refused"
    page = audit("show", error["audit_id"])
    assert page.code == 0
    for wanted in ("POST http://127.0.0.1:9/", "provider_network_error/connect_refused", error["audit_id"]):
        assert wanted in page.stdout


def test_a_log_without_rows_says_so_and_is_not_made_by_looking() -> None:
    assert audit("list").stdout == "No audit rows found.\n"
    assert audit("verify").code == 0
    assert audit("head").stdout == f"0:{'0' * 64}\n"
    assert not state().exists()


# The head


def test_a_kept_head_proves_the_log_until_somebody_changes_it(scanned: FakeGitHub) -> None:
    head = audit("head").stdout.strip()
    run(*scan("http://127.0.0.1:9/o/r"))
    whole = audit("verify", "--against", head)
    assert (whole.code, "whole: 6 audit rows" in whole.stdout) == (0, True)
    assert audit("verify", "--against", head, "-o", "ndjson").of_type("audit_verdict")[0]["kept_head"] == head
    with closing(sqlite3.connect(state() / FILE)) as file:
        file.execute("UPDATE audit_row SET agent_id = 'agent-8' WHERE sequence = 2")
        file.commit()
    broken = audit("verify", "--against", head)
    assert (broken.code, broken.stdout) == (65, "")
    assert "row 2 " in broken.stderr
    error = audit("verify", "-o", "json").error
    assert (error["code"], error["reason"]) == ("audit_error", "chain_broken")


def test_an_end_that_was_cut_off_is_found_only_with_a_head(scanned: FakeGitHub) -> None:
    head = audit("head").stdout.strip()
    with closing(sqlite3.connect(state() / FILE)) as file:
        file.execute("DELETE FROM audit_row WHERE sequence > 2")
        file.commit()
    assert audit("verify").code == 0
    broken = audit("verify", "--against", head)
    assert (broken.code, "row 3 is missing" in broken.stderr) == (65, True)
    (state() / FILE).unlink()
    assert audit("verify", "--against", head).code == 65


# Pruning


@pytest.fixture
def filled() -> None:
    """A log of 250 old rows."""
    log = SqliteAuditLog(state(), clock=SystemClock())
    for number in range(250):
        log.intent(subject(number))
    log.close()


@pytest.mark.usefixtures("filled")
def test_whole_segments_are_dropped_after_consent_and_the_chain_stays_provable() -> None:
    head = audit("head").stdout.strip()
    pruned = audit("prune", "--keep", "60", "--yes")
    assert pruned.code == 0
    assert "100 rows were dropped" in pruned.stderr
    assert pruned.stdout == audit("head").stdout
    left = rows()
    assert [left[0]["sequence"], left[-1]["sequence"], len(left)] == [101, 251, 151]
    assert (left[-1]["capability"], left[-1]["phase"]) == ("audit.prune", "note")
    assert audit("verify", "--against", head).code == 0
    verdict = audit("verify", "-o", "ndjson").of_type("audit_verdict")[0]
    assert (verdict["pruned"], verdict["first"], verdict["rows"]) == (100, 101, 151)


@pytest.mark.usefixtures("filled")
def test_what_is_new_is_not_old_enough() -> None:
    pruned = audit("prune", "--before", "1h", "--yes")
    assert (pruned.code, "Nothing was dropped" in pruned.stderr, len(rows())) == (0, True, 250)


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("arguments", "reason"), [((), "unattended"), (("--yes", "--agent-id", "agent-7"), "agent")]
)
def test_nobody_but_a_person_drops_rows(arguments: tuple[str, ...], reason: str) -> None:
    refused = audit("prune", "--keep", "1", "-o", "json", *arguments)
    assert (refused.error["code"], refused.error["reason"], len(rows())) == ("consent_required", reason, 250)


@pytest.mark.usefixtures("filled")
def test_a_broken_log_is_not_pruned() -> None:
    with closing(sqlite3.connect(state() / FILE)) as file:
        file.execute("DELETE FROM audit_row WHERE sequence = 20")
        file.commit()
    refused = audit("prune", "--keep", "1", "--yes", "-o", "json")
    assert (refused.code, refused.error["reason"], "row 20 " in refused.error["detail"]) == (
        65,
        "chain_broken",
        True,
    )
    assert len(rows()) == 249


@pytest.mark.usefixtures("filled")
def test_a_start_that_was_dropped_by_other_means_is_found() -> None:
    with closing(sqlite3.connect(state() / FILE)) as file:
        file.execute(
            "UPDATE audit_start SET sequence = 50, hash = (SELECT hash FROM audit_row WHERE sequence = 50)"
        )
        file.execute("DELETE FROM audit_row WHERE sequence <= 50")
        file.commit()
    broken = audit("verify")
    assert (broken.code, "no row says that they were pruned" in broken.stderr) == (65, True)


# Following


@pytest.mark.parametrize("output", ["table", "ndjson"])
def test_rows_are_shown_as_they_come_until_ctrl_c(scanned: FakeGitHub, output: str) -> None:
    with start("audit", "tail", "-f", "-n", "1", "-o", output) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        seen = [process.stdout.readline()]
        SqliteAuditLog(state(), clock=SystemClock()).intent(pruning(7))
        seen.append(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        rest, said = process.stdout.read(), process.stderr.read()
        assert (process.wait(PATIENCE), said) == (130, "")
    assert "502" in seen[0]
    assert f"{7:016x}" in seen[1]
    if output == "ndjson":
        assert json.loads(rest)["completeness"]["reason"] == "interrupted"
    else:
        assert rest == ""


# Where nothing can be written


def test_what_cannot_be_written_down_is_not_called() -> None:
    with FakeGitHub(repository(open=1)) as github:
        for output in ("table", "json"):
            refused = run(
                *scan(github.url(NAME)), "-o", output, environment={"LOOPX_STATE_HOME": "/proc/nowhere"}
            )
            assert refused.code == 73
            assert "LOOPX_AUDIT=memory" in refused.stderr
        assert refused.error["code"] == "audit_error"
        assert refused.error["reason"] == "unwritable"
        assert github.requests == []


def test_opting_out_is_said_aloud_and_leaves_no_file() -> None:
    with FakeGitHub(repository(open=1)) as github:
        environment = {"LOOPX_AUDIT": "memory", "LOOPX_STATE_HOME": "/proc/nowhere"}
        finished = run(*scan(github.url(NAME)), environment=environment)
        assert (finished.code, len(github.requests)) == (0, 1)
    assert "LOOPX_AUDIT=memory" in finished.stderr
    assert len(finished.of_type("pull_request")) == 1


def test_a_word_that_is_no_way_to_opt_out_is_refused() -> None:
    refused = run("pr", "list", "-R", "o/r", "-o", "json", environment={"LOOPX_AUDIT": "off"})
    assert (refused.error["code"], refused.error["reason"], refused.code) == ("config_invalid", "value", 78)


def test_a_damaged_log_is_told_and_not_overwritten() -> None:
    state().mkdir(parents=True)
    (state() / FILE).write_bytes(b"no rows at all" * 500)
    with FakeGitHub(repository(open=1)) as github:
        refused = run(*scan(github.url(NAME)), "-o", "json")
        assert github.requests == []
    assert (refused.error["code"], refused.error["reason"]) == ("state_error", "corrupt")
    assert (state() / FILE).read_bytes() == b"no rows at all" * 500


def test_the_demo_works_where_nothing_can_be_written_and_leaves_nothing() -> None:
    nowhere = {"HOME": "/proc/nowhere", "LOOPX_STATE_HOME": "/proc/nowhere"}
    finished = run("demo", environment=nowhere)
    assert (finished.code, "harbour" in finished.stdout) == (0, True)
    assert run("demo").code == 0
    assert not state().exists()


def test_no_byte_of_the_log_is_a_secret() -> None:
    token = "ghp_" + "a1B2" * 9
    with FakeGitHub(repository(open=1)) as github:
        host = github.base_url.removeprefix("http://")
        environment = {"GH_ENTERPRISE_TOKEN": token, "GH_HOST": host}
        run(*scan(github.url(NAME), "--agent-id", token), environment=environment)
        assert [request.header("authorization") for request in github.requests] == [f"Bearer {token}"]
    written = b"".join(path.read_bytes() for path in state().iterdir())
    assert written.startswith(b"SQLite format 3")
    assert token.encode() not in written
    assert len(rows()) == 2
