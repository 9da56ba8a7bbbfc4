"""Heads of requests: total, the same in whatever pieces they arrive, and never read in two ways."""

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.domain.http.request_head import HeadFault, HeadLimits, WholeHead, read_head

LIMITS = HeadLimits()
GOOD = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
TOKENS = st.sampled_from(
    [
        b"GET / HTTP/1.1", b"POST /x HTTP/1.0", b"GET http://b/ HTTP/1.1", b"Host: a", b"Host: b", b"\r\n",
        b"\n", b"\r", b"\r\n\r\n", b" ", b"\t", b":", b"Content-Length: 1", b"Content-Length: +1", b"X: y",
        b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip, chunked", b"X : y", b"\0", b"\x80", b"X:",
        b": y", b"Host:", b"HTTP/2.0",
    ]
)  # fmt: skip
HEADS = st.lists(TOKENS, max_size=12).map(b"".join) | st.binary(max_size=80) | st.just(GOOD)


@given(HEADS)
def test_every_beginning_is_judged(data: bytes) -> None:
    assert read_head(data, LIMITS) is None or isinstance(read_head(data, LIMITS), HeadFault | WholeHead)


@given(HEADS, st.integers(0, 200))
def test_a_good_head_is_never_refused_before_it_is_whole(data: bytes, cut: int) -> None:
    if isinstance(whole := read_head(data, LIMITS), WholeHead) and cut < whole.size:
        assert read_head(data[:cut], LIMITS) is None


@given(HEADS)
def test_what_is_let_through_reads_the_same_to_the_parser(data: bytes) -> None:
    whole = read_head(data, LIMITS)
    if not isinstance(whole, WholeHead):
        return
    head = data[: whole.size]
    assert head.count(b"\r\n\r\n") == 1
    assert head.endswith(b"\r\n\r\n")
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(head)
    try:
        request = connection.next_event()
    except h11.RemoteProtocolError:
        return
    assert isinstance(request, h11.Request)
    assert len(request.headers) == head.count(b"\r\n") - 2
    assert [name for name, _ in request.headers].count(b"host") == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GET / HTTP/1.1\nHost: a\n\n", "framing"),
        (b"GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", "framing"),
        (b"GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n", "framing"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n\r\n", "syntax"),
        (b"GET / HTTP/1.1\r\n Host: a\r\n\r\n", "syntax"),
        (b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "syntax"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n", "syntax"),
        (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", "syntax"),
        (b"GET /\r\nHost: a\r\n\r\n", "syntax"),
        (b"GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", "syntax"),
        (b"GET / HTTP/1.1\r\n\r\n", "host"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", "host"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "framing"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", "framing"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "framing"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", "framing"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "framing"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", "framing"),
        (b"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "framing"),
    ],
)
def test_what_two_parsers_may_read_differently_is_refused(data: bytes, reason: str) -> None:
    assert read_head(data, LIMITS) == HeadFault("bad_request", reason)


def test_a_long_request_line_is_refused_before_its_end_is_seen() -> None:
    small = HeadLimits(request_line=20, headers=40, fields=2)
    assert read_head(b"GET /" + b"x" * 16, small) == HeadFault("headers_too_large", "request_line")
    assert read_head(b"GET /" + b"x" * 15, small) is None


@pytest.mark.parametrize("more", [b"X: " + b"y" * 30, b"A: 1\r\nB: 2\r\nC: 3", b"A:1\r\nB:2\r\nC:3\r\n\r\n"])
def test_many_or_long_headers_are_refused(more: bytes) -> None:
    small = HeadLimits(request_line=20, headers=40, fields=3)
    head = b"GET / HTTP/1.1\r\nHost: a\r\n" + more
    assert read_head(head, small) == HeadFault("headers_too_large", "headers")


def test_as_many_headers_as_allowed_are_allowed() -> None:
    head = b"GET / HTTP/1.1\r\nHost: a\r\nB: 2\r\nC: 3\r\n\r\n"
    assert read_head(head, HeadLimits(request_line=20, headers=40, fields=3)) == WholeHead(len(head))
