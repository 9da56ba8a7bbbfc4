"""Find what was called."""

from collections.abc import AsyncIterator

from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.application.steps.audit_reading import paced
from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.row import AuditRow
from loopx.domain.results import Completeness, Status, Summary


class QueryAudit:
    """Gives the rows of the audit log that match, as a stream."""

    def __init__(self, *, reader: AuditReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(
        self, wanted: AuditFilter, *, limit: int | None = None, newest_first: bool = False
    ) -> AsyncIterator[AuditRow | Summary]:
        """Yield rows, and the summary last; a limit leaves the result incomplete only if there are more.

        Raises:
            LoopXError: ``state_error`` when the log cannot be read.
        """
        started = self._clock.monotonic()
        shown = 0
        more = False
        async for row in paced(self._reader.read(wanted, newest_first=newest_first), self._clock):
            if more := shown == limit:
                break
            shown += 1
            yield row
        yield Summary(
            status=Status.OK if shown else Status.EMPTY,
            completeness=Completeness(complete=not more, reason="limit" if more else None),
            records=shown,
            requests=0,
            duration=self._clock.monotonic() - started,
        )
