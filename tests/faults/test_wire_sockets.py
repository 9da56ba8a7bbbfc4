"""No socket is kept that is of no more use, and none is used that the other side has given up."""

import asyncio
import socket
import ssl
from contextlib import ExitStack
from threading import Event, Thread

import httpcore
import pytest

from fakes.borders import answered, failed
from fakes.outcomes import pair_of
from fakes.raw_server import Conversation, RawServer, answers
from fakes.wire import FixedNames, open_wire, outcome
from loopx.adapters.http.dialing import Dialer
from loopx.adapters.http.exchange import Phase
from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.translation import describe
from loopx.domain.error_table import Sent
from loopx.domain.http.outcome import Fault, FaultKind

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
PATIENCE = 5.0


class Witness:
    """A server that answers once and then waits for the client to hang up."""

    def __init__(self, answer: bytes) -> None:
        self.left = asyncio.Event()
        self._answer = answer

    async def __call__(self, conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(self._answer)
        await conversation.request()
        self.left.set()


def test_a_connection_with_something_left_on_it_is_closed_at_once() -> None:
    async def main() -> None:
        witness = Witness(OK + b"more")
        async with RawServer(witness) as server, open_wire() as wire:
            answered(await outcome(wire, server.url()))
            await asyncio.wait_for(witness.left.wait(), PATIENCE)

    asyncio.run(main())


def test_an_idle_connection_makes_room_for_another_origin() -> None:
    async def main() -> None:
        witness = Witness(OK)
        async with RawServer(witness) as server, RawServer(answers(OK)) as other, open_wire() as wire:
            answered(await outcome(wire, server.url()))
            assert not witness.left.is_set()
            answered(await outcome(wire, other.url()))
            await asyncio.wait_for(witness.left.wait(), PATIENCE)

    asyncio.run(main())


def test_closing_the_transport_closes_what_is_idle() -> None:
    async def main() -> None:
        witness = Witness(OK)
        async with RawServer(witness) as server:
            async with open_wire() as wire:
                answered(await outcome(wire, server.url()))
            await asyncio.wait_for(witness.left.wait(), PATIENCE)

    asyncio.run(main())


def test_an_answer_hidden_behind_another_one_is_answer_to_nothing() -> None:
    hidden = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
    # Each header saves the blank that the usual spelling has, so that the sizes add up.
    fields = b"".join(b"X:y\r\n" for _ in hidden)
    first = b"HTTP/1.1 200 OK\r\n" + fields + b"Content-Length: 2\r\n\r\nok" + hidden

    async def main() -> str | None:
        async with RawServer(answers(first, OK)) as server, open_wire() as wire:
            assert answered(await outcome(wire, server.url())).content == b"ok"
            return pair_of(failed(await outcome(wire, server.url())))

    assert asyncio.run(main()) == "provider_network_error/disconnected"


def test_a_connection_that_died_while_the_program_was_busy_is_not_used() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(PATIENCE)
    busy, closed = Event(), Event()

    def serve() -> None:
        for number in range(2):
            connection, _ = listening.accept()
            with connection:
                connection.recv(10_000)
                connection.sendall(OK)
                if number == 0:
                    busy.wait(PATIENCE)
            closed.set()

    async def main() -> None:
        async with open_wire() as wire:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
            answered(await outcome(wire, url))
            busy.set()
            # Blocks the event loop on purpose, so that it cannot see the server go.
            assert closed.wait(PATIENCE)  # noqa: ASYNC251, RUF100 - see above
            assert answered(await outcome(wire, url)).content == b"ok"

    with listening:
        thread = Thread(target=serve, daemon=True)
        thread.start()
        asyncio.run(main())
        thread.join(PATIENCE)


def test_an_address_that_does_not_answer_is_given_up() -> None:
    async def main() -> None:
        with socket.socket() as full, ExitStack() as callers:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            for _ in range(30):  # until the queue of connections that nobody accepts is full
                caller = callers.enter_context(socket.socket())
                caller.setblocking(False)
                caller.connect_ex(full.getsockname())
            with pytest.raises(httpcore.ConnectTimeout) as caught:
                await Dialer(SystemResolver()).connect_tcp("127.0.0.1", full.getsockname()[1], 0.2)
            fault = describe(caught.value, Phase.CONNECT)
            assert fault == Fault(FaultKind.CONNECT_TIMEOUT, Sent.NO)

    asyncio.run(main())


def test_a_handshake_that_does_not_end_is_given_up() -> None:
    async def main() -> None:
        async with RawServer(Witness(b"")) as server:
            channel = await Dialer(SystemResolver()).connect_tcp("127.0.0.1", server.port)
            with pytest.raises(httpcore.ConnectTimeout):
                await channel.start_tls(ssl.create_default_context(), "api.example", 0.2)

    asyncio.run(main())


def test_a_resolver_that_knows_no_address_is_a_name_that_does_not_resolve() -> None:
    async def main() -> str | None:
        async with open_wire(resolver=FixedNames({"127.0.0.1": ()})) as wire:
            return pair_of(await outcome(wire, "http://127.0.0.1:1/"))

    assert asyncio.run(main()) == "provider_network_error/dns"


def test_what_a_server_says_before_the_handshake_is_not_read_as_if_it_were_protected() -> None:
    said = asyncio.Event()

    async def greet(conversation: Conversation) -> None:
        await conversation.say(b"HTTP/1.1 200 OK\r\n\r\n")
        said.set()
        await conversation.hang()

    async def main() -> None:
        async with RawServer(greet) as server:
            channel = await Dialer(SystemResolver()).connect_tcp("127.0.0.1", server.port)
            await said.wait()
            for _ in range(10):  # turns of the loop, until the bytes are here
                await asyncio.sleep(0)
            assert not channel.is_quiet
            trust = ssl.create_default_context()
            with pytest.raises(httpcore.ConnectError):
                await channel.start_tls(trust, "api.example", PATIENCE)

    asyncio.run(main())
