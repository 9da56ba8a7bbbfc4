"""One transport with one connection at most, and the questions that fault tests ask it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.stack import HttpxTransport, TransportPorts, TransportSettings
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.adapters.process.clock import SystemClock
from loopx.application.ports.audit_sink import AuditSink
from loopx.application.ports.resolver import Resolver
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest, HttpResponse

CONTEXT: Final = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))


class FixedNames:
    """A resolver that knows what it was told, and nothing else."""

    def __init__(self, addresses: Mapping[str, tuple[str, ...]]) -> None:
        self._addresses = addresses

    async def resolve(self, host: str) -> tuple[str, ...]:
        if host not in self._addresses:
            raise LoopXError("provider_network_error", "dns")
        return self._addresses[host]


def open_wire(
    *,
    resolver: Resolver | None = None,
    ca_file: str | None = None,
    tokens: Mapping[str, str] | None = None,
    connections: int = 1,
    audit: AuditSink | None = None,
) -> HttpxTransport:
    """The real transport; with a single connection, one that is not given back stops everything."""
    return HttpxTransport(
        TransportPorts(
            clock=SystemClock(),
            entropy=MemoryEntropy(),
            credentials=MemoryCredentials(tokens),
            resolver=resolver or SystemResolver(),
            audit=audit or MemoryAuditLog(),
        ),
        TransportSettings("loopx/test", ca_file=ca_file, max_connections=connections),
    )


async def outcome(
    wire: HttpxTransport, url: str, method: str = "GET", **fields: object
) -> HttpResponse | LoopXError:
    """What a call comes to; any exception but LoopXError passes and fails the test."""
    request = replace(HttpRequest(method=method, url=url, timeout=5), **fields)  # type: ignore[arg-type]  # each test names fields of the request
    try:
        return await wire.send(request, CONTEXT)
    except LoopXError as error:
        return error
