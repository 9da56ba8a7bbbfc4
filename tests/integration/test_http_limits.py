"""How long clients of the status server may take, and how many there may be."""

import asyncio
from contextlib import suppress

from fakes.capabilities import Counting
from fakes.status_server import PATIENCE, Served, play
from loopx.application.steps.runs import RunLimits
from loopx.domain.http.request_head import HeadLimits
from loopx.entrypoints.http.wire.limits import ServerLimits

SHORT = ServerLimits(
    head_seconds=0.2, request_seconds=0.3, idle_seconds=0.2, linger_seconds=0.2, stop_seconds=0.2
)
COUNT = "/v1/capabilities/count/runs"


class TestTime:
    """How long a client may take."""

    def test_half_a_head_is_told_that_it_is_late(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as client:
                answer = await client.ask(b"GET /livez HTTP/1.1\r\nHo")
                assert (answer.status, answer.data["reason"]) == (408, "headers")
                assert await client.is_closed()

        play(scene, limits=SHORT)

    def test_who_says_nothing_is_left(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as client:
                assert await client.is_closed()

        play(scene, limits=SHORT)

    def test_an_idle_connection_ends(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as client:
                assert (await client.ask(server.get("/livez"))).status == 200
                assert await client.is_closed()

        play(scene, limits=SHORT)

    def test_half_a_body_is_told_that_it_is_late_and_runs_nothing(self) -> None:
        async def scene(server: Served) -> None:
            request = server.post(COUNT, {"params": {"to": 1}})
            async with server.connected() as client:
                answer = await client.ask(request[:-3], b"POST")
                assert (answer.status, answer.data["reason"]) == (408, "body")
                assert await client.is_closed()

        counting = Counting()
        play(scene, counting, limits=SHORT)
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

        play(scene, limits=SHORT)


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

        play(scene, Counting(pause_after=0), limits=ServerLimits(requests=1, stop_seconds=0.2))

    def test_half_requests_take_no_place_from_whole_ones(self) -> None:
        async def scene(server: Served) -> None:
            post = server.post(COUNT, {"params": {"to": 1}})
            async with server.connected() as half_head, server.connected() as half_body:
                await half_head.send(b"GET /livez HTTP/1.1\r\n")
                await half_body.send(post[:-1])
                assert (await server.ask(server.get("/livez"))).status == 200

        play(scene, Counting(), limits=ServerLimits(requests=1, stop_seconds=0.2))

    def test_beyond_the_most_connections_the_oldest_that_waits_goes(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as oldest:
                await oldest.send(b"GET ")
                others = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
                assert await oldest.is_closed()
                assert (await server.ask(server.get("/livez"))).status == 200
                for _, writer in others:
                    writer.close()

        play(scene, limits=ServerLimits(requests=1, connections=3, stop_seconds=0.2))

    def test_whole_requests_do_not_go_for_half_ones(self) -> None:
        async def scene(server: Served) -> None:
            async with server.connected() as whole:
                await whole.send(server.post(COUNT, {"params": {"to": 1}}))
                assert (await whole.head(b"POST")).status == 201
                others = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(4)]
                assert await others[0][0].read() == b""
                counting.go_on.set()
                assert (await whole.piece()).startswith(b'{"type":"number"')
                for _, writer in others:
                    writer.close()

        counting = Counting(pause_after=0)
        play(scene, counting, limits=ServerLimits(requests=1, connections=3, stop_seconds=0.2))


def test_a_reader_that_never_reads_is_left() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            await client.send(server.post(COUNT, {"params": {"to": 100_000}}))
            await counting.ended.wait()

    counting = Counting(padding=10_000)
    play(
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

    play(scene, limits=ServerLimits(head=HeadLimits(request_line=50)))
