"""What a foreign exception means: the one place that knows the classes of httpx, httpcore and the rest.

An exception is read by its type, its error number and its causes, never by its text: the text may
hold a header or an address, and changes with every release.
"""

import asyncio
import errno
import json
import socket
import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, cast

import h11
import httpcore
import httpx

from loopx.adapters.http.channel import HeadTooLargeError
from loopx.adapters.http.exchange import Phase
from loopx.domain.http.outcome import Fault, FaultKind

_Rule = FaultKind | Callable[[BaseException, Phase], FaultKind | None]
_Table = Mapping[type[BaseException], _Rule]
_DEEPEST: Final = 32
"""Causes that are looked at; a longer chain is a circle or an attack."""

_BY_NUMBER: Final = {
    errno.ECONNREFUSED: FaultKind.CONNECT_REFUSED,
    errno.ECONNRESET: FaultKind.RESET,
    errno.ECONNABORTED: FaultKind.RESET,
    errno.EPIPE: FaultKind.RESET,
    errno.ESHUTDOWN: FaultKind.RESET,
    errno.ENOTCONN: FaultKind.RESET,
    errno.ENETUNREACH: FaultKind.UNREACHABLE,
    errno.ENETDOWN: FaultKind.UNREACHABLE,
    errno.EHOSTUNREACH: FaultKind.UNREACHABLE,
    errno.EHOSTDOWN: FaultKind.UNREACHABLE,
    errno.EADDRNOTAVAIL: FaultKind.UNREACHABLE,
    errno.EAFNOSUPPORT: FaultKind.UNREACHABLE,
    errno.EACCES: FaultKind.UNREACHABLE,  # a firewall of this machine
    errno.EPERM: FaultKind.UNREACHABLE,
}


def describe(exc: BaseException, phase: Phase) -> Fault:
    """What happened, told from an exception and the part of the exchange it ended; total.

    Cancellation and the other exceptions that are no ``Exception`` are not for translation: callers
    let them pass.
    """
    links = tuple(_chain(exc))
    for table in (DECISIVE, UMBRELLAS):
        for link in links:
            kind = _look_up(table, link, phase)
            if kind is not None:
                cause = _name(link) if kind is FaultKind.UNCLASSIFIED else ""
                return Fault(kind, phase.sent, cause)
    return Fault(FaultKind.UNCLASSIFIED, phase.sent, _name(exc))


def _chain(exc: BaseException) -> Iterator[BaseException]:
    """An exception, the members of a group, and all their causes, each once."""
    waiting, seen = [exc], set[int]()
    while waiting and len(seen) < _DEEPEST:
        link = waiting.pop(0)
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        if isinstance(link, BaseExceptionGroup):
            waiting.extend(cast("BaseExceptionGroup[BaseException]", link).exceptions)
        if link.__cause__ is not None:
            waiting.append(link.__cause__)


def _look_up(table: _Table, exc: BaseException, phase: Phase) -> FaultKind | None:
    """The rule of the most specific class that has an opinion."""
    for cls in type(exc).__mro__:
        rule = table.get(cls)
        kind = rule if rule is None or isinstance(rule, FaultKind) else rule(exc, phase)
        if kind is not None:
            return kind
    return None


def _name(exc: BaseException) -> str:
    number = exc.errno if isinstance(exc, OSError) else None
    return " ".join(filter(None, (type(exc).__name__, errno.errorcode.get(number or 0))))


def _timeout(_exc: BaseException, phase: Phase) -> FaultKind:
    return FaultKind.CONNECT_TIMEOUT if phase is Phase.CONNECT else FaultKind.READ_TIMEOUT


def _os_error(exc: BaseException, phase: Phase) -> FaultKind | None:
    if not isinstance(exc, OSError) or exc.errno is None:
        return None
    if exc.errno == errno.ETIMEDOUT:
        return _timeout(exc, phase)
    # Too many open files, no memory for a socket: nothing that the other side did.
    return _BY_NUMBER.get(exc.errno, FaultKind.UNCLASSIFIED)


def _tls(_exc: BaseException, phase: Phase) -> FaultKind:
    return FaultKind.TLS if phase is Phase.CONNECT else FaultKind.READ


def _unicode(_exc: BaseException, phase: Phase) -> FaultKind:
    """Only the codecs of host names raise it bare."""
    return FaultKind.CHARSET if phase is Phase.BODY else FaultKind.REQUEST_HOST


def _overflow(_exc: BaseException, phase: Phase) -> FaultKind | None:
    return FaultKind.REQUEST_PORT if phase is Phase.CONNECT else None


def _recursion(_exc: BaseException, phase: Phase) -> FaultKind | None:
    return FaultKind.JSON_DEPTH if phase is Phase.BODY else None


def _too_long(exc: BaseException, phase: Phase) -> FaultKind | None:
    """h11 suggests the status 431 for exactly one thing: a head, or the line of a chunk, without end."""
    hint: object = getattr(exc, "error_status_hint", None)
    too_long = hint == 431 and phase is not Phase.BODY  # noqa: PLR2004 - the status it names
    return FaultKind.TOO_LARGE_HEADERS if too_long else None


def _remote_protocol(_exc: BaseException, phase: Phase) -> FaultKind:
    by_phase = {Phase.WAIT: FaultKind.DISCONNECTED, Phase.CUT: FaultKind.TRUNCATED}
    return by_phase.get(phase, FaultKind.PROTOCOL)


DECISIVE: Final[_Table] = MappingProxyType(
    {
        HeadTooLargeError: FaultKind.TOO_LARGE_HEADERS,
        # socket and ssl
        socket.gaierror: FaultKind.DNS,
        socket.herror: FaultKind.DNS,
        ConnectionRefusedError: FaultKind.CONNECT_REFUSED,
        ConnectionResetError: FaultKind.RESET,
        ConnectionAbortedError: FaultKind.RESET,
        BrokenPipeError: FaultKind.RESET,
        BlockingIOError: FaultKind.REQUEST_TIMEOUT_VALUE,  # what a timeout of zero makes of connect
        TimeoutError: _timeout,
        ssl.SSLCertVerificationError: FaultKind.TLS_VERIFY,
        ssl.SSLEOFError: _tls,
        ssl.SSLSyscallError: _tls,
        ssl.SSLWantReadError: _tls,
        ssl.SSLWantWriteError: _tls,
        ssl.SSLZeroReturnError: _tls,
        ssl.SSLError: _tls,
        OSError: _os_error,
        # the rest of the standard library
        asyncio.IncompleteReadError: FaultKind.TRUNCATED,
        asyncio.LimitOverrunError: FaultKind.TOO_LARGE_HEADERS,
        json.JSONDecodeError: FaultKind.JSON,
        UnicodeDecodeError: FaultKind.CHARSET,
        UnicodeEncodeError: FaultKind.REQUEST_HEADER,
        UnicodeError: _unicode,
        OverflowError: _overflow,
        RecursionError: _recursion,
        zlib.error: FaultKind.ENCODING,
        # httpx, httpcore, h11: what needs no cause to be clear
        httpx.ConnectTimeout: FaultKind.CONNECT_TIMEOUT,
        httpx.ReadTimeout: FaultKind.READ_TIMEOUT,
        httpx.WriteTimeout: FaultKind.WRITE_TIMEOUT,
        httpx.PoolTimeout: FaultKind.POOL_TIMEOUT,
        httpx.UnsupportedProtocol: FaultKind.REQUEST_URL,
        httpx.InvalidURL: FaultKind.REQUEST_URL,
        httpx.TooManyRedirects: FaultKind.REDIRECT_COUNT,
        httpx.StreamError: FaultKind.MISUSE_STREAM,
        httpx.StreamConsumed: FaultKind.MISUSE_STREAM,
        httpx.StreamClosed: FaultKind.MISUSE_CLOSED,
        httpx.ResponseNotRead: FaultKind.MISUSE_STREAM,
        httpx.RequestNotRead: FaultKind.MISUSE_STREAM,
        httpcore.ConnectTimeout: FaultKind.CONNECT_TIMEOUT,
        httpcore.ReadTimeout: FaultKind.READ_TIMEOUT,
        httpcore.WriteTimeout: FaultKind.WRITE_TIMEOUT,
        httpcore.PoolTimeout: FaultKind.POOL_TIMEOUT,
        httpcore.ConnectionNotAvailable: FaultKind.POOL_TIMEOUT,
        httpcore.UnsupportedProtocol: FaultKind.REQUEST_URL,
        h11.RemoteProtocolError: _too_long,
    }
)
"""Classes that say what happened, wherever in the chain of causes they stand."""

UMBRELLAS: Final[_Table] = MappingProxyType(
    {
        httpx.ConnectError: FaultKind.UNREACHABLE,
        httpx.ReadError: FaultKind.READ,
        httpx.WriteError: FaultKind.WRITE,
        httpx.CloseError: FaultKind.CLOSED,
        httpx.NetworkError: FaultKind.READ,
        httpx.TimeoutException: _timeout,
        httpx.RemoteProtocolError: _remote_protocol,
        httpx.LocalProtocolError: FaultKind.REQUEST_HEADER,
        httpx.ProtocolError: FaultKind.PROTOCOL,
        httpx.ProxyError: FaultKind.PROXY,
        httpx.DecodingError: FaultKind.ENCODING,
        httpx.TransportError: FaultKind.READ,
        httpx.RequestError: FaultKind.READ,
        httpx.HTTPStatusError: FaultKind.UNCLASSIFIED,  # nothing here asks httpx to judge a status,
        httpx.CookieConflict: FaultKind.UNCLASSIFIED,  # or to keep a cookie
        httpx.HTTPError: FaultKind.READ,
        httpcore.ConnectError: FaultKind.UNREACHABLE,
        httpcore.ReadError: FaultKind.READ,
        httpcore.WriteError: FaultKind.WRITE,
        httpcore.NetworkError: FaultKind.READ,
        httpcore.TimeoutException: _timeout,
        httpcore.RemoteProtocolError: _remote_protocol,
        httpcore.LocalProtocolError: FaultKind.REQUEST_HEADER,
        httpcore.ProtocolError: FaultKind.PROTOCOL,
        httpcore.ProxyError: FaultKind.PROXY,
        h11.RemoteProtocolError: _remote_protocol,
        h11.LocalProtocolError: FaultKind.REQUEST_HEADER,
        h11.ProtocolError: FaultKind.PROTOCOL,
    }
)
"""Classes that say little by themselves, and are believed only when no cause says more."""
