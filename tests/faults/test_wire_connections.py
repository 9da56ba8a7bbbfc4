"""Connections that cannot be made, break or stall: what it comes to, and in what time."""

import asyncio
import socket
from time import monotonic

import pytest

from fakes.borders import answered, failed
from fakes.outcomes import pair_of
from fakes.raw_server import Conversation, RawServer, Script, answers
from fakes.wire import FixedNames, open_wire, outcome
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpResponse

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
HOST = "api.example"
LOOPBACK = FixedNames({HOST: ("127.0.0.1",)})
SHORT = 0.4


async def call(script: Script, **fields: object) -> HttpResponse | LoopXError:
    async with RawServer(script) as server, RawServer(answers(OK)) as sane, open_wire() as wire:
        result = await outcome(wire, server.url(), **fields)  # type: ignore[arg-type]  # fields of the request
        assert answered(await outcome(wire, sane.url())).content == b"ok"
        return result


# No connection


def test_a_dead_port() -> None:
    async def main() -> LoopXError:
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        async with open_wire() as wire:
            return failed(await outcome(wire, f"http://127.0.0.1:{port}/"))

    result = asyncio.run(main())
    assert pair_of(result) == "provider_network_error/connect_refused"
    assert (result.sent.value, result.retryable) == ("no", True)


def test_a_host_that_no_resolver_knows() -> None:
    async def main() -> LoopXError:
        async with open_wire(resolver=LOOPBACK) as wire:
            return failed(await outcome(wire, "https://other.example/"))

    result = asyncio.run(main())
    assert pair_of(result) == "provider_network_error/dns"
    assert (result.sent.value, result.method, result.url) == ("no", "GET", "https://other.example/")


def test_a_resolver_that_never_answers_is_left_behind_at_the_deadline() -> None:
    class Silent:
        async def resolve(self, host: str) -> tuple[str, ...]:
            await asyncio.Event().wait()
            return ()

    async def main() -> LoopXError:
        async with open_wire(resolver=Silent()) as wire:
            return failed(await outcome(wire, "https://other.example/", timeout=SHORT))

    assert pair_of(asyncio.run(main())) == "deadline_exceeded/call"


def test_the_addresses_of_a_host_are_tried_in_turn() -> None:
    async def main() -> bytes:
        async with RawServer(answers(OK)) as server:
            names = FixedNames({"127.0.0.1": ("127.0.0.2", "::1", "127.0.0.1")})
            async with open_wire(resolver=names) as wire:
                return answered(await outcome(wire, server.url())).content

    assert asyncio.run(main()) == b"ok"


def test_of_several_failures_the_telling_one_is_reported() -> None:
    async def main() -> LoopXError:
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        # No TCP goes to the broadcast address; that there is no way to it must not hide the refusal.
        names = FixedNames({"127.0.0.1": ("127.0.0.1", "255.255.255.255")})
        async with open_wire(resolver=names) as wire:
            return failed(await outcome(wire, f"http://127.0.0.1:{port}/"))

    assert pair_of(asyncio.run(main())) == "provider_network_error/connect_refused"


# Connections that break


def test_a_reset_before_the_request_was_read() -> None:
    async def script(conversation: Conversation) -> None:
        conversation.reset()

    result = failed(asyncio.run(call(script)))
    assert pair_of(result) in {"provider_network_error/reset", "provider_network_error/disconnected"}
    assert result.sent.value == "maybe"


def test_a_reset_instead_of_an_answer() -> None:
    async def script(conversation: Conversation) -> None:
        await conversation.request()
        conversation.reset()

    result = failed(asyncio.run(call(script)))
    assert pair_of(result) == "provider_network_error/reset"
    assert result.sent.value == "maybe"


def test_a_reset_in_the_middle_of_a_body() -> None:
    async def script(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(HEAD + b"half")
        await asyncio.sleep(0.05)  # the server's own pace: the bytes must leave before the reset
        conversation.reset()

    result = failed(asyncio.run(call(script)))
    assert pair_of(result) == "provider_network_error/reset"
    assert result.sent.value == "yes"


def test_a_server_that_hangs_up_at_once() -> None:
    async def script(conversation: Conversation) -> None:
        conversation.close()

    assert failed(asyncio.run(call(script))).code == "provider_network_error"


def test_an_answer_before_the_whole_request_was_read_counts() -> None:
    async def script(conversation: Conversation) -> None:
        await conversation.say(b"HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig")
        await conversation.request()

    result = failed(asyncio.run(call(script, method="POST", body=b"x" * 3_000_000)))
    assert pair_of(result) == "provider_http_error/client_error"
    assert result.excerpt == "big"


def test_a_reset_while_a_large_body_is_sent() -> None:
    async def script(conversation: Conversation) -> None:
        await conversation.read(100_000)
        conversation.reset()

    result = failed(asyncio.run(call(script, method="POST", body=b"x" * 30_000_000)))
    assert result.code == "provider_network_error"
    assert result.reason in {"reset", "write", "disconnected"}
    assert result.sent.value == "maybe"


def test_a_large_body_arrives_whole_at_a_server_that_takes_its_time() -> None:
    sizes = []

    async def script(conversation: Conversation) -> None:
        heard = await conversation.request()
        if heard is not None:
            sizes.append(len(heard.body))
            await conversation.say(OK)

    assert answered(asyncio.run(call(script, method="POST", body=b"x" * 30_000_000))).content == b"ok"
    assert sizes == [30_000_000]


# Connections that stall


async def hang(conversation: Conversation) -> None:
    await conversation.hang()


async def hang_in_head(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 200 OK\r\nX-")
    await conversation.hang()


async def hang_in_body(conversation: Conversation) -> None:
    await conversation.say(HEAD + b"some")
    await conversation.hang()


async def drip_head(conversation: Conversation) -> None:
    await conversation.request()
    await conversation.drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000, 0.02)


async def drip_body(conversation: Conversation) -> None:
    await conversation.request()
    await conversation.say(HEAD)
    await conversation.drip(b"x" * 1000, 0.02)


async def drip_explanation(conversation: Conversation) -> None:
    await conversation.request()
    await conversation.say(b"HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\n")
    await conversation.drip(b"x" * 1000, 0.02)


@pytest.mark.parametrize("script", [hang, hang_in_head, hang_in_body, drip_head, drip_body, drip_explanation])
def test_the_deadline_is_kept_against(script: Script) -> None:
    started = monotonic()
    result = failed(asyncio.run(call(script, timeout=SHORT)))
    assert pair_of(result) == "deadline_exceeded/call"
    assert SHORT - 0.02 <= monotonic() - started < SHORT + 1
    assert result.elapsed_ms is not None
    assert result.elapsed_ms >= SHORT * 1000 - 20


def test_the_deadline_is_kept_against_a_server_that_reads_nothing() -> None:
    result = failed(asyncio.run(call(hang, method="POST", body=b"x" * 30_000_000, timeout=SHORT)))
    assert pair_of(result) == "deadline_exceeded/call"


def test_a_server_that_only_ever_says_continue_is_stopped() -> None:
    async def script(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.flood(b"HTTP/1.1 100 Continue\r\n\r\n" * 500)

    assert pair_of(asyncio.run(call(script))) == "provider_response_too_large/headers"


def test_an_endless_body_is_stopped_at_the_limit() -> None:
    async def script(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(b"HTTP/1.1 200 OK\r\n\r\n")
        await conversation.flood(b"x" * 65_536)

    assert pair_of(asyncio.run(call(script))) == "provider_response_too_large/wire"
