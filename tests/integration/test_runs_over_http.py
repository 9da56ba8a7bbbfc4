"""Runs over HTTP: started, streamed, resumed, cancelled, and never faster than they are read."""

import gc
import json
import tracemalloc

import pytest

from fakes.capabilities import Counting
from fakes.manual_clock import ManualClock
from fakes.status_server import Served, play
from loopx.application.steps.runs import RunLimits

COUNT = "/v1/capabilities/count/runs"
WINDOW = 64 * 1024


def count(server: Served, to: int, *headers: str, **body: object) -> bytes:
    """The request for a run that counts so far."""
    return server.post(COUNT, {"params": {"to": to}, **body}, *headers)


def test_a_run_is_created_and_streams_its_records_and_its_summary() -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(count(server, 3), b"POST")
        assert (answer.status, answer.headers["content-type"]) == (201, "application/x-ndjson")
        assert [line["type"] for line in answer.lines] == ["number"] * 3 + ["summary"]
        assert [line["value"] for line in answer.lines[:3]] == [1, 2, 3]
        state = await server.ask(server.get(answer.headers["location"]))
        assert {key: state.data[key] for key in ("capability", "state", "first_line", "last_line")} == {
            "capability": "count",
            "state": "finished",
            "first_line": 1,
            "last_line": 4,
        }

    play(scene, Counting())


def test_the_answer_begins_before_the_run_ends() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            await client.send(count(server, 2))
            head = await client.head(b"POST")
            assert head.headers["location"].startswith("/v1/runs/")
            assert json.loads(await client.piece())["value"] == 1
            counting.go_on.set()
            assert json.loads((await client.piece()).splitlines()[0])["value"] == 2

    counting = Counting(pause_after=1)
    play(scene, counting)


def test_an_ended_run_is_read_again_from_any_line() -> None:
    async def scene(server: Served) -> None:
        first = await server.ask(count(server, 5), b"POST")
        place = first.headers["location"]
        for after in range(7):
            again = await server.ask(server.get(f"{place}?after={after}"))
            assert again.body == b"".join(first.body.splitlines(keepends=True)[after:])
        by_header = await server.ask(server.get(place, "Last-Event-ID: 4"))
        assert [line["type"] for line in by_header.lines] == ["number", "summary"]

    play(scene, Counting())


def test_who_lost_the_connection_goes_on_where_it_broke() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            await client.send(count(server, 6))
            place = (await client.head(b"POST")).headers["location"]
            seen = (await client.piece()).splitlines()
            while len(seen) < 3:
                seen += (await client.piece()).splitlines()
        counting.go_on.set()
        rest = await server.ask(server.get(f"{place}?after=3"))
        assert [json.loads(line)["value"] for line in seen] == [1, 2, 3]
        assert [line.get("value") for line in rest.lines] == [4, 5, 6, None]

    counting = Counting(pause_after=3)
    play(scene, counting)


def test_a_run_whose_client_left_is_cancelled_when_the_grace_is_over() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            await client.send(count(server, 6))
            place = (await client.head(b"POST")).headers["location"]
            await client.piece()
        await clock.sleeping.wait()
        assert (await server.ask(server.get(place))).data["state"] == "running"
        clock.advance(11)
        await counting.ended.wait()
        state = await server.ask(server.get(place))
        assert state.data["state"] == "cancelled"
        last = (await server.ask(server.get(f"{place}?after=1"))).lines[-1]
        assert (last["type"], last["completeness"]["complete"], last["completeness"]["reason"]) == (
            "summary", False, "interrupted",
        )  # fmt: skip

    clock, counting = ManualClock(), Counting(pause_after=1)
    play(scene, counting, clock=clock)


def test_a_run_is_cancelled_on_request_and_its_reader_gets_the_last_word() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as client:
            await client.send(count(server, 6))
            place = (await client.head(b"POST")).headers["location"]
            await client.piece()
            unmarked = await server.ask(server.get(place, method="DELETE"), b"DELETE")
            assert (unmarked.status, counting.ended.is_set()) == (400, False)
            answer = await server.ask(server.get(place, "X-LoopX: 1", method="DELETE"), b"DELETE")
            assert (answer.status, answer.body) == (204, b"")
            assert json.loads(await client.piece())["completeness"]["reason"] == "interrupted"
            assert await client.piece() == b""
        assert counting.ended.is_set()
        assert (await server.ask(server.get(place))).status == 404

    counting = Counting(pause_after=1)
    play(scene, counting)


def test_a_slow_reader_slows_the_run_and_costs_no_memory() -> None:
    size, records = 10_000, 1_000

    async def scene(server: Served) -> None:
        async with server.connected() as client:
            # Nothing is read: neither does this end take more than a little.
            await client.send(count(server, records))
            # Whatever the kernel holds for both ends, and the window: far less than all of it.
            yielded = -1
            while yielded != counting.yielded:
                yielded = counting.yielded
                assert (await server.ask(server.get("/livez"))).status == 200
            assert yielded < records / 2
            gc.collect()
            held, _ = tracemalloc.get_traced_memory()
            assert held < 12 * WINDOW
            answer = await client.answer(b"POST")
            assert [line.get("value") for line in answer.lines] == [*range(1, records + 1), None]

    counting = Counting(padding=size)
    tracemalloc.start()
    try:
        play(scene, counting, run_limits=RunLimits(window=WINDOW))
    finally:
        tracemalloc.stop()


def test_more_lines_than_there_are_cannot_have_been_read() -> None:
    async def scene(server: Served) -> None:
        location = (await server.ask(count(server, 1), b"POST")).headers["location"]
        answer = await server.ask(server.get(f"{location}?after=3"))
        assert (answer.status, answer.data["code"], answer.data["reason"]) == (404, "not_found", "lines")

    play(scene, Counting())


def test_lines_that_are_dropped_are_told_as_gone() -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(count(server, 100), b"POST")
        place = answer.headers["location"]
        gone = await server.ask(server.get(f"{place}?after=0"))
        assert (gone.status, gone.data["code"]) == (410, "gone")
        state = (await server.ask(server.get(place))).data
        rest = await server.ask(server.get(f"{place}?after={state['first_line'] - 1}"))
        assert rest.body == b"".join(answer.body.splitlines(keepends=True)[state["first_line"] - 1 :])

    play(scene, Counting(padding=1_000), run_limits=RunLimits(window=5_000))


@pytest.mark.parametrize("place", ["?after=-1", "?after=x", "?after=", "?after=1e3", "?after=%D9%A3"])
def test_a_place_that_cannot_be_is_refused(place: str) -> None:
    async def scene(server: Served) -> None:
        location = (await server.ask(count(server, 1), b"POST")).headers["location"]
        answer = await server.ask(server.get(location + place))
        assert (answer.status, answer.data["code"]) == (400, "bad_request")

    play(scene, Counting())


@pytest.mark.parametrize(
    ("body", "code", "reason"),
    [
        ({"params": {"to": "x"}}, "usage_error", "parameter"),
        ({"params": {"to": 1, "more": 1}}, "usage_error", "parameter"),
        ({"params": {}}, "usage_error", "parameter"),
        ({}, "usage_error", "parameter"),
        ({"params": {"to": 1}, "more": 1}, "bad_request", "body"),
        ({"params": [1]}, "bad_request", "body"),
        ([], "bad_request", "body"),
        (None, "bad_request", "body"),
        ({"params": {"to": 1}, "capability": "other"}, "bad_request", "body"),
        ({"params": {"to": 1}, "schema": "loopx.request/9"}, "bad_request", "body"),
        ({"params": {"to": 1}, "trace": {"agent_id": "not an id"}}, "usage_error", "trace"),
    ],
)
def test_a_body_that_is_not_as_described_starts_nothing(body: object, code: str, reason: str) -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(server.post(COUNT, body), b"POST")
        assert (answer.status, answer.data["code"], answer.data["reason"]) == (400, code, reason)

    counting = Counting()
    play(scene, counting)
    assert counting.yielded == 0


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"params":{"to":1},"params":{"to":2}}', b"\xff", b"[" * 5_000]
)
def test_what_is_no_good_json_starts_nothing(content: bytes) -> None:
    async def scene(server: Served) -> None:
        request = server.post(COUNT, None)
        head = request[: request.index(b"\r\n\r\n") + 4].replace(
            b"Content-Length: 4", b"Content-Length: %d" % len(content)
        )
        answer = await server.ask(head + content, b"POST")
        assert (answer.status, answer.data["reason"]) == (400, "body")

    play(scene, Counting())


def test_a_capability_that_is_not_there_is_told_with_those_that_are() -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(server.post("/v1/capabilities/nope/runs", {}), b"POST")
        assert (answer.status, answer.data["code"], answer.data["reason"]) == (
            404,
            "usage_error",
            "capability",
        )
        assert "count" in answer.data["detail"]

    play(scene, Counting())


def test_a_run_carries_who_asked_and_in_which_trace() -> None:
    trace = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    headers = (f"traceparent: {trace}", "X-LoopX-Agent-Id: agent-7", "X-LoopX-Turn-Id: turn-9")

    async def scene(server: Served) -> None:
        await server.ask(count(server, 0, *headers), b"POST")
        body = {"trace": {"agent_id": "agent-8", "traceparent": None}}
        await server.ask(count(server, 0, *headers, **body), b"POST")
        await server.ask(count(server, 0, "traceparent: broken"), b"POST")

    counting = Counting()
    play(scene, counting)
    told, overridden, new = counting.contexts
    assert (told.agent_id, told.turn_id, told.trace.header()) == ("agent-7", "turn-9", trace)
    assert (overridden.agent_id, overridden.turn_id) == ("agent-8", "turn-9")
    assert new.trace.trace_id != "a" * 32
    assert told.deadline is not None


def test_only_so_many_runs_go_on_at_once() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as first:
            await first.send(count(server, 1))
            await first.head(b"POST")
            answer = await server.ask(count(server, 1), b"POST")
            assert (answer.status, answer.data["code"]) == (503, "too_many_runs")
            assert answer.headers["retry-after"] == "1"

    play(scene, Counting(pause_after=0), run_limits=RunLimits(running=1))


def test_a_run_that_nobody_could_read_is_not_begun() -> None:
    async def scene(server: Served) -> None:
        async with server.connected() as first:
            await first.send(count(server, 2))
            await first.head(b"POST")
            await first.piece()
            answer = await server.ask(count(server, 2), b"POST")
            assert (answer.status, answer.data["code"], answer.data["reason"]) == (
                503,
                "too_many_runs",
                "readers",
            )
            status = (await server.ask(server.get("/status"))).data
            assert status["runs"]["running"] == 1
        assert counting.yielded == 1

    counting = Counting(pause_after=1)
    play(scene, counting, run_limits=RunLimits(readers=1))
