"""Just above the wire: nothing leaves before it is written down, and however it ends is written too."""

import asyncio
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol

from loopx.adapters.http.exchange import Exchange
from loopx.application.ports.audit_sink import AuditSink
from loopx.application.ports.clock import Clock
from loopx.application.ports.entropy import Entropy
from loopx.domain.audit.recording import rate_remaining, sent_subject
from loopx.domain.audit.row import Outcome, Subject
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.deadline import deadline_passed
from loopx.domain.http.identity import refuse_reserved
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.redaction import Redactor
from loopx.domain.secrets import Secret

_SPAN_BYTES: Final = 8
_REDACTORS: Final = 32


class Wire(Protocol):
    """What sends one request, and fills in the facts while it does."""

    async def send(
        self, request: HttpRequest, context: CallContext, exchange: Exchange | None = None
    ) -> HttpResponse: ...


@dataclass(frozen=True, slots=True)
class _Attempt:
    subject: Subject
    context: CallContext
    exchange: Exchange
    started: float


class AuditedTransport:
    """Opens a span for each attempt, writes its intent, sends it, and writes its outcome.

    ``secrets`` are hidden in rows wherever they turn up, besides those of the request itself.

    Raises:
        LoopXError: ``audit_error/unwritable``, and nothing was sent; ``audit_error/outcome_unwritten``,
            and it was; ``state_error`` when the log is damaged or of a newer version.
    """

    def __init__(
        self,
        wire: Wire,
        *,
        audit: AuditSink,
        clock: Clock,
        entropy: Entropy,
        secrets: tuple[Secret, ...] = (),
    ) -> None:
        self._wire = wire
        self._audit = audit
        self._clock = clock
        self._entropy = entropy
        self._secrets = secrets
        # Most calls have the same secrets, and to work out all their encodings takes longer than the rest.
        self._redactor = lru_cache(_REDACTORS)(Redactor)

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        attempt = self._begin(request, context)
        name = attempt.subject.id
        try:
            response = await self._wire.send(request, attempt.context, attempt.exchange)
        except LoopXError as error:
            self._end(attempt, error.code, error.reason)
            failure = error.with_call(replace(error.call, audit_id=name))
        except BaseException as exc:  # whatever it is passes on as it is, but not unwritten
            self._end(attempt, *self._name(exc, attempt.context))
            raise
        else:
            self._end(attempt)
            return replace(response, audit_id=name)
        # Raised out here, the error has no other as its context.
        raise failure

    def _begin(self, request: HttpRequest, context: CallContext) -> _Attempt:
        refuse_reserved(request.headers)  # here, so that it is refused and not an attempt
        trace = replace(context.trace, span_id=self._entropy.hex(_SPAN_BYTES))
        inner = replace(context, trace=trace)
        redactor = self._redactor((*self._secrets, *secrets_of(request)))
        subject = sent_subject(request, inner, redactor)
        self._audit.intent(subject)
        return _Attempt(subject, inner, Exchange(), self._clock.monotonic())

    def _end(self, attempt: _Attempt, code: str | None = None, reason: str | None = None) -> None:
        exchange = attempt.exchange
        outcome = Outcome(
            status=exchange.status,
            code=code,
            reason=reason,
            elapsed_ms=round((self._clock.monotonic() - attempt.started) * 1000),
            bytes_out=exchange.written,
            bytes_in=exchange.received,
            rate_remaining=rate_remaining(exchange.headers),
        )
        try:
            self._audit.outcome(attempt.subject, outcome)
        except LoopXError:
            unwritten = code is None
        else:
            return
        if unwritten:
            # A call that failed tells why; one that succeeded must not look as if all were well.
            raise LoopXError("audit_error", "outcome_unwritten", detail=f"its intent is {attempt.subject.id}")

    def _name(self, exc: BaseException, context: CallContext) -> tuple[str, str]:
        """What ended an attempt that did not end by itself."""
        if not isinstance(exc, asyncio.CancelledError | GeneratorExit):
            is_signal = isinstance(exc, KeyboardInterrupt | SystemExit)
            return ("cancelled", "signal") if is_signal else ("internal_error", "defect")
        late = deadline_passed(context, self._clock.monotonic())
        code, _, reason = (late or "cancelled/caller").partition("/")
        return code, reason
