"""A thousand clients that begin a request and never finish it: nobody else notices, and they are dropped."""

import asyncio
import json
import resource
import select
import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass

import pytest

from fakes.program import PATIENCE, start
from fakes.status_server import served

HALF_OPEN = 1_000
PAIRS = 300
"""One request to each server, one right after the other: whatever else the machine does meets both."""
ROUNDS = 3
IN_LINE = 64
"""Fewer than may wait to be let in (``ServerLimits.backlog``)."""
FILES = 4_096
HEAD_SECONDS = 5.0
RESOLUTION = 0.01
"""Seconds; as much earlier than it should a timer may go off."""


@dataclass(frozen=True, slots=True)
class Half:
    """A request that is begun, and when that was."""

    connection: socket.socket
    began: float


@contextmanager
def serving() -> Iterator[int]:
    """A server as a user starts it; gives its port."""
    process = start("serve", "--port", "0", "-o", "json")
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["port"]
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def _files_enough() -> Iterator[None]:
    """For both ends."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], min(FILES, before[1])), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def ask(port: int) -> float:
    """One request on a new connection; gives how long it took, in seconds."""
    started = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
    return time.perf_counter() - started


def begin(port: int) -> Half:
    began = time.monotonic()
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.sendall(f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Slow: ".encode())
    return Half(connection, began)


def crowd(port: int) -> Iterator[Half]:
    """Many, no faster than the server lets them in: whom the system turns away meanwhile waits a second."""
    for number in range(HALF_OPEN):
        if number % IN_LINE == 0:
            ask(port)
        yield begin(port)


def slowdown(idle: int, loaded: int, until: float) -> float:
    """How many times longer the 99th percentile is at one server than at the other, meanwhile."""
    times: dict[int, list[float]] = {idle: [], loaded: []}
    order = [idle, loaded]
    while len(times[idle]) < PAIRS and time.monotonic() < until:
        for port in order:
            times[port].append(ask(port))
        order.reverse()
    return p99(times[loaded]) / p99(times[idle])


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[98]


def dropped(half: list[Half]) -> list[float]:
    """How long after its beginning each of them was told, in seconds."""
    deadline, took = time.monotonic() + PATIENCE, list[float]()
    waiting = {each.connection.fileno(): each for each in half}
    poller = select.poll()
    for number in waiting:
        poller.register(number, select.POLLIN)
    while waiting and time.monotonic() < deadline:
        for number, _ in poller.poll(1_000):
            each = waiting.pop(number)
            poller.unregister(number)
            assert each.connection.recv(65_536).startswith(b"HTTP/1.1 408 ")
            took.append(time.monotonic() - each.began)
    return took


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("_files_enough")
def test_half_open_connections_slow_nobody_down_and_are_all_dropped() -> None:
    ratios = []
    with serving() as idle, serving() as loaded:
        for _ in range(ROUNDS):
            with ExitStack() as stack:
                half = [*crowd(loaded)]
                for each in half:
                    stack.enter_context(each.connection)
                # The first of them leaves then, and the server would no longer be as loaded as it is said.
                ratios.append(slowdown(idle, loaded, half[0].began + HEAD_SECONDS))
                took = dropped(half)
            assert len(took) == HALF_OPEN
            assert min(took) > HEAD_SECONDS - RESOLUTION
    assert statistics.median(ratios) <= 3, ratios


class SteppedLoop(asyncio.SelectorEventLoop):
    """Its time stands still unless it is put forward: a server in it is as punctual as it can be."""

    now = 0.0

    def time(self) -> float:
        return self.now


def test_half_a_head_is_dropped_five_seconds_after_its_beginning_by_the_servers_own_clock() -> None:
    async def main(loop: SteppedLoop) -> None:
        async with served() as server, AsyncExitStack() as stack:
            half = [await stack.enter_async_context(server.connected()) for _ in range(100)]
            for client in half:
                await client.send(b"GET /livez HTTP/1.1\r\nX-Slow: ")
            told = [asyncio.create_task(client.answer()) for client in half]
            assert (await server.ask(server.get("/livez"))).status == 200
            loop.now = HEAD_SECONDS - RESOLUTION
            assert (await server.ask(server.get("/livez"))).status == 200
            assert not any(answer.done() for answer in told)
            loop.now = HEAD_SECONDS
            assert {answer.status for answer in await asyncio.gather(*told)} == {408}

    loop = SteppedLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(main(loop))
