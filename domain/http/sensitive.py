"""Which parts of a request are secret, so that no error quotes them back."""

from base64 import b64decode
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from loopx.domain.http.message import HttpRequest
from loopx.domain.secrets import MINIMUM_LENGTH, Secret

_HARMLESS_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-language",
        "content-type",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-unmodified-since",
        "prefer",
        "range",
        "user-agent",
        "x-github-api-version",
    }
)
"""Every other header may hold a credential, whatever its name."""

_SECRET_QUERY_KEYS: Final = frozenset(
    {
        "access_token",
        "api-key",
        "api_key",
        "apikey",
        "auth",
        "awsaccesskeyid",
        "client_secret",
        "code",
        "id_token",
        "key",
        "passwd",
        "password",
        "private_token",
        "refresh_token",
        "secret",
        "sig",
        "signature",
        "token",
        "x-amz-credential",
        "x-amz-security-token",
        "x-amz-signature",
        "x-goog-credential",
        "x-goog-signature",
    }
)


def secrets_of(request: HttpRequest) -> tuple[Secret, ...]:
    """The credential of a request, and the values of its headers and query that may be secret."""
    values = [*_in_headers(request), *_in_query(request.url)]
    chosen = (request.credential.token,) if request.credential is not None else ()
    return (*chosen, *(Secret(value) for value in values if len(value) >= MINIMUM_LENGTH))


def _in_headers(request: HttpRequest) -> Iterator[str]:
    for name, value in request.headers.fields:
        if name.lower() in _HARMLESS_HEADERS:
            continue
        yield value
        scheme, _, rest = value.partition(" ")
        yield rest.strip()
        if scheme.lower() == "basic":
            yield from _in_basic(rest)


def _in_basic(encoded: str) -> Iterator[str]:
    """User and password of HTTP Basic (RFC 7617), as one text and each alone."""
    try:
        pair = b64decode(encoded.strip()).decode("utf-8")
    except ValueError:
        return
    yield pair
    yield from pair.split(":", 1)


def _in_query(url: str) -> Iterator[str]:
    try:
        pairs = parse_qsl(urlsplit(url).query)
    except ValueError:
        return
    yield from (value for key, value in pairs if key.lower() in _SECRET_QUERY_KEYS)
