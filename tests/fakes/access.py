"""Requests to the status server as the access decision sees them."""

from typing import Any, Final

from loopx.domain.access_request import AccessPolicy, AccessRequest, Resource
from loopx.domain.origins import Authority, Origin

PORT: Final = 8765
HOST: Final = f"127.0.0.1:{PORT}"
LISTED: Final = "https://app.example"
POLICY: Final = AccessPolicy(
    hosts=frozenset(Authority(name, PORT) for name in ("127.0.0.1", "localhost", "::1")),
    origins=frozenset({Origin("https", "app.example", 443)}),
)
OPEN: Final = Resource(is_open=True, methods=frozenset({"GET"}))
DATA: Final = Resource(is_open=False, methods=frozenset({"GET"}))
CHANGE: Final = Resource(is_open=False, methods=frozenset({"POST"}))


def access(**changes: Any) -> AccessRequest:
    """A program's request with the token, with some of it changed."""
    return AccessRequest(
        **{"method": "GET", "target": "/status", "hosts": (HOST,), "authorized": True, **changes}
    )


def change(**changes: Any) -> AccessRequest:
    """A program's request to change something, with some of it changed."""
    good = {"method": "POST", "content_types": ("application/json",), "markers": ("1",), "has_body": True}
    return access(**{**good, **changes})
