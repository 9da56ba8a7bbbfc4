"""The audit log of one process, gone with it."""

from collections.abc import Iterator
from threading import Lock

from loopx.adapters.memory.clock import MemoryClock
from loopx.application.ports.clock import Clock
from loopx.domain.audit.chain import GENESIS, Anchor, link
from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.pruning import CAPABILITY, SEGMENT_ROWS, Segment, prune_note, segment_of
from loopx.domain.audit.row import MICROSECONDS, UNKNOWN, AuditEntry, AuditPhase, AuditRow, Outcome, Subject
from loopx.domain.errors import LoopXError


class MemoryAuditLog:
    """The same chain, without a file; beyond ``most`` rows the oldest are pruned, so that it stays small."""

    def __init__(self, *, clock: Clock | None = None, most: int = 10_000) -> None:
        self._clock = clock or MemoryClock()
        self._most = most
        self._start = GENESIS
        self._rows: list[AuditRow] = []
        self._lock = Lock()

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """Everything that is left."""
        return tuple(self._rows)

    def intent(self, subject: Subject) -> None:
        self._append(AuditPhase.INTENT, subject)

    def outcome(self, subject: Subject, outcome: Outcome) -> None:
        self._append(AuditPhase.OUTCOME, subject, outcome)

    def note(self, subject: Subject, outcome: Outcome, text: str | None = None) -> None:
        self._append(AuditPhase.NOTE, subject, outcome, text)

    def read(self, wanted: AuditFilter, *, newest_first: bool = False) -> Iterator[AuditRow]:
        rows = self.rows
        return filter(wanted.matches, reversed(rows) if newest_first else rows)

    def chain(self) -> tuple[Anchor, Iterator[AuditRow]]:
        with self._lock:
            return self._start, iter(self.rows)

    def segments(self) -> Iterator[Segment]:
        by_number: dict[int, list[AuditRow]] = {}
        for row in self.rows:
            by_number.setdefault(segment_of(row.sequence), []).append(row)
        for rows in by_number.values():
            times = [row.entry.at for row in rows]
            yield Segment(rows[0].sequence, Anchor.of(rows[-1]), min(times), max(times))

    def head(self) -> Anchor:
        with self._lock:
            return self._head()

    def drop(self, through: Anchor, subject: Subject) -> None:
        with self._lock:
            self._drop(through, subject)

    def close(self) -> None:
        """Nothing is open."""

    def _append(
        self, phase: AuditPhase, subject: Subject, outcome: Outcome = UNKNOWN, note: str | None = None
    ) -> None:
        at = int(self._clock.now() * MICROSECONDS)
        with self._lock:
            self._link(AuditEntry(at=at, phase=phase, subject=subject, outcome=outcome, note=note))
            if len(self._rows) > self._most + SEGMENT_ROWS:
                through = next(row for row in self._rows if row.sequence % SEGMENT_ROWS == 0)
                trace = subject.trace_id
                self._drop(Anchor.of(through), Subject(id=subject.id, trace_id=trace, capability=CAPABILITY))

    def _head(self) -> Anchor:
        return Anchor.of(self._rows[-1]) if self._rows else self._start

    def _link(self, entry: AuditEntry) -> None:
        self._rows.append(link(self._head(), entry))

    def _drop(self, through: Anchor, subject: Subject) -> None:
        if through.sequence <= self._start.sequence:
            return
        if not any(Anchor.of(row) == through for row in self._rows):
            raise LoopXError("audit_error", "chain_broken", detail=f"row {through.sequence} is another one")
        at = int(self._clock.now() * MICROSECONDS)
        note = prune_note(through)
        self._link(AuditEntry(at=at, phase=AuditPhase.NOTE, subject=subject, note=note))
        self._start = through
        self._rows = [row for row in self._rows if row.sequence > through.sequence]
