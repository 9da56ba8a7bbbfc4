"""The log in figures: one line a host."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from loopx.domain.audit.row import AuditPhase, AuditRow


@dataclass(slots=True)
class HostFigures:
    """What was asked of one host; times are Unix time in microseconds.

    ``attempts`` counts what was sent, ``failed`` the attempts with an error, ``refused`` what was never
    sent.
    """

    host: str | None
    attempts: int = 0
    failed: int = 0
    refused: int = 0
    from_cache: int = 0
    unfinished: int = 0
    bytes_out: int = 0
    bytes_in: int = 0
    first: int = 0
    last: int = 0
    slowest_ms: int = 0
    total_ms: int = 0

    @property
    def mean_ms(self) -> int | None:
        """The mean duration of an attempt."""
        ended = self.attempts - self.unfinished
        return round(self.total_ms / ended) if ended > 0 else None


@dataclass(slots=True)
class Statistics:
    """Takes rows in the order of the chain, one by one."""

    hosts: dict[str | None, HostFigures] = field(default_factory=dict[str | None, HostFigures])
    _open: set[str] = field(default_factory=set[str])

    def take(self, row: AuditRow) -> None:
        """Count one row."""
        entry = row.entry
        if entry.subject.method is None:
            return  # about the log itself
        figures = self._of(entry.subject.host, entry.at)
        match entry.phase:
            case AuditPhase.INTENT:
                figures.attempts += 1
                figures.unfinished += 1
                self._open.add(entry.subject.id)
            case AuditPhase.OUTCOME:
                self._end(figures, row)
            case AuditPhase.NOTE:
                figures.from_cache += entry.outcome.code is None
                figures.refused += entry.outcome.code is not None

    def _of(self, host: str | None, at: int) -> HostFigures:
        figures = self.hosts.setdefault(host, HostFigures(host, first=at, last=at))
        figures.first, figures.last = min(figures.first, at), max(figures.last, at)
        return figures

    def _end(self, figures: HostFigures, row: AuditRow) -> None:
        outcome, name = row.entry.outcome, row.entry.subject.id
        if name in self._open:
            self._open.remove(name)
            figures.unfinished -= 1
        else:
            figures.attempts += 1  # its intent is not among the rows that were asked for
        figures.failed += outcome.code is not None
        figures.bytes_out += outcome.bytes_out or 0
        figures.bytes_in += outcome.bytes_in or 0
        figures.total_ms += outcome.elapsed_ms or 0
        figures.slowest_ms = max(figures.slowest_ms, outcome.elapsed_ms or 0)

    def figures(self) -> tuple[HostFigures, ...]:
        """The hosts, the busiest first."""
        return tuple(sorted(self.hosts.values(), key=lambda each: (-each.attempts, each.host or "")))


def count(rows: Iterable[AuditRow]) -> tuple[HostFigures, ...]:
    """Count all rows."""
    statistics = Statistics()
    for row in rows:
        statistics.take(row)
    return statistics.figures()
