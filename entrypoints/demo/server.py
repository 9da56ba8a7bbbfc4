"""A loopback stand-in for GitHub that answers LoopX's documents from the sample repository."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

import h11

from loopx.entrypoints.demo.answers import AnswerError, answer
from loopx.entrypoints.demo.document import DocumentError, read_document
from loopx.entrypoints.demo.nodes import Node, stamp
from loopx.entrypoints.demo.sample import sample_repository

GRAPHQL_PATH: Final = "/api/graphql"  # where GitHub Enterprise Server has it, as any host but github.com
MAX_BODY_BYTES: Final = 1_000_000
_POINTS: Final = 5_000
_CHUNK: Final = 65_536


@asynccontextmanager
async def demo_github(now: datetime) -> AsyncIterator[str]:
    """A sample GitHub on a free port of 127.0.0.1 while the block runs; gives its base URL."""
    sample = _Sample(now)
    conversations: dict[asyncio.Task[None] | None, asyncio.StreamWriter] = {}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not server.is_serving():
            writer.close()  # it came in the same instant as the end
            return
        conversations[asyncio.current_task()] = writer
        await _Conversation(reader, writer, sample).run()
        del conversations[asyncio.current_task()]

    server = await asyncio.start_server(serve, "127.0.0.1", 0, start_serving=False)
    host, port = server.sockets[0].getsockname()
    sample.repository = sample_repository(now, f"http://{host}:{port}")
    await server.start_serving()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.close()
        # Hung up on, a conversation ends by itself; cancelling it would be logged as an error by Python 3.11.
        for writer in conversations.values():
            writer.close()
        await asyncio.gather(*(task for task in conversations if task))
        await server.wait_closed()


@dataclass(slots=True)
class _Sample:
    now: datetime
    repository: Node = field(default_factory=dict)
    used: int = 0

    def respond(self, method: bytes, target: bytes, body: bytes) -> tuple[HTTPStatus, Node]:
        if (method, target) != (b"POST", GRAPHQL_PATH.encode()):
            missing = {
                "message": "Not Found",
                "documentation_url": "https://docs.github.com/rest",
                "status": "404",
            }
            return HTTPStatus.NOT_FOUND, missing
        self.used += 1
        try:
            request = json.loads(body)
            document = read_document(request["query"])
            variables = dict(request.get("variables") or {})
            return HTTPStatus.OK, answer(self.repository, document, variables, {"rateLimit": self.rate()})
        except AnswerError as error:
            return HTTPStatus.OK, {"errors": [{"type": error.kind, "message": str(error)}]}
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError, DocumentError):
            return HTTPStatus.BAD_REQUEST, {"message": "Problems parsing JSON", "status": "400"}

    def rate(self) -> Node:
        return {
            "__typename": "RateLimit",
            "cost": 1,
            "limit": _POINTS,
            "used": self.used,
            "remaining": max(0, _POINTS - self.used),
            "resetAt": stamp(self.now + timedelta(hours=1)),
            "nodeCount": 0,
        }


@dataclass(frozen=True, slots=True)
class _Conversation:
    """One connection: requests one after the other, until either side has enough."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    sample: _Sample
    http: h11.Connection = field(default_factory=lambda: h11.Connection(h11.SERVER))

    async def run(self) -> None:
        try:
            while await self._exchange():
                self.http.start_next_cycle()
        except h11.RemoteProtocolError as error:
            await self._send_refusal(HTTPStatus(error.error_status_hint))
        except ConnectionError:
            pass  # the client went away: nobody is left to tell
        finally:
            self.writer.close()
            with suppress(ConnectionError):
                await self.writer.wait_closed()

    async def _exchange(self) -> bool:
        """Answers one request; False when there is none left."""
        request = await self._next()
        if not isinstance(request, h11.Request):
            return False
        body = bytearray()
        while isinstance(event := await self._next(), h11.Data):
            body += event.data
            if len(body) > MAX_BODY_BYTES:
                await self._send_refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                return False
        if not isinstance(event, h11.EndOfMessage):
            return False
        status, answered = self.sample.respond(request.method, request.target, bytes(body))
        await self._send(status, answered)
        return self.http.our_state is h11.DONE and self.http.their_state is h11.DONE

    async def _next(self) -> h11.Event | None:
        """The next event of the client; None when it said more than one request at once."""
        while not isinstance(event := self.http.next_event(), h11.Event):
            if event is h11.PAUSED:
                return None
            self.http.receive_data(await self.reader.read(_CHUNK))
        return event

    async def _send_refusal(self, status: HTTPStatus) -> None:
        if self.http.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            await self._send(status, {"message": status.phrase, "status": str(int(status))})

    async def _send(self, status: HTTPStatus, answered: Mapping[str, Any]) -> None:
        body = json.dumps(answered, ensure_ascii=False).encode()
        rate = self.sample.rate()
        headers = [
            ("content-type", "application/json; charset=utf-8"),
            ("content-length", str(len(body))),
            ("x-github-request-id", f"DEMO:{self.sample.used:04X}"),
            ("x-ratelimit-limit", str(rate["limit"])),
            ("x-ratelimit-remaining", str(rate["remaining"])),
            ("x-ratelimit-resource", "graphql"),
        ]
        response = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.writer.write(self.http.send(event) or b"")
        await self.writer.drain()
