"""Who gets in over a real socket: Host x Origin x Sec-Fetch x method x content type x token.

A refused request reaches no handler: the handlers count their calls.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from fakes.capabilities import Counting
from fakes.status_server import TOKEN, Answer, Served, served
from loopx.domain.listening import Listening

LISTED = "http://app.example:3000"
PORT = "PORT"
"""Stands for the port that the server got."""

GOOD_HOSTS = [
    f"127.0.0.1:{PORT}",
    f"localhost:{PORT}",
    f"[::1]:{PORT}",
    f"LOCALHOST:{PORT}",
    "status.example",
]
MALFORMED_HOSTS = [
    "", f":{PORT}", "localhost:", "localhost:0", "localhost:99999", f"localhost:{PORT}:{PORT}",
    f"user@localhost:{PORT}",
    f"127.0.0.1:{PORT}.evil.test", f"127.1:{PORT}", f"0x7f000001:{PORT}", f"2130706433:{PORT}",
    f"[::1%25lo]:{PORT}",
    f"localhost:{PORT}/", f"[::1:{PORT}", f"local host:{PORT}", f"localhost\\:{PORT}",
]  # fmt: skip
FOREIGN_HOSTS = [
    "evil.test", f"evil.test:{PORT}", "localhost", "127.0.0.1", f"localhost.:{PORT}",
    f"localhost.evil.test:{PORT}",
    f"evil-localhost:{PORT}", "127.0.0.1:1", f"127.0.0.2:{PORT}", f"[::2]:{PORT}",
    f"[::ffff:127.0.0.1]:{PORT}",
    f"0.0.0.0:{PORT}", f"printer.local:{PORT}", f"x.status.example:{PORT}", "status.example:1",
]  # fmt: skip
FOREIGN_ORIGINS = [
    "https://evil.test", f"{LISTED}/", f"{LISTED}0", f"{LISTED}.evil.test", "http://app.example",
    "http://app.example:30",
    "https://app.example:3000", f"http://sub.app.example:{3000}", f"http://localhost:{PORT}",
    "http://127.0.0.1:3000",
    "http://127.0.0.1", "HTTP://APP.EXAMPLE:3000", "http://app.example:03000", "app.example:3000", "*",
    "null", "", " ",
    "file://", "chrome-extension://abcdefgh", f"{LISTED}, https://evil.test", f"{LISTED} https://evil.test",
    "http://user@app.example:3000", "http://app.example:3000#", "http://app.example:3000?",
    "http://xn--app.example:3000",
]  # fmt: skip
FOREIGN_FETCHES = [
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: Cross-Site",
    "Sec-Fetch-Site: anything",
    "Sec-Fetch-Site:", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Site: none\r\nSec-Fetch-Site: none",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document",
    "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site",
]  # fmt: skip
OWN_FETCHES = ["Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate", "Sec-Fetch-Site: same-origin", ""]
WRONG_TYPES = [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp",
    "text/plain; application/json", "application/json, text/plain", "application/json; charset=utf-16", "",
    "application/json\r\nContent-Type: text/plain",
]  # fmt: skip
WRONG_TOKENS = [
    None, "", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN,
    f"Bearer{TOKEN}",
    f"Bearer {TOKEN}\r\nAuthorization: Bearer {TOKEN}", f"Bearer {TOKEN} {TOKEN}", "Bearer é",
]  # fmt: skip
READ_PATHS = ["/livez", "/status", "/metrics", "/openapi.json", "/v1/capabilities"]
COUNT = "/v1/capabilities/count/runs"
BODY = '{"params":{"to":0}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One request and the status it must get."""

    status: int
    method: str = "GET"
    path: str = "/status"
    host: str = f"127.0.0.1:{PORT}"
    origin: str | None = None
    fetch: str = ""
    token: str | None = f"Bearer {TOKEN}"
    content_type: str | None = None
    marker: str | None = None
    more: str = ""

    def __str__(self) -> str:
        parts = (self.method, self.path, self.host, self.origin, self.fetch, self.token, self.content_type)
        return " ".join(repr(part)[1:-1][:40] for part in parts if part is not None)

    def raw(self, port: int) -> bytes:
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: {self.host}"]
        lines += [f"Origin: {self.origin}"] if self.origin is not None else []
        lines += [self.fetch] if self.fetch else []
        lines += [f"Authorization: {self.token}"] if self.token is not None else []
        lines += [f"Content-Type: {self.content_type}"] if self.content_type is not None else []
        lines += [f"X-LoopX: {self.marker}"] if self.marker is not None else []
        lines += [self.more] if self.more else []
        body = BODY if self.method in {"POST", "PUT", "PATCH"} else ""
        lines += [f"Content-Length: {len(body)}"] if body else []
        return "\r\n".join([*lines, "", body]).replace(PORT, str(port)).encode("latin-1")


def change(status: int, **parts: str | None) -> Case:
    good = {"method": "POST", "path": COUNT, "content_type": "application/json", "marker": "1"}
    return Case(status=status, **{**good, **parts})  # type: ignore[arg-type]  # the names are those of the fields


def refused() -> Iterator[Case]:
    yield from (Case(status=400, host=host) for host in MALFORMED_HOSTS)
    yield from (Case(status=421, host=host) for host in FOREIGN_HOSTS)
    yield from (Case(status=421, host="evil.test", path=path, token=None) for path in READ_PATHS)
    yield Case(status=400, more=f"Host: 127.0.0.1:{PORT}")
    yield Case(status=400, path="http://evil.test/status")
    yield Case(status=400, path=f"http://evil.test:{PORT}/status")
    yield Case(status=400, path=f"https://127.0.0.1:{PORT}/status")
    yield Case(status=400, path="*", method="OPTIONS")
    yield Case(status=400, path=f"127.0.0.1:{PORT}", method="CONNECT")
    for origin in FOREIGN_ORIGINS:
        yield Case(status=403, origin=origin)
        yield change(403, origin=origin)
    yield Case(status=403, origin=LISTED, more="Origin: https://evil.test")
    yield from (
        Case(status=403, fetch=fetch, path=path) for fetch, path in product(FOREIGN_FETCHES, READ_PATHS[:2])
    )
    yield Case(status=403, origin=LISTED, fetch="Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors")
    yield from (change(403, fetch=fetch) for fetch in FOREIGN_FETCHES)
    yield from (Case(status=401, token=token) for token in WRONG_TOKENS)
    yield from (change(401, token=token) for token in WRONG_TOKENS)
    yield from (Case(status=401, token=None, path=path) for path in READ_PATHS[1:])
    yield Case(status=401, token=None, path=f"/status?token={TOKEN}&access_token={TOKEN}")
    yield from (change(415, content_type=content_type) for content_type in WRONG_TYPES)
    yield change(415, content_type=None)
    yield from (change(400, marker=marker) for marker in (None, "", "0", "true", "1\r\nX-LoopX: 1"))
    yield from (
        Case(status=405, method=method) for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "get", "X")
    )
    yield Case(status=405, method="GET", path=COUNT)
    yield from (
        Case(status=404, path=path) for path in ("/", "/status/", "//status", "/STATUS", "/v1", "/v1/runs/")
    )
    yield Case(
        status=403, method="OPTIONS", origin="https://evil.test", more="Access-Control-Request-Method: GET"
    )
    yield Case(status=403, method="OPTIONS", origin=LISTED, more="Access-Control-Request-Method: DELETE")


def admitted() -> Iterator[Case]:
    for host, fetch in product(GOOD_HOSTS, OWN_FETCHES):
        yield Case(status=200, host=host, fetch=fetch)
    yield from (
        Case(status=200, path=path, method=method) for path in READ_PATHS for method in ("GET", "HEAD")
    )
    yield from (Case(status=200, path=path, token=None) for path in ("/livez", "/readyz", "/healthz"))
    yield Case(status=200, path=f"http://127.0.0.1:{PORT}/status")
    yield Case(status=200, origin=LISTED, fetch="Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors")
    yield Case(status=200, origin=LISTED)
    yield Case(status=200, origin=f"http://127.0.0.1:{PORT}", fetch="Sec-Fetch-Site: same-origin")
    yield Case(status=200, token=f"bearer {TOKEN}")
    yield change(201)
    yield change(201, origin=LISTED, fetch="Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors")
    yield change(201, content_type="application/json; charset=utf-8")


REFUSED = list(refused())
ADMITTED = list(admitted())


def ask(case: Case) -> tuple[Answer, Served]:
    async def main() -> tuple[Answer, Served]:
        listening = Listening(port=0, allowed_origins=(LISTED,), allowed_hosts=("status.example",))
        async with served(Counting(), listening=listening) as server:
            return await server.ask(case.raw(server.port), case.method.encode()), server

    return asyncio.run(main())


def test_the_table_is_as_large_as_promised() -> None:
    assert len({str(case) + case.more + str(case.marker) for case in REFUSED + ADMITTED}) >= 150


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_a_refused_request_reaches_no_handler_and_is_told_why(case: Case) -> None:
    answer, server = ask(case)
    assert (answer.status, server.calls) == (case.status, [])
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.data["status"] == case.status
    assert answer.data["hint"]
    assert TOKEN not in answer.body.decode()
    assert case.origin == LISTED or "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("case", ADMITTED, ids=str)
def test_an_admitted_request_reaches_one_handler(case: Case) -> None:
    answer, server = ask(case)
    assert (answer.status, len(server.calls)) == (case.status, 1)
    shared = answer.headers.get("access-control-allow-origin")
    assert shared == (LISTED if case.origin == LISTED else None)


@pytest.mark.parametrize("case", REFUSED + ADMITTED, ids=str)
def test_every_answer_carries_the_headers_that_keep_it_private(case: Case) -> None:
    headers = ask(case)[0].headers
    assert headers["vary"].startswith("Origin, Sec-Fetch-Site")
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert headers["date"].endswith(" GMT")


def test_a_preflight_of_a_listed_page_is_answered_and_runs_nothing() -> None:
    answer, server = ask(
        Case(
            status=204,
            method="OPTIONS",
            path=COUNT,
            origin=LISTED,
            token=None,
            more="Access-Control-Request-Method: POST\r\n"
            "Access-Control-Request-Headers: x-loopx, content-type",
        )
    )
    assert (answer.status, server.calls) == (204, [])
    assert answer.headers["access-control-allow-origin"] == LISTED
    assert answer.headers["access-control-allow-methods"] == "OPTIONS, POST"
    assert answer.headers["access-control-max-age"] == "600"
    assert "Access-Control-Request-Headers" in answer.headers["vary"]
    assert "content-length" not in answer.headers


def test_a_denied_preflight_shares_nothing() -> None:
    denied = [case for case in REFUSED if "Access-Control-Request-Method" in case.more]
    assert denied
    for case in denied:
        assert not [name for name in ask(case)[0].headers if name.startswith("access-control")]
