"""The conversation with code that wants something from outside and never reaches out by itself.

The code takes a step and says what it wants; whoever steps it does that and answers, then the code takes
its next step. Only an ``Ask`` wants an answer.
"""

from dataclasses import dataclass
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.http.message import SUCCESS, Headers
from loopx.domain.schema import Data

NO_HEADERS: Final = Headers()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request to be sent; ``timeout`` is in seconds, ``credential`` names a slot of the manifest."""

    method: str
    url: str
    headers: Headers = NO_HEADERS
    body: bytes = b""
    accept_status: frozenset[int] = SUCCESS
    credential: str | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Emit:
    """A record, JSON-ready and unchecked."""

    data: Data


@dataclass(frozen=True, slots=True)
class Note:
    """Something that whoever reads the result should know."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The end: there is no step after this one."""


Step = Ask | Emit | Note | Done


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to an ``Ask``; ``url`` is the one that answered, after redirects."""

    status: int
    headers: Headers = NO_HEADERS
    body: bytes = b""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer to an ``Ask``."""

    error: LoopXError


Answer = Reply | Failed
