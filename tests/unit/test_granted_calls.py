"""Requests of an extension leave within its grants only, hop by hop."""

import asyncio
from dataclasses import replace

import pytest

from fakes.extensions import CONTEXT
from fakes.outcomes import pair_of
from fakes.secrets import TOKENS
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.memory.routes import Routes
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.application.steps.granted_calls import GrantedCalls
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.grants import CredentialSlot, Grants, HostGrant
from loopx.domain.extensions.session import Ask
from loopx.domain.extensions.session import Reply as Answered
from loopx.domain.http.message import Headers, Semantics

API, MIRROR = "https://api.example.com", "https://mirror.example.com"
WRITE_ONLY = "https://write.example.com/"
GRANTS = Grants(
    hosts=(
        HostGrant("api.example.com", ("GET", "POST", "PUT")),
        HostGrant("mirror.example.com", ("GET",)),
        HostGrant("write.example.com", ("POST",)),
    ),
    credentials=(CredentialSlot("main", "api.example.com"),),
)
GET = Ask(method="GET", url=f"{API}/a")


class Border:
    """Granted calls over routes, and what left."""

    def __init__(self, routes: Routes) -> None:
        self.clock = MemoryClock()
        hosts = ("api.example.com", "mirror.example.com", "other.example.com")
        credentials = MemoryCredentials(dict.fromkeys(hosts, TOKENS[0]))
        self.transport = MemoryTransport(routes, clock=self.clock, credentials=credentials)
        self.calls = GrantedCalls(grants=GRANTS, transport=self.transport, clock=self.clock)

    def send(self, ask: Ask, timeout: float = 30.0) -> Answered | LoopXError:
        try:
            return asyncio.run(self.calls.send(ask, replace(CONTEXT, timeout=timeout)))
        except LoopXError as error:
            return error

    @property
    def left(self) -> list[tuple[str, str, bool]]:
        """Method, address and whether a credential went along, of every request."""
        return [(one.method, one.url, one.credential is not None) for one in self.transport.requests]


def to(url: str, status: int = 302) -> Reply:
    return Reply(status=status, headers=Headers((("Location", url),)))


def test_an_answer_comes_back_whole() -> None:
    reply = Reply(status=201, headers=Headers((("X-A", "b"),)), content=b"body")
    border = Border(Routes().on("GET", GET.url, reply))
    assert border.send(GET) == Answered(status=201, headers=reply.headers, body=b"body", url=GET.url)
    assert border.calls.requests == 1


def test_a_host_that_has_a_credential_does_not_get_it_unasked() -> None:
    border = Border(Routes().always("GET", GET.url, Reply()))
    border.send(GET)
    border.send(replace(GET, credential="main"))
    assert border.left == [("GET", GET.url, False), ("GET", GET.url, True)]


@pytest.mark.parametrize("url", ["https://other.example.com/", "http://api.example.com/", f"{API}:8443/"])
def test_what_is_not_granted_does_not_leave(url: str) -> None:
    border = Border(Routes())
    assert isinstance(border.send(replace(GET, url=url)), LoopXError)
    assert border.left == []
    assert border.calls.requests == 0


def test_a_redirect_to_a_granted_host_is_followed_without_the_credential_of_the_first() -> None:
    routes = Routes().on("GET", GET.url, to(f"{MIRROR}/b")).on("GET", f"{MIRROR}/b", Reply(content=b"x"))
    border = Border(routes)
    answer = border.send(replace(GET, credential="main"))
    assert isinstance(answer, Answered)
    assert (answer.body, answer.url) == (b"x", f"{MIRROR}/b")
    assert border.left == [("GET", GET.url, True), ("GET", f"{MIRROR}/b", False)]
    assert border.calls.requests == 2


@pytest.mark.parametrize(
    ("location", "pair"),
    [
        ("https://other.example.com/", "egress_blocked/host_not_allowed"),
        ("http://api.example.com/", "provider_redirect_error/downgrade"),
        ("https://127.0.0.1/", "egress_blocked/redirect_target"),
        ("/a", "provider_redirect_error/loop"),
        ("https://[", "provider_redirect_error/bad_location"),
    ],
)
def test_a_redirect_elsewhere_is_not_followed(location: str, pair: str) -> None:
    border = Border(Routes().on("GET", GET.url, to(location)))
    assert pair_of(border.send(GET)) == pair
    assert len(border.left) == 1


def test_a_redirect_that_changes_the_method_needs_a_grant_for_the_new_one() -> None:
    ask = Ask(method="POST", url=f"{API}/a", body=b"x")
    routes = Routes().on("POST", ask.url, to(f"{MIRROR}/b", 303)).on("GET", f"{MIRROR}/b", Reply())
    border = Border(routes)
    assert isinstance(border.send(ask), Answered)
    border = Border(Routes().on("POST", WRITE_ONLY, to(f"{WRITE_ONLY}b", 303)))
    assert pair_of(border.send(replace(ask, url=WRITE_ONLY))) == "egress_blocked/host_not_allowed"
    assert border.left == [("POST", WRITE_ONLY, False)]


def test_endless_redirects_end() -> None:
    routes = Routes()
    for hop in range(6):
        routes.on("GET", f"{API}/{hop}", to(f"{API}/{hop + 1}"))
    border = Border(routes)
    assert pair_of(border.send(replace(GET, url=f"{API}/0"))) == "provider_redirect_error/too_many"
    assert border.calls.requests == 6


def test_a_redirect_that_was_asked_for_comes_back() -> None:
    border = Border(Routes().on("GET", GET.url, to(f"{MIRROR}/b")))
    answer = border.send(replace(GET, accept_status=frozenset({302})))
    assert isinstance(answer, Answered)
    assert answer.status == 302


@pytest.mark.parametrize(
    ("status", "pair"),
    [(404, "provider_http_error/not_found"), (302, "provider_http_error/redirect_not_followed")],
)
def test_a_status_that_was_not_asked_for_is_the_error_of_the_transport(status: int, pair: str) -> None:
    border = Border(Routes().on("GET", GET.url, Reply(status=status)))
    answer = border.send(GET)
    assert isinstance(answer, LoopXError)
    assert pair_of(answer) == pair
    assert answer.status == status


def test_the_time_of_a_call_is_that_of_all_its_hops() -> None:
    routes = Routes().on("GET", GET.url, replace(to(f"{API}/b"), after=3.0))
    border = Border(routes.on("GET", f"{API}/b", Reply(after=3.0)))
    assert pair_of(border.send(replace(GET, timeout=5.0))) == "deadline_exceeded/call"


@pytest.mark.parametrize(("own", "allowed", "after"), [(60.0, 2.0, 3.0), (2.0, 60.0, 3.0), (None, 2.0, 3.0)])
def test_an_extension_may_wait_less_than_the_caller_and_never_longer(
    own: float | None, allowed: float, after: float
) -> None:
    border = Border(Routes().on("GET", GET.url, Reply(after=after)))
    assert pair_of(border.send(replace(GET, timeout=own), allowed)) == "deadline_exceeded/call"


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan")])
def test_a_time_that_is_none_is_refused(timeout: float) -> None:
    assert pair_of(Border(Routes()).send(replace(GET, timeout=timeout))) == "request_invalid/timeout_value"


@pytest.mark.parametrize(
    "header",
    [("Authorization", "Bearer x"), ("Cookie", "a=b"), ("Host", "other.example.com"), ("X-Bad", "a\r\nb")],
)
def test_a_header_that_it_may_not_send_does_not_leave(header: tuple[str, str]) -> None:
    border = Border(Routes())
    assert isinstance(border.send(replace(GET, headers=Headers((header,)))), LoopXError)
    assert border.left == []


@pytest.mark.parametrize(
    ("method", "semantics"),
    [("GET", Semantics.SAFE), ("PUT", Semantics.IDEMPOTENT), ("POST", Semantics.UNSAFE)],
)
def test_the_method_says_what_a_repeated_request_would_do(method: str, semantics: Semantics) -> None:
    border = Border(Routes().on(method, GET.url, Reply()))
    border.send(replace(GET, method=method))
    assert border.transport.requests[0].semantics is semantics
