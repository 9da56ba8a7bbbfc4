"""Hosts and origins, and what a person is told who misspells one."""

import pytest

from loopx.domain.errors import LoopXError
from loopx.domain.listening import Listening
from loopx.domain.origins import (
    Authority,
    Origin,
    check_allowed_host,
    check_allowed_origin,
    read_authority,
    read_origin,
)


@pytest.mark.parametrize(
    ("text", "authority"),
    [
        ("localhost:8765", Authority("localhost", 8765)),
        ("LocalHost:8765", Authority("localhost", 8765)),
        ("localhost", Authority("localhost", 80)),
        ("127.0.0.1:1", Authority("127.0.0.1", 1)),
        ("[::1]:8765", Authority("::1", 8765)),
        ("[0:0::1]:8765", Authority("::1", 8765)),
        ("localhost.:8765", Authority("localhost.", 8765)),
    ],
)
def test_a_host_is_read_in_its_one_form(text: str, authority: Authority) -> None:
    assert read_authority(text) == authority


@pytest.mark.parametrize(
    "text",
    [
        "", ":8765", "localhost:", "localhost:0", "localhost:65536", "localhost:08765", "localhost:+80",
        "localhost:80:80", "user@localhost:8765", "127.0.0.1:80.evil.test", "127.1:8765", "0x7f000001:8765",
        "2130706433:8765", "127.0.0.01:8765", "[::1%lo]:8765", "[::1", "::1", "localhost/:8765", "local host",
        "localhost\n", "lócalhost", "a..b", "-a", "[127.0.0.1]:1", "localhost:٨",
    ],
)  # fmt: skip
def test_what_could_be_read_in_two_ways_is_no_host(text: str) -> None:
    assert read_authority(text) is None


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://app.example", Origin("https", "app.example", 443)),
        ("http://localhost:3000", Origin("http", "localhost", 3000)),
        ("http://[::1]:3000", Origin("http", "::1", 3000)),
        ("https://xn--bcher-kva.example", Origin("https", "xn--bcher-kva.example", 443)),
    ],
)
def test_an_origin_is_read_as_browsers_write_it(text: str, origin: Origin) -> None:
    assert read_origin(text) == origin
    assert str(origin) == text


MISSPELT = {
    "https://app.example/": "https://app.example",
    "https://app.example/page?x=1": "https://app.example",
    "HTTPS://App.Example": "https://app.example",
    "https://app.example:443": "https://app.example",
    "http://localhost:80": "http://localhost",
    "app.example": "https://app.example",
    "localhost:3000": "http://localhost:3000",
    "127.0.0.1:3000": "http://127.0.0.1:3000",
    " https://app.example ": "https://app.example",
    "https://bücher.example": "https://xn--bcher-kva.example",
    "https://user@app.example": "https://app.example",
}


@pytest.mark.parametrize("text", MISSPELT)
def test_a_misspelt_origin_is_told_in_its_right_form(text: str) -> None:
    assert read_origin(text) is None
    with pytest.raises(LoopXError) as caught:
        check_allowed_origin(text)
    assert (caught.value.code, caught.value.reason) == ("usage_error", "origin")
    assert caught.value.hint == f"Write it as {MISSPELT[text]}"
    assert str(check_allowed_origin(MISSPELT[text])) == MISSPELT[text]


@pytest.mark.parametrize(
    "text", ["*", "https://*.example", "null", "", "ftp://a.example", "https://", "https://a b"]
)
def test_what_stands_for_many_origins_or_none_has_no_right_form(text: str) -> None:
    with pytest.raises(LoopXError) as caught:
        check_allowed_origin(text)
    assert "Write it as" not in caught.value.hint


def test_an_allowed_host_without_a_port_is_meant_at_its_usual_and_at_the_bound_one() -> None:
    assert check_allowed_host("status.example", 8765) == {
        Authority("status.example", 80), Authority("status.example", 8765),
    }  # fmt: skip
    assert check_allowed_host("status.example:9000", 8765) == {Authority("status.example", 9000)}
    with pytest.raises(LoopXError, match="allowed_host"):
        check_allowed_host("*.example", 8765)


class TestListening:
    """Where the server listens."""

    def test_is_loopback_unless_said_otherwise(self) -> None:
        assert Listening().url(8765) == "http://127.0.0.1:8765"
        assert Listening(host="::1").url(1) == "http://[::1]:1"
        assert Listening(host="localhost").address == "127.0.0.1"

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5"])  # noqa: S104 - that it is refused is the point
    def test_reaches_other_machines_only_with_a_name_to_be_asked_for_by(self, host: str) -> None:
        with pytest.raises(LoopXError, match="open_address"):
            Listening(host=host)
        assert "other machines" in Listening(host=host, allowed_hosts=("status.example",)).widens

    @pytest.mark.parametrize("host", ["status.example", "", "127.0.0.1:80", "[::1]"])
    def test_is_at_an_address_and_never_at_a_name(self, host: str) -> None:
        with pytest.raises(LoopXError, match="command_line"):
            Listening(host=host)

    @pytest.mark.parametrize("port", [-1, 65_536])
    def test_is_at_a_port_that_exists(self, port: int) -> None:
        with pytest.raises(LoopXError, match="command_line"):
            Listening(port=port)

    def test_says_whom_it_lets_in_beyond_this_machine(self) -> None:
        assert Listening().widens == ""
        opened = Listening(allowed_origins=("https://app.example",), allowed_hosts=("status.example",))
        assert opened.widens == "pages of https://app.example, requests for the host status.example"

    def test_refuses_a_misspelt_origin_at_once(self) -> None:
        with pytest.raises(LoopXError, match="origin"):
            Listening(allowed_origins=("https://app.example/",))
