"""Which parts of a request must not be shown."""

import pytest

from loopx.domain.http.credentials import Credential
from loopx.domain.http.message import Headers, HttpRequest
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.secrets import Secret


def revealed(url: str = "https://api.example/", *fields: tuple[str, str]) -> set[str]:
    request = HttpRequest(method="GET", url=url, headers=Headers(fields))
    return {secret.reveal() for secret in secrets_of(request)}


def test_the_chosen_credential_is_secret() -> None:
    credential = Credential(Secret("token-0123456789"), "test")
    request = HttpRequest(method="GET", url="https://api.example/", credential=credential)
    assert secrets_of(request) == (Secret("token-0123456789"),)


@pytest.mark.parametrize("name", ["X-Api-Key", "Private-Token", "X-Whatever-It-Is-Called"])
def test_every_header_is_secret_that_is_not_known_to_be_harmless(name: str) -> None:
    assert revealed("https://api.example/", (name, "abcdefghij")) == {"abcdefghij"}


@pytest.mark.parametrize("name", ["Accept", "content-type", "User-Agent", "If-None-Match"])
def test_a_harmless_header_stays_readable(name: str) -> None:
    assert revealed("https://api.example/", (name, "abcdefghij")) == set()


def test_what_follows_a_scheme_is_secret_by_itself() -> None:
    found = revealed("https://api.example/", ("Authorization", "Bearer abcdefghij"))
    assert found == {"Bearer abcdefghij", "abcdefghij"}


def test_user_and_password_of_basic_are_secret_by_themselves() -> None:
    found = revealed("https://api.example/", ("Authorization", "Basic dXNlcm5hbWU6cGFzc3dvcmQ="))
    assert {"username:password", "username", "password"} <= found


@pytest.mark.parametrize("value", ["Basic %%%", "Basic /////w==", "Basic", "Basic abc"])
def test_basic_that_is_none_is_no_error(value: str) -> None:
    assert "username" not in revealed("https://api.example/", ("Authorization", value))


def test_query_values_under_a_telling_name_are_secret() -> None:
    url = "https://api.example/x?access_token=abc%20defghi&page=abcdefghij&Token=klmnopqrst"
    assert revealed(url) == {"abc defghi", "klmnopqrst"}


@pytest.mark.parametrize("url", ["https://[::1", "", "nonsense?token="])
def test_an_address_that_is_none_has_no_secret(url: str) -> None:
    assert revealed(url) == set()
