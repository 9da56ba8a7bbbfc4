"""Runs of capabilities over HTTP: started, read again, cancelled."""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from loopx.application.capabilities.capability import Item
from loopx.application.ports.clock import Clock
from loopx.application.ports.entropy import Entropy
from loopx.application.steps.failures import Failures
from loopx.application.steps.runs import Run, Runs
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.http.message import Headers
from loopx.domain.redaction import Redactor
from loopx.domain.schema import RecordSpec
from loopx.entrypoints.http.messages import NDJSON, Request, Response, json_response, whole_number
from loopx.entrypoints.http.offering import Offering
from loopx.entrypoints.presentation.capabilities import CAPABILITY, capability_data
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.packet import Trace
from loopx.entrypoints.presentation.present import present
from loopx.entrypoints.presentation.run_request import read_run_request
from loopx.entrypoints.presentation.streaming import NdjsonSink
from loopx.entrypoints.presentation.streams import TalkOut
from loopx.entrypoints.presentation.times import iso

RUN_SCHEMA: Final = "loopx.run/1"
LAST_LINE: Final = "Last-Event-ID"
"""The header by which readers of event streams say where they were; it counts as ``after``."""

_AS_STREAM: Final = (("Content-Type", NDJSON),)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimes:
    """How long one call to the outside and one run may take, in seconds."""

    call: float = 30.0
    run: float = 900.0


class CapabilityRuns:
    """The endpoints."""

    def __init__(
        self,
        *,
        offering: Offering,
        runs: Runs,
        contexts: "Contexts",
        work: "RunWork",
    ) -> None:
        self._offering = offering
        self._runs = runs
        self._contexts = contexts
        self._work = work

    async def list_capabilities(self, _request: Request) -> Response:
        """What can be run."""
        offered = await self._offering.read()
        listed = [capability_data(spec) for spec in offered.specs]
        return json_response(
            {"schema": CAPABILITY.schema, "capabilities": listed, "problem": offered.problem}
        )

    async def start(self, request: Request) -> Response:
        """Start a run and stream it.

        Raises:
            LoopXError: ``usage_error``, ``bad_request`` or ``too_many_runs``.
        """
        capability = await self._offering.find(request.parts["name"])
        wanted = read_run_request(await request.read_body(), capability.spec.name)
        parameters = capability.spec.read({**wanted.params}, typed=True)
        context = self._contexts.open(request.headers, wanted.trace)
        items = capability.run(parameters, context)
        run = self._runs.start(capability.spec.name, partial(self._work, items, capability.spec.record))
        reading = self._runs.read(run, 0)
        return Response(201, reading, (*_AS_STREAM, ("Location", f"/v1/runs/{run.id}")))

    async def read(self, request: Request) -> Response:
        """How a run stands or, with ``after``, its lines from there on.

        Raises:
            LoopXError: ``not_found/run``, ``gone/lines``, ``bad_request/query`` or ``too_many_runs/readers``.
        """
        run = self._runs.find(request.parts["id"])
        after = request.number("after")
        last = request.headers.get(LAST_LINE)
        if after is None and last is not None:
            after = whole_number(LAST_LINE, last)
        return json_response(_run_data(run)) if after is None else self._stream(run, after)

    async def cancel(self, request: Request) -> Response:
        """End a run and forget it.

        Raises:
            LoopXError: ``not_found/run``.
        """
        await self._runs.cancel(self._runs.find(request.parts["id"]))
        return Response(204)

    def _stream(self, run: Run, after: int) -> Response:
        return Response(200, self._runs.read(run, after), _AS_STREAM)


class Contexts:
    """Knows on whose behalf a request is made, and how long it may take."""

    def __init__(self, *, clock: Clock, entropy: Entropy, times: RunTimes | None = None) -> None:
        self._clock = clock
        self._entropy = entropy
        self._times = times or RunTimes()

    def open(self, headers: Headers, trace: Trace) -> CallContext:
        """The context of a run; what the body says wins over the headers.

        Raises:
            LoopXError: ``usage_error/trace``.
        """
        given = trace.traceparent or headers.get("traceparent") or ""
        return CallContext(
            trace=TraceContext.parse(given) or TraceContext(self._entropy.hex(16), self._entropy.hex(8)),
            agent_id=trace.agent_id or headers.get("X-LoopX-Agent-Id"),
            turn_id=trace.turn_id or headers.get("X-LoopX-Turn-Id"),
            timeout=self._times.call,
            deadline=self._clock.monotonic() + self._times.run,
        )


class RunWork:
    """What a run does: says every item as a line, and ends well whatever ends it."""

    def __init__(self, *, clock: Clock, failures: Failures, redactor: Redactor) -> None:
        self._clock = clock
        self._failures = failures
        self._redactor = redactor

    async def __call__(self, items: AsyncIterator[Item], spec: RecordSpec, run: Run) -> None:
        """Go on until there are no more items."""
        frame = Frame(spec=spec, out=_Lines(run), talk=TalkOut(None))
        summary = await present(_paced(items, run), NdjsonSink(frame), self._clock.monotonic, self._redactor)
        if summary.error is not None:
            self._failures.note(summary.error)


class _Lines:
    """Hands what is written to the run, a line at a time."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._text = ""

    def write(self, text: str, /) -> None:
        self._text += text

    def flush(self) -> None:
        self._run.write(self._text.encode())
        self._text = ""


async def _paced(items: AsyncIterator[Item], run: Run) -> AsyncGenerator[Item, None]:
    """The same items, none asked for before its readers have room for it."""
    try:
        await run.room()
        async for item in items:
            yield item
            await run.room()
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()


def _run_data(run: Run) -> dict[str, object]:
    return {
        "schema": RUN_SCHEMA,
        "id": run.id,
        "capability": run.capability,
        "state": run.state.value,
        "started_at": iso(run.started_at),
        "ended_at": None if run.ended_at is None else iso(run.ended_at),
        "first_line": run.spool.first,
        "last_line": run.spool.last,
    }
