"""No redirect loses https, carries a secret or a body elsewhere, or goes on for ever."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of, pair_of
from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import Credential
from loopx.domain.http.message import Headers, HttpRequest
from loopx.domain.http.redirects import FOLLOWED, follow, is_redirect
from loopx.domain.http.target import read_target
from loopx.domain.secrets import Secret

PORTABLE = {"accept", "accept-language", "accept-encoding", "user-agent"}
ORIGINS = st.sampled_from(
    [
        "https://a.example",
        "https://b.example",
        "https://a.example:8443",
        "https://10.0.0.1",
        "https://[::ffff:127.0.0.1]",
        "http://127.0.0.1:8080",
        "http://localhost:1",
        "https://localhost",
    ]
)
LOCATIONS = st.one_of(
    st.builds(
        "{}{}".format,
        ORIGINS | st.just("https://169.254.169.254"),
        st.sampled_from(["", "/", "/x?y=1", "//z"]),
    ),
    st.sampled_from(["/next", "next?q", "//b.example/x", "?only", "", "#f", "http://a.example/", "ftp://a/"]),
    st.sampled_from(["javascript:alert(1)", "https://xn--a.invalid/", "https://..x/", "https://h:99999/"]),
    st.text(max_size=40),
)
METHODS = st.sampled_from(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
NAMES = st.sampled_from(
    [
        "Authorization",
        "X-Api-Key",
        "Private-Token",
        "Cookie2",
        "Accept",
        "User-Agent",
        "Content-Type",
        "X-Any",
    ]
)
HEADERS = st.lists(st.tuples(NAMES, st.just("value")), max_size=5).map(lambda pairs: Headers(tuple(pairs)))
REQUESTS = st.builds(
    HttpRequest,
    method=METHODS,
    url=ORIGINS.map(lambda origin: f"{origin}/start"),
    headers=HEADERS,
    body=st.sampled_from([b"", b"payload"]),
)
STATUSES = st.sampled_from(sorted(FOLLOWED)) | st.integers(100, 999)


def go(request: HttpRequest, status: int, location: str, seen: frozenset[str]) -> HttpRequest | None:
    return follow(request, status, Headers((("Location", location),)), seen)


@given(REQUESTS, STATUSES, LOCATIONS)
def test_a_redirect_is_followed_refused_with_a_code_or_none(
    request: HttpRequest, status: int, location: str
) -> None:
    onward = outcome_of(go, request, status, location, frozenset({request.url}))
    if isinstance(onward, LoopXError):
        assert onward.code == "provider_redirect_error" or onward.reason == "redirect_target"
        assert (onward.status, onward.method) == (status, request.method)
    elif onward is None:
        assert status not in FOLLOWED
    else:
        check_followed(request, onward)


def check_followed(request: HttpRequest, onward: HttpRequest) -> None:
    before, after = read_target(request.url), read_target(onward.url)
    assert not (before.scheme == "https" and after.scheme == "http")
    assert before.is_private or not after.is_private
    if before.origin != after.origin:
        assert {name.lower() for name, _ in onward.headers.fields} <= PORTABLE
        assert not onward.body
        assert onward.method in {"GET", "HEAD"}
    assert onward.method in {request.method, "GET"}
    assert onward.body in {b"", request.body}


@given(st.lists(st.sampled_from(["/a", "/b", "/c", "/d"]), min_size=10, max_size=10))
def test_every_chain_of_redirects_ends(locations: list[str]) -> None:
    hop: HttpRequest | LoopXError | None = HttpRequest(method="GET", url="https://a.example/")
    seen: set[str] = set()
    for location in locations:
        if isinstance(hop, HttpRequest):
            seen.add(hop.url)
            hop = outcome_of(go, hop, 302, location, frozenset(seen))
    assert pair_of(hop) in {"provider_redirect_error/loop", "provider_redirect_error/too_many"}


def test_exactly_as_many_redirects_as_allowed_are_followed() -> None:
    hop = HttpRequest(method="GET", url="https://a.example/0")
    seen = {hop.url}
    for number in range(1, hop.limits.redirects + 1):
        onward = go(hop, 302, f"/{number}", frozenset(seen))
        assert onward is not None
        hop = onward
        seen.add(hop.url)
    with pytest.raises(LoopXError, match="too_many"):
        go(hop, 302, "/more", frozenset(seen))


@pytest.mark.parametrize(
    ("method", "status", "expected"),
    [
        ("POST", 301, "GET"),
        ("POST", 302, "GET"),
        ("POST", 303, "GET"),
        ("POST", 307, "POST"),
        ("POST", 308, "POST"),
        ("PUT", 301, "PUT"),
        ("PUT", 303, "GET"),
        ("HEAD", 303, "HEAD"),
    ],
)
def test_methods_change_as_browsers_change_them(method: str, status: int, expected: str) -> None:
    request = HttpRequest(method=method, url="https://a.example/", body=b"x" if method != "HEAD" else b"")
    request = replace(request, headers=Headers((("Content-Type", "text/plain"),)))
    onward = go(request, status, "/next", frozenset({request.url}))
    assert onward is not None
    assert onward.method == expected
    assert onward.body == (b"x" if expected == method and method != "HEAD" else b"")
    assert (onward.headers.get("Content-Type") is None) == (expected != method)


def test_a_status_that_the_caller_accepts_is_not_followed() -> None:
    request = HttpRequest(method="GET", url="https://a.example/", accept_status=frozenset({302}))
    assert go(request, 302, "/next", frozenset()) is None


def test_a_redirect_without_a_location_is_none() -> None:
    assert not is_redirect(302, Headers())
    assert follow(HttpRequest(method="GET", url="https://a.example/"), 302, Headers(), frozenset()) is None


def test_a_body_of_a_get_does_not_cross_to_another_origin() -> None:
    request = HttpRequest(method="GET", url="https://a.example/", body=b"query")
    with pytest.raises(LoopXError, match="cross_origin_denied"):
        go(request, 302, "https://b.example/", frozenset({request.url}))


def test_the_address_in_a_refusal_is_redacted() -> None:
    credential = Credential(Secret("abcdefgh-secret"), "test")
    request = HttpRequest(
        method="GET", url="https://a.example/abcdefgh-secret?token=hidden", credential=credential
    )
    with pytest.raises(LoopXError) as caught:
        go(request, 302, "http://a.example/", frozenset({request.url}))
    assert caught.value.url == "https://a.example/***?token=***"
