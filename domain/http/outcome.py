"""What can happen to a call, as a closed description, and the one function that names it.

Adapters describe (``Answer`` or ``Fault``); only ``normalize`` decides which error it is.
"""

import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Self, cast

from loopx.domain.context import CallContext
from loopx.domain.error_table import ERROR_TABLE, Sent
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.http.message import Headers, HttpRequest
from loopx.domain.http.retry_after import is_used_up, retry_after
from loopx.domain.redaction import Redactor


class FaultKind(StrEnum):
    """Everything but an answer that can end a call; each value is ``code/reason`` of the table."""

    DNS = "provider_network_error/dns"
    CONNECT_REFUSED = "provider_network_error/connect_refused"
    CONNECT_TIMEOUT = "provider_network_error/connect_timeout"
    UNREACHABLE = "provider_network_error/unreachable"
    TLS = "provider_network_error/tls"
    TLS_VERIFY = "provider_network_error/tls_verify"
    PROXY = "provider_network_error/proxy"
    POOL_TIMEOUT = "provider_network_error/pool_timeout"
    READ_TIMEOUT = "provider_network_error/read_timeout"
    WRITE_TIMEOUT = "provider_network_error/write_timeout"
    RESET = "provider_network_error/reset"
    DISCONNECTED = "provider_network_error/disconnected"
    READ = "provider_network_error/read"
    WRITE = "provider_network_error/write"
    CLOSED = "provider_network_error/closed"
    PROTOCOL = "provider_network_error/protocol"
    TRUNCATED = "provider_network_error/truncated"
    CALL_DEADLINE = "deadline_exceeded/call"
    RUN_DEADLINE = "deadline_exceeded/run"
    JSON = "provider_response_invalid/json"
    JSON_DEPTH = "provider_response_invalid/json_depth"
    JSON_NUMBER = "provider_response_invalid/json_number"
    CHARSET = "provider_response_invalid/charset"
    ENCODING = "provider_response_invalid/encoding"
    TOO_LARGE_WIRE = "provider_response_too_large/wire"
    TOO_LARGE_DECODED = "provider_response_too_large/decoded"
    TOO_LARGE_RATIO = "provider_response_too_large/ratio"
    TOO_LARGE_HEADERS = "provider_response_too_large/headers"
    REDIRECT_LOCATION = "provider_redirect_error/bad_location"
    REDIRECT_COUNT = "provider_redirect_error/too_many"
    REQUEST_URL = "request_invalid/url"
    REQUEST_HOST = "request_invalid/host"
    REQUEST_PORT = "request_invalid/port"
    REQUEST_HEADER = "request_invalid/header"
    REQUEST_BODY = "request_invalid/body_unserialisable"
    REQUEST_TIMEOUT_VALUE = "request_invalid/timeout_value"
    CA_FILE = "config_invalid/ca_file"
    PROXY_SCHEME = "config_invalid/proxy_scheme"
    MISUSE_STREAM = "transport_misuse/stream"
    MISUSE_CLOSED = "transport_misuse/closed"
    MISUSE_MODE = "transport_misuse/mode"
    UNCLASSIFIED = "internal_error/unclassified"


@dataclass(frozen=True, slots=True)
class Fault:
    """The call ended without a usable answer; ``sent`` overrides the table where more is known."""

    kind: FaultKind
    sent: Sent | None = None
    cause: str = ""
    """The class name of a foreign exception that has no better description."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The server answered with a status that the caller did not accept.

    ``body`` is decoded; ``cut`` says that it is only the start of a longer one.
    """

    status: int
    headers: Headers = field(default_factory=Headers)
    body: bytes = b""
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Of which call it happened; times in seconds, ``now`` as Unix time."""

    method: str
    url: str
    now: float
    elapsed: float = 0.0
    attempts: int = 1
    agent_id: str | None = None
    turn_id: str | None = None

    @classmethod
    def of(cls, request: HttpRequest, context: CallContext, *, now: float, elapsed: float) -> Self:
        """The circumstances of one request."""
        return cls(
            method=request.method,
            url=request.url,
            now=now,
            elapsed=elapsed,
            agent_id=context.agent_id,
            turn_id=context.turn_id,
        )


def normalize(happened: Answer | Fault, call: Circumstances, redactor: Redactor) -> LoopXError:
    """Name what happened to a call; total: every description gives an error of the table."""
    facts = CallFacts(
        method=call.method,
        url=redactor.url(call.url),
        attempts=call.attempts,
        elapsed_ms=round(call.elapsed * 1000),
        agent_id=call.agent_id,
        turn_id=call.turn_id,
    )
    if isinstance(happened, Fault):
        code, _, reason = happened.kind.partition("/")
        detail = redactor.excerpt(happened.cause)
        return LoopXError(code, reason, sent=happened.sent, detail=detail, call=facts)
    return _name_answer(happened, facts, call.now, redactor)


def locate(error: LoopXError, call: Circumstances, redactor: Redactor) -> LoopXError:
    """The same error with what it does not know yet of the call in which it happened."""
    known = error.call
    return error.with_call(
        replace(
            known,
            method=known.method or call.method,
            url=known.url or redactor.url(call.url),
            elapsed_ms=max(known.elapsed_ms or 0, round(call.elapsed * 1000)),
            agent_id=known.agent_id or call.agent_id,
            turn_id=known.turn_id or call.turn_id,
        )
    )


_BY_STATUS: Final = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    408: "request_timeout",
    409: "conflict",
    410: "gone",
    422: "unprocessable",
    425: "too_early",
    429: "rate_limited",
    451: "unavailable_for_legal_reasons",
}
_BY_CLASS: Final = {3: "redirect_not_followed", 4: "client_error", 5: "server_error"}
_PASSING_SERVER_ERRORS: Final = frozenset({500, 502, 503, 504})
_FORBIDDEN: Final = 403
_REQUEST_ID_HEADERS: Final = ("X-GitHub-Request-Id", "X-Request-Id", "X-Amzn-RequestId", "CF-Ray")
_MAXIMUM_REQUEST_ID: Final = 100
_MESSAGE_KEYS: Final = ("message", "detail", "title", "error")
_LONGEST_SECRET: Final = 8192


def _name_answer(answer: Answer, facts: CallFacts, now: float, redactor: Redactor) -> LoopXError:
    reason = _BY_STATUS.get(answer.status) or _BY_CLASS.get(answer.status // 100, "unexpected_status")
    if answer.status == _FORBIDDEN and _is_throttled(answer.headers):
        reason = "rate_limited"
    row = ERROR_TABLE["provider_http_error", reason]
    wait = retry_after(answer.headers, now) if row.retryable else None
    retryable = row.retryable and (reason != "server_error" or answer.status in _PASSING_SERVER_ERRORS)
    known = CallFacts(
        method=facts.method,
        url=facts.url,
        status=answer.status,
        retry_after=wait,
        attempts=facts.attempts,
        request_id=_request_id(answer.headers, redactor),
        elapsed_ms=facts.elapsed_ms,
        agent_id=facts.agent_id,
        turn_id=facts.turn_id,
        excerpt=_excerpt(answer, redactor),
    )
    return LoopXError("provider_http_error", reason, retryable=retryable, call=known)


def _is_throttled(headers: Headers) -> bool:
    return headers.get("Retry-After") is not None or is_used_up(headers)


def _request_id(headers: Headers, redactor: Redactor) -> str | None:
    values = (headers.get(name) for name in _REQUEST_ID_HEADERS)
    return next((redactor.excerpt(value, _MAXIMUM_REQUEST_ID) for value in values if value), None)


def _excerpt(answer: Answer, redactor: Redactor) -> str | None:
    """The server's own message; of a page only that it is one, for markup tells a person nothing."""
    text = answer.body.decode("utf-8", "replace").strip()
    if text.startswith("<") or "html" in (answer.headers.get("Content-Type") or "").lower():
        return "(an HTML page)" if text else None
    if "\0" in text:
        return None  # not text, or text in an encoding whose secrets cannot be seen
    if answer.cut:
        # The last secret may be cut in two, and then no longer be one that the redactor knows.
        text = redactor.exact(text)[:-_LONGEST_SECRET]
    return redactor.excerpt(_message(text)) or None


def _message(text: str) -> str:
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(document, dict):
        return text
    fields = cast("dict[str, object]", document)
    named = [value for key in _MESSAGE_KEYS if isinstance(value := fields.get(key), str)]
    return named[0] if named else text
