"""Requests of an extension, sent within its grants and no further, redirects included."""

from dataclasses import replace
from typing import Final

from loopx.application.ports.clock import Clock
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.grants import Grants
from loopx.domain.extensions.session import Ask, Reply
from loopx.domain.http.message import HttpRequest, HttpResponse, Limits, Semantics
from loopx.domain.http.outcome import Answer, Circumstances, normalize
from loopx.domain.http.redirects import FOLLOWED, follow
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.http.target import read_target
from loopx.domain.redaction import Redactor

_MEBIBYTE: Final = 1 << 20
_LIMITS: Final = Limits(wire=32 * _MEBIBYTE, decoded=32 * _MEBIBYTE)
_SEMANTICS: Final = {
    **dict.fromkeys(("GET", "HEAD", "OPTIONS"), Semantics.SAFE),
    **dict.fromkeys(("PUT", "DELETE"), Semantics.IDEMPOTENT),
}


class GrantedCalls:
    """Sends for one run, and counts."""

    def __init__(self, *, grants: Grants, transport: HttpTransport, clock: Clock) -> None:
        self.requests = 0
        self._grants = grants
        self._transport = transport
        self._clock = clock

    async def send(self, ask: Ask, context: CallContext) -> Reply:
        """Send a request, with the user's credential if it names the slot that is granted for its host.

        Raises:
            LoopXError: ``egress_blocked`` or ``extension_error/grant`` for what is not granted, on any
                hop; or as the transport.
        """
        target = self._grants.check(ask)
        request = HttpRequest(
            method=ask.method,
            url=target.url,
            headers=ask.headers,
            body=ask.body,
            timeout=context.timeout if ask.timeout is None else min(ask.timeout, context.timeout),
            semantics=_SEMANTICS.get(ask.method, Semantics.UNSAFE),
            accept_status=ask.accept_status,
            limits=_LIMITS,
        )
        response = await self._follow(request, ask.credential, context)
        return Reply(
            status=response.status, headers=response.headers, body=response.content, url=response.url
        )

    async def _follow(
        self, request: HttpRequest, credential: str | None, context: CallContext
    ) -> HttpResponse:
        """Redirects are taken one by one: the transport knows no grants."""
        end = self._clock.monotonic() + request.timeout
        seen = frozenset({request.url})
        while True:
            response = await self._send_hop(request, credential, context, end)
            following = follow(request, response.status, response.headers, seen)
            if following is None:
                return self._accepted(response, request, context)
            self._grants.check_target(read_target(following.url), following.method)
            request, seen = following, seen | {following.url}

    async def _send_hop(
        self, request: HttpRequest, credential: str | None, context: CallContext, end: float
    ) -> HttpResponse:
        left = end - self._clock.monotonic()
        if left <= 0:
            raise LoopXError("deadline_exceeded", "call")
        has_slot = credential is not None and self._grants.has_slot(credential, read_target(request.url))
        hop = replace(
            request, timeout=left, accept_status=request.accept_status | FOLLOWED, anonymous=not has_slot
        )
        self.requests += 1
        return await self._transport.send(hop, context)

    def _accepted(self, response: HttpResponse, request: HttpRequest, context: CallContext) -> HttpResponse:
        """What is no redirect after all must be a status that was asked for."""
        if response.status in request.accept_status:
            return response
        happened = Answer(response.status, response.headers, response.content)
        circumstances = Circumstances.of(request, context, now=self._clock.now(), elapsed=0.0)
        raise normalize(happened, circumstances, Redactor(secrets_of(request)))
