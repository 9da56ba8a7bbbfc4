"""The layer at the wire: an intent before, an outcome after, whatever happens in between."""

import asyncio
from dataclasses import replace

import pytest

from fakes.audited import FullAuditLog, PlayedWire, audited
from fakes.outcomes import pair_of
from loopx.adapters.http.exchange import Exchange
from loopx.adapters.http.refusals import RefusalTransport
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.audit.row import UNKNOWN, AuditEntry, AuditPhase, Outcome, Subject
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse
from loopx.domain.secrets import Secret

TRACE = TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
CONTEXT = CallContext(trace=TRACE, agent_id="agent-7", turn_id="turn-3", capability="pr_review")
REQUEST = HttpRequest(
    method="POST", url="https://api.example/v1/do?access_token=hidden-words&page=2", attempt=2
)
FIRST = f"{1:016x}"


def entries(log: MemoryAuditLog) -> list[AuditEntry]:
    return [row.entry for row in log.rows]


def send(
    transport: HttpTransport, request: HttpRequest = REQUEST, context: CallContext = CONTEXT
) -> HttpResponse | LoopXError:
    try:
        return asyncio.run(transport.send(request, context))
    except LoopXError as error:
        return error


def raising(exc: BaseException) -> PlayedWire:
    def deed(_: Exchange) -> None:
        raise exc

    return PlayedWire(deed)


def test_an_attempt_is_two_rows_that_say_the_same_of_the_call() -> None:
    log, clock = MemoryAuditLog(), MemoryClock()

    def deed(exchange: Exchange) -> None:
        assert [entry.phase for entry in entries(log)] == [AuditPhase.INTENT]
        clock.advance(0.25)
        exchange.status, exchange.headers = 200, Headers((("X-RateLimit-Remaining", "4999"),))
        exchange.written, exchange.received = 310, 4_200

    response = send(audited(PlayedWire(deed), log, clock=clock))
    subject = Subject(
        id=FIRST,
        trace_id=TRACE.trace_id,
        span_id=FIRST,
        agent_id="agent-7",
        turn_id="turn-3",
        capability="pr_review",
        method="POST",
        host="api.example",
        url="https://api.example/v1/do?access_token=***&page=2",
        attempt=2,
    )
    intent, outcome = entries(log)
    assert (intent.phase, intent.subject, intent.outcome) == (AuditPhase.INTENT, subject, UNKNOWN)
    assert (outcome.phase, outcome.subject) == (AuditPhase.OUTCOME, subject)
    assert outcome.outcome == Outcome(
        status=200, elapsed_ms=250, bytes_out=310, bytes_in=4_200, rate_remaining=4_999
    )
    assert isinstance(response, HttpResponse)
    assert response.audit_id == FIRST


def test_the_wire_tells_the_server_the_span_that_is_written_down() -> None:
    log, wire = MemoryAuditLog(), PlayedWire()
    transport = audited(wire, log)
    send(transport)
    send(transport)
    spans = [context.trace.span_id for _, context in wire.sent]
    assert spans == [FIRST, f"{2:016x}"]
    assert [entry.subject.span_id for entry in entries(log)] == [spans[0]] * 2 + [spans[1]] * 2


def test_a_failure_is_written_with_its_code_and_names_its_row() -> None:
    log = MemoryAuditLog()
    error = send(audited(raising(LoopXError("provider_network_error", "reset")), log))
    assert isinstance(error, LoopXError)
    assert (pair_of(error), error.audit_id) == ("provider_network_error/reset", FIRST)
    outcome = entries(log)[-1].outcome
    assert (outcome.code, outcome.reason, outcome.status) == ("provider_network_error", "reset", None)


ENDINGS: list[tuple[BaseException, str, str]] = [
    (asyncio.CancelledError(), "cancelled", "caller"),
    (GeneratorExit(), "cancelled", "caller"),
    (KeyboardInterrupt(), "cancelled", "signal"),
    (SystemExit(3), "cancelled", "signal"),
    (ZeroDivisionError(), "internal_error", "defect"),
]


@pytest.mark.parametrize(("exc", "code", "reason"), ENDINGS, ids=lambda value: type(value).__name__)
def test_whatever_ends_an_attempt_is_written_and_passes_on_as_it_is(
    exc: BaseException, code: str, reason: str
) -> None:
    log = MemoryAuditLog()
    call = audited(raising(exc), log).send(REQUEST, CONTEXT)
    # Driven by hand: an event loop has its own ways with these.
    with pytest.raises(type(exc)) as caught:
        call.send(None)
    assert caught.value is exc
    outcome = entries(log)[-1].outcome
    assert (outcome.code, outcome.reason) == (code, reason)


@pytest.mark.parametrize(
    ("deadline", "call_deadline", "reason"),
    [(None, 5.0, "call"), (5.0, 30.0, "run"), (5.0, 5.0, "call"), (4.0, 5.0, "run"), (5.0, 4.0, "call")],
)
def test_a_cancellation_behind_a_deadline_is_that_deadline(
    deadline: float | None, call_deadline: float, reason: str
) -> None:
    log, clock = MemoryAuditLog(), MemoryClock()

    def deed(_: Exchange) -> None:
        clock.advance(5)
        raise asyncio.CancelledError

    context = replace(CONTEXT, deadline=deadline, call_deadline=call_deadline)
    with pytest.raises(asyncio.CancelledError):
        audited(PlayedWire(deed), log, clock=clock).send(REQUEST, context).send(None)
    outcome = entries(log)[-1].outcome
    assert (outcome.code, outcome.reason) == ("deadline_exceeded", reason)


# A log that cannot be written


def test_nothing_is_sent_that_cannot_be_written_down() -> None:
    wire = PlayedWire()
    assert pair_of(send(audited(wire, FullAuditLog()))) == "audit_error/unwritable"
    assert wire.sent == []


def test_an_answer_whose_outcome_cannot_be_written_is_an_error_that_says_it_was_sent() -> None:
    log = FullAuditLog(room=1)
    error = send(audited(PlayedWire(), log))
    assert isinstance(error, LoopXError)
    assert (pair_of(error), error.sent.value) == ("audit_error/outcome_unwritten", "yes")
    assert FIRST in error.what
    assert log.written == [f"intent {FIRST}"]


def test_a_failure_whose_outcome_cannot_be_written_stays_the_failure_it_was() -> None:
    wire = raising(LoopXError("provider_network_error", "reset"))
    assert pair_of(send(audited(wire, FullAuditLog(room=1)))) == "provider_network_error/reset"
    with pytest.raises(asyncio.CancelledError):
        audited(raising(asyncio.CancelledError()), FullAuditLog(room=1)).send(REQUEST, CONTEXT).send(None)


# Refusals


class Refusing:
    """Refuses every call before anything is sent."""

    def __init__(self, error: LoopXError) -> None:
        self._error = error

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        facts = replace(self._error.call, method=request.method, url="https://api.example/v1/do")
        raise self._error.with_call(facts)


def refused(error: LoopXError, log: MemoryAuditLog | FullAuditLog) -> LoopXError:
    transport = RefusalTransport(Refusing(error), audit=log, entropy=MemoryEntropy())
    outcome = send(transport)
    assert isinstance(outcome, LoopXError)
    return outcome


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("egress_blocked", "scheme"),
        ("egress_blocked", "redirect_target"),
        ("request_invalid", "header"),
        ("credential_error", "malformed"),
        ("provider_redirect_error", "downgrade"),
    ],
)
def test_a_refused_call_is_one_row(code: str, reason: str) -> None:
    log = MemoryAuditLog()
    error = refused(LoopXError(code, reason), log)
    (note,) = entries(log)
    assert (note.phase, note.outcome.code, note.outcome.reason) == (AuditPhase.NOTE, code, reason)
    assert (note.subject.span_id, note.subject.url) == (None, "https://api.example/v1/do")
    assert (note.subject.agent_id, note.subject.host) == ("agent-7", "api.example")
    assert (error.code, error.audit_id) == (code, note.subject.id)


@pytest.mark.parametrize(
    "error",
    [
        LoopXError("provider_network_error", "read_timeout"),
        LoopXError("deadline_exceeded", "call"),
        LoopXError("audit_error", "unwritable"),
        LoopXError("state_error", "corrupt"),
    ],
    ids=str,
)
def test_what_was_sent_and_what_the_log_itself_refuses_gets_no_note(error: LoopXError) -> None:
    log = MemoryAuditLog()
    assert pair_of(refused(error, log)) == pair_of(error)
    assert entries(log) == []


def test_a_refusal_that_cannot_be_written_down_tells_of_the_log() -> None:
    assert (
        pair_of(refused(LoopXError("egress_blocked", "scheme"), FullAuditLog())) == "audit_error/unwritable"
    )


# Secrets


def test_secrets_of_the_process_and_of_the_request_are_in_no_row() -> None:
    log = MemoryAuditLog()
    request = replace(
        REQUEST,
        url="https://api.example/of-the-process/of-the-header?q=of-the-process",
        headers=Headers((("X-Api-Key", "of-the-header"),)),
    )
    context = replace(CONTEXT, agent_id="ghp_" + "a1B2" * 9, turn_id="of-the-process")
    send(audited(PlayedWire(), log, secrets=(Secret("of-the-process"),)), request, context)
    shown = repr(log.rows)
    for secret in ("of-the-process", "of-the-header", "ghp_a1B2"):
        assert secret not in shown
    assert entries(log)[0].subject.url == "https://api.example/***/***?q=***"
