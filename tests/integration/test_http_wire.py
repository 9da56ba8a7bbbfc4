"""HTTP on the wire: what is bounded, what is refused before it is understood, and what stays possible."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from fakes.capabilities import Counting
from fakes.status_server import PATIENCE, TOKEN, Served, served
from loopx.application.steps.runs import RunLimits
from loopx.domain.http.request_head import HeadLimits
from loopx.entrypoints.http.wire.limits import ServerLimits

SHORT = ServerLimits(
    head_seconds=0.2, request_seconds=0.3, idle_seconds=0.2, linger_seconds=0.2, stop_seconds=0.2
)
COUNT = "/v1/capabilities/count/runs"


def run(scene: Callable[[Served], Awaitable[None]], *capabilities: Counting, **settings: Any) -> None:
    """Play a scene with a server."""

    async def main() -> None:
        async with served(*capabilities, **settings) as server:
            await scene(server)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("raw", "status", "reason"),
    [
        (b"GET /livez HTTP/1.1\nHost: HOST\n\n", 400, "framing"),
        (b"GET /livez HTTP/1.1\r\nHost: HOST\r\nX: a\r\n b\r\n\r\n", 400, "syntax"),
        (b"GET /livez HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n", 400, "host"),
        (b"GET /livez HTTP/1.1\r\n\r\n", 400, "host"),
        (b"GET /livez HTTP/1.0\r\n\r\n", 400, "host"),
        (b"GET /livez HTTP/1.1\r\nHost: HOST\r\nX Y: a\r\n\r\n", 400, "syntax"),
        (b"GET /livez HTTP/1.1\r\nHost: HOST\r\nX: \x01\r\n\r\n", 400, "syntax"),
        (b"GET  /livez HTTP/1.1\r\nHost: HOST\r\n\r\n", 400, "syntax"),
        (b"GET /li vez HTTP/1.1\r\nHost: HOST\r\n\r\n", 400, "syntax"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "syntax"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "syntax"),
        (
            b"POST /livez HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
            400,
            "framing",
        ),
        (b"POST /livez HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999\r\n\r\n", 413, "body"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n", 414, "request_line"),
        (b"GET /livez HTTP/1.1\r\nHost: HOST\r\nX: " + b"y" * 17_000 + b"\r\n\r\n", 431, "headers"),
        (b"GET /livez HTTP/1.1\r\nHost: HOST\r\n" + b"X: y\r\n" * 64 + b"\r\n", 431, "headers"),
        (b"x" * 9000, 414, "request_line"),
    ],
)
def test_what_is_no_good_request_is_told_so_and_the_connection_ends(
    raw: bytes, status: int, reason: str
) -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            answer = await client.ask(raw.replace(b"HOST", f"127.0.0.1:{server.port}".encode()))
            assert (answer.status, answer.data["reason"]) == (status, reason)
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.headers["connection"] == "close"
            assert answer.headers["cache-control"] == "no-store"
            assert await client.is_closed()
        assert server.calls == []

    run(scene, Counting())


def test_a_request_in_single_bytes_is_understood() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            for byte in server.get("/livez"):
                await client.send(bytes([byte]))
            assert (await client.answer()).status == 200

    run(scene)


def test_one_connection_serves_many_requests_also_when_they_come_at_once() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            for _ in range(3):
                assert (await client.ask(server.get("/livez"))).status == 200
            await client.send(server.get("/livez") * 2 + b"\r\n" + server.get("/status"))
            assert [(await client.answer()).status for _ in range(3)] == [200, 200, 200]

    run(scene)


def test_what_follows_a_body_is_judged_like_any_request() -> None:
    async def scene(server: Served) -> None:
        smuggled = b"GET /livez HTTP/1.1\nHost: evil\n\n"
        async with server.connected() as client:
            await client.send(server.post(COUNT, {"params": {"to": 1}}) + smuggled)
            assert (await client.answer(b"POST")).status == 201
            refused = await client.answer()
            assert (refused.status, refused.data["reason"]) == (400, "framing")

    run(scene, Counting())


def test_a_chunked_body_is_read_and_a_broken_one_refused() -> None:
    async def scene(server: Served) -> None:
        def chunked(chunks: bytes) -> bytes:
            head = (
                "POST",
                COUNT,
                f"Authorization: Bearer {TOKEN}",
                "X-LoopX: 1",
                "Content-Type: application/json",
            )
            return server.request(*head, "Transfer-Encoding: chunked") + chunks

        good = await server.ask(chunked(b'7\r\n{"param\r\nc\r\ns":{"to":2}}\r\n0\r\n\r\n'), b"POST")
        assert (good.status, len(good.lines)) == (201, 3)
        bad = await server.ask(chunked(b"zz\r\n{}"), b"POST")
        assert (bad.status, bad.data["reason"]) == (400, "framing")
        long = await server.ask(
            chunked(b"ffff\r\n" + b"x" * 65_535 + b"\r\nff\r\n" + b"x" * 255 + b"\r\n"), b"POST"
        )
        assert (long.status, long.data["code"]) == (413, "payload_too_large")

    run(scene, Counting())


def test_a_client_that_waits_is_told_to_continue_only_when_its_body_is_wanted() -> None:
    async def scene(server: Served) -> None:
        request = server.post(COUNT, {"params": {"to": 1}}, "Expect: 100-continue")
        head, body = request[: request.index(b"\r\n\r\n") + 4], request[request.index(b"\r\n\r\n") + 4 :]
        async with server.connected() as client:
            await client.send(head)
            assert (await client.reader.readline()).startswith(b"HTTP/1.1 100 ")
            assert await client.reader.readline() == b"\r\n"
            await client.send(body)
            assert (await client.answer(b"POST")).status == 201
        async with server.connected() as client:
            refused = await client.ask(head.replace(TOKEN.encode(), b"x" * len(TOKEN)), b"POST")
            assert refused.status == 401

    run(scene, Counting())


def test_a_refusal_is_readable_although_the_client_still_sends() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            answer = await client.ask(
                server.request("POST", COUNT, "Content-Length: 60000") + b"x" * 30_000, b"POST"
            )
            assert answer.status == 401
            assert answer.headers["connection"] == "close"
            await client.send(b"x" * 30_000)
            assert await client.is_closed()

    run(scene, Counting(), limits=SHORT)


def test_who_said_all_it_had_to_say_still_gets_its_answer() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            client.writer.write(server.get("/status"))
            client.writer.write_eof()
            assert (await client.answer()).status == 200
            assert await client.is_closed()

    run(scene)


def test_a_client_may_ask_to_hang_up_and_an_old_one_means_it() -> None:
    async def scene(server: Served) -> None:
        old = server.get("/livez").replace(b"HTTP/1.1", b"HTTP/1.0")
        for raw in (server.get("/livez", "Connection: close"), old):
            async with server.connected() as client:
                answer = await client.ask(raw)
                assert answer.status == 200
                assert await client.is_closed()

    run(scene)


def test_a_head_says_what_get_would_and_has_no_body() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            whole = await client.ask(server.get("/v1/capabilities"))
            head = await client.ask(server.get("/v1/capabilities", method="HEAD"), b"HEAD")
            assert (head.status, head.body) == (200, b"")
            assert head.headers["content-length"] == whole.headers["content-length"]
            assert (await client.ask(server.get("/livez"))).status == 200

    run(scene, Counting())


class TestTime:
    """How long a client may take."""

    def test_half_a_head_is_told_that_it_is_late(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as client:
                answer = await client.ask(b"GET /livez HTTP/1.1\r\nHo")
                assert (answer.status, answer.data["reason"]) == (408, "headers")
                assert await client.is_closed()

        run(scene, limits=SHORT)

    def test_who_says_nothing_is_left(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as client:
                assert await client.is_closed()

        run(scene, limits=SHORT)

    def test_an_idle_connection_ends(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as client:
                assert (await client.ask(server.get("/livez"))).status == 200
                assert await client.is_closed()

        run(scene, limits=SHORT)

    def test_half_a_body_is_told_that_it_is_late_and_runs_nothing(self) -> None:
        async def scene(server: Served) -> None:
            request = server.post(COUNT, {"params": {"to": 1}})
            async with server.connected() as client:
                answer = await client.ask(request[:-3], b"POST")
                assert (answer.status, answer.data["reason"]) == (408, "body")
                assert await client.is_closed()

        counting = Counting()
        run(scene, counting, limits=SHORT)
        assert counting.contexts == []

    def test_a_byte_now_and_then_does_not_help(self) -> None:
        async def scene(server: Served) -> None:
            told = b""
            async with server.connected() as client:
                for byte in server.get("/livez", "X: " + "y" * 1_000):
                    await client.send(bytes([byte]))
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.005):
                            told = await client.reader.read(65_536)
                    if told:
                        break
            assert told.startswith(b"HTTP/1.1 408 ")

        run(scene, limits=SHORT)


class TestRoom:
    """How many may be there at once."""

    def test_whole_requests_beyond_the_limit_are_told_to_come_back(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as first:
                await first.send(server.post(COUNT, {"params": {"to": 1}}))
                assert (await first.head(b"POST")).status == 201
                async with server.connected() as second:
                    answer = await second.ask(server.get("/livez"))
                    assert (answer.status, answer.data["code"]) == (503, "too_many_connections")
                    assert answer.headers["retry-after"] == "1"
            async with asyncio.timeout(PATIENCE):
                while (await server.ask(server.get("/livez"))).status != 200:
                    pass  # the place is free a moment after the first client left

        run(scene, Counting(pause_after=0), limits=ServerLimits(requests=1, stop_seconds=0.2))

    def test_half_requests_take_no_place_from_whole_ones(self) -> None:
        async def scene(server: Served) -> None:
            post = server.post(COUNT, {"params": {"to": 1}})
            async with server.connected() as half_head, server.connected() as half_body:
                await half_head.send(b"GET /livez HTTP/1.1\r\n")
                await half_body.send(post[:-1])
                assert (await server.ask(server.get("/livez"))).status == 200

        run(scene, Counting(), limits=ServerLimits(requests=1, stop_seconds=0.2))

    def test_beyond_the_most_connections_the_oldest_that_waits_goes(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as oldest:
                await oldest.send(b"GET ")
                others = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
                assert await oldest.is_closed()
                assert (await server.ask(server.get("/livez"))).status == 200
                for _, writer in others:
                    writer.close()

        run(scene, limits=ServerLimits(requests=1, connections=3, stop_seconds=0.2))


def test_a_reader_that_never_reads_is_left() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            await client.send(server.post(COUNT, {"params": {"to": 100_000}}))
            await counting.ended.wait()

    counting = Counting(padding=10_000)
    run(
        scene,
        counting,
        limits=ServerLimits(stalled_seconds=0.2, stop_seconds=0.2),
        run_limits=RunLimits(grace=0.0),
    )
    assert counting.yielded < 100_000


def test_small_limits_are_kept_as_well() -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(server.request("GET", "/" + "x" * 60))
        assert answer.status == 414

    run(scene, limits=ServerLimits(head=HeadLimits(request_line=50)))
