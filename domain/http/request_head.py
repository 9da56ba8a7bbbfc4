"""Judge the head of a request as bytes: whole, small enough, and to be read in one way only.

Stricter than a parser has to be: what two parsers may understand differently is refused before either
sees it. Sources: RFC 9112, sections 2.2, 3, 5 and 6; RFC 9110, section 7.2.
"""

import re
from dataclasses import dataclass
from typing import Final

_END: Final = b"\r\n\r\n"
_LINE_END: Final = b"\r\n"
_VERSIONS: Final = frozenset({b"HTTP/1.1", b"HTTP/1.0"})
_BLANKS: Final = (b" ", b"\t")
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLimits:
    """In bytes; ``fields`` is a number of header fields."""

    request_line: int = 8 * 1024
    headers: int = 16 * 1024
    fields: int = 64


@dataclass(frozen=True, slots=True)
class HeadFault:
    """Why a head is refused, as a pair of the error table."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class WholeHead:
    """A good head; ``size`` counts its bytes, the empty line included."""

    size: int


_FRAMING: Final = HeadFault("bad_request", "framing")
_SYNTAX: Final = HeadFault("bad_request", "syntax")


def read_head(data: bytes, limits: HeadLimits) -> WholeHead | HeadFault | None:
    """Judge what has arrived of a request so far; ``None`` asks for more of it."""
    end = data.find(_END)
    head = data if end < 0 else data[:end]
    fault = _find_oversize(head, limits) or _find_strange_line_end(head, whole=end >= 0)
    if fault is not None or end < 0:
        return fault
    return _judge(head) or WholeHead(end + len(_END))


def _find_oversize(head: bytes, limits: HeadLimits) -> HeadFault | None:
    first = head.find(_LINE_END)
    if (len(head) if first < 0 else first) > limits.request_line:
        return HeadFault("headers_too_large", "request_line")
    if first < 0:
        return None
    rest = head[first:]
    # Each line end that has arrived begins a field, except the one that is half of the end.
    if len(rest) > limits.headers or rest.removesuffix(_LINE_END).count(_LINE_END) > limits.fields:
        return HeadFault("headers_too_large", "headers")
    return None


def _find_strange_line_end(head: bytes, *, whole: bool) -> HeadFault | None:
    """A line feed or a carriage return alone ends a line for some and not for others."""
    known = head if whole else head.removesuffix(b"\r")
    pairs = known.count(_LINE_END)
    return None if known.count(b"\n") == pairs == known.count(b"\r") else _FRAMING


def _judge(head: bytes) -> HeadFault | None:
    request_line, *lines = head.split(_LINE_END)
    if request_line.rpartition(b" ")[2] not in _VERSIONS or _CONTROL.search(head):
        return _SYNTAX
    # A folded line continues the one before, for those who still know that (obs-fold).
    if any(line.startswith(_BLANKS) or b":" not in line for line in lines):
        return _SYNTAX
    fields = [
        (name.lower(), value.strip(b" \t")) for name, _, value in (line.partition(b":") for line in lines)
    ]
    if any(name != name.rstrip(b" \t") or not name for name, _ in fields):
        return _SYNTAX
    if sum(name == b"host" for name, _ in fields) != 1:
        return HeadFault("bad_request", "host")
    return _judge_framing(fields, request_line.endswith(b"1.1"))


def _judge_framing(fields: list[tuple[bytes, bytes]], is_current: bool) -> HeadFault | None:  # noqa: FBT001 - private, named at the call
    lengths = [value for name, value in fields if name == b"content-length"]
    codings = [value.lower() for name, value in fields if name == b"transfer-encoding"]
    if lengths and (codings or len(lengths) > 1 or not lengths[0].isdigit()):
        return _FRAMING
    if codings and (codings != [b"chunked"] or not is_current):
        return _FRAMING
    return None
