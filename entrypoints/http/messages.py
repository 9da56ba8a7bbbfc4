"""Requests and responses as the endpoints see them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import parse_qsl

from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers
from loopx.entrypoints.presentation.envelope import to_json

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
PROBLEM: Final = "application/problem+json"

Fields = tuple[tuple[str, str], ...]


class Stream(Protocol):
    """A body that comes in pieces; closed by whoever sends it, also when nobody wants its rest."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        """The pieces."""
        ...

    async def aclose(self) -> None:
        """Give back what is behind it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that was let in; ``parts`` are the variable parts of its path."""

    method: str
    path: str
    query: str
    headers: Headers
    parts: Mapping[str, str]
    read_body: Callable[[], Awaitable[bytes]]

    def number(self, name: str) -> int | None:
        """A whole number of the query; ``None`` if it is not given.

        Raises:
            LoopXError: ``bad_request/query``.
        """
        values = [value for key, value in parse_qsl(self.query, keep_blank_values=True) if key == name]
        return whole_number(name, values[0]) if values else None

    def asks_for(self, name: str) -> bool:
        """Whether the query has a flag, with or without a value."""
        return any(key == name for key, _ in parse_qsl(self.query, keep_blank_values=True))


def whole_number(name: str, text: str) -> int:
    """Read a number from 0 on.

    Raises:
        LoopXError: ``bad_request/query``.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 9):  # noqa: PLR2004 - nothing counts a billion lines
        raise LoopXError("bad_request", "query", detail=f"{name} must be a whole number")
    return int(text)


@dataclass(frozen=True, slots=True)
class Response:
    """What is answered; a stream has no known length."""

    status: int
    body: bytes | Stream = b""
    headers: Fields = ()


def json_response(data: object, status: int = 200, headers: Fields = ()) -> Response:
    """Data as one JSON document."""
    return Response(status, f"{to_json(data)}\n".encode(), (("Content-Type", JSON), *headers))
