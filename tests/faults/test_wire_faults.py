"""What a server, or whoever sits on its port, can do to an answer: each ends in one documented way.

After every fault the same transport, which has a single connection, must serve a sane request.
"""

import asyncio
import gzip
import zlib
from time import monotonic

import pytest

from fakes.outcomes import pair_of
from fakes.raw_server import Conversation, RawServer, Script, answers
from fakes.wire import open_wire, outcome
from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpResponse, Limits

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
PACKED = gzip.compress(b"text")
LIMITS = Limits(wire=300_000, decoded=300_000)
BOUND = 4.0
"""Seconds in which even the worst server has been dealt with."""


def head(*fields: bytes, status: bytes = b"200 OK") -> bytes:
    return b"\r\n".join([b"HTTP/1.1 " + status, *fields, b"", b""])


def sized(body: bytes, *fields: bytes) -> bytes:
    return head(b"Content-Length: %d" % len(body), *fields) + body


def packed(body: bytes) -> bytes:
    return sized(body, b"Content-Encoding: gzip")


def chunked(body: bytes, *fields: bytes) -> bytes:
    return head(b"Transfer-Encoding: chunked", *fields) + body


def bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(50)) + packer.flush()


NETWORK = "provider_network_error/"
INVALID = "provider_response_invalid/"
LARGE = "provider_response_too_large/"
HTTP = "provider_http_error/"

# What is said to a request before hanging up: what it must come to (a pair, or the content).
SAID: dict[str, tuple[bytes, str | bytes]] = {
    "nothing": (b"", NETWORK + "disconnected"),
    "a head that ends early": (b"HTTP/1.1 200 OK\r\nContent-Le", NETWORK + "truncated"),
    "a body that ends early": (head(b"Content-Length: 9") + b"half", NETWORK + "truncated"),
    "an empty body that was promised": (head(b"Content-Length: 9"), NETWORK + "truncated"),
    "chunks that end early": (chunked(b"9\r\nhalf"), NETWORK + "truncated"),
    "chunks without the last one": (chunked(b"4\r\ntext\r\n"), NETWORK + "truncated"),
    "a chunk of no known size": (chunked(b"zz\r\ntext\r\n0\r\n\r\n"), NETWORK + "protocol"),
    "a chunk of an absurd size": (chunked(b"f" * 30 + b"\r\ntext"), NETWORK + "protocol"),
    "a chunk of a negative size": (chunked(b"-4\r\ntext\r\n0\r\n\r\n"), NETWORK + "protocol"),
    "a chunk without its end": (chunked(b"4\r\ntextXX0\r\n\r\n"), NETWORK + "protocol"),
    "a chunk size line without end": (chunked(b"1;" + b"x" * 200_000), NETWORK + "protocol"),
    "two lengths": (head(b"Content-Length: 4", b"Content-Length: 5") + b"text!", NETWORK + "protocol"),
    "a length and chunks": (chunked(b"0\r\n\r\n", b"Content-Length: 4"), NETWORK + "protocol"),
    "a length that is no number": (head(b"Content-Length: four") + b"text", NETWORK + "protocol"),
    "a negative length": (head(b"Content-Length: -4") + b"text", NETWORK + "protocol"),
    "a signed length": (head(b"Content-Length: +4") + b"text", NETWORK + "protocol"),
    "a length of 5000 digits": (head(b"Content-Length: " + b"9" * 5000), NETWORK + "protocol"),
    "an unknown transfer coding": (
        head(b"Transfer-Encoding: gzip, chunked") + b"0\r\n\r\n",
        NETWORK + "protocol",
    ),
    "garbage": (b"\x00\x01\x02\x03garbage\r\n\r\n", NETWORK + "protocol"),
    "a mail server's greeting": (b"220 mail.example ESMTP\r\n", NETWORK + "protocol"),
    "HTTP/0.9": (b"<html>hello</html>\r\n\r\n", NETWORK + "protocol"),
    "a later HTTP": (b"HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok", NETWORK + "protocol"),
    "a status of two digits": (b"HTTP/1.1 20 OK\r\n\r\n", NETWORK + "protocol"),
    "a status of four digits": (b"HTTP/1.1 2000 OK\r\n\r\n", NETWORK + "protocol"),
    "a status that is a word": (b"HTTP/1.1 yes OK\r\n\r\n", NETWORK + "protocol"),
    "a header without a colon": (head(b"Content-Length 2") + b"ok", NETWORK + "protocol"),
    "a header with a blank before the colon": (head(b"Content-Length : 2") + b"ok", NETWORK + "protocol"),
    "a header with a NUL": (head(b"X: a\x00b", b"Content-Length: 2") + b"ok", NETWORK + "protocol"),
    "a header name in Latin-1": (head(b"X\xe9: a", b"Content-Length: 2") + b"ok", NETWORK + "protocol"),
    "a header value in no known encoding": (sized(b"ok", b"X: \xff\xfe"), b"ok"),
    "a header on two lines": (sized(b"ok", b"X: a\r\n b"), b"ok"),
    "no reason phrase": (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", b"ok"),
    "lines that end in LF alone": (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", b"ok"),
    "HTTP/1.0 until the end": (b"HTTP/1.0 200 OK\r\n\r\nuntil the end", b"until the end"),
    "no length at all": (head() + b"until the end", b"until the end"),
    "chunks with extensions and trailers": (chunked(b"4;a=b\r\ntext\r\n0\r\nX: y\r\n\r\n"), b"text"),
    "the same length twice": (head(b"Content-Length: 4, 4") + b"text", b"text"),
    "one header of 200 KB": (head(b"X: " + b"x" * 200_000), LARGE + "headers"),
    "headers of 200 KB": (head(*[b"X: " + b"x" * 90] * 2000), LARGE + "headers"),
    "200 KB without a line": (b"HTTP/1.1 200 " + b"x" * 200_000, LARGE + "headers"),
    "interim answers, then one": (b"HTTP/1.1 100 Continue\r\n\r\n" * 50 + sized(b"ok"), b"ok"),
    "early hints, then an answer": (head(b"Link: </a>", status=b"103 Early Hints") + sized(b"ok"), b"ok"),
    "interim answers and nothing else": (b"HTTP/1.1 100 Continue\r\n\r\n" * 3, NETWORK + "truncated"),
    "another protocol": (head(b"Upgrade: x", status=b"101 Switching") + b"x", NETWORK + "protocol"),
    "status 999": (head(b"Content-Length: 0", status=b"999 No"), HTTP + "unexpected_status"),
    "status 600": (head(b"Content-Length: 0", status=b"600 No"), HTTP + "unexpected_status"),
    "304 with a body": (
        head(b"Content-Length: 4", status=b"304 No") + b"text",
        HTTP + "redirect_not_followed",
    ),
    "204 with a body": (head(b"Content-Length: 4", status=b"204 No") + b"text", b""),
    "204 in chunks": (head(b"Transfer-Encoding: chunked", status=b"204 No") + b"4\r\ntext\r\n0\r\n\r\n", b""),
    "gzip that is none": (packed(b"text"), INVALID + "encoding"),
    "gzip cut short": (packed(PACKED[:-1]), INVALID + "encoding"),
    "gzip cut in its header": (packed(PACKED[:5]), INVALID + "encoding"),
    "gzip with a wrong sum": (packed(PACKED[:-8] + b"\0\0\0\0" + PACKED[-4:]), INVALID + "encoding"),
    "gzip with a wrong length": (packed(PACKED[:-4] + b"\0\0\0\0"), INVALID + "encoding"),
    "gzip with junk behind it": (packed(PACKED + b"junk"), INVALID + "encoding"),
    "gzip in two members": (packed(PACKED + PACKED), b"texttext"),
    "gzip whose length lies": (
        head(b"Content-Encoding: gzip", b"Content-Length: 99") + PACKED,
        NETWORK + "truncated",
    ),
    "gzip that is empty": (packed(b""), b""),
    "a gzip bomb": (packed(bomb()), LARGE + "decoded"),
    "brotli": (sized(b"text", b"Content-Encoding: br"), INVALID + "encoding"),
    "gzip twice": (sized(PACKED, b"Content-Encoding: gzip, gzip"), INVALID + "encoding"),
    "more than was announced": (sized(b"ok") + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", b"ok"),
    "more than the last chunk": (chunked(b"2\r\nok\r\n0\r\n\r\n") + OK, b"ok"),
    "an announcement of a petabyte": (head(b"Content-Length: 1000000000000000"), LARGE + "wire"),
    "more than allowed": (head() + b"x" * 400_000, LARGE + "wire"),
    "an error with a cut explanation": (
        head(b"Content-Length: 99", status=b"500 No") + b"why",
        HTTP + "server_error",
    ),
    "an error in broken gzip": (
        head(b"Content-Encoding: gzip", status=b"404 No") + b"why",
        HTTP + "not_found",
    ),
    "an error of a petabyte": (
        head(b"Content-Length: 1000000000000000", status=b"403 No") + b"x" * 200_000,
        HTTP + "forbidden",
    ),
}
LOCATIONS: dict[bytes, str] = {
    b"javascript:alert(1)": "provider_redirect_error/bad_location",
    b"https://..invalid/": "provider_redirect_error/bad_location",
    b"https://" + b"a" * 64 + b".invalid/": "provider_redirect_error/bad_location",
    b"https://xn--a\xff.invalid/": "provider_redirect_error/bad_location",
    b"http://127.0.0.1:99999/": "provider_redirect_error/bad_location",
    b"http://127.0.0.1:-1/": "provider_redirect_error/bad_location",
    b"http://127.0.0.1:x/": "provider_redirect_error/bad_location",
    b"http://[::1/": "provider_redirect_error/bad_location",
    b"http://2130706433/": "provider_redirect_error/bad_location",
    b"/" + b"x" * 9000: "provider_redirect_error/bad_location",
    b"/ \t x": "provider_redirect_error/bad_location",
    b"//": "provider_redirect_error/loop",
    b"": "provider_redirect_error/loop",
    b"#top": "provider_redirect_error/loop",
    b"data:text/html,x": "provider_redirect_error/bad_location",
    b"file:///etc/passwd": "provider_redirect_error/bad_location",
    b"gopher://127.0.0.1/": "egress_blocked/redirect_target",
    b"http://192.168.0.1/": "egress_blocked/redirect_target",
    b"/" + b"x" * 200_000: "provider_response_too_large/headers",
}


async def met(script: Script) -> HttpResponse | LoopXError:
    """What a call to such a server comes to; afterwards the transport must be as good as new."""
    async with RawServer(script) as server, RawServer(answers(OK, OK)) as sane, open_wire() as wire:
        started = monotonic()
        result = await outcome(wire, server.url("/start"), limits=LIMITS)
        assert monotonic() - started < BOUND
        after = await outcome(wire, sane.url())
        assert isinstance(after, HttpResponse)
        assert after.content == b"ok"
        return result


def check(result: HttpResponse | LoopXError, expected: str | bytes) -> None:
    if isinstance(result, LoopXError):
        assert pair_of(result) == expected
        assert (result.code, result.reason) in ERROR_TABLE
        assert result.method == "GET"
        assert result.__cause__ is None
        assert result.__context__ is None
    else:
        assert result.content == expected


@pytest.mark.parametrize("name", SAID)
def test_a_server_that_says(name: str) -> None:
    said, expected = SAID[name]
    check(asyncio.run(met(answers(said))), expected)


@pytest.mark.parametrize("name", SAID)
def test_a_server_that_says_it_byte_by_byte(name: str) -> None:
    said, expected = SAID[name]
    if len(said) > 300:
        said = b""
        expected = NETWORK + "disconnected"

    async def script(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.drip(said, 0)

    check(asyncio.run(met(script)), expected)


@pytest.mark.parametrize("location", LOCATIONS, ids=lambda value: value[:30].decode("latin-1"))
def test_a_location_that_leads_nowhere(location: bytes) -> None:
    said = head(b"Location: " + location, b"Content-Length: 0", status=b"302 Found")
    check(asyncio.run(met(answers(said))), LOCATIONS[location])


def test_a_redirect_with_an_endless_body_is_followed() -> None:
    async def script(conversation: Conversation) -> None:
        heard = await conversation.request()
        if heard is not None and heard.target == "/start":
            await conversation.say(head(b"Location: /next", status=b"302 Found"))
            await conversation.flood(b"x" * 10_000)
        await conversation.say(OK)

    check(asyncio.run(met(script)), b"ok")
