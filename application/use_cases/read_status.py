"""Tell how the status server is doing."""

from dataclasses import dataclass

from loopx.application.ports.clock import Clock
from loopx.application.steps.failures import Failures
from loopx.application.steps.runs import Runs
from loopx.domain.server_status import ServerStatus


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """Which process serves, and in which version."""

    pid: int
    version: str


class ReadStatus:
    """Puts together what a person or a dashboard wants to know first; it is all in memory."""

    def __init__(
        self,
        *,
        clock: Clock,
        process: ServerProcess,
        runs: Runs,
        failures: Failures,
    ) -> None:
        self._clock = clock
        self._process = process
        self._runs = runs
        self._failures = failures
        self._started = clock.monotonic()
        self._started_at = clock.now()

    def __call__(self) -> ServerStatus:
        """The state at this moment."""
        return ServerStatus(
            version=self._process.version,
            pid=self._process.pid,
            started_at=self._started_at,
            uptime=self._clock.monotonic() - self._started,
            runs=tuple((state.value, count) for state, count in self._runs.counts().items()),
            failures=self._failures.recent(),
        )
