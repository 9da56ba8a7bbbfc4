"""A thousand clients that begin a request and never finish it: nobody else notices, and they are dropped."""

import json
import resource
import select
import socket
import time
from collections.abc import Iterator

import pytest

from fakes.program import start

HALF_OPEN = 1_000
MEASURED = 300
FILES = 4_096
HEAD_SECONDS = 5.0
ROUNDS = 3
"""Other work on the machine only ever makes a round worse, so the best one counts."""


@pytest.fixture
def port() -> Iterator[int]:
    """A server as a user starts it, and files enough for both ends."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], min(FILES, before[1])), before[1]))
    process = start("serve", "--port", "0", "-o", "json")
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["port"]
    finally:
        process.kill()
        process.communicate()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def ask(port: int) -> float:
    """One request on a new connection; gives how long it took, in seconds."""
    started = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
    return time.perf_counter() - started


def p99(port: int) -> float:
    return sorted(ask(port) for _ in range(MEASURED))[int(MEASURED * 0.99) - 1]


def begin(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Slow: ".encode())
    return connection


def dropped(half: list[socket.socket], seconds: float) -> list[float]:
    """When each of them was told and hung up on, in seconds from now."""
    began, waiting, times = time.monotonic(), set(half), list[float]()
    poller = select.poll()
    by_number = {connection.fileno(): connection for connection in half}
    for number in by_number:
        poller.register(number, select.POLLIN)
    while waiting and time.monotonic() - began < seconds:
        for number, _ in poller.poll(1_000):
            assert by_number[number].recv(65_536).startswith(b"HTTP/1.1 408 ")
            poller.unregister(number)
            waiting.discard(by_number[number])
            times.append(time.monotonic() - began)
    return times


@pytest.mark.timeout(180)
def test_half_open_connections_slow_nobody_down_and_end_after_five_seconds(port: int) -> None:
    ratios = []
    for _ in range(ROUNDS):
        idle = p99(port)
        opened = time.monotonic()
        half = [begin(port) for _ in range(HALF_OPEN)]
        took = time.monotonic() - opened
        ratios.append(p99(port) / idle)
        spent = time.monotonic() - opened
        times = dropped(half, HEAD_SECONDS + 10)
        for connection in half:
            connection.close()
        assert len(times) == HALF_OPEN
        assert min(times) + spent > HEAD_SECONDS - 0.5
        assert max(times) + spent < HEAD_SECONDS + took + 5
        if ratios[-1] <= 3:
            break
    assert min(ratios) <= 3, ratios
