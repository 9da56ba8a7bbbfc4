"""Runs that go on by themselves while somebody reads them, and for a little while after."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from loopx.application.ports.clock import Clock
from loopx.application.ports.entropy import Entropy
from loopx.application.steps.spool import Spool
from loopx.domain.errors import LoopXError

_ID_BYTES = 12
_PIECE = 32_768


class RunState(StrEnum):
    """Where a run is."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """How much is done and kept at once; times in seconds, ``window`` in bytes per run.

    ``grace`` is how long a run goes on without a reader, ``keep`` how long an ended one can be read.
    """

    running: int = 8
    readers: int = 16
    kept: int = 32
    keep: float = 300.0
    grace: float = 10.0
    window: int = 512 * 1024


class Run:
    """One run: what it said so far, and how it stands; times are Unix time in seconds."""

    def __init__(self, *, id: str, capability: str, started_at: float, window: int) -> None:  # noqa: A002 - what it is called everywhere
        self.id = id
        self.capability = capability
        self.started_at = started_at
        self.ended_at: float | None = None
        self.state = RunState.RUNNING
        self.spool = Spool(window)
        self._changed = asyncio.Event()

    def write(self, line: bytes) -> None:
        """Say a line."""
        self.spool.append(line)
        self.wake()

    async def room(self) -> None:
        """Wait until the readers have caught up enough."""
        while not self.spool.has_room:
            await self._changed.wait()

    async def change(self) -> None:
        """Wait until the run says something or ends, or a reader moves."""
        await self._changed.wait()

    def wake(self) -> None:
        """Let everybody who waits look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    def end(self, state: RunState, at: float) -> None:
        """Say no more."""
        self.state = state
        self.ended_at = at
        self.wake()


class Reading:
    """The lines of a run from one place on, in pieces; must be closed."""

    def __init__(self, run: Run, after: int, left: Callable[[Run], None]) -> None:
        self._run = run
        self._left = left
        self._position = run.spool.attach(after)
        self._open = True

    def __aiter__(self) -> "Reading":
        return self

    async def __anext__(self) -> bytes:
        while True:
            piece = self._run.spool.take(self._position, _PIECE)
            if piece:
                self._run.wake()
                return piece
            if self._run.state is not RunState.RUNNING:
                raise StopAsyncIteration
            await self._run.change()

    async def aclose(self) -> None:
        """Stop to read."""
        if self._open:
            self._open = False
            self._run.spool.detach(self._position)
            self._left(self._run)


Job = Callable[[Run], Coroutine[None, None, None]]


class Runs:
    """All runs of this process, a bounded number of them."""

    def __init__(
        self,
        *,
        clock: Clock,
        entropy: Entropy,
        failed: Callable[[BaseException], None],
        limits: RunLimits | None = None,
    ) -> None:
        """``failed`` is told what broke a run."""
        self._clock = clock
        self._entropy = entropy
        self._failed = failed
        self._limits = limits or RunLimits()
        self._runs: dict[str, Run] = {}
        self._tasks: dict[Run, asyncio.Task[None]] = {}
        self._deserted: dict[Run, asyncio.Task[None]] = {}
        self._ended: dict[str, float] = {}
        self._readings = 0

    def counts(self) -> Mapping[RunState, int]:
        """How many runs there are in each state."""
        self._forget()
        found = Counter(run.state for run in self._runs.values())
        return {state: found[state] for state in RunState}

    def start(self, capability: str, job: Job) -> Run:
        """Start a run; it is cancelled unless somebody reads it before the grace is over.

        Raises:
            LoopXError: ``too_many_runs``.
        """
        self._forget()
        # Who starts a run reads it, too: without a place for that, nothing may begin.
        self._check_room_to_read()
        if len(self._tasks) >= self._limits.running:
            raise LoopXError("too_many_runs", "running", detail=f"{self._limits.running} are under way")
        run = Run(
            id=self._entropy.hex(_ID_BYTES),
            capability=capability,
            started_at=self._clock.now(),
            window=self._limits.window,
        )
        self._runs[run.id] = run
        task = self._tasks[run] = asyncio.create_task(job(run))
        task.add_done_callback(partial(self._end, run))
        self._desert(run)
        return run

    def find(self, run_id: str) -> Run:
        """The run of that name.

        Raises:
            LoopXError: ``not_found/run``.
        """
        self._forget()
        run = self._runs.get(run_id)
        if run is None:
            raise LoopXError("not_found", "run")
        return run

    def read(self, run: Run, after: int) -> Reading:
        """Read on behind a line; the run goes on as long as somebody does.

        Raises:
            LoopXError: ``gone/lines``, ``not_found/lines`` or ``too_many_runs/readers``.
        """
        self._check_room_to_read()
        reading = Reading(run, after, self._close)
        self._readings += 1
        self._stop_waiting(run)
        return reading

    def _check_room_to_read(self) -> None:
        if self._readings >= self._limits.readers:
            raise LoopXError("too_many_runs", "readers", detail=f"{self._limits.readers} are read now")

    async def cancel(self, run: Run) -> None:
        """End a run now and forget it; who reads it gets its last words."""
        self._runs.pop(run.id, None)
        await self._stop(run)

    async def stop(self) -> None:
        """End all runs."""
        await asyncio.gather(*(self._stop(run) for run in [*self._tasks]))

    async def _stop(self, run: Run) -> None:
        task = self._tasks.get(run)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    def _end(self, run: Run, task: asyncio.Task[None]) -> None:
        del self._tasks[run]
        self._stop_waiting(run)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self._failed(failure)
        state = RunState.CANCELLED if task.cancelled() else RunState.FAILED if failure else RunState.FINISHED
        run.end(state, self._clock.now())
        self._ended[run.id] = self._clock.monotonic()

    def _close(self, run: Run) -> None:
        self._readings -= 1
        run.wake()
        self._desert(run)

    def _desert(self, run: Run) -> None:
        """Start the grace of a run that nobody reads."""
        if run in self._tasks and not run.spool.has_readers and run not in self._deserted:
            self._deserted[run] = asyncio.create_task(self._abandon(run))

    def _stop_waiting(self, run: Run) -> None:
        waiting = self._deserted.pop(run, None)
        if waiting is not None:
            waiting.cancel()

    async def _abandon(self, run: Run) -> None:
        await self._clock.sleep(self._limits.grace)
        self._deserted.pop(run, None)
        await self._stop(run)

    def _forget(self) -> None:
        """Drop ended runs that are too old or too many."""
        horizon = self._clock.monotonic() - self._limits.keep
        surplus = len(self._ended) - self._limits.kept
        for place, (run_id, ended) in enumerate([*self._ended.items()]):
            if place < surplus or ended < horizon:
                del self._ended[run_id]
                self._runs.pop(run_id, None)
