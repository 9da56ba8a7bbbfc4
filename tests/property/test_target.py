"""Reading an address is total, ends in one canonical form, and is never fooled about this machine."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of, pair_of
from loopx.domain.errors import LoopXError
from loopx.domain.http.address import is_address, is_loopback, is_private
from loopx.domain.http.target import Target, read_target, resolve_location

CODES = {
    ("request_invalid", "url"),
    ("request_invalid", "host"),
    ("request_invalid", "port"),
    ("egress_blocked", "scheme"),
}
FULLWIDTH = "\uff11\uff12\uff17.\uff10.\uff10.\uff11"
ANY_IPV4 = str(IPv4Address(0))
SCHEMES = st.sampled_from(["https", "http", "HTTPS", "ftp", "javascript", "file", "", "ws"])
HOSTS = st.sampled_from(
    [
        "example.com",
        "EXAMPLE.com",
        "münchen.example",
        "xn--a",
        "a..b",
        "-a.b",
        "a" * 64 + ".b",
        "localhost",
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[fe80::1%25eth0]",
        "[v1.a]",
        FULLWIDTH,
        "user@host",
        "host ",
        "ho\\st",
        "",
    ]
)
PORTS = st.sampled_from(["", ":", ":443", ":80", ":0", ":65535", ":65536", ":99999", ":-1", ":٤٤٣", ":08"])
PATHS = st.sampled_from(["", "/", "/a b", "/é", "/%zz", "//x", "/?q=1", "?x", "/a?b=[c]|d", "#f", "/\ud800"])
ADDRESSES = st.tuples(SCHEMES, HOSTS, PORTS, PATHS).map(lambda p: f"{p[0]}://{p[1]}{p[2]}{p[3]}")
LABELS = st.from_regex(r"[a-z][a-z0-9]{0,20}", fullmatch=True)


def read(url: str) -> Target | tuple[str, str]:
    outcome = outcome_of(read_target, url)
    return outcome if isinstance(outcome, Target) else (outcome.code, outcome.reason)


@given(st.text(max_size=100) | ADDRESSES)
def test_an_address_is_read_or_refused_with_a_code(url: str) -> None:
    result = read(url)
    assert isinstance(result, Target) or result in CODES


@given(st.text(max_size=100) | ADDRESSES)
def test_the_canonical_form_is_its_own_canonical_form(url: str) -> None:
    target = read(url)
    if isinstance(target, Target):
        assert read_target(target.url) == target
        assert target.url.isascii()
        assert target.path.startswith("/")
        assert 1 <= target.port <= 65_535
        assert target.scheme == "https" or target.is_loopback


@given(st.lists(LABELS, min_size=2, max_size=4).map(".".join), st.text("abc/~-._", max_size=20))
def test_an_ordinary_address_is_read_as_it_stands(host: str, path: str) -> None:
    target = read_target(f"https://{host.upper()}:443/{path}")
    assert (target.host, target.port, target.path) == (host, 443, f"/{path}")
    assert target.authority == host


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST",
        "127.0.0.1",
        "127.8.9.10",
        "[::1]",
        "[0:0::1]",
        "[::ffff:127.0.0.1]",
        FULLWIDTH,
    ],
)
def test_loopback_may_be_named_literally_and_needs_no_tls(host: str) -> None:
    assert read_target(f"http://{host}:8080/x").is_loopback


@pytest.mark.parametrize(
    "host",
    [
        "127.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "127.0.0.1.",
        "0x7f000001",
        "127.0.0.01",
        "1",
        "[::1%25lo]",
        "[fe80::1%25eth0]",
        "[v1.a]",
        "[127.0.0.1]",
    ],
)
def test_a_spelling_that_only_a_resolver_understands_is_refused(host: str) -> None:
    assert read(f"https://{host}/") in {("request_invalid", "host"), ("request_invalid", "url")}


@pytest.mark.parametrize("host", [ANY_IPV4, "10.0.0.1", "[2002:7f00:1::]", "localhost.example", "[::]"])
def test_what_is_no_loopback_needs_tls(host: str) -> None:
    assert read(f"http://{host}/") == ("egress_blocked", "scheme")


@pytest.mark.parametrize(
    ("url", "pair"),
    [
        ("https://user:pass@host.example/", ("request_invalid", "url")),
        ("https://@host.example/", ("request_invalid", "url")),
        ("https://host.example:0/", ("request_invalid", "port")),
        ("https://host.example:/", ("request_invalid", "port")),
        ("https://host.example:99999/", ("request_invalid", "port")),
        ("ftp://host.example/", ("egress_blocked", "scheme")),
        ("javascript:alert(1)", ("request_invalid", "url")),
        ("//host.example/", ("request_invalid", "url")),
        ("https://host.example/\r\nX: y", ("request_invalid", "url")),
        ("https://host.example\\@evil.example/", ("request_invalid", "url")),
        ("https://" + "a" * 9000, ("request_invalid", "url")),
    ],
)
def test_an_address_that_could_be_read_in_two_ways_is_refused(url: str, pair: tuple[str, str]) -> None:
    assert read(url) == pair


@given(st.ip_addresses(v=4))
def test_an_address_inside_an_address_is_judged_too(address: object) -> None:
    text = str(address)
    private = not ip_address(text).is_global or ip_address(text).is_multicast
    number = int(ip_address(text))
    assert is_private(text) is private
    assert is_private(f"::ffff:{text}") is private
    assert is_private(f"64:ff9b::{text}") is private
    assert is_private(f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1")
    assert is_loopback(f"::ffff:{text}") is is_loopback(text)


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "fd00:ec2::254",
        "100.100.100.200",
        "10.1.2.3",
        "::1",
        "::",
        ANY_IPV4,
        "224.0.0.1",
        "localhost",
    ],
)
def test_addresses_of_this_machine_and_its_network_are_private(host: str) -> None:
    assert is_private(host)


@pytest.mark.parametrize("host", ["8.8.8.8", "2606:4700::1111", "example.com"])
def test_public_addresses_and_names_are_not_private(host: str) -> None:
    assert not is_private(host)
    assert is_address(host) is (host != "example.com")


@given(st.text(max_size=60) | ADDRESSES)
def test_a_location_is_resolved_or_refused(location: str) -> None:
    outcome = outcome_of(resolve_location, read_target("https://host.example/a/b?c"), location)
    assert pair_of(outcome) in {None, "provider_redirect_error/bad_location"}


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.0.1",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "[::ffff:169.254.169.254]",
    ],
)
def test_addresses_where_machines_hand_out_credentials_are_never_called(host: str) -> None:
    with pytest.raises(LoopXError) as caught:
        read_target(f"https://{host}/latest/meta-data")
    assert (caught.value.code, caught.value.reason) == ("egress_blocked", "link_local")
