"""The transport as a whole: every layer in its place."""

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from loopx.adapters.http.audited import AuditedTransport
from loopx.adapters.http.credentials import CredentialTransport
from loopx.adapters.http.deadline import DeadlineTransport
from loopx.adapters.http.dialing import Dialer
from loopx.adapters.http.pool import MAXIMUM_CONNECTIONS, ConnectionPool
from loopx.adapters.http.pooled import PooledTransport
from loopx.adapters.http.redirects import RedirectTransport
from loopx.adapters.http.refusals import RefusalTransport
from loopx.adapters.http.tls import TrustStore
from loopx.adapters.http.wire import WireTransport
from loopx.application.ports.audit_sink import AuditSink
from loopx.application.ports.clock import Clock
from loopx.application.ports.credential_source import CredentialSource
from loopx.application.ports.entropy import Entropy
from loopx.application.ports.resolver import Resolver
from loopx.domain.context import CallContext
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.secrets import Secret


@dataclass(frozen=True, slots=True)
class TransportSettings:
    """What a transport is told once.

    ``ca_file`` takes the place of the system's authorities; ``secrets`` are hidden in the audit log
    besides those that a request itself carries.
    """

    user_agent: str
    ca_file: str | None = None
    max_connections: int = MAXIMUM_CONNECTIONS
    secrets: tuple[Secret, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportPorts:
    """Everything through which a transport sees the rest of the world."""

    clock: Clock
    entropy: Entropy
    credentials: CredentialSource
    resolver: Resolver
    audit: AuditSink


class HttpxTransport:
    """The one way out, over httpx and httpcore; it belongs to one event loop and is closed at its end.

    Outside in: refusals, deadline, redirects, credentials, audit, wire. Nothing is opened or loaded
    before the first request. HTTP/1.1 only; no cookies are kept; proxies are not used.
    """

    def __init__(self, ports: TransportPorts, settings: TransportSettings) -> None:
        clock, entropy, audit, secrets = ports.clock, ports.entropy, ports.audit, settings.secrets
        trust = TrustStore(settings.ca_file)
        pool = ConnectionPool(dialer=Dialer(ports.resolver), trust=trust, limit=settings.max_connections)
        self._pooled = PooledTransport(pool)
        wire = WireTransport(self._pooled, clock=clock, user_agent=settings.user_agent)
        attempt = AuditedTransport(wire, audit=audit, clock=clock, entropy=entropy, secrets=secrets)
        hop = CredentialTransport(attempt, credentials=ports.credentials)
        call = DeadlineTransport(RedirectTransport(hop, clock=clock), clock=clock)
        self._outermost = RefusalTransport(call, audit=audit, entropy=entropy, secrets=secrets)

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
