"""``loopx.status_server``: the server inside another program."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from fakes.capabilities import Counting
from fakes.status_server import PATIENCE, Client, served
from loopx import status_server
from loopx.domain.errors import LoopXError
from loopx.entrypoints.http.asgi import App
from loopx.entrypoints.http.wire.limits import ServerLimits
from loopx.status_server import Listening, Serving, Stop, aserve, create_app

TOKEN = "t0ken-for-tests-only"


async def call(app: App, **changes: Any) -> list[dict[str, Any]]:
    """One request as an ASGI server makes it; gives what the application sent."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/status",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8000"), (b"authorization", f"Bearer {TOKEN}".encode())],
        **changes,
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


def test_the_application_runs_under_any_asgi_server() -> None:
    app = create_app(token=TOKEN, listening=Listening(port=8000))
    start, body = asyncio.run(call(app))
    assert start["status"] == 200
    assert json.loads(body["body"])["schema"] == "loopx.status/1"


def test_the_application_judges_what_that_server_lets_through() -> None:
    app = create_app(token=TOKEN, listening=Listening(port=8000))
    evil = [(b"host", b"127.0.0.1:8000"), (b"host", b"evil.test")]
    assert asyncio.run(call(app, headers=evil))[0]["status"] == 400
    assert asyncio.run(call(app, raw_path=b"http://evil.test/status"))[0]["status"] == 400
    assert asyncio.run(call(app, type="websocket")) == [{"type": "websocket.close"}]


def test_the_application_answers_the_questions_of_a_lifespan() -> None:
    app = create_app(token=TOKEN)
    asked = iter(["lifespan.startup", "lifespan.shutdown"])
    told: list[str] = []

    async def receive() -> dict[str, Any]:
        return {"type": next(asked)}

    async def send(message: Any) -> None:
        told.append(message["type"])

    async def main() -> None:
        await app({"type": "lifespan"}, receive, send)

    asyncio.run(main())
    assert told == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_a_token_that_is_too_short_is_refused() -> None:
    with pytest.raises(LoopXError, match="too_short"):
        create_app(token="short")


def test_a_program_serves_within_its_own_loop_and_stops_when_it_wants(tmp_path: Path) -> None:
    async def main() -> int:
        stop, told = Stop(), asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(
            aserve(Listening(port=0), token_file=tmp_path / "token", started=told.set_result, stop=stop)
        )
        where: Serving = await told
        assert where.token_file == str(tmp_path / "token")
        client = Client(*await asyncio.open_connection("127.0.0.1", where.port))
        answer = await client.ask(f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{where.port}\r\n\r\n".encode())
        assert answer.status == 200
        stop()
        assert await client.is_closed()
        await client.close()
        return await serving

    assert asyncio.run(main()) == 0


def test_a_program_serves_from_a_thread_where_no_signal_arrives(tmp_path: Path) -> None:
    codes: list[int] = []

    async def main() -> None:
        stop = Stop()
        codes.append(
            await aserve(
                Listening(port=0), token_file=tmp_path / "token", started=lambda _: stop(), stop=stop
            )
        )

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    thread.join(PATIENCE)
    assert codes == [0]


def test_what_is_under_way_is_finished_before_a_stop() -> None:
    async def main() -> None:
        async with (
            asyncio.timeout(PATIENCE),
            served(counting, limits=patient) as server,
            server.connected() as client,
        ):
            await client.send(server.post("/v1/capabilities/count/runs", {"params": {"to": 2}}))
            assert (await client.head(b"POST")).status == 201
            stopping = asyncio.create_task(server.stop())
            with pytest.raises(ConnectionError):
                await server.knock()
            counting.go_on.set()
            lines = b""
            while piece := await client.piece():
                lines += piece
            assert [json.loads(line)["type"] for line in lines.splitlines()] == [
                "number",
                "number",
                "summary",
            ]
            assert await stopping
            assert await client.is_closed()

    counting, patient = Counting(pause_after=1), ServerLimits(stop_seconds=PATIENCE)
    asyncio.run(main())


def test_the_public_names_are_those_that_are_listed() -> None:
    assert status_server.__all__ == sorted(status_server.__all__, key=lambda name: (name.islower(), name))
    assert all(hasattr(status_server, name) for name in status_server.__all__)
