"""A unit of an installed extension, offered as a capability like those that are built in."""

import shlex
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from loopx.application.capabilities.capability import Capability, Item, Parameters, Record
from loopx.application.ports.clock import Clock
from loopx.application.ports.extension_host import ExtensionHost, ExtensionSession
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.installed_extensions import InstalledExtension, InstalledExtensions
from loopx.application.steps.granted_calls import GrantedCalls
from loopx.domain.conformance import misfit
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.manifest import Unit
from loopx.domain.extensions.refusal import refused
from loopx.domain.extensions.session import Answer, Ask, Done, Emit, Failed, Note, Step
from loopx.domain.results import Completeness, Problem, SourceCompleteness, Status, Summary, status_of
from loopx.domain.schema import CapabilitySpec, ParameterValue

_MOST_PROBLEMS: Final = 100
_MOST_WARNINGS: Final = 100
_NOT_GRANTED: Final = frozenset({"egress_blocked", "extension_error"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionRuntime:
    """What every unit runs with."""

    extensions: InstalledExtensions
    host: ExtensionHost
    transport: HttpTransport
    clock: Clock


class ExtensionCapabilities:
    """The units of all installed extensions, found anew each time that somebody asks."""

    def __init__(self, runtime: ExtensionRuntime) -> None:
        self._runtime = runtime

    def capabilities(self) -> Iterable[Capability]:
        """Every unit; no code is read for that."""
        for extension in self._runtime.extensions.approved():
            for unit in extension.manifest.units:
                yield ExtensionUnit(extension, unit, self._runtime)


class ExtensionUnit:
    """One unit."""

    def __init__(self, extension: InstalledExtension, unit: Unit, runtime: ExtensionRuntime) -> None:
        self._extension = extension
        self._unit = unit
        self._runtime = runtime

    @property
    def spec(self) -> CapabilitySpec:
        """Name, parameters and record, as the manifest declares them."""
        return self._unit.spec

    def run(self, parameters: Parameters, context: CallContext) -> AsyncIterator[Item]:
        """Start a run; nothing is raised."""
        return self._stream(parameters, replace(context, capability=self.spec.name))

    async def _stream(self, parameters: Parameters, context: CallContext) -> AsyncIterator[Item]:
        runtime, manifest = self._runtime, self._extension.manifest
        started = runtime.clock.monotonic()
        calls = GrantedCalls(grants=manifest.grants, transport=runtime.transport, clock=runtime.clock)
        run = _Run(self._unit, manifest.id, calls)
        try:
            code = await runtime.extensions.open(self._extension)
            opened = await runtime.host.open(code, self.spec.name, parameters, context)
            async with aclosing(opened) as session:
                async for item in run.play(session, context):
                    yield item
        except LoopXError as error:
            if (problem := run.end(error)) is not None:
                yield problem
        yield run.summarize(parameters, runtime.clock.monotonic() - started)


class _Run:
    """Steps a session and keeps count."""

    def __init__(self, unit: Unit, extension_id: str, calls: GrantedCalls) -> None:
        self._spec = unit.spec
        self._extension_id = extension_id
        self._calls = calls
        self._records = 0
        self._warnings: list[str] = []
        self._problems: list[Problem] = []
        self._ended_by: LoopXError | None = None

    async def play(self, session: ExtensionSession, context: CallContext) -> AsyncIterator[Item]:
        """Everything that comes of a session."""
        answer: Answer | None = None
        while not isinstance(step := await session.step(answer), Done):
            answer = await self._answer(step, context) if isinstance(step, Ask) else None
            if isinstance(answer, Failed) and answer.error.code in _NOT_GRANTED:
                yield self._report(answer.error)
            for item in self._take(step):
                yield item

    def end(self, error: LoopXError) -> Problem | None:
        """Note what ended it; a problem, unless that was told already."""
        self._ended_by = error
        if any(problem.error is error for problem in self._problems):
            return None
        return Problem(self._spec.name, error)

    async def _answer(self, ask: Ask, context: CallContext) -> Answer:
        try:
            return await self._calls.send(ask, context)
        except LoopXError as error:
            return Failed(error)

    def _take(self, step: Step) -> Iterator[Item]:
        match step:
            case Emit(data):
                if (fault := misfit(data, self._spec.record)) is None:
                    self._records += 1
                    yield Record(self._spec.record.type, data)
                else:
                    yield self._report(refused("record", fault))
            case Note(text) if len(self._warnings) < _MOST_WARNINGS:
                self._warnings.append(text)
            case _:
                pass

    def _report(self, error: LoopXError) -> Problem:
        if len(self._problems) >= _MOST_PROBLEMS:
            raise refused("output_too_large", f"more than {_MOST_PROBLEMS} problems")
        problem = Problem(self._spec.name, error)
        self._problems.append(problem)
        return problem

    def summarize(self, parameters: Parameters, duration: float) -> Summary:
        """The last word."""
        error = self._ended_by or next((problem.error for problem in self._problems), None)
        reason = f"{error.code}/{error.reason}" if error is not None else None
        source = SourceCompleteness(
            source=self._extension_id,
            complete=error is None,
            reason=reason,
            records=self._records,
            total=None,
        )
        rerun = None if error is None else _command(self._spec, parameters)
        return Summary(
            status=self._status(error),
            completeness=Completeness(
                complete=error is None, reason=reason, per_source=(source,), rerun=rerun
            ),
            records=self._records,
            requests=self._calls.requests,
            duration=duration,
            warnings=tuple(self._warnings),
            error=None if self._records else error,
        )

    def _status(self, error: LoopXError | None) -> Status:
        if error is None:
            return Status.OK if self._records else Status.EMPTY
        return Status.PARTIAL if self._records else status_of(error)


def _command(spec: CapabilitySpec, parameters: Parameters) -> str:
    """The command that asks for the same again."""
    given = [(one.name, value) for one in spec.parameters if (value := parameters[one.name]) != one.default]
    return shlex.join(
        ["loopx", "capability", "run", spec.name, *(word for pair in given for word in _words(*pair))]
    )


def _words(name: str, value: ParameterValue | None) -> Iterator[str]:
    option = f"--{name.replace('_', '-')}"
    match value:
        case None:
            return
        case bool():
            yield option if value else f"--no-{option[2:]}"
        case tuple():
            for item in value:
                yield from (option, item)
        case _:
            yield from (option, str(value))
