"""Connections used again, calls given up half-way, and what of a call is written down: nothing."""

import asyncio
import logging

import pytest

from fakes.borders import answered, failed
from fakes.outcomes import pair_of
from fakes.raw_server import Conversation, RawServer, Script, answers
from fakes.wire import open_wire, outcome
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
LAST = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


async def hang(conversation: Conversation) -> None:
    await conversation.hang()


async def hang_in_head(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 200 OK\r\nX-")
    await conversation.hang()


async def hang_in_body(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")
    await conversation.hang()


# Connections that are used again


def test_a_connection_is_used_again() -> None:
    async def main() -> int:
        async with RawServer(answers(OK, OK, OK)) as server, open_wire() as wire:
            for _ in range(3):
                assert answered(await outcome(wire, server.url())).content == b"ok"
            return server.connections

    assert asyncio.run(main()) == 1


def test_a_connection_that_the_server_closed_meanwhile_is_not_used() -> None:
    async def main() -> int:
        async with RawServer(answers(OK)) as server, open_wire() as wire:
            for _ in range(3):
                assert answered(await outcome(wire, server.url())).content == b"ok"
                await asyncio.sleep(0.02)  # until the server has hung up
            return server.connections

    assert asyncio.run(main()) == 3


def test_no_answer_on_a_used_connection() -> None:
    async def main() -> LoopXError:
        async with RawServer(answers(OK, b"")) as server, open_wire() as wire:
            assert answered(await outcome(wire, server.url())).content == b"ok"
            return failed(await outcome(wire, server.url()))

    result = asyncio.run(main())
    assert pair_of(result) == "provider_network_error/disconnected"
    assert (result.sent.value, result.retryable) == ("maybe", True)


@pytest.mark.parametrize(
    "first",
    [
        OK + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
        b"HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
        b"HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\nX-Half: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n" + OK,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nX",
    ],
)
def test_what_a_server_says_unasked_is_never_taken_for_the_next_answer(first: bytes) -> None:
    async def main() -> bytes:
        async with RawServer(answers(first, OK), answers(OK)) as server, open_wire() as wire:
            accepted = frozenset({200, 204})
            assert isinstance(await outcome(wire, server.url(), accept_status=accepted), HttpResponse)
            return answered(await outcome(wire, server.url())).content

    assert asyncio.run(main()) == b"ok"


def test_a_head_answer_with_a_body_spoils_only_its_own_connection() -> None:
    async def main() -> bytes:
        async with RawServer(answers(OK, OK)) as server, open_wire() as wire:
            assert answered(await outcome(wire, server.url(), "HEAD")).content == b""
            return answered(await outcome(wire, server.url())).content

    assert asyncio.run(main()) == b"ok"


# Calls that are given up


@pytest.mark.parametrize("script", [hang, hang_in_head, hang_in_body])
def test_a_cancelled_call_is_cancelled_and_leaves_the_transport_whole(script: Script) -> None:
    async def main() -> bytes:
        async with RawServer(script) as server, RawServer(answers(OK)) as sane, open_wire() as wire:
            task = asyncio.create_task(outcome(wire, server.url()))
            await asyncio.sleep(0.05)  # until the call is under way
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return answered(await outcome(wire, sane.url())).content

    assert asyncio.run(main()) == b"ok"


def test_calls_cancelled_at_every_step_leave_no_connection_taken() -> None:
    async def main() -> None:
        async with RawServer(answers(*[OK] * 1000)) as server, open_wire(connections=2) as wire:
            for steps in range(60):
                tasks = [asyncio.create_task(outcome(wire, server.url())) for _ in range(5)]
                for _ in range(steps):
                    await asyncio.sleep(0)
                for task in tasks[::2]:
                    task.cancel()
                await asyncio.wait(tasks)
            assert answered(await outcome(wire, server.url())).content == b"ok"

    asyncio.run(main())


def test_more_calls_than_connections_wait_for_their_turn() -> None:
    async def main() -> int:
        async with RawServer(answers(*[OK] * 100)) as server, open_wire(connections=3) as wire:
            results = await asyncio.gather(*(outcome(wire, server.url()) for _ in range(50)))
            assert [answered(result).content for result in results] == [b"ok"] * 50
            return server.connections

    assert asyncio.run(main()) <= 3


def test_a_transport_that_was_closed_says_so() -> None:
    async def main() -> LoopXError:
        async with open_wire() as wire:
            pass
        return failed(await outcome(wire, "http://127.0.0.1:1/"))

    assert pair_of(asyncio.run(main())) == "transport_misuse/closed"


def test_one_transport_serves_one_event_loop() -> None:
    wire = open_wire()

    async def main() -> HttpResponse | LoopXError:
        async with RawServer(
            answers(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        ) as server:
            return await outcome(wire, server.url())

    assert answered(asyncio.run(main())).content == b""
    assert pair_of(asyncio.run(main())) == "transport_misuse/mode"


# What is written down


def test_nothing_of_a_call_is_logged_whatever_logging_is_told(caplog: pytest.LogCaptureFixture) -> None:
    names = ["", "httpcore", "httpcore.http11", "httpcore.connection", "httpx", "asyncio"]
    for name in names:
        caplog.set_level(logging.DEBUG, logger=name)

    async def main() -> None:
        said = b"HTTP/1.1 500 No\r\nSet-Cookie: sid=answer-secret\r\nContent-Length: 0\r\n\r\n"
        async with RawServer(answers(said)) as server:
            host = f"127.0.0.1:{server.port}"
            async with open_wire(tokens={host: "request-secret"}) as wire:
                headers = Headers((("X-Key", "header-secret"),))
                failed(await outcome(wire, server.url("/path-secret?q=query-secret"), headers=headers))

    asyncio.run(main())
    logged = "\n".join(f"{record.getMessage()} {record.args}" for record in caplog.records)
    assert "secret" not in logged
    assert not [record for record in caplog.records if record.name.startswith("httpcore")]


def test_other_users_of_httpcore_keep_their_log(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with RawServer(answers(OK)) as server, open_wire() as wire:
            answered(await outcome(wire, server.url()))

    caplog.set_level(logging.DEBUG, logger="httpcore.http11")
    asyncio.run(main())
    logging.getLogger("httpcore.http11").debug("theirs")
    assert [record.getMessage() for record in caplog.records if record.name == "httpcore.http11"] == [
        "theirs"
    ]


def test_a_request_cannot_be_made_to_carry_a_line_break() -> None:
    with pytest.raises(LoopXError) as caught:
        HttpRequest(method="GET", url="https://h.example/", headers=Headers((("X", "a\r\nY: b-secret"),)))
    assert pair_of(caught.value) == "request_invalid/header"
    assert "secret" not in str(caught.value.to_dict())
