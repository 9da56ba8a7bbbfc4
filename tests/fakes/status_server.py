"""The real status server on loopback, in the loop of the test, with handlers that count their calls."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import h11
from dependency_injector import providers

from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.adapters.process.clock import SystemClock
from loopx.application.capabilities.capability import Capability
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.application.ports.clock import Clock
from loopx.application.steps.runs import RunLimits
from loopx.domain.listening import Listening
from loopx.domain.secrets import Secret
from loopx.entrypoints.container import Container
from loopx.entrypoints.http.messages import Request, Response
from loopx.entrypoints.http.routes import Handler, Operation, Router
from loopx.entrypoints.http.wire.limits import ServerLimits
from loopx.entrypoints.http.wire.server import HttpServer
from loopx.entrypoints.http.wire.sockets import open_socket
from loopx.entrypoints.serving import StatusServer, assemble, registry_reader

TOKEN: Final = "t0ken-for-tests-only"
PATIENCE: Final = 20.0
"""Seconds; whoever waits longer waits for ever."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response as a client reads it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]


class Client:
    """One connection; sends bytes as they are and reads answers one by one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._http = h11.Connection(h11.CLIENT)

    async def ask(self, raw: bytes, method: bytes = b"GET") -> Answer:
        """Send bytes and read one answer."""
        await self.send(raw)
        return await self.answer(method)

    async def send(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def answer(self, method: bytes = b"GET") -> Answer:
        """Read one answer whole."""
        head = await self.head(method)
        pieces: list[bytes] = []
        while piece := await self.piece():
            pieces.append(piece)
        return replace(head, body=b"".join(pieces))

    async def head(self, method: bytes = b"GET") -> Answer:
        """Read the head of an answer."""
        if self._http.our_state is h11.DONE:
            self._http.start_next_cycle()
        # The client's half is told what was sent, so that it knows how the answer is framed.
        self._http.send(h11.Request(method=method, target=b"/", headers=[(b"Host", b"x")]))
        self._http.send(h11.EndOfMessage())
        event = await self._next()
        while isinstance(event, h11.InformationalResponse):
            event = await self._next()
        assert isinstance(event, h11.Response), event
        headers = {name.decode(): value.decode() for name, value in event.headers}
        return Answer(event.status_code, headers, b"")

    async def piece(self) -> bytes:
        """The next piece of the body; nothing at its end."""
        event = await self._next()
        return bytes(event.data) if isinstance(event, h11.Data) else b""

    async def is_closed(self) -> bool:
        """Wait until the server hangs up."""
        async with asyncio.timeout(PATIENCE):
            try:
                return await self.reader.read() == b""
            except ConnectionError:
                return True

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):  # the server may be faster
            await self.writer.wait_closed()

    async def _next(self) -> h11.Event | type[h11.PAUSED]:
        async with asyncio.timeout(PATIENCE):
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self.reader.read(65_536))
        assert not isinstance(event, type) or event is h11.PAUSED
        return event


@dataclass(slots=True)
class Served:
    """A running server; ``calls`` names every handler that ran."""

    server: StatusServer
    http: HttpServer
    address: str
    port: int
    calls: list[str] = field(default_factory=list)

    async def stop(self) -> bool:
        """Stop as ``loopx serve`` does; gives whether everything could be finished."""
        return await self.http.stop(cut=self.server.runs.stop, hurry=asyncio.Event())

    async def knock(self) -> None:
        """Connect until nobody opens."""
        while True:
            _, writer = await asyncio.open_connection(self.address, self.port)
            writer.close()
            await writer.wait_closed()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Client]:
        """A connection for the block."""
        client = Client(*await asyncio.open_connection(self.address, self.port))
        try:
            yield client
        finally:
            await client.close()

    async def ask(self, raw: bytes, method: bytes = b"GET") -> Answer:
        """One request on a connection of its own."""
        async with self.connected() as client:
            return await client.ask(raw, method)

    def get(self, path: str, *headers: str, method: str = "GET") -> bytes:
        """A request with the token, as a program sends it."""
        return self.request(method, path, f"Authorization: Bearer {TOKEN}", *headers)

    def post(self, path: str, body: object, *headers: str) -> bytes:
        """A marked request in JSON with the token."""
        content = json.dumps(body).encode()
        head = self.request(
            "POST",
            path,
            f"Authorization: Bearer {TOKEN}",
            "X-LoopX: 1",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            *headers,
        )
        return head + content

    def request(self, method: str, path: str, *headers: str) -> bytes:
        """A request with the right host and nothing else."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}:{self.port}", *headers, "", ""]
        return "\r\n".join(lines).encode("latin-1")


@asynccontextmanager
async def served(
    *capabilities: Capability,
    listening: Listening | None = None,
    limits: ServerLimits | None = None,
    run_limits: RunLimits | None = None,
    clock: Clock | None = None,
    container: Container | None = None,
) -> AsyncIterator[Served]:
    """The server while the block runs; a container stands in for capabilities and clock."""
    listening = listening or Listening(port=0)
    bound = open_socket(listening)
    port = 0 if listening.unix else int(bound.getsockname()[1])
    calls: list[str] = []
    container = container or _container(capabilities, clock)
    registry = registry_reader(container)
    server = assemble(container, Secret(TOKEN), registry=registry, run_limits=run_limits)
    app = replace(server, router=_counted(server.router, calls)).app(listening.policy(port), Secret(TOKEN))
    http = await HttpServer.start(
        bound, app, refuse=app.refuse, limits=limits or ServerLimits(stop_seconds=0.5)
    )
    try:
        yield Served(server, http, listening.address, port, calls)
    finally:
        await http.stop(cut=server.runs.stop, hurry=asyncio.Event())
        await server.runs.stop()


def play(scene: Callable[[Served], Awaitable[None]], *capabilities: Capability, **settings: Any) -> None:
    """Run a scene with a server; ``settings`` are those of ``served``."""

    async def main() -> None:
        async with asyncio.timeout(PATIENCE), served(*capabilities, **settings) as server:
            await scene(server)

    asyncio.run(main())


@contextmanager
def served_in_a_thread(*capabilities: Capability, listening: Listening | None = None) -> Iterator[Served]:
    """The server with a loop of its own, for clients that block."""
    ready, found, stop = threading.Event(), list[Served](), list[Callable[[], object]]()

    async def main() -> None:
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        stop.append(lambda: loop.call_soon_threadsafe(stopped.set))
        async with served(*capabilities, listening=listening) as server:
            found.append(server)
            ready.set()
            await stopped.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield found[0]
    finally:
        stop[0]()
        thread.join()


def _container(capabilities: Sequence[Capability], clock: Clock | None) -> Container:
    return Container(
        clock=providers.Object(clock or SystemClock()),
        entropy=providers.Object(MemoryEntropy()),
        catalog=providers.Object(CapabilityCatalog(capabilities)),
    )


def _counted(router: Router, calls: list[str]) -> Router:
    return Router(
        replace(
            route,
            operations={
                method: replace(operation, handler=_counting(operation, calls))
                for method, operation in route.operations.items()
            },
        )
        for route in router.routes
    )


def _counting(operation: Operation, calls: list[str]) -> Handler:
    async def handle(request: Request) -> Response:
        calls.append(operation.name)
        return await operation.handler(request)

    return handle
