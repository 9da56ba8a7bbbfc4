"""The innermost layer: one request, one answer, and no foreign exception beyond this file."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import httpx

from loopx.adapters.http.exchange import Exchange
from loopx.adapters.http.pooled import EXCHANGE
from loopx.adapters.http.quiet import quiet
from loopx.adapters.http.translation import describe
from loopx.application.ports.clock import Clock
from loopx.domain.context import CallContext
from loopx.domain.error_table import Sent
from loopx.domain.errors import LoopXError
from loopx.domain.http.body import EXCERPT_SOURCE, BodyReader, has_body, read_start
from loopx.domain.http.identity import identify
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse
from loopx.domain.http.outcome import Answer, Circumstances, Fault, FaultKind, locate, normalize
from loopx.domain.http.redirects import is_redirect
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.http.target import read_target
from loopx.domain.redaction import Redactor


class WireTransport:
    """Sends over an httpx transport and reads the whole answer, within the limits of the request.

    The body of a redirect is read only as far as an error would quote it. The trace of the context is
    the position that the server is told. Whoever passes an ``exchange`` finds the facts in it, also
    when nothing is returned.
    """

    def __init__(self, transport: httpx.AsyncBaseTransport, *, clock: Clock, user_agent: str) -> None:
        self._transport = transport
        self._clock = clock
        self._user_agent = user_agent

    async def send(
        self, request: HttpRequest, context: CallContext, exchange: Exchange | None = None
    ) -> HttpResponse:
        started = self._clock.monotonic()
        exchange = exchange or Exchange()
        happened: HttpResponse | Answer | Fault | LoopXError
        try:
            with quiet():
                happened = await self._exchange(request, self._sign(request, context), exchange)
        except LoopXError as error:
            happened = error
        except Exception as exc:  # noqa: BLE001 - the border: whatever a library raises is named here
            happened = describe(exc, exchange.phase)
        if isinstance(happened, HttpResponse):
            return happened
        elapsed = self._clock.monotonic() - started
        circumstances = Circumstances.of(request, context, now=self._clock.now(), elapsed=elapsed)
        redactor = Redactor(secrets_of(request))
        # Raised out here, the error has no foreign exception as its context.
        if isinstance(happened, LoopXError):
            raise locate(happened, circumstances, redactor)
        raise normalize(happened, circumstances, redactor)

    async def _exchange(
        self, request: HttpRequest, headers: Headers, exchange: Exchange
    ) -> HttpResponse | Answer | Fault:
        target = read_target(request.url)
        extensions = {EXCHANGE: exchange, "target": target.path.encode("ascii")}
        outgoing = httpx.Request(
            request.method,
            target.url,
            # With a Host of ours httpx does not decode the host's name, which fails for some.
            headers=[("Host", target.authority), *headers.fields],
            content=request.body,
            extensions=extensions,
        )
        incoming = await self._transport.handle_async_request(outgoing)
        try:
            return await _receive(request, incoming, exchange)
        finally:
            await incoming.aclose()

    def _sign(self, request: HttpRequest, context: CallContext) -> Headers:
        """What only the transport sets; the credential last, so that nothing before sees it."""
        headers = identify(request.headers, context, context.trace.span_id, self._user_agent)
        headers = headers.plus(("Accept-Encoding", request.accept_encoding))
        return headers if request.credential is None else headers.plus(request.credential.header())


async def _receive(
    request: HttpRequest, incoming: httpx.Response, exchange: Exchange
) -> HttpResponse | Answer | Fault:
    raw = incoming.headers.raw
    headers = Headers(tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw))
    exchange.status, exchange.headers = incoming.status_code, headers
    if headers.get("Content-Length") is not None and headers.get("Transfer-Encoding") is not None:
        # Two lengths: what lies between them is read differently by everyone (RFC 9112, section 6.3).
        return Fault(FaultKind.PROTOCOL, Sent.YES)
    status, accepted = incoming.status_code, incoming.status_code in request.accept_status
    content, cut = b"", False
    if not has_body(request.method, status):
        pass
    elif accepted and not is_redirect(status, headers):
        content = await _read_whole(incoming, headers, request)
    else:
        content, cut = await _read_start(incoming, headers)
    if not accepted:
        return Answer(status, headers, content, cut)
    return HttpResponse(status=status, headers=headers, content=content, url=request.url)


def _pieces(incoming: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it came; httpx declares less than it gives."""
    return cast("AsyncGenerator[bytes, None]", incoming.aiter_raw())


async def _read_whole(incoming: httpx.Response, headers: Headers, request: HttpRequest) -> bytes:
    reader = BodyReader(headers, request.limits, request.sink)
    reader.expect(headers.get("Content-Length"))
    async with aclosing(_pieces(incoming)) as pieces:
        async for piece in pieces:
            reader.feed(piece)
    return reader.finish()


async def _read_start(incoming: httpx.Response, headers: Headers) -> tuple[bytes, bool]:
    start, cut = bytearray(), False
    try:
        async with aclosing(_pieces(incoming)) as pieces:
            async for piece in pieces:
                start += piece
                if cut := len(start) > EXCERPT_SOURCE:
                    break
    except Exception:  # noqa: BLE001 - the status is known and says more than a broken explanation of it
        cut = True
    content = read_start(headers, bytes(start[:EXCERPT_SOURCE]))
    return content, cut or len(content) >= EXCERPT_SOURCE
