"""The server of the fake GitHub: a thread with real sockets, for clients in this process and in others."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import timedelta
from http import HTTPStatus
from math import inf
from types import TracebackType
from typing import Final, Self, TypeAlias

from fakes.github.cost import Cost, cost_of
from fakes.github.data import NOW
from fakes.github.execution import Executor, checked_document, github_schema
from fakes.github.faults import Delivery, Fault, Rule
from fakes.github.recording import Received
from fakes.github.wire import Wire
from loopx.entrypoints.demo.nodes import Node, stamp

GRAPHQL_PATHS: Final = ("/api/graphql", "/graphql")
_NOT_FOUND: Final = {
    "message": "Not Found",
    "documentation_url": "https://docs.github.com/rest",
    "status": "404",
}
_BAD_CREDENTIALS: Final = {
    "message": "Bad credentials",
    "documentation_url": "https://docs.github.com/rest",
    "status": "401",
}
_START_SECONDS: Final = 10

When: TypeAlias = int | Callable[[Received], bool] | None


class FakeGitHubDefectError(AssertionError):
    """The test itself is wrong: a query against the schema, or data that lack what a query asks for."""


class FakeGitHub:
    """GitHub on loopback while the block runs; leaving it fails the test if a defect was seen."""

    def __init__(self, *repositories: Node, token: str | None = None, strict: bool = True) -> None:
        self.requests: list[Received] = []
        self.points_used = 0
        self.points_limit = 5_000
        self.base_url = ""
        self.token = token
        self._strict = strict
        self._given = repositories
        self._executor = Executor(roots={"rateLimit": self._rate_limit})
        self._last_cost = Cost()
        self._accepted = 0
        self._faults: list[Rule[Fault]] = []
        self._actions: list[Rule[Callable[[Received], object]]] = []
        self._wires: dict[asyncio.Task[None] | None, Wire] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="fake-github", daemon=True)
        self._ready: Future[None] = Future()

    # What a test uses -----------------------------------------------------------------------------------

    @property
    def repositories(self) -> dict[str, Node]:
        """The repositories by lower-case full name, as nodes; a test may change them between requests."""
        return self._executor.repositories

    @property
    def defects(self) -> list[Exception]:
        """What must fail the test, in order."""
        return self._executor.defects

    @property
    def most_in_flight(self) -> int:
        """How many requests were being answered at once, at most."""
        return max((request.in_flight for request in self.requests), default=0)

    @property
    def connections(self) -> int:
        """How many connections carried a request."""
        return len({request.connection for request in self.requests})

    def url(self, full_name: str) -> str:
        """Where a browser would find a repository: the value for ``--repo``."""
        return f"{self.base_url}/{full_name}"

    def operations(self) -> list[str | None]:
        """The names of the operations asked for, in order."""
        return [request.operation for request in self.requests]

    def add(self, repository: Node) -> None:
        """Host one more repository; its URLs become those of this server."""
        repository["url"] = self.url(repository["nameWithOwner"])
        for pull_request in repository["pullRequests"]:
            pull_request["url"] = f"{repository['url']}/pull/{pull_request['number']}"
        self.repositories[repository["nameWithOwner"].lower()] = repository

    def fail(self, fault: Fault, *, on: When = None, times: float = inf) -> None:
        """Apply a fault to the request of that number, to those a predicate picks, or to all."""
        self._faults.append(Rule(fault, _predicate(on), times))

    def before(self, action: Callable[[Received], object], *, on: When = None, times: float = inf) -> None:
        """Run an action on the server's thread before such requests are answered: a push, a merge."""
        self._actions.append(Rule(action, _predicate(on), times))

    def __enter__(self) -> Self:
        github_schema()  # built now, and not on the time of the first request
        self._thread.start()
        self._ready.result(_START_SECONDS)
        for repository in self._given:
            self.add(repository)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if kind is None and self._strict and self.defects:
            raise FakeGitHubDefectError("\n".join(map(repr, self.defects)))

    # How it works ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._converse, "127.0.0.1", 0, limit=1_048_576)
        host, port = server.sockets[0].getsockname()
        self.base_url = f"http://{host}:{port}"
        self._ready.set_result(None)
        await self._stop.wait()
        server.close()
        for wire in self._wires.values():
            wire.hang_up()
        await asyncio.gather(*(task for task in self._wires if task))
        await server.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._stop is None or self._stop.is_set():
            writer.close()  # it came in the same instant as the end
            return
        task = asyncio.current_task()
        wire = self._wires[task] = Wire(reader, writer)
        self._accepted += 1
        number = self._accepted
        try:
            while await self._exchange(wire, number):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        except Exception as error:  # noqa: BLE001 (a test's own action or fault: its error belongs to the test)
            self.defects.append(error)
        await wire.close()
        del self._wires[task]

    async def _exchange(self, wire: Wire, connection: int) -> bool:
        method, target, headers, body = await wire.read()
        request = Received(
            number=1 + len(self.requests),
            connection=connection,
            in_flight=1 + sum(other.busy for other in self._wires.values()),
            at=time.monotonic(),
            method=method,
            target=target,
            headers=headers,
            body=body,
        )
        self.requests.append(request)
        wire.busy = True
        for action in self._actions:
            if action.take(request):
                action.due(request)
        kept = await wire.deliver(self._delivery(request))
        wire.busy = False
        return kept

    def _delivery(self, request: Received) -> Delivery:
        status, answer = self._answer(request)
        headers = {
            "content-type": "application/json; charset=utf-8",
            "x-github-request-id": f"FAKE:{request.number:06}",
            "x-ratelimit-limit": str(self.points_limit),
            "x-ratelimit-remaining": str(self.points_limit - self.points_used),
            "x-ratelimit-used": str(self.points_used),
            "x-ratelimit-reset": str(int((NOW + timedelta(hours=1)).timestamp())),
            "x-ratelimit-resource": "graphql",
        }
        delivery = Delivery(request, status, headers, json.dumps(answer).encode())
        for rule in self._faults:
            if rule.take(request):
                rule.due.apply(delivery)
        return delivery

    def _answer(self, request: Received) -> tuple[int, Node]:
        if request.method != "POST" or request.target not in GRAPHQL_PATHS:
            return HTTPStatus.NOT_FOUND, _NOT_FOUND
        if self.token is not None and request.header("authorization") != f"Bearer {self.token}":
            return HTTPStatus.UNAUTHORIZED, _BAD_CREDENTIALS
        document, problems = checked_document(request.query)
        if document is not None and not problems:
            self._last_cost = cost_of(document, request.variables)
            self.points_used += self._last_cost.points
        return HTTPStatus.OK, self._executor.answer(request.query, request.variables)

    def _rate_limit(self) -> Node:
        return {
            "cost": self._last_cost.points,
            "limit": self.points_limit,
            "remaining": self.points_limit - self.points_used,
            "used": self.points_used,
            "resetAt": stamp(NOW + timedelta(hours=1)),
            "nodeCount": self._last_cost.nodes,
        }


def _predicate(on: When) -> Callable[[Received], bool]:
    def every(_request: Received) -> bool:
        return True

    def numbered(request: Received) -> bool:
        return request.number == on

    if on is None:
        return every
    return numbered if isinstance(on, int) else on
