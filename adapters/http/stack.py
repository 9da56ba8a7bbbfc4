"""The transport as a whole: every layer in its place."""

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from loopx.adapters.http.credentials import CredentialTransport
from loopx.adapters.http.deadline import DeadlineTransport
from loopx.adapters.http.dialing import Dialer
from loopx.adapters.http.pool import MAXIMUM_CONNECTIONS, ConnectionPool
from loopx.adapters.http.pooled import PooledTransport
from loopx.adapters.http.redirects import RedirectTransport
from loopx.adapters.http.tls import TrustStore
from loopx.adapters.http.wire import WireTransport
from loopx.application.ports.clock import Clock
from loopx.application.ports.credential_source import CredentialSource
from loopx.application.ports.entropy import Entropy
from loopx.application.ports.resolver import Resolver
from loopx.domain.context import CallContext
from loopx.domain.http.message import HttpRequest, HttpResponse


@dataclass(frozen=True, slots=True)
class TransportSettings:
    """What a transport is told once; ``ca_file`` takes the place of the system's authorities."""

    user_agent: str
    ca_file: str | None = None
    max_connections: int = MAXIMUM_CONNECTIONS


class HttpxTransport:
    """The one way out, over httpx and httpcore; it belongs to one event loop and is closed at its end.

    Outside in: deadline, redirects, credentials, wire. Nothing is opened or loaded before the first
    request. HTTP/1.1 only; no cookies are kept; proxies are not used.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        entropy: Entropy,
        credentials: CredentialSource,
        resolver: Resolver,
        settings: TransportSettings,
    ) -> None:
        trust = TrustStore(settings.ca_file)
        pool = ConnectionPool(dialer=Dialer(resolver), trust=trust, limit=settings.max_connections)
        self._pooled = PooledTransport(pool)
        wire = WireTransport(self._pooled, clock=clock, entropy=entropy, user_agent=settings.user_agent)
        hop = CredentialTransport(wire, credentials=credentials)
        self._outermost = DeadlineTransport(RedirectTransport(hop, clock=clock), clock=clock)

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        return await self._outermost.send(request, context)

    async def aclose(self) -> None:
        """Close every idle connection; those in use are closed when their call ends."""
        await self._pooled.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
