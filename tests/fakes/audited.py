"""A wire that plays what a test says, and logs that refuse to be written."""

from collections.abc import Callable

from loopx.adapters.http.audited import AuditedTransport
from loopx.adapters.http.exchange import Exchange
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.application.ports.audit_sink import AuditSink
from loopx.domain.audit.row import Outcome, Subject
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse
from loopx.domain.secrets import Secret

Deed = Callable[[Exchange], None]


class PlayedWire:
    """Lets ``deed`` fill in the facts or raise; ``sent`` keeps what it was asked, and for whom."""

    def __init__(self, deed: Deed | None = None) -> None:
        self.sent: list[tuple[HttpRequest, CallContext]] = []
        self._deed = deed

    async def send(
        self, request: HttpRequest, context: CallContext, exchange: Exchange | None = None
    ) -> HttpResponse:
        self.sent.append((request, context))
        if self._deed is not None:
            self._deed(exchange or Exchange())
        return HttpResponse(status=200, headers=Headers(), content=b"", url=request.url)


class FullAuditLog:
    """Takes so many rows, then no more."""

    def __init__(self, room: int = 0) -> None:
        self.written: list[str] = []
        self._room = room

    def intent(self, subject: Subject) -> None:
        self._take(f"intent {subject.id}")

    def outcome(self, subject: Subject, outcome: Outcome) -> None:
        self._take(f"outcome {subject.id}")

    def note(self, subject: Subject, outcome: Outcome, text: str | None = None) -> None:
        self._take(f"note {subject.id}")

    def _take(self, row: str) -> None:
        if len(self.written) >= self._room:
            raise LoopXError("audit_error", "unwritable", detail="the disk is full")
        self.written.append(row)


def audited(
    wire: PlayedWire,
    audit: AuditSink | None = None,
    *,
    clock: MemoryClock | None = None,
    secrets: tuple[Secret, ...] = (),
) -> AuditedTransport:
    """The layer over a played wire."""
    return AuditedTransport(
        wire,
        audit=audit or MemoryAuditLog(),
        clock=clock or MemoryClock(),
        entropy=MemoryEntropy(),
        secrets=secrets,
    )
