"""No request leaves that was not granted, whatever an extension asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of, pair_of
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.grants import WITHHELD_HEADERS, CredentialSlot, Grants, HostGrant
from loopx.domain.extensions.session import Ask
from loopx.domain.http.message import METHODS, Headers
from loopx.domain.http.target import Target, read_target

GRANTS = Grants(
    hosts=(
        HostGrant("api.example.com", ("GET", "POST")),
        HostGrant("api.example.com:8443", ("GET",)),
        HostGrant("127.0.0.1:9000", ("GET", "DELETE")),
        HostGrant("[::1]:9000", ("GET",)),
    ),
    credentials=(CredentialSlot("main", "api.example.com"),),
)
URLS = [
    *("https://api.example.com/", "https://api.example.com:443/x?y", "https://API.EXAMPLE.COM/"),
    *("https://api.example.com:8443/", "https://api.example.com:8444/", "http://api.example.com/"),
    *(
        "https://example.com/",
        "https://api.example.com.evil.example/",
        "https://evil.example/api.example.com",
    ),
    *(
        "https://api.example.com@evil.example/",
        "https://evil.example\\@api.example.com/",
        "https://xapi.example.com/",
    ),
    *("https://api.example.com./", "https://api.example.com%2eevil.example/", "//api.example.com/"),
    *("http://127.0.0.1:9000/", "https://127.0.0.1:9000/", "http://127.0.0.1:9001/", "http://127.1:9000/"),
    *(
        "http://localhost:9000/",
        "http://[::1]:9000/",
        "http://[::ffff:127.0.0.1]:9000/",
        "ftp://api.example.com/",
    ),
    *("", "api.example.com", "https://", "file:///etc/passwd", "https://\u0430pi.example.com/"),
]
GRANTED = {
    ("https://api.example.com/", "GET"),
    ("https://api.example.com/", "POST"),
    ("https://api.example.com:443/x?y", "GET"),
    ("https://api.example.com:443/x?y", "POST"),
    ("https://API.EXAMPLE.COM/", "GET"),
    ("https://API.EXAMPLE.COM/", "POST"),
    ("https://api.example.com:8443/", "GET"),
    ("http://127.0.0.1:9000/", "GET"),
    ("http://127.0.0.1:9000/", "DELETE"),
    ("https://127.0.0.1:9000/", "GET"),
    ("https://127.0.0.1:9000/", "DELETE"),
    ("http://[::1]:9000/", "GET"),
}
REFUSALS = {
    "egress_blocked/host_not_allowed",
    "egress_blocked/scheme",
    "request_invalid/url",
    "request_invalid/host",
    "request_invalid/port",
}
hosts = st.sampled_from(["a.example", "b.example", "127.0.0.1:1", "a.example:81"])
grants = st.builds(
    lambda pairs, slots: Grants(
        tuple(HostGrant(host, tuple(sorted(methods))) for host, methods in pairs.items()),
        tuple(CredentialSlot(name, host) for host, name in slots.items()),
    ),
    st.dictionaries(hosts, st.sets(st.sampled_from(sorted(METHODS)), min_size=1)),
    st.dictionaries(hosts, st.sampled_from(["one", "two"])),
)


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_exactly_what_is_granted_may_be_called(url: str, method: str) -> None:
    outcome = outcome_of(lambda: GRANTS.check(Ask(method=method, url=url)))
    assert isinstance(outcome, Target) == ((url, method) in GRANTED)
    if isinstance(outcome, LoopXError):
        assert pair_of(outcome) in REFUSALS


@given(st.text(), st.text())
def test_any_request_is_allowed_by_a_grant_or_refused_with_a_code(method: str, url: str) -> None:
    outcome = outcome_of(lambda: GRANTS.check(Ask(method=method, url=url)))
    assert isinstance(outcome, LoopXError)
    assert pair_of(outcome) in REFUSALS


@given(grants, hosts, st.sampled_from(sorted(METHODS)))
def test_the_host_of_a_call_is_always_one_that_is_listed(given_: Grants, host: str, method: str) -> None:
    outcome = outcome_of(lambda: given_.check(Ask(method=method, url=f"https://{host}/")))
    listed = any(grant.authority == host and method in grant.methods for grant in given_.hosts)
    assert isinstance(outcome, Target) == listed


def test_nothing_is_granted_by_nothing() -> None:
    outcome = outcome_of(lambda: Grants().check(Ask(method="GET", url="https://a.example/")))
    assert pair_of(outcome) == "egress_blocked/host_not_allowed"


@pytest.mark.parametrize(
    "name",
    [
        *sorted(WITHHELD_HEADERS),
        "Proxy-X",
        "SEC-Fetch-Site",
        "X-Forwarded-For",
        "x-loopx",
        "X-LoopX-Agent-Id",
    ],
)
def test_headers_that_say_who_calls_are_not_its_to_set(name: str) -> None:
    for spelled in (name, name.upper(), name.title()):
        ask = Ask(method="GET", url=URLS[0], headers=Headers((("Accept", "*/*"), (spelled, "x"))))
        outcome = outcome_of(GRANTS.check, ask)
        if spelled.lower() != "x-loopx":
            assert pair_of(outcome) == "extension_error/grant"


@pytest.mark.parametrize("name", ["Accept", "Content-Type", "If-None-Match", "X-Api-Version", "Range"])
def test_other_headers_are(name: str) -> None:
    ask = Ask(method="GET", url=URLS[0], headers=Headers(((name, "x"),)))
    assert GRANTS.check(ask) == read_target(URLS[0])


@pytest.mark.parametrize(
    ("slot", "url", "fits"),
    [
        ("main", "https://api.example.com/", True),
        ("main", "https://api.example.com:8443/", False),
        ("main", "http://127.0.0.1:9000/", False),
        ("other", "https://api.example.com/", False),
    ],
)
def test_a_credential_goes_to_the_host_of_its_slot_alone(slot: str, url: str, fits: bool) -> None:
    outcome = outcome_of(lambda: GRANTS.check(Ask(method="GET", url=url, credential=slot)))
    assert pair_of(outcome) == (None if fits else "extension_error/grant")


@given(grants)
def test_nothing_goes_beyond_itself_and_everything_beyond_nothing(one: Grants) -> None:
    assert one.beyond(one) == ()
    assert one.beyond(Grants()) == one.lines


@given(grants, grants, hosts, st.sampled_from(sorted(METHODS)))
def test_what_goes_beyond_is_what_only_the_new_grants_allow(
    new: Grants, old: Grants, host: str, method: str
) -> None:
    def allows(some: Grants) -> bool:
        return isinstance(outcome_of(lambda: some.check(Ask(method=method, url=f"https://{host}/"))), Target)

    if not new.beyond(old):
        assert allows(old) or not allows(new)
