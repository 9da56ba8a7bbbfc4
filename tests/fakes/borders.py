"""The same far side under both transports: origins whose answers a test writes down."""

import asyncio
import socket
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from typing import Final, Protocol

from fakes.authority import Authority
from fakes.raw_server import Conversation, Heard, RawServer, Script
from loopx.adapters.http.stack import HttpxTransport, TransportPorts, TransportSettings
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.adapters.process.clock import SystemClock
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.body import has_body
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.outcome import Fault, FaultKind

TRACE: Final = TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
CONTEXT: Final = CallContext(trace=TRACE, agent_id="agent-7", turn_id="turn-3")
PUBLIC_HOST: Final = "api.example"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Where the far side lives: two origins on loopback, a public one, and a port where nobody is."""

    here: str
    there: str
    public: str
    nobody: str


class Border(Protocol):
    """A transport with its far side."""

    origins: Origins
    heard: list[Heard]

    def serve(self, url: str, *replies: Reply) -> None:
        """Answer an address with these in turn, the last one for ever."""
        ...

    def hold(self, tokens: Mapping[str, str]) -> None:
        """Let the transport find these tokens, by host and port."""
        ...

    def send(self, request: HttpRequest, context: CallContext = CONTEXT) -> HttpResponse | LoopXError:
        """One call; an error comes back as a value."""
        ...

    def spend(self, seconds: float) -> CallContext:
        """A context whose run ends in so many seconds."""
        ...


class FarSide:
    """The answers, the same for every transport."""

    def __init__(self) -> None:
        self._replies: dict[str, list[Reply]] = {}

    def serve(self, url: str, *replies: Reply) -> None:
        self._replies[url] = list(replies)

    def reply(self, url: str) -> Reply:
        replies = self._replies.get(url, [Reply(status=404, content=b"not written down in this test")])
        return replies.pop(0) if len(replies) > 1 else replies[0]


class MemoryBorder(FarSide):
    """No network at all."""

    origins = Origins(
        here="http://127.0.0.1:1001",
        there="http://127.0.0.1:1002",
        public=f"https://{PUBLIC_HOST}",
        nobody="http://127.0.0.1:1",
    )

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Heard] = []
        self._clock = MemoryClock()
        self._tokens: Mapping[str, str] = {}

    def hold(self, tokens: Mapping[str, str]) -> None:
        self._tokens = tokens

    def spend(self, seconds: float) -> CallContext:
        return replace(CONTEXT, deadline=self._clock.monotonic() + seconds)

    def send(self, request: HttpRequest, context: CallContext = CONTEXT) -> HttpResponse | LoopXError:
        transport = MemoryTransport(
            self._answer, clock=self._clock, credentials=MemoryCredentials(self._tokens)
        )
        return asyncio.run(_outcome(transport.send(request, context)))

    def _answer(self, request: HttpRequest) -> Reply | Fault:
        headers = request.headers
        if request.credential is not None:
            headers = headers.plus(request.credential.header())
        self.heard.append(Heard(request.method, request.url, headers, request.body))
        if request.url.startswith(self.origins.nobody + "/"):
            return Fault(FaultKind.CONNECT_REFUSED)
        return self.reply(request.url)


class _PublicNames:
    """Every public name lives on loopback here."""

    async def resolve(self, host: str) -> tuple[str, ...]:
        return ("127.0.0.1",)


class RealBorder(FarSide):
    """Real sockets and real TLS; the servers live as long as one call."""

    def __init__(self, authority: Authority, stack: ExitStack) -> None:
        super().__init__()
        self.heard: list[Heard] = []
        self._authority = authority
        self._tokens: Mapping[str, str] = {}
        names = ("here", "there", "public", "nobody")
        self._sockets = {name: stack.enter_context(socket.socket()) for name in names}
        for opened in self._sockets.values():
            opened.bind(("127.0.0.1", 0))
        ports = {name: opened.getsockname()[1] for name, opened in self._sockets.items()}
        self.origins = Origins(
            here=f"http://127.0.0.1:{ports['here']}",
            there=f"http://127.0.0.1:{ports['there']}",
            public=f"https://{PUBLIC_HOST}:{ports['public']}",
            nobody=f"http://127.0.0.1:{ports['nobody']}",
        )

    def hold(self, tokens: Mapping[str, str]) -> None:
        self._tokens = tokens

    def spend(self, seconds: float) -> CallContext:
        return replace(CONTEXT, deadline=SystemClock().monotonic() + seconds)

    def send(self, request: HttpRequest, context: CallContext = CONTEXT) -> HttpResponse | LoopXError:
        return asyncio.run(self._send(request, context))

    async def _send(self, request: HttpRequest, context: CallContext) -> HttpResponse | LoopXError:
        origins = self.origins
        async with AsyncExitStack() as stack:
            for name, origin in (
                ("here", origins.here),
                ("there", origins.there),
                ("public", origins.public),
            ):
                tls = self._authority.server if name == "public" else None
                listening = self._sockets[name].dup()
                listening.listen()
                await stack.enter_async_context(RawServer(self._script(origin), listening=listening, tls=tls))
            transport = HttpxTransport(
                TransportPorts(
                    clock=SystemClock(),
                    entropy=MemoryEntropy(),
                    credentials=MemoryCredentials(self._tokens),
                    resolver=_PublicNames(),
                    audit=MemoryAuditLog(),
                ),
                TransportSettings("loopx", ca_file=self._authority.ca_file),
            )
            await stack.enter_async_context(transport)
            return await _outcome(transport.send(request, context))

    def _script(self, origin: str) -> Script:
        async def script(conversation: Conversation) -> None:
            while (heard := await conversation.request()) is not None:
                url = f"{origin}{heard.target}"
                self.heard.append(replace(heard, target=url))
                reply = self.reply(url)
                if reply.after:
                    await conversation.hang()
                await conversation.say(_written(heard.method, reply))

        return script


def _written(method: str, reply: Reply) -> bytes:
    fields = [*reply.headers.fields]
    body = reply.content if has_body(method, reply.status) else b""
    if reply.status >= 200 and reply.status != 204:
        fields.append(("Content-Length", str(len(reply.content))))
    lines = [f"HTTP/1.1 {reply.status} Said", *(f"{name}: {value}" for name, value in fields), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


async def _outcome(call: Coroutine[object, object, HttpResponse]) -> HttpResponse | LoopXError:
    try:
        return await call
    except LoopXError as error:
        return error


def ask(
    border: Border, url: str, method: str = "GET", context: CallContext = CONTEXT, **fields: object
) -> HttpResponse | LoopXError:
    """Send a request with a few fields of its own."""
    request = replace(HttpRequest(method=method, url=url, timeout=5), **fields)  # type: ignore[arg-type]  # each test names fields of the request
    return border.send(request, context)


def answered(outcome: HttpResponse | LoopXError) -> HttpResponse:
    """The answer that must have come."""
    assert isinstance(outcome, HttpResponse), outcome
    return outcome


def failed(outcome: HttpResponse | LoopXError) -> LoopXError:
    """The error that must have come."""
    assert isinstance(outcome, LoopXError), outcome
    return outcome
