"""Measure what it costs to write every call down.

CPU time of this thread: of one row, and of one whole call over a kept connection on loopback, with the
log in a file and with a log that keeps nothing, in turns. A bare ``httpx.AsyncClient`` stands beside.
The promise is that a call which is written down costs at most 1.5 times a bare one; the exit code is 1
when it is not kept. A row by itself shall cost about 50 microseconds on an idle machine, no more.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.stack import HttpxTransport, TransportPorts, TransportSettings
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.entropy import SystemEntropy
from loopx.adapters.process.environment_credentials import EnvironmentCredentials
from loopx.adapters.sqlite.audit_log import SqliteAuditLog
from loopx.application.ports.audit_sink import AuditSink
from loopx.domain.audit.row import Outcome, Subject
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.http.message import Headers, HttpRequest

BAR = 1.5
TRACE = TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
CONTEXT = CallContext(trace=TRACE, agent_id="agent-7", turn_id="turn-3", capability="pr_review")
SERVER = """
import asyncio
ANSWER = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: 512\\r\\n\\r\\n" + b"x" * 512
async def serve(reader, writer):
    try:
        while True:
            await reader.readuntil(b"\\r\\n\\r\\n")
            writer.write(ANSWER)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


class NoLog:
    """Keeps nothing: what is left is the cost of everything else."""

    def intent(self, subject: Subject) -> None:
        pass

    def outcome(self, subject: Subject, outcome: Outcome) -> None:
        pass

    def note(self, subject: Subject, outcome: Outcome, text: str | None = None) -> None:
        pass


def rows(log: SqliteAuditLog, count: int) -> list[float]:
    """Microseconds of CPU for each of so many rows."""
    url = "https://api.github.com/graphql"
    subject = Subject(
        id="00f067aa0ba902b7", trace_id=TRACE.trace_id, agent_id="agent-7", method="POST", host="a", url=url
    )
    outcome = Outcome(status=200, elapsed_ms=120, bytes_out=1_200, bytes_in=50_000, rate_remaining=4_999)
    times = []
    for _ in range(count):
        started = time.thread_time_ns()
        log.outcome(subject, outcome)
        times.append((time.thread_time_ns() - started) / 1_000)
    return times


def stack(audit: AuditSink) -> HttpxTransport:
    ports = TransportPorts(
        clock=SystemClock(),
        entropy=SystemEntropy(),
        credentials=EnvironmentCredentials({}),
        resolver=SystemResolver(),
        audit=audit,
    )
    return HttpxTransport(ports, TransportSettings("loopx"))


async def microseconds(call: Callable[[], Awaitable[object]], count: int) -> float:
    """CPU time of one call, as the mean of a few: a clock of the thread is coarse beside one."""
    started = time.thread_time_ns()
    for _ in range(count):
        await call()
    return (time.thread_time_ns() - started) / 1_000 / count


async def calls(url: str, log: SqliteAuditLog, rounds: int) -> dict[str, float]:
    """The median CPU time of a call in each way; each round goes through all of them."""
    request = HttpRequest(method="GET", url=url, headers=Headers((("Accept", "application/json"),)))
    async with stack(log) as written, stack(NoLog()) as unwritten, httpx.AsyncClient(trust_env=False) as bare:
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "bare httpx.AsyncClient": lambda: bare.get(url),
            "whole stack, no log": lambda: unwritten.send(request, CONTEXT),
            "whole stack, log in a file": lambda: written.send(request, CONTEXT),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(rounds + 2):
            for name, call in ways.items():
                took = await microseconds(call, 50)
                if number >= 2:  # noqa: PLR2004 - the first rounds warm up
                    times[name].append(took)
    return {name: statistics.median(each) for name, each in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = SqliteAuditLog(Path(folder), clock=SystemClock())
        one = statistics.median(rows(log, options.rows))
        server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None  # noqa: S101 - a pipe was asked for
            url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1/thing?page=2"
            medians = asyncio.run(calls(url, log, options.rounds))
        finally:
            server.kill()
            server.communicate()
            log.close()
    print(f"{'one row':<28} {one:7.1f} µs CPU")
    bare = medians["bare httpx.AsyncClient"]
    for name, median in medians.items():
        print(f"{name:<28} {median:7.1f} µs CPU  {median / bare:5.2f} x bare")
    ratio = medians["whole stack, log in a file"] / bare
    print(f"{'ratio':<28} {ratio:7.2f}         (at most {BAR})")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
