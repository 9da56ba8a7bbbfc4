"""Calls over real sockets, and the rows that they leave behind."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from fakes.outcomes import pair_of
from fakes.raw_server import Conversation, RawServer, Script, answers
from fakes.wire import CONTEXT, open_wire, outcome
from loopx.adapters.http.stack import HttpxTransport
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.row import AuditEntry, AuditPhase
from loopx.domain.audit.verification import verify
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse

INTENT, OUTCOME, NOTE = AuditPhase
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-RateLimit-Remaining: 41\r\n\r\nok"
Talk = Callable[[HttpxTransport, RawServer], Awaitable[object]]


def talk(script: Script, deed: Talk) -> tuple[list[AuditEntry], object]:
    """What one conversation left in the log, and what came of it."""
    log = MemoryAuditLog()

    async def main() -> object:
        async with RawServer(script) as server, open_wire(audit=log) as wire:
            return await deed(wire, server)

    found = asyncio.run(main())
    assert verify(*log.chain(), Anchor.of(log.rows[-1])).breach is None
    return [row.entry for row in log.rows], found


def phases(entries: list[AuditEntry]) -> list[AuditPhase]:
    return [entry.phase for entry in entries]


def test_an_answered_call_is_an_intent_and_an_outcome_with_what_crossed_the_wire() -> None:
    heard: list[str | None] = []

    async def script(conversation: Conversation) -> None:
        request = await conversation.request()
        assert request is not None
        heard.append(request.headers.get("traceparent"))
        await conversation.say(OK)

    entries, response = talk(
        script, lambda wire, server: outcome(wire, server.url("/x?page=2&token=hidden-1"))
    )
    assert isinstance(response, HttpResponse)
    assert phases(entries) == [INTENT, OUTCOME]
    subject, ended = entries[1].subject, entries[1].outcome
    assert entries[0].subject == subject
    assert (response.audit_id, heard) == (subject.id, [f"00-{subject.trace_id}-{subject.span_id}-01"])
    assert (subject.host, subject.method) == ("127.0.0.1", "GET")
    assert (subject.url or "").endswith("/x?page=2&token=***")
    assert (ended.status, ended.code, ended.bytes_in, ended.rate_remaining) == (200, None, len(OK), 41)
    assert (ended.bytes_out or 0) > 100


def test_every_hop_has_rows_of_its_own_and_the_answer_names_the_last() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
    entries, response = talk(answers(moved, OK), lambda wire, server: outcome(wire, server.url("/first")))
    assert phases(entries) == [INTENT, OUTCOME, INTENT, OUTCOME]
    assert [entry.outcome.status for entry in entries] == [None, 302, None, 200]
    assert [str(entry.subject.url).rpartition("/")[2] for entry in entries] == [
        "first",
        "first",
        "next",
        "next",
    ]
    assert isinstance(response, HttpResponse)
    assert response.audit_id == entries[2].subject.id != entries[0].subject.id


def test_a_redirect_that_is_refused_is_noted_behind_the_hop_that_was_sent() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://api.example/\r\nContent-Length: 0\r\n\r\n"
    entries, error = talk(answers(moved), lambda wire, server: outcome(wire, server.url("/first")))
    assert phases(entries) == [INTENT, OUTCOME, NOTE]
    assert isinstance(error, LoopXError)
    assert (entries[2].outcome.code, entries[2].outcome.reason) == ("egress_blocked", "redirect_target")
    assert error.audit_id == entries[2].subject.id


def test_a_call_that_is_refused_at_once_is_one_row() -> None:
    async def deed(wire: HttpxTransport, server: RawServer) -> list[object]:
        forged = Headers((("traceparent", "forged-words"),))
        return [
            await outcome(wire, "http://api.example/plain"),
            await outcome(wire, "ftp://me:hidden-words@api.example/x"),
            await outcome(wire, "https://127.1/"),
            await outcome(wire, server.url("/x"), headers=forged),
        ]

    entries, errors = talk(answers(OK), deed)
    assert isinstance(errors, list)
    assert phases(entries) == [NOTE] * 4
    told = [f"{entry.outcome.code}/{entry.outcome.reason}" for entry in entries]
    assert told == [pair_of(error) for error in errors]
    assert [error.audit_id for error in errors] == [entry.subject.id for entry in entries]
    assert "hidden-words" not in repr(entries)


def test_a_port_where_nobody_is_is_an_outcome_of_no_bytes() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        port = closed_soon.getsockname()[1]
    entries, error = talk(answers(OK), lambda wire, _: outcome(wire, f"http://127.0.0.1:{port}/"))
    assert pair_of(error) == "provider_network_error/connect_refused"
    ended = entries[1].outcome
    assert (ended.reason, ended.bytes_out, ended.bytes_in, ended.status) == ("connect_refused", 0, 0, None)


def test_what_the_server_said_before_it_failed_is_in_the_row() -> None:
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nX-RateLimit-Remaining: 7\r\n\r\nonly this"
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nX-RateLimit-Remaining: 6\r\n\r\nnone"
    for text, code, status, left in (
        (cut, "provider_network_error/truncated", 200, 7),
        (missing, "provider_http_error/not_found", 404, 6),
    ):
        entries, error = talk(answers(text), lambda wire, server: outcome(wire, server.url()))
        ended = entries[1].outcome
        assert f"{ended.code}/{ended.reason}" == pair_of(error) == code
        assert (ended.status, ended.rate_remaining, ended.bytes_in) == (status, left, len(text))
        assert isinstance(error, LoopXError)
        assert error.audit_id == entries[1].subject.id


async def silent(conversation: Conversation) -> None:
    await conversation.request()
    await conversation.hang()


def test_a_call_that_its_deadline_cuts_has_an_outcome_that_says_so_and_no_note() -> None:
    entries, error = talk(silent, lambda wire, server: outcome(wire, server.url(), timeout=0.2))
    assert pair_of(error) == "deadline_exceeded/call"
    assert phases(entries) == [INTENT, OUTCOME]
    ended = entries[1].outcome
    assert (ended.code, ended.reason) == ("deadline_exceeded", "call")
    assert (ended.bytes_out or 0) > 0
    assert (ended.elapsed_ms or 0) >= 180


def test_a_call_that_is_cancelled_has_an_outcome_that_says_so() -> None:
    async def deed(wire: HttpxTransport, server: RawServer) -> None:
        asked = asyncio.Event()

        async def wait(conversation: Conversation) -> None:
            await conversation.request()
            asked.set()
            await conversation.hang()

        async with RawServer(wait) as slow:
            call = asyncio.create_task(wire.send(HttpRequest(method="GET", url=slow.url()), CONTEXT))
            await asked.wait()
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call
            assert call.cancelled()

    entries, _ = talk(answers(OK), deed)
    assert phases(entries) == [INTENT, OUTCOME]
    assert (entries[1].outcome.code, entries[1].outcome.reason) == ("cancelled", "caller")


def test_a_run_that_is_over_is_one_row() -> None:
    async def deed(wire: HttpxTransport, server: RawServer) -> str | None:
        try:
            await wire.send(HttpRequest(method="GET", url=server.url()), replace(CONTEXT, deadline=0.0))
        except LoopXError as error:
            return pair_of(error)
        return None

    entries, pair = talk(answers(OK), deed)
    assert (phases(entries), pair) == ([NOTE], "deadline_exceeded/run")
