"""The running process as a clock, as chance, as a keeper of tokens."""

import asyncio

import pytest

from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.entropy import SystemEntropy
from loopx.adapters.process.environment_credentials import EnvironmentCredentials
from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import read_credential
from loopx.domain.http.target import read_target

PUBLIC = "ghx-public-0123456789"
ENTERPRISE = "ghx-enterprise-0123456789"


def found(environment: dict[str, str], url: str) -> str | None:
    credential = EnvironmentCredentials(environment).find(read_target(url))
    return credential.token.reveal() if credential is not None else None


def test_the_clock_goes_forward() -> None:
    clock = SystemClock()
    before = (clock.now(), clock.monotonic())
    asyncio.run(clock.sleep(0))
    assert before[1] <= clock.monotonic()
    assert abs(before[0] - clock.now()) < 60


def test_chance_is_hexadecimal_of_the_size_asked_for_and_never_twice_the_same() -> None:
    entropy = SystemEntropy()
    drawn = {entropy.hex(8) for _ in range(100)}
    assert len(drawn) == 100
    assert all(len(digits) == 16 and int(digits, 16) for digits in drawn)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/o/r",
        "https://api.github.com/graphql",
        "https://uploads.github.com/",
        "https://api.tenant.ghe.com/",
    ],
)
def test_githubs_token_goes_to_githubs_own_hosts(url: str) -> None:
    assert found({"GITHUB_TOKEN": PUBLIC}, url) == PUBLIC
    assert found({"GH_TOKEN": PUBLIC, "GITHUB_TOKEN": ENTERPRISE}, url) == PUBLIC
    assert found({"GH_ENTERPRISE_TOKEN": ENTERPRISE, "GH_HOST": "github.com"}, url) is None


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com.evil.example/",
        "https://evilgithub.com/",
        "https://raw.githubusercontent.com/",
        "https://ghe.com/",
        "https://codeload.github.com/",
        "http://127.0.0.1:8080/",
        "https://git.example/",
        "https://git.example:8443/",
    ],
)
def test_no_other_host_gets_any_token(url: str) -> None:
    environment = {"GH_TOKEN": PUBLIC, "GH_ENTERPRISE_TOKEN": ENTERPRISE, "GH_HOST": "ghes.example"}
    assert found(environment, url) is None


def test_the_enterprise_token_goes_to_the_host_that_gh_host_names() -> None:
    environment = {"GH_TOKEN": PUBLIC, "GITHUB_ENTERPRISE_TOKEN": ENTERPRISE, "GH_HOST": " GHES.example "}
    assert found(environment, "https://ghes.example/api/v3") == ENTERPRISE
    assert found(environment, "https://ghes.example:8443/") is None
    assert found({**environment, "GH_HOST": "127.0.0.1:8080"}, "http://127.0.0.1:8080/") == ENTERPRISE


@pytest.mark.parametrize("host", ["https://GHES.example/", "ghes.example/", "https://ghes.example:443"])
def test_gh_host_may_be_written_as_an_address(host: str) -> None:
    environment = {"GH_ENTERPRISE_TOKEN": ENTERPRISE, "GH_HOST": host}
    assert found(environment, "https://ghes.example/api/v3") == ENTERPRISE


def test_an_empty_variable_is_none() -> None:
    assert found({"GH_TOKEN": " ", "GITHUB_TOKEN": PUBLIC}, "https://github.com/") == PUBLIC
    assert found({"GH_TOKEN": ""}, "https://github.com/") is None


def test_one_line_break_at_the_end_is_forgiven() -> None:
    assert read_credential(f"{PUBLIC}\r\n", "test").token.reveal() == PUBLIC


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (f"{PUBLIC}\n\n", "malformed"),
        (f"{PUBLIC}\nX: y", "malformed"),
        ("two words", "malformed"),
        ("pässword-long", "malformed"),
        ("\x00" * 9, "malformed"),
        ("short12", "too_short"),
    ],
)
def test_a_credential_that_cannot_be_used_is_refused_without_showing_it(value: str, reason: str) -> None:
    with pytest.raises(LoopXError) as caught:
        read_credential(value, "environment GH_TOKEN")
    assert (caught.value.code, caught.value.reason) == ("credential_error", reason)
    assert "environment GH_TOKEN" in str(caught.value)
    assert value.strip() not in f"{caught.value} {caught.value.to_dict()}"
