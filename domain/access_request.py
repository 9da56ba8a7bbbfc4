"""What the access decision is about, and what it can come to."""

from dataclasses import dataclass
from typing import Final

from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.origins import Authority, Origin

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})

Fields = tuple[tuple[str, str], ...]
"""Header fields to answer with."""


@dataclass(frozen=True, slots=True)
class Resource:
    """What a path stands for: whether it is open to all, and the methods it knows."""

    is_open: bool
    methods: frozenset[str]

    @property
    def listed_methods(self) -> str:
        """The value of ``Allow``; HEAD and OPTIONS come with GET."""
        implied = {"HEAD"} if "GET" in self.methods else set()
        return ", ".join(sorted(self.methods | implied | {"OPTIONS"}))

    def knows(self, method: str) -> bool:
        """Whether the method may be used here."""
        return method in self.methods or (method == "HEAD" and "GET" in self.methods)


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Who is let in; ``any_host`` is for a unix socket, which no name leads to."""

    hosts: frozenset[Authority]
    origins: frozenset[Origin] = frozenset()
    any_host: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRequest:
    """What the decision looks at; header fields as often as they were sent.

    ``target`` is the request target as sent, without its query; ``authorized`` says whether the
    credential is the token, and is ``None`` where there is no credential.
    """

    method: str
    target: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    fetch_sites: tuple[str, ...] = ()
    fetch_modes: tuple[str, ...] = ()
    content_types: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    wanted_methods: tuple[str, ...] = ()
    wanted_headers: tuple[str, ...] = ()
    has_body: bool = False
    authorized: bool | None = None

    @property
    def is_preflight(self) -> bool:
        """Whether a browser asks before it sends the request itself."""
        return self.method == "OPTIONS" and bool(self.origins) and bool(self.wanted_methods)

    @property
    def is_change(self) -> bool:
        """Whether the request would change anything."""
        return self.method not in _READING


@dataclass(frozen=True, slots=True)
class Allow:
    """The handler runs; ``headers`` let the page read the answer."""

    headers: Fields = ()


@dataclass(frozen=True, slots=True)
class Options:
    """Nothing runs: the request only asked what it may do, and ``headers`` say it (status 204)."""

    headers: Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Nothing runs; ``check`` names the question that was answered with no."""

    check: str
    code: str
    reason: str
    headers: Fields = ()

    @property
    def status(self) -> int:
        """The HTTP status."""
        return ERROR_TABLE[self.code, self.reason].http_status


Verdict = Allow | Options | Refuse
