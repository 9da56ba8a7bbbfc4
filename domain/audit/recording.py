"""What the transport writes down of a call, without a secret in it: pure functions of what happened."""

from typing import Final
from urllib.parse import urlsplit

from loopx.domain.audit.row import Outcome, Subject
from loopx.domain.context import CallContext
from loopx.domain.error_table import Sent
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers, HttpRequest
from loopx.domain.redaction import Redactor

_MAXIMUM_DIGITS: Final = 15
_REFUSED_ONWARD: Final = "provider_redirect_error"
_OF_THE_LOG: Final = frozenset({"audit_error", "state_error"})


def sent_subject(request: HttpRequest, context: CallContext, redactor: Redactor) -> Subject:
    """Which attempt is about to be sent; it is called by the name of its span, as the server is told."""
    url = redactor.url(request.url)
    return Subject(
        id=context.trace.span_id,
        trace_id=context.trace.trace_id,
        span_id=context.trace.span_id,
        agent_id=_name(context.agent_id, redactor),
        turn_id=_name(context.turn_id, redactor),
        capability=_name(context.capability, redactor),
        method=request.method,
        host=_host(url),
        url=url,
        attempt=request.attempt,
    )


def refused_subject(error: LoopXError, context: CallContext, redactor: Redactor, name: str) -> Subject:
    """Which call was refused, by what its error knows of it; that is redacted already."""
    return Subject(
        id=name,
        trace_id=context.trace.trace_id,
        agent_id=_name(context.agent_id, redactor),
        turn_id=_name(context.turn_id, redactor),
        capability=_name(context.capability, redactor),
        method=error.method,
        host=_host(error.url or ""),
        url=error.url,
    )


def _name(name: str | None, redactor: Redactor) -> str | None:
    """Names are chosen by callers, and some callers hold secrets."""
    return None if name is None else redactor.text(name)


def _host(url: str) -> str | None:
    """The host of an address that was redacted already; none where there is no address."""
    try:
        return urlsplit(url).hostname or None
    except ValueError:
        return None


def is_unrecorded(error: LoopXError) -> bool:
    """Whether a call ended without any row about its end: it was refused before anything was sent.

    What was sent has its own rows, also where the deadline cut it. The log's own failures cannot be
    written to it.
    """
    if error.call.audit_id is not None or error.code in _OF_THE_LOG:
        return False
    return error.sent is Sent.NO or error.code == _REFUSED_ONWARD


def rate_remaining(headers: Headers) -> int | None:
    """What the server says is left of its rate limit."""
    text = (headers.get("X-RateLimit-Remaining") or "").strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAXIMUM_DIGITS
    return int(text) if is_number else None


def refusal_of(error: LoopXError) -> Outcome:
    """How a call that was refused ended."""
    return Outcome(status=error.status, code=error.code, reason=error.reason, elapsed_ms=error.elapsed_ms)
