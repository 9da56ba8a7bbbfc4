"""HTTP messages as plain values."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, Self

from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import Credential

SUCCESS: Final = frozenset(range(200, 300))

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_HEADER_VALUE: Final = re.compile(r"(?:[!-~](?:[ \t!-~]*[!-~])?)?")


class Semantics(StrEnum):
    """What a repeated request would do, whatever its method (RFC 9110, section 9.2)."""

    SAFE = "safe"
    IDEMPOTENT = "idempotent"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields in order; names compare without case (RFC 9110, section 5.1)."""

    fields: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, mapping: Mapping[str, str]) -> Self:
        """Build from a mapping."""
        return cls(tuple(mapping.items()))

    def get(self, name: str) -> str | None:
        """The first value of a field."""
        return next(self._values(name), None)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field, in order."""
        return tuple(self._values(name))

    def without(self, *names: str) -> "Headers":
        """The same fields less the named ones."""
        dropped = {name.lower() for name in names}
        return Headers(tuple(pair for pair in self.fields if pair[0].lower() not in dropped))

    def plus(self, *fields: tuple[str, str]) -> "Headers":
        """The same fields with others in place of their namesakes."""
        kept = self.without(*(name for name, _ in fields))
        return Headers(kept.fields + fields)

    def _values(self, name: str) -> Iterator[str]:
        wanted = name.lower()
        return (value for field_name, value in self.fields if field_name.lower() == wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of an answer is read, in bytes; ``ratio`` is decoded bytes per byte on the wire."""

    wire: int = 64 * 1024 * 1024
    decoded: int = 64 * 1024 * 1024
    ratio: int = 200
    ratio_from: int = 1024 * 1024
    redirects: int = 5


class BodySink(Protocol):
    """Takes a body piece by piece, so that a large one is never in memory as a whole.

    What it raises must be a ``LoopXError``; it ends the call.
    """

    def restart(self) -> None:
        """Forget what was written: the body comes again from its first byte."""
        ...

    def write(self, piece: bytes) -> None:
        """Take the next bytes, exactly as they came over the wire."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One call to the outside; ``timeout`` is the total for everything it takes, in seconds.

    Raises:
        LoopXError: ``request_invalid`` with reason ``method``, ``header`` or ``timeout_value``.
    """

    method: str
    url: str
    headers: Headers = Headers()
    body: bytes = b""
    timeout: float = 30.0
    semantics: Semantics = Semantics.UNSAFE
    accept_status: frozenset[int] = SUCCESS
    limits: Limits = field(default_factory=Limits)
    credential: Credential | None = None
    """Chosen anew for each hop by the transport, never by the caller."""
    anonymous: bool = False
    """Whether it goes without the credential that the transport has for its host."""
    attempt: int = 1
    """Counted by the transport where it tries again."""
    sink: BodySink | None = None
    """Where an accepted body goes, undecoded; the response then has no content."""

    @property
    def accept_encoding(self) -> str:
        """What the transport asks for; only what it decodes itself may come compressed."""
        return "gzip" if self.sink is None else "identity"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise LoopXError("request_invalid", "method")
        # NaN fails every comparison, so the test must be for what is good.
        if not 0 < self.timeout <= 86_400:  # noqa: PLR2004 - one day, in seconds
            raise LoopXError("request_invalid", "timeout_value")
        for name, value in self.headers.fields:
            if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
                raise LoopXError("request_invalid", "header", detail="its name or value cannot be written")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """An accepted answer, read whole and decoded; ``url`` is the one that answered, after redirects."""

    status: int
    headers: Headers
    content: bytes
    url: str
    audit_id: str | None = None
    """By which `loopx audit show` finds the last request of the call; none where nothing is recorded."""
