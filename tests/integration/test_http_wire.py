"""HTTP on the wire: what is bounded, what is refused before it is understood, and what stays possible."""

import pytest

from fakes.capabilities import Counting
from fakes.status_server import TOKEN, Served, play
from loopx.entrypoints.http.wire.limits import ServerLimits

SHORT = ServerLimits(
    head_seconds=0.2, request_seconds=0.3, idle_seconds=0.2, linger_seconds=0.2, stop_seconds=0.2
)
COUNT = "/v1/capabilities/count/runs"


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

    play(scene, Counting())


def test_a_request_in_single_bytes_is_understood() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            for byte in server.get("/livez"):
                await client.send(bytes([byte]))
            assert (await client.answer()).status == 200

    play(scene)


def test_one_connection_serves_many_requests_also_when_they_come_at_once() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            for _ in range(3):
                assert (await client.ask(server.get("/livez"))).status == 200
            await client.send(server.get("/livez") * 2 + b"\r\n" + server.get("/status"))
            assert [(await client.answer()).status for _ in range(3)] == [200, 200, 200]

    play(scene)


def test_what_follows_a_body_is_judged_like_any_request() -> None:
    async def scene(server: Served) -> None:
        smuggled = b"GET /livez HTTP/1.1\nHost: evil\n\n"
        async with server.connected() as client:
            await client.send(server.post(COUNT, {"params": {"to": 1}}) + smuggled)
            assert (await client.answer(b"POST")).status == 201
            refused = await client.answer()
            assert (refused.status, refused.data["reason"]) == (400, "framing")

    play(scene, Counting())


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

    play(scene, Counting())


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

    play(scene, Counting())


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

    play(scene, Counting(), limits=SHORT)


def test_who_said_all_it_had_to_say_still_gets_its_answer() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            client.writer.write(server.get("/status"))
            client.writer.write_eof()
            assert (await client.answer()).status == 200
            assert await client.is_closed()

    play(scene)


def test_a_client_may_ask_to_hang_up_and_an_old_one_means_it() -> None:
    async def scene(server: Served) -> None:
        old = server.get("/livez").replace(b"HTTP/1.1", b"HTTP/1.0")
        for raw in (server.get("/livez", "Connection: close"), old):
            async with server.connected() as client:
                answer = await client.ask(raw)
                assert answer.status == 200
                assert await client.is_closed()

    play(scene)


def test_a_head_says_what_get_would_and_has_no_body() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            whole = await client.ask(server.get("/v1/capabilities"))
            head = await client.ask(server.get("/v1/capabilities", method="HEAD"), b"HEAD")
            assert (head.status, head.body) == (200, b"")
            assert head.headers["content-length"] == whole.headers["content-length"]
            assert (await client.ask(server.get("/livez"))).status == 200

    play(scene, Counting())
