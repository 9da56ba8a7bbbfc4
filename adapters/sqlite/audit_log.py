"""The audit log as a file that several processes write at once.

SQLite in WAL mode with ``synchronous = NORMAL``: a commit is a write to the operating system, without a
flush to the disk. So a row survives whatever happens to the process, kill -9 included, and may be
lost with the last moments before a loss of power.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from loopx.application.ports.clock import Clock
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.pruning import Segment, prune_note
from loopx.domain.audit.row import MICROSECONDS, UNKNOWN, AuditEntry, AuditPhase, AuditRow, Outcome, Subject

if TYPE_CHECKING:
    from loopx.adapters.sqlite.audit_file import AuditFile


FILE: Final = "audit.sqlite3"


class SqliteAuditLog:
    """Nothing is opened, and SQLite is not even loaded, before the first row.

    ``folder`` is the state home. ``patience`` is how long other writers are waited for, in seconds.
    """

    def __init__(self, folder: Path, *, clock: Clock, patience: float = 5.0) -> None:
        self._place = folder / FILE
        self._clock = clock
        self._patience = patience
        self._lock = Lock()

    @cached_property
    def _file(self) -> "AuditFile":
        from loopx.adapters.sqlite.audit_file import AuditFile  # noqa: PLC0415 - most starts call nobody

        return AuditFile(self._place, patience=self._patience)

    def intent(self, subject: Subject) -> None:
        self._append(AuditPhase.INTENT, subject)

    def outcome(self, subject: Subject, outcome: Outcome) -> None:
        self._append(AuditPhase.OUTCOME, subject, outcome)

    def note(self, subject: Subject, outcome: Outcome, text: str | None = None) -> None:
        self._append(AuditPhase.NOTE, subject, outcome, text)

    def read(self, wanted: AuditFilter, *, newest_first: bool = False) -> Iterator[AuditRow]:
        return self._file.rows(wanted, newest_first=newest_first)

    def chain(self) -> tuple[Anchor, Iterator[AuditRow]]:
        return self._file.chain()

    def segments(self) -> Iterator[Segment]:
        return self._file.segments()

    def head(self) -> Anchor:
        return self._file.head()

    def drop(self, through: Anchor, subject: Subject) -> None:
        entry = self._entry(AuditPhase.NOTE, subject, note=prune_note(through))
        with self._lock:
            self._file.drop(through, entry)

    def close(self) -> None:
        """Give back the file; the next row opens it again."""
        with self._lock:
            if "_file" in vars(self):
                self._file.close()

    def _append(
        self, phase: AuditPhase, subject: Subject, outcome: Outcome = UNKNOWN, note: str | None = None
    ) -> None:
        # Calls come from several threads where several event loops run.
        with self._lock:
            self._file.append(self._entry(phase, subject, outcome, note))

    def _entry(
        self, phase: AuditPhase, subject: Subject, outcome: Outcome = UNKNOWN, note: str | None = None
    ) -> AuditEntry:
        at = int(self._clock.now() * MICROSECONDS)
        return AuditEntry(at=at, phase=phase, subject=subject, outcome=outcome, note=note)
