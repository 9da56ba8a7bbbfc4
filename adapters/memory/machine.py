"""A machine that is whatever a test says."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from loopx.domain.errors import LoopXError
from loopx.domain.processes import Command, Finished
from loopx.domain.updates.host import Host
from loopx.domain.updates.owner import Evidence
from loopx.domain.updates.preflight import Place
from loopx.domain.updates.steps import Step
from loopx.domain.versions import Version


class MemoryProcessRunner:
    """Answers for programs that do not exist; ``commands`` keeps what was to be run."""

    def __init__(self, answer: Callable[[Command], Finished]) -> None:
        self._answer = answer
        self.commands: list[Command] = []

    async def run(self, command: Command) -> Finished:
        self.commands.append(command)
        return self._answer(command)


class MemoryInstallOwner:
    """Finds the given evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    def evidence(self) -> Evidence:
        return self._evidence


class MemoryUpdatePlace:
    """A place that tests change by setting ``place``."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def inspect(self) -> Place:
        return self.place


class MemoryHostProbe:
    """Runs on the given host."""

    def __init__(self, host: Host | None = None) -> None:
        self._host = host or Host("any", Version("3.11.0", (3, 11, 0)), "/usr/bin/python3")

    def host(self) -> Host:
        return self._host


class MemoryLocks:
    """Locks of one process that never wait; ``holding`` are those that another process has."""

    def __init__(self) -> None:
        self.holding: set[str] = set()

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        if name in self.holding:
            raise LoopXError("state_error", "locked", detail=name)
        self.holding.add(name)
        try:
            yield
        finally:
            self.holding.discard(name)


class MemoryUpdateProgress:
    """Writes down the steps; ``then`` is asked at each, and may raise."""

    def __init__(self, then: Callable[[Step], None] | None = None) -> None:
        self.steps: list[Step] = []
        self._then = then

    def reached(self, step: Step) -> None:
        self.steps.append(step)
        if self._then is not None:
            self._then(step)


class RestartedError(Exception):
    """Stands for the end of this process."""


class MemoryRestarter:
    """Becomes no other program: ``programs`` keeps what it should have become."""

    def __init__(self) -> None:
        self.programs: list[tuple[tuple[str, ...], tuple[str, str]]] = []

    def restart(self, program: Sequence[str], guard: tuple[str, str]) -> NoReturn:
        self.programs.append((tuple(program), guard))
        raise RestartedError
