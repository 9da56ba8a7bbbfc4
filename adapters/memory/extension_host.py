"""Units of extensions stepped right here: for tests, and for code that is trusted anyway."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from loopx.application.ports.clock import Clock
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.api_range import check_api
from loopx.domain.extensions.authoring import Note as NoteStep
from loopx.domain.extensions.authoring import Record, Request, RequestFailedError, Response, Steps
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.protocol import LONGEST_NOTE, NOT_PASSED_ON
from loopx.domain.extensions.refusal import refused
from loopx.domain.extensions.session import Answer, Ask, Done, Emit, Failed, Note, Reply, Step
from loopx.domain.http.message import SUCCESS, Headers
from loopx.domain.schema import Data

UnitFunction = Callable[..., Steps]


class MemoryExtensionHost:
    """Knows the units of extensions by id and name; ``open_sessions`` counts those that nobody closed.

    There is no process around the code, so nothing bounds its memory, and time runs out between two steps.
    """

    def __init__(self, units: Mapping[str, Mapping[str, UnitFunction]], *, clock: Clock) -> None:
        self.open_sessions = 0
        self._units = units
        self._clock = clock

    async def try_load(self, code: ExtensionCode, context: CallContext) -> None:  # noqa: ARG002 - nobody is called
        self._load(code)

    async def open(
        self, code: ExtensionCode, unit: str, parameters: Data, context: CallContext
    ) -> "MemoryExtensionSession":
        code.manifest.unit(unit)
        function = self._load(code)[unit]
        self.open_sessions += 1
        return MemoryExtensionSession(self, function, parameters, lambda: self._late(context))

    def _load(self, code: ExtensionCode) -> Mapping[str, UnitFunction]:
        check_api(code.manifest.api)
        code.check_entry(())
        units = self._units.get(code.manifest.id)
        if units is None:
            raise refused("load", f"{code.manifest.id} is not known here")
        promised = {unit.name for unit in code.manifest.units}
        for name in sorted(promised.symmetric_difference(units)):
            absent = "it gives no such unit" if name in promised else "the manifest provides no such unit"
            raise refused("entry", f"{name}: {absent}")
        return units

    def _late(self, context: CallContext) -> bool:
        return context.deadline is not None and self._clock.monotonic() >= context.deadline


class MemoryExtensionSession:
    """A generator under way."""

    def __init__(
        self, host: MemoryExtensionHost, unit: UnitFunction, parameters: Data, is_late: Callable[[], bool]
    ) -> None:
        self._host = host
        self._start: Callable[[], Steps] = lambda: unit(**parameters)
        self._steps: Steps | None = None
        self._is_late = is_late
        self._closed = False
        self._asked = False
        self._failed: Failed | None = None
        self._raised: Exception | None = None

    async def step(self, answer: Answer | None = None) -> Step:
        if self._closed:
            raise refused("protocol", "it was over")
        if self._asked is not (answer is not None):
            raise ValueError("exactly an Ask is answered")
        try:
            step = self._next(answer)
        except LoopXError:
            await self.aclose()
            raise
        if isinstance(step, Done):
            await self.aclose()
        self._asked = isinstance(step, Ask)
        return step

    async def aclose(self) -> None:
        if not self._closed:
            self._closed = True
            self._host.open_sessions -= 1
            self._steps = None

    def _next(self, answer: Answer | None) -> Step:
        if self._is_late():
            raise LoopXError("deadline_exceeded", "run")
        said: Response | None = None
        raised: Exception | None = None
        if isinstance(answer, Failed):
            self._failed, self._raised = answer, _failure(answer.error)
            raised = self._raised
        elif answer is not None:
            said = _response(answer)
        while True:
            try:
                step = self._advance(said, raised)
            except StopIteration:
                return Done()
            except Exception as error:  # noqa: BLE001 - the border of foreign code: whatever it raises is named
                raise self._name(error) from None
            try:
                return _read(step)
            except (TypeError, ValueError) as error:
                said, raised = None, error

    def _advance(self, said: Response | None, raised: Exception | None) -> object:
        if self._steps is None:
            self._steps = self._start()
            return next(self._steps)
        if raised is not None:
            return self._steps.throw(raised)
        return self._steps.send(said)  # type: ignore[arg-type]  # nothing comes back for a record or a note

    def _name(self, error: Exception) -> LoopXError:
        if error is self._raised and self._failed is not None:
            return self._failed.error
        named = refused("raised", type(error).__name__)
        named.add_note(f"The extension says: {error}")
        return named


def _failure(error: LoopXError) -> RequestFailedError:
    return RequestFailedError(
        error.code,
        error.reason,
        error.what,
        status=error.status,
        retryable=error.retryable,
        retry_after=error.retry_after,
    )


def _response(reply: Reply) -> Response:
    headers: dict[str, str] = {}
    for name, value in reply.headers.without(*NOT_PASSED_ON).fields:
        lower = name.lower()
        headers[lower] = f"{headers[lower]}, {value}" if lower in headers else value
    return Response(reply.status, reply.body, headers=headers, url=reply.url)


def _read(step: object) -> Step:
    match step:
        case Request():
            return Ask(
                method=step.method,
                url=step.url,
                headers=Headers.of(step.headers),
                body=step.body,
                accept_status=SUCCESS | frozenset(step.accept_status),
                credential=step.credential,
                timeout=step.timeout,
            )
        case Record():
            data: dict[str, Any] = json.loads(json.dumps(step.data, allow_nan=False))
            return Emit(data)
        case NoteStep():
            return Note(str(step.text)[:LONGEST_NOTE])
        case _:
            raise TypeError(f"a unit yields Request, Record and Note, not {type(step).__name__}")
