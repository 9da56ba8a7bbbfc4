"""How far one request and its answer have come on the wire."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from loopx.domain.error_table import Sent
from loopx.domain.http.message import Headers

_SIGNATURE: Final = b"HTTP/"
_TAIL: Final = 5


class Phase(StrEnum):
    """The part of an exchange in which something happened."""

    CONNECT = "connect"
    """There is no connection yet."""
    SEND = "send"
    """Connected, and no byte of the request was written."""
    WAIT = "wait"
    """The request was written, at least in part, and no byte of an answer has come."""
    HEAD = "head"
    """The answer has begun."""
    BODY = "body"
    """The head of the answer is complete."""
    CUT = "cut"
    """The server closed the connection in the middle of its answer."""

    @property
    def sent(self) -> Sent:
        """Whether the server may have got the request by then."""
        if self in {Phase.CONNECT, Phase.SEND}:
            return Sent.NO
        return Sent.MAYBE if self is Phase.WAIT else Sent.YES


@dataclass(slots=True)
class Exchange:
    """The facts of one exchange, noted by the connection while it happens."""

    watched: bool = False
    """Whether anyone notes these facts; a transport of another kind does not."""
    connected: bool = False
    written: int = 0
    """Bytes of the request that were handed to the connection."""
    received: int = 0
    """Bytes of the answer, as they came."""
    start: bytes = b""
    """The first of these bytes, by which HTTP is known."""
    tail: bytes = b""
    """The last of these bytes, enough to recognise the end of a chunked body."""
    answered: bool = False
    ended: bool = False
    status: int | None = None
    headers: Headers = field(default_factory=Headers)
    """Of the answer, as soon as its head is read, also where nothing of it can be used."""

    @property
    def phase(self) -> Phase:
        """Where the exchange stands."""
        if not self.watched:
            return Phase.WAIT  # nothing is known, so the request may have been sent
        if not self.connected:
            return Phase.CONNECT
        if not self.written:
            return Phase.SEND
        if not self.received:
            return Phase.WAIT
        if self.ended and (self.answered or _SIGNATURE.startswith(self.start)):
            return Phase.CUT
        return Phase.BODY if self.answered else Phase.HEAD

    def note(self, data: bytes) -> None:
        """Take the next bytes of the answer into account."""
        self.received += len(data)
        self.start += data[: len(_SIGNATURE) - len(self.start)]
        self.tail = (self.tail + data[-_TAIL:])[-_TAIL:]
