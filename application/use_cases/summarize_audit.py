"""Tell in figures what was called."""

from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.application.steps.audit_reading import paced
from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.statistics import HostFigures, Statistics


class SummarizeAudit:
    """Counts the rows that match, by host."""

    def __init__(self, *, reader: AuditReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(self, wanted: AuditFilter) -> tuple[HostFigures, ...]:
        """The figures of every host, the busiest first.

        Raises:
            LoopXError: ``state_error`` when the log cannot be read.
        """
        statistics = Statistics()
        async for row in paced(self._reader.read(wanted), self._clock):
            statistics.take(row)
        return statistics.figures()
