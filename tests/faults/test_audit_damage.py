"""The file of the audit log damaged, forged, or of somebody else: it is told, and never overwritten."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fakes.audit import DONE, subject
from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.sqlite.audit_log import FILE, SqliteAuditLog
from loopx.domain.audit.filters import EVERYTHING
from loopx.domain.audit.row import AuditRow
from loopx.domain.audit.verification import verify
from loopx.domain.errors import LoopXError


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


def foreign_database(place: Path) -> None:
    with closing(sqlite3.connect(place)) as other:
        other.execute("CREATE TABLE audit_row (sequence INTEGER PRIMARY KEY, hash TEXT)")
        other.commit()


def no_database(place: Path) -> None:
    place.write_bytes(b"these are no rows\n" * 500)


@pytest.mark.parametrize("make", [foreign_database, no_database])
def test_what_is_no_log_is_told_and_left_as_it_is(log: SqliteAuditLog, place: Path, make: Any) -> None:
    place.parent.mkdir()
    make(place)
    before = place.read_bytes()
    for deed in (lambda: log.intent(subject(1)), lambda: read(log), log.head, log.chain):
        error = outcome_of(deed)
        assert isinstance(error, LoopXError)
        assert (pair_of(error), str(place) in error.what) == ("state_error/corrupt", True)
    assert place.read_bytes() == before


def test_a_log_of_a_newer_version_is_left_alone(log: SqliteAuditLog, place: Path) -> None:
    log.intent(subject(1))
    log.close()
    with closing(sqlite3.connect(place)) as newer:
        newer.execute("PRAGMA user_version = 2")
    for deed in (lambda: log.intent(subject(2)), lambda: read(log), log.head):
        assert pair_of(outcome_of(deed)) == "state_error/newer_version"


def test_a_flipped_byte_is_found_or_changes_nothing(log: SqliteAuditLog, place: Path) -> None:
    for number in range(30):
        log.intent(subject(number))
        log.outcome(subject(number), DONE)
    rows, head = read(log), log.head()
    log.close()
    whole = place.read_bytes()
    found = 0
    chance = random.Random(7)  # noqa: S311 - places to damage, not secrets
    for _ in range(400):
        broken = bytearray(whole)
        broken[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        place.write_bytes(broken)
        verdict = outcome_of(lambda: verify(*log.chain(), head))
        if isinstance(verdict, LoopXError) or verdict.breach is not None:
            found += 1
        else:
            assert read(log) == rows
    # The others fell where nothing is stored.
    assert found > 100


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE audit_row SET agent_id = 'another' WHERE sequence = 3",
        "UPDATE audit_row SET url = CAST(x'ff' AS TEXT) WHERE sequence = 3",
        "UPDATE audit_row SET status = NULL WHERE sequence = 4",
        "DELETE FROM audit_row WHERE sequence = 3",
        "DELETE FROM audit_row WHERE sequence = 6",
        "DELETE FROM audit_row",
        "UPDATE audit_row SET sequence = sequence + 1 WHERE sequence = 6",
        "UPDATE audit_start SET sequence = 2, hash = (SELECT hash FROM audit_row WHERE sequence = 2)",
        "UPDATE audit_row SET hash = 'x' WHERE sequence = 6",
        "UPDATE audit_row SET at = 'now' WHERE sequence = 6",
        "UPDATE audit_start SET hash = NULL",
        "DELETE FROM audit_start",
        "DROP TABLE audit_start",
    ],
)
def test_whoever_writes_the_file_by_other_means_is_found(
    log: SqliteAuditLog, place: Path, tampering: str
) -> None:
    for number in range(3):
        log.intent(subject(number))
        log.outcome(subject(number), DONE)
    head = log.head()
    log.close()
    with closing(sqlite3.connect(place)) as other:
        other.execute(tampering)
        other.commit()
    verdict = outcome_of(lambda: verify(*log.chain(), head))
    if isinstance(verdict, LoopXError):
        assert pair_of(verdict) in {"audit_error/chain_broken", "state_error/corrupt"}
    else:
        assert verdict.breach is not None
