"""The border without a network: the same decisions, answers from the program."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.application.ports.clock import Clock
from loopx.application.ports.credential_source import CredentialSource
from loopx.application.ports.entropy import Entropy
from loopx.domain.context import CallContext
from loopx.domain.error_table import Sent
from loopx.domain.errors import LoopXError
from loopx.domain.http.body import EXCERPT_SOURCE, BodyReader, has_body, read_start
from loopx.domain.http.deadline import time_left
from loopx.domain.http.identity import authorize, identify
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse
from loopx.domain.http.outcome import Answer, Circumstances, Fault, FaultKind, locate, normalize
from loopx.domain.http.redirects import FOLLOWED, follow, is_redirect
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.http.target import read_target
from loopx.domain.redaction import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the far side answers, ``after`` so many seconds; ``content`` as it goes over the wire."""

    status: int = 200
    headers: Headers = field(default_factory=Headers)
    content: bytes = b""
    after: float = 0.0


Handler = Callable[[HttpRequest], Reply | Fault]
"""Answers one hop, or says how it fails; whatever it raises reaches the caller as it is."""


class MemoryTransport:
    """Sends nothing: a handler answers every hop, and ``requests`` keeps what it was asked.

    Targets, redirects, credentials, tracing headers, limits, deadlines and errors are those of the
    real transport. Time is the clock's: an answer that comes too late lets it pass and fails.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        credentials: CredentialSource | None = None,
    ) -> None:
        self.requests: list[HttpRequest] = []
        self._handler = handler
        self._clock = clock or MemoryClock()
        self._entropy = entropy or MemoryEntropy()
        self._credentials = credentials or MemoryCredentials()

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        started = self._clock.monotonic()
        seconds, late = time_left(request.timeout, context.deadline, started)
        call = _Call(request, context, started, started + seconds, late)
        failure: Fault | LoopXError = Fault(late, Sent.NO)
        if seconds > 0:
            try:
                return await self._follow(call)
            except LoopXError as error:
                failure = error
        raise self._name(failure, request, call)

    async def _follow(self, call: "_Call") -> HttpResponse:
        hop = replace(call.request, url=read_target(call.request.url).url)
        seen = frozenset({hop.url})
        response = await self._ask(hop, call)
        while (onward := follow(hop, response.status, response.headers, seen)) is not None:
            hop = onward
            seen |= {hop.url}
            response = await self._ask(hop, call)
        if response.status in hop.accept_status:
            return response
        raise self._name(Answer(response.status, response.headers, response.content), hop, call)

    async def _ask(self, hop: HttpRequest, call: "_Call") -> HttpResponse:
        target = read_target(hop.url)
        sent = authorize(hop, None if hop.anonymous else self._credentials.find(target))
        headers = identify(sent.headers, call.context, self._entropy.hex(8), "loopx")
        sent = replace(sent, headers=headers.plus(("Accept-Encoding", hop.accept_encoding)))
        self.requests.append(sent)
        reply = self._handler(sent)
        if isinstance(reply, Fault):
            raise self._name(reply, sent, call)
        await self._wait(reply.after, call)
        try:
            received = _receive(hop, reply)
        except LoopXError as error:
            raise self._name(error, sent, call) from None
        if isinstance(received, Answer):
            raise self._name(received, sent, call)
        return received

    async def _wait(self, seconds: float, call: "_Call") -> None:
        left = call.until - self._clock.monotonic()
        await self._clock.sleep(min(seconds, left))
        if seconds >= left:
            raise self._name(Fault(call.late), call.request, call)

    def _name(self, happened: Answer | Fault | LoopXError, request: HttpRequest, call: "_Call") -> LoopXError:
        elapsed = self._clock.monotonic() - call.started
        circumstances = Circumstances.of(request, call.context, now=self._clock.now(), elapsed=elapsed)
        redactor = Redactor(secrets_of(request))
        if isinstance(happened, LoopXError):
            return locate(happened, circumstances, redactor)
        return normalize(happened, circumstances, redactor)


@dataclass(frozen=True, slots=True)
class _Call:
    """One call with all its hops; times are readings of the monotonic clock."""

    request: HttpRequest
    context: CallContext
    started: float
    until: float
    late: FaultKind


def _receive(hop: HttpRequest, reply: Reply) -> HttpResponse | Answer:
    """Read an answer as the real transport does."""
    status, headers = reply.status, reply.headers
    accepted = status in hop.accept_status
    if not has_body(hop.method, status):
        content = b""
    elif accepted and not is_redirect(status, headers):
        content = _read_whole(hop, reply)
    else:
        content = read_start(headers, reply.content[:EXCERPT_SOURCE])
    if not accepted and status not in FOLLOWED:
        return Answer(status, headers, content, cut=len(content) >= EXCERPT_SOURCE)
    return HttpResponse(status=status, headers=headers, content=content, url=hop.url)


def _read_whole(hop: HttpRequest, reply: Reply) -> bytes:
    reader = BodyReader(reply.headers, hop.limits, hop.sink)
    reader.feed(reply.content)
    return reader.finish()
