"""The headers by which a call says who makes it; callers can neither remove nor forge them."""

from dataclasses import replace
from typing import Final

from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import Credential
from loopx.domain.http.message import Headers, HttpRequest

RESERVED_HEADERS: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "cookie",
        "expect",
        "host",
        "proxy-authorization",
        "te",
        "traceparent",
        "tracestate",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "x-loopx-agent-id",
        "x-loopx-turn-id",
    }
)
"""Set by the transport alone; ``User-Agent`` has a default that an adapter may replace."""


def refuse_reserved(headers: Headers) -> None:
    """Refuse a request that tries to set what only the transport may.

    Raises:
        LoopXError: ``request_invalid/header``.
    """
    for name, _ in headers.fields:
        if name.lower() in RESERVED_HEADERS:
            raise LoopXError("request_invalid", "header", detail=f"{name} is set by LoopX")


def identify(headers: Headers, context: CallContext, span_id: str, user_agent: str) -> Headers:
    """Add trace, agent, turn and User-Agent to the headers of one hop.

    Raises:
        LoopXError: ``request_invalid/header`` when the caller set a reserved header.
    """
    refuse_reserved(headers)
    trace = TraceContext(context.trace.trace_id, span_id, context.trace.flags)
    fields = [("traceparent", trace.header())]
    if context.agent_id is not None:
        fields.append(("X-LoopX-Agent-Id", context.agent_id))
    if context.turn_id is not None:
        fields.append(("X-LoopX-Turn-Id", context.turn_id))
    if headers.get("User-Agent") is None:
        fields.append(("User-Agent", user_agent))
    return headers.plus(*fields)


def authorize(request: HttpRequest, credential: Credential | None) -> HttpRequest:
    """The request with the credential of its host in place of any other.

    Raises:
        LoopXError: ``request_invalid/header`` when the caller sent an ``Authorization`` of its own
            to a host that has a credential.
    """
    if credential is not None and request.headers.get("Authorization") is not None:
        raise LoopXError("request_invalid", "header", detail="Authorization is set by LoopX for this host")
    return replace(request, credential=credential)
