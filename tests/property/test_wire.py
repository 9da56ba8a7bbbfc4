"""Over any httpx transport: what goes out is what was asked for, and only LoopX's error comes back."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.exceptions import all_exception_classes
from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.http.wire import WireTransport
from loopx.adapters.memory.clock import MemoryClock
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import Credential
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.target import Target, read_target
from loopx.domain.secrets import Secret

CONTEXT = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))
SECRET = "planted-secret-0123456789"
FOREIGN = [cls for cls in all_exception_classes() if issubclass(cls, Exception)]
HOSTS = st.lists(
    st.from_regex(r"[a-z0-9_]([a-z0-9_-]{0,8}[a-z0-9_])?", fullmatch=True), min_size=1, max_size=4
)
HOSTS_OF_ALL_KINDS = HOSTS.map(".".join) | st.sampled_from(
    ["xn--a", "münchen.example", "[::1]", "127.0.0.1", "a_b.c"]
)
PATHS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


class Breaking(httpx.AsyncByteStream):
    """A body that fails half-way."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"half"
        raise self._error

    async def aclose(self) -> None:
        self.closed = True


def send(handler: Callable[[httpx.Request], httpx.Response], request: HttpRequest) -> HttpResponse:
    wire = WireTransport(httpx.MockTransport(handler), clock=MemoryClock(), user_agent="loopx")
    return asyncio.run(wire.send(request, CONTEXT))


def broken(cls: type[Exception]) -> Exception:
    error = cls.__new__(cls, SECRET)
    error.args = (SECRET,)
    return error


@given(HOSTS_OF_ALL_KINDS, PATHS)
def test_every_target_goes_out_unchanged(host: str, path: str) -> None:
    seen: list[tuple[bytes, int | None, bytes]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append((request.url.raw_host, request.url.port, request.extensions["target"]))
        return httpx.Response(200, stream=httpx.ByteStream(b"ok"))

    target = outcome_of(read_target, f"https://{host}:8443/{path}")
    if isinstance(target, Target):
        response = send(handler, HttpRequest(method="GET", url=target.url))
        assert response.content == b"ok"
        assert seen == [(target.host.encode(), 8443, target.path.encode())]


@pytest.mark.parametrize("cls", FOREIGN, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_no_exception_of_a_library_passes_before_an_answer(cls: type[Exception]) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise broken(cls)

    check(outcome_of(send, handler, request_with_secret()))


@pytest.mark.parametrize("cls", FOREIGN, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_no_exception_of_a_library_passes_within_a_body(cls: type[Exception]) -> None:
    body = Breaking(broken(cls))

    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=body)

    check(outcome_of(send, handler, request_with_secret()))
    assert body.closed


@pytest.mark.parametrize(
    "cls", [KeyError, AttributeError, AssertionError, RecursionError, MemoryError, ExceptionGroup]
)
def test_not_even_a_defect_of_a_library_passes(cls: type[Exception]) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise ExceptionGroup(SECRET, [OverflowError(SECRET)]) if cls is ExceptionGroup else broken(cls)

    check(outcome_of(send, handler, request_with_secret()))


@pytest.mark.parametrize("cls", [KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError])
def test_what_is_no_failure_passes_as_it_is(cls: type[BaseException]) -> None:
    async def handler(request: httpx.Request) -> httpx.Response:
        raise cls

    async def main() -> bool:
        wire = WireTransport(httpx.MockTransport(handler), clock=MemoryClock(), user_agent="loopx")
        call = wire.send(HttpRequest(method="GET", url="https://api.example/"), CONTEXT)
        try:
            await call
        except BaseException as error:  # noqa: BLE001 - the point of the test: which one arrives
            return type(error) is cls
        return False

    assert asyncio.run(main())


def test_an_error_keeps_its_status_when_its_explanation_breaks_off() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(404, stream=Breaking(httpx.ReadError(SECRET)))

    assert pair_of(outcome_of(send, handler, request_with_secret())) == "provider_http_error/not_found"


def request_with_secret() -> HttpRequest:
    credential = Credential(Secret(SECRET), "test")
    return HttpRequest(method="GET", url=f"https://api.example/?q={SECRET}", credential=credential)


def check(result: object) -> None:
    assert isinstance(result, LoopXError)
    assert (result.code, result.reason) in ERROR_TABLE
    assert SECRET not in f"{result} {result!r} {result.to_dict()}"
    assert result.__context__ is None
    assert result.url == "https://api.example/?q=***"
