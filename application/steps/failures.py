"""Remembers which failures there were: codes and counts, never a text."""

from loopx.application.ports.clock import Clock
from loopx.domain.errors import LoopXError
from loopx.domain.server_status import FailureCount


class Failures:
    """Failures of this process by code; there are as many as the table has rows at most."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._found: dict[tuple[str, str], FailureCount] = {}

    def note(self, error: LoopXError) -> None:
        """One more."""
        key = (error.code, error.reason)
        before = self._found.pop(key, None)
        count = before.count + 1 if before else 1
        self._found[key] = FailureCount(*key, count, self._clock.now())

    def recent(self) -> tuple[FailureCount, ...]:
        """All of them, the latest first."""
        return tuple(reversed(self._found.values()))
