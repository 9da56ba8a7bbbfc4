"""Watch calls as they are made."""

from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import islice
from typing import Final

from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.row import AuditRow

POLL: Final = 0.5
"""Seconds between two looks at the log."""


class FollowAudit:
    """Gives the last rows that match, then those that are added, for as long as anybody listens."""

    def __init__(self, *, reader: AuditReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(self, wanted: AuditFilter, *, last: int, follow: bool) -> AsyncIterator[AuditRow]:
        """Yield rows in the order in which they were written; without ``follow`` it ends.

        Raises:
            LoopXError: ``state_error`` when the log cannot be read.
        """
        # Looked at first: what comes while rows are read is found by the next look.
        seen = self._reader.head().sequence
        newest = list(islice(self._reader.read(wanted, newest_first=True), last))
        for row in reversed(newest):
            seen = max(seen, row.sequence)
            yield row
        while follow:
            await self._clock.sleep(POLL)
            head = self._reader.head().sequence
            if head < seen:
                seen = 0  # another log lies there now
            for row in self._reader.read(replace(wanted, after=seen)):
                head = max(head, row.sequence)
                yield row
            seen = head
