"""The file of the audit log under everything that can happen to a process, a disk or a file."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fakes.audit import pruning, subject
from fakes.outcomes import outcome_of, pair_of
from fakes.program import CHECKOUT, PATIENCE
from fakes.raw_server import Conversation, RawServer
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.sqlite.audit_log import FILE, SqliteAuditLog
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.filters import EVERYTHING
from loopx.domain.audit.pruning import SEGMENT_ROWS
from loopx.domain.audit.row import AuditPhase, AuditRow
from loopx.domain.audit.verification import verify
from loopx.domain.errors import LoopXError

ENVIRONMENT = os.environ | {"PYTHONPATH": f"{CHECKOUT / 'src'}:{CHECKOUT / 'tests'}"}
WRITER = [sys.executable, "-m", "fakes.audit_writer"]
OWN_MOUNTS = ["unshare", "--mount"]
CAN_MOUNT = (
    os.geteuid() == 0
    and subprocess.run([*OWN_MOUNTS, "true"], check=False, capture_output=True).returncode == 0
)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteAuditLog]:
    opened = SqliteAuditLog(tmp_path / "state", clock=MemoryClock(), patience=0.1)
    yield opened
    opened.close()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "state" / FILE


def read(log: SqliteAuditLog) -> list[AuditRow]:
    return list(log.read(EVERYTHING))


# Processes


async def kill_at(folder: Path, request: int, *, answered: bool) -> list[str]:
    """Let a program send requests, kill it at one of them, and give the spans that the server heard of."""
    heard: list[str] = []
    enough = asyncio.Event()

    async def script(conversation: Conversation) -> None:
        while (said := await conversation.request()) is not None:
            heard.append((said.headers.get("traceparent") or "")[36:52])
            if len(heard) >= request and not answered:
                enough.set()
            await conversation.say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            if len(heard) >= request:
                enough.set()

    async with RawServer(script) as server:
        command = [*WRITER, "call", str(folder), server.url()]
        program = await asyncio.create_subprocess_exec(*command, env=ENVIRONMENT)
        async with asyncio.timeout(PATIENCE):
            await enough.wait()
            program.send_signal(signal.SIGKILL)
            assert await program.wait() == -signal.SIGKILL
    return heard


def test_no_request_that_was_sent_is_missing_after_kill_9(tmp_path: Path) -> None:
    heard: list[str] = []
    kills = [(request, answered) for request in (1, 2, 7, 40, 111) for answered in (False, True)]
    for request, answered in kills:
        heard += asyncio.run(kill_at(tmp_path, request, answered=answered))
    log = SqliteAuditLog(tmp_path, clock=MemoryClock())
    rows = read(log)
    intents = [row.entry.subject.span_id for row in rows if row.entry.phase is AuditPhase.INTENT]
    assert set(heard) <= set(intents)
    assert len(heard) == len(set(heard)) >= sum(request for request, _ in kills)
    verdict = verify(*log.chain())
    assert (verdict.breach, verdict.rows) == (None, len(rows))
    assert verdict.unfinished <= len(kills)


def test_eight_processes_lose_no_row_and_break_no_chain(tmp_path: Path) -> None:
    names, count = [f"writer-{number}" for number in range(8)], 150
    programs = [
        subprocess.Popen([*WRITER, "fill", tmp_path, name, str(count)], env=ENVIRONMENT) for name in names
    ]
    assert [program.wait(PATIENCE) for program in programs] == [0] * len(names)
    log = SqliteAuditLog(tmp_path, clock=MemoryClock())
    rows = read(log)
    written = sorted((row.entry.subject.agent_id, row.entry.subject.id) for row in rows)
    assert written == sorted((name, subject(number).id) for name in names for number in range(count))
    assert verify(*log.chain()).breach is None


FORKED = """
import os, sys
from pathlib import Path
from fakes.audit import subject
from fakes.audit_writer import open_log
log = open_log(Path(sys.argv[1]))
log.intent(subject(1))
child = os.fork()
for number in range(50):
    log.intent(subject(number, agent_id="parent" if child else "child"))
log.close()
if child:
    assert os.waitpid(child, 0)[1] == 0
"""


def test_a_forked_process_goes_on_with_a_connection_of_its_own(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", FORKED, tmp_path], env=ENVIRONMENT, check=True, timeout=PATIENCE)
    log = SqliteAuditLog(tmp_path, clock=MemoryClock())
    assert verify(*log.chain()).breach is None
    assert len(read(log)) == 101


def test_a_writer_who_keeps_the_lock_too_long_refuses_the_others(log: SqliteAuditLog, place: Path) -> None:
    log.intent(subject(1))
    with closing(sqlite3.connect(place, isolation_level=None)) as greedy:
        greedy.execute("BEGIN IMMEDIATE")
        error = outcome_of(log.intent, subject(2))
        assert isinstance(error, LoopXError)
        assert pair_of(error) == "audit_error/unwritable"
        assert "another process" in error.what
        assert len(read(log)) == 1
    log.intent(subject(3))
    assert [row.entry.subject for row in read(log)] == [subject(1), subject(3)]


# Files


def test_the_file_is_private_and_so_are_its_companions(log: SqliteAuditLog, place: Path) -> None:
    log.intent(subject(1))
    modes = {path.name: path.stat().st_mode & 0o777 for path in [place.parent, *place.parent.iterdir()]}
    assert modes == {"state": 0o700, FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}


def test_looking_at_a_log_that_is_not_there_makes_none(log: SqliteAuditLog, place: Path) -> None:
    assert (read(log), log.head().sequence, list(log.segments())) == ([], 0, [])
    assert not place.parent.exists()


def test_a_file_of_no_bytes_becomes_a_log(log: SqliteAuditLog, place: Path) -> None:
    place.parent.mkdir()
    place.touch()
    assert (read(log), log.head().sequence) == ([], 0)
    log.intent(subject(1))
    assert len(read(log)) == 1


def test_a_log_that_was_moved_away_is_not_written_any_more(
    log: SqliteAuditLog, place: Path, tmp_path: Path
) -> None:
    log.intent(subject(1))
    log.close()
    log.intent(subject(2))
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        place.with_name(name).rename(tmp_path / name)
    log.intent(subject(3))
    assert [row.entry.subject for row in read(log)] == [subject(3)]
    moved = SqliteAuditLog(tmp_path, clock=MemoryClock())
    assert [row.entry.subject for row in read(moved)] == [subject(1), subject(2)]


def test_a_place_that_is_no_folder_refuses_the_call(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    log = SqliteAuditLog(tmp_path / "state", clock=MemoryClock())
    assert pair_of(outcome_of(log.intent, subject(1))) == "audit_error/unwritable"


def test_a_prune_that_was_killed_in_the_middle_shows_no_row_that_was_dropped(
    log: SqliteAuditLog, place: Path
) -> None:
    for number in range(SEGMENT_ROWS + 1):
        log.intent(subject(number))
    through = Anchor.of(read(log)[SEGMENT_ROWS - 1])
    with closing(sqlite3.connect(place)) as other:
        kept = other.execute("SELECT * FROM audit_row").fetchall()
        log.drop(through, pruning())
        marks = ", ".join("?" * len(kept[0]))
        # As if the process had died between the note and the sweeping.
        other.executemany(f"INSERT INTO audit_row VALUES ({marks})", kept[:SEGMENT_ROWS])  # noqa: S608 - marks alone
        other.commit()
        assert len(read(log)) == 2
        assert verify(*log.chain()).breach is None
        for number in range(SEGMENT_ROWS):
            log.intent(subject(number))
        log.drop(Anchor.of(read(log)[SEGMENT_ROWS - 1]), pruning())
        assert other.execute("SELECT min(sequence) FROM audit_row").fetchone() == (2 * SEGMENT_ROWS + 1,)


# Disks

LIMITS = [{"limit": size} for size in (0, 1_000, 8_192, 40_000, 300_000)]
MOUNTS = [{"mount": f"size={size}k"} for size in (8, 12, 40, 64, 200)]
READ_ONLY = [{"mount": "size=2m", "read_only": True}]


@pytest.mark.parametrize("fault", [*LIMITS, *([*MOUNTS, *READ_ONLY] if CAN_MOUNT else [])], ids=str)
def test_a_disk_that_takes_no_more_refuses_calls_and_harms_no_row(
    tmp_path: Path, fault: dict[str, Any]
) -> None:
    mounts = OWN_MOUNTS if "mount" in fault else []
    program = subprocess.run(
        [*mounts, *WRITER, "strain", tmp_path, json.dumps(fault)],
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    found = json.loads(program.stdout)
    assert found["error"].startswith("audit_error/unwritable: ")
    assert found["whole"] is True
    if fault.get("read_only"):
        assert (found["rows"], "read-only" in found["error"]) == (5, True)
    else:
        # The last attempt may have got as far as its intent.
        assert found["rows"] - 2 * found["written"] in {0, 1}
        assert found["again"] is True
