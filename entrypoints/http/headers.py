"""The headers that every answer carries, whoever gives it.

Sources: the Fetch standard (``Vary``, ``Cross-Origin-Resource-Policy``); Content Security Policy 3.
"""

from typing import Final

from loopx.entrypoints.http.messages import Fields

_VARY: Final = "Origin, Sec-Fetch-Site"
_VARY_OPTIONS: Final = f"{_VARY}, Access-Control-Request-Method, Access-Control-Request-Headers"
_ALWAYS: Final[Fields] = (
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
)


def complete(headers: Fields, method: str) -> Fields:
    """The headers of an answer to a request of that method."""
    vary = [value for name, value in headers if name == "Vary"]
    rest = tuple(pair for pair in headers if pair[0] != "Vary")
    asked = _VARY_OPTIONS if method == "OPTIONS" else _VARY
    return (*rest, ("Vary", ", ".join([asked, *vary])), *_ALWAYS)
