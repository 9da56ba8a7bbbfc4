"""Show one audited call."""

from collections.abc import AsyncIterator

from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.application.steps.audit_reading import paced
from loopx.domain.audit.filters import read_id
from loopx.domain.audit.row import AuditRow
from loopx.domain.errors import LoopXError


class ReadAuditedCall:
    """Gives all rows of an attempt or of a trace, or the row of a number."""

    def __init__(self, *, reader: AuditReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(self, name: str) -> AsyncIterator[AuditRow]:
        """Yield the rows in the order in which they were written.

        Raises:
            LoopXError: ``usage_error/parameter`` when there is none; ``state_error``.
        """
        found = False
        async for row in paced(self._reader.read(read_id(name)), self._clock):
            found = True
            yield row
        if not found:
            raise LoopXError(
                "usage_error",
                "parameter",
                detail="nothing is recorded under this id",
                hint="See `loopx audit list`; pruned rows and other state homes are not searched.",
            )
