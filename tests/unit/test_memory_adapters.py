"""The adapters without a machine: time, chance, credentials, and answers that must be asked for."""

import asyncio

import pytest

from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.adapters.memory.routes import Routes
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.outcome import Fault, FaultKind
from loopx.domain.http.target import read_target

CONTEXT = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))
URL = "https://api.example/x"


def ask(transport: MemoryTransport, url: str = URL, method: str = "GET") -> HttpResponse:
    return asyncio.run(transport.send(HttpRequest(method=method, url=url), CONTEXT))


def test_time_passes_only_when_someone_waits() -> None:
    clock = MemoryClock(now=100.0)
    asyncio.run(clock.sleep(2.5))
    clock.advance(1)
    assert (clock.now(), clock.monotonic()) == (103.5, 3.5)
    asyncio.run(clock.sleep(-1))
    assert clock.monotonic() == 3.5


def test_every_identifier_is_new_and_never_all_zero() -> None:
    entropy = MemoryEntropy()
    assert [entropy.hex(8), entropy.hex(8)] == ["0" * 15 + "1", "0" * 15 + "2"]


def test_a_token_belongs_to_exactly_one_host_and_port() -> None:
    credentials = MemoryCredentials({"api.example": "token-0123456789"})
    found = credentials.find(read_target(URL))
    assert found is not None
    assert found.header() == ("Authorization", "Bearer token-0123456789")
    assert "0123456789" not in repr(found)
    assert credentials.find(read_target("https://api.example:8443/")) is None
    assert credentials.find(read_target("https://www.api.example/")) is None


def test_answers_come_in_their_order_each_once() -> None:
    with Routes().on("GET", URL, Reply(content=b"1"), Reply(content=b"2")) as routes:
        transport = MemoryTransport(routes)
        assert [ask(transport).content for _ in range(2)] == [b"1", b"2"]


def test_an_answer_may_be_given_for_ever_or_made_of_the_request() -> None:
    with Routes() as routes:
        routes.always("GET", URL, lambda request: Reply(content=request.method.encode()))
        transport = MemoryTransport(routes)
        assert [ask(transport).content for _ in range(3)] == [b"GET"] * 3
        assert [request.url for request in transport.requests] == [URL] * 3


def test_an_unexpected_request_is_loud_and_shows_no_secret() -> None:
    transport = MemoryTransport(Routes())
    with pytest.raises(AssertionError, match=r"unexpected request: GET https://api.example/x\?token=\*\*\*$"):
        ask(transport, f"{URL}?token=abc")


def test_a_request_too_many_is_loud() -> None:
    transport = MemoryTransport(Routes().on("GET", URL, Reply()))
    ask(transport)
    with pytest.raises(AssertionError, match="unexpected request"):
        ask(transport)


@pytest.mark.parametrize("kind", ["on", "always"])
def test_an_answer_that_nobody_asked_for_is_loud(kind: str) -> None:
    routes = Routes()
    (routes.on if kind == "on" else routes.always)("POST", URL, Reply())
    with pytest.raises(AssertionError, match=f"did not come: POST {URL}"), routes:
        pass


def test_a_failing_test_is_not_hidden_behind_unused_answers() -> None:
    with pytest.raises(ZeroDivisionError), Routes().on("GET", URL, Reply()):
        _ = 1 / 0


def test_a_fault_is_named_like_a_real_one() -> None:
    transport = MemoryTransport(Routes().on("GET", URL, Fault(FaultKind.RESET)))
    with pytest.raises(LoopXError) as caught:
        ask(transport)
    assert (caught.value.code, caught.value.reason) == ("provider_network_error", "reset")
    assert caught.value.url == URL


def test_an_address_in_another_spelling_is_the_same_route() -> None:
    routes = Routes().on("GET", "HTTPS://API.example:443/x", Reply(content=b"same"))
    assert ask(MemoryTransport(routes)).content == b"same"
