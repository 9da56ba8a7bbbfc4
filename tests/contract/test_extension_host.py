"""What every host of extension code promises, be the code in a process of its own or right here."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from fakes.extensions import CONTEXT, code_of, unit_source
from fakes.extensions.playing import play
from fakes.extensions.units import UNITS, URL
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.extension_host import MemoryExtensionHost
from loopx.adapters.process.extension_host import ProcessExtensionHost
from loopx.application.ports.clock import Clock
from loopx.application.ports.extension_host import ExtensionHost
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.session import Ask, Done, Emit, Failed, Note, Reply
from loopx.domain.http.message import SUCCESS, Headers
from loopx.domain.versions import VersionRange

NAMES = [name.removeprefix("sample.") for name in UNITS]
CODE = code_of(unit_source(), *NAMES)
FINE = Reply(status=200, body=b"fine")
THROTTLED = LoopXError("provider_http_error", "rate_limited", call=CallFacts(status=429, retry_after=7.5))

MakeHost = Callable[[Clock], ExtensionHost]


def in_memory(clock: Clock) -> ExtensionHost:
    return MemoryExtensionHost({"sample": UNITS}, clock=clock)


def in_process(clock: Clock) -> ExtensionHost:
    return ProcessExtensionHost(clock=clock, environment=dict(os.environ))


@pytest.fixture(params=[in_memory, in_process], ids=["memory", "process"])
def make_host(request: pytest.FixtureRequest) -> MakeHost:
    chosen: MakeHost = request.param
    return chosen


@pytest.fixture
def host(make_host: MakeHost) -> ExtensionHost:
    return make_host(MemoryClock())


def refusal(host: ExtensionHost, code: ExtensionCode) -> tuple[str, str]:
    with pytest.raises(LoopXError) as caught:
        asyncio.run(host.try_load(code, CONTEXT))
    return caught.value.reason, caught.value.detail


def test_records_come_in_order_with_the_parameters_that_were_given(host: ExtensionHost) -> None:
    played = play(host, CODE, "counts", parameters={"word": "é\u2028\U0001f600", "count": 3})
    assert played.steps == [Emit({"name": "é\u2028\U0001f600", "size": number}) for number in range(3)]
    assert played.error is None


def test_a_unit_may_yield_nothing(host: ExtensionHost) -> None:
    assert play(host, CODE, "counts").steps == []


def test_a_request_arrives_whole_and_its_answer_goes_back(host: ExtensionHost) -> None:
    headers = Headers((("X-Kind", "a"), ("x-kind", "b"), ("Set-Cookie", "id=1")))
    reply = Reply(status=404, headers=headers, body='{"é": 1}'.encode(), url=f"{URL}/new")
    ask, first, second = play(host, CODE, "asks", reply).steps
    assert ask == Ask(
        method="POST",
        url=f"{URL}?word=hello",
        headers=Headers((("Accept", "application/json"), ("Content-Type", "application/json"))),
        body=b'{"ask": "hello"}',
        accept_status=SUCCESS | {404},
        credential="sample_api",
        timeout=5,
    )
    assert first == Emit({"status": 404, "text": '{"é": 1}', "headers": {"x-kind": "a, b"}})
    assert second == Emit({"url": f"{URL}/new", "json": {"é": 1}})


def test_large_bodies_pass(host: ExtensionHost) -> None:
    steps = play(host, CODE, "delegates", Reply(status=200, body=b"x" * 700_000), FINE).steps
    assert steps[-1] == Emit({"name": "x" * 700_000 + "fine", "size": None})


def test_a_failure_can_be_handled_and_the_work_goes_on(host: ExtensionHost) -> None:
    played = play(host, CODE, "handles", Failed(THROTTLED), FINE)
    assert played.steps[1] == Note("provider_http_error rate_limited 429 True 7.5")
    assert played.steps[3] == Emit({"name": "fine", "size": None})
    assert played.error is None


def test_a_failure_that_nobody_handles_ends_the_session_as_itself(host: ExtensionHost) -> None:
    played = play(host, CODE, "lets_fail", Failed(THROTTLED))
    assert played.steps[0] == Emit({"name": "hello", "size": 1})
    assert played.error is THROTTLED


def test_an_exception_of_its_own_is_named_without_its_words(host: ExtensionHost) -> None:
    played = play(host, CODE, "fails_otherwise", Failed(THROTTLED), parameters={"word": "do not quote me"})
    assert played.ended_by == ("extension_error", "raised")
    assert "KeyError" in str(played.error)
    assert "quote me" not in str(played.error)
    assert "quote me" in "".join(played.error.__notes__ if played.error else [])


def test_what_cannot_be_a_step_is_raised_where_it_was_yielded(host: ExtensionHost) -> None:
    steps = play(host, CODE, "yields_anything").steps
    assert steps == [Note("TypeError"), Note("TypeError"), Note("ValueError")]


def test_notes_are_text_of_bounded_length(host: ExtensionHost) -> None:
    assert play(host, CODE, "talks").steps == [Note(("hello" * 2000)[:1000]), Note("17")]


def test_a_unit_may_delegate(host: ExtensionHost) -> None:
    steps = play(host, CODE, "delegates", FINE, Reply(status=200, body=b"!")).steps
    assert [step.url for step in steps if isinstance(step, Ask)] == [f"{URL}?page=a", f"{URL}?page=b"]


def test_an_unknown_unit_is_refused_before_anything_starts(host: ExtensionHost) -> None:
    assert play(host, CODE, "none").ended_by == ("extension_error", "unit")


def test_code_that_fits_its_manifest_loads(host: ExtensionHost) -> None:
    asyncio.run(host.try_load(CODE, CONTEXT))


def test_a_promised_unit_must_be_there(host: ExtensionHost) -> None:
    reason, detail = refusal(host, code_of(unit_source(), *NAMES, "more"))
    assert (reason, detail) == ("entry", "sample.more: it gives no such unit")


def test_a_unit_must_be_promised(host: ExtensionHost) -> None:
    reason, detail = refusal(host, code_of(unit_source(), *NAMES[1:]))
    assert (reason, detail) == ("entry", f"sample.{NAMES[0]}: the manifest provides no such unit")


def test_another_api_is_refused(host: ExtensionHost) -> None:
    later = VersionRange.parse(">=2")
    assert later is not None
    reason, _ = refusal(host, replace(CODE, manifest=replace(CODE.manifest, api=later)))
    assert reason == "api_range"


def test_an_entry_outside_the_tree_is_refused(host: ExtensionHost) -> None:
    files = {path: content for path, content in CODE.files.items() if not path.endswith("units.py")}
    reason, detail = refusal(host, replace(CODE, files=files))
    assert reason == "entry"
    assert "sample/units.py" in detail


def test_the_end_of_the_runs_time_ends_the_session(make_host: MakeHost) -> None:
    clock = MemoryClock()
    host = make_host(clock)

    async def late() -> str:
        context = replace(CONTEXT, deadline=10.0)
        session = await host.open(CODE, "sample.counts", {"word": "x", "count": 2}, context)
        assert await session.step() == Emit({"name": "x", "size": 0})
        clock.advance(11)
        with pytest.raises(LoopXError) as caught:
            await session.step()
        return f"{caught.value.code}/{caught.value.reason}"

    assert asyncio.run(late()) == "deadline_exceeded/run"


def test_a_session_can_be_closed_anywhere_and_more_than_once(host: ExtensionHost) -> None:
    async def closed() -> None:
        for steps in range(3):
            session = await host.open(CODE, "sample.counts", {"word": "x", "count": 2}, CONTEXT)
            for _ in range(steps):
                await session.step()
            await session.aclose()
            await session.aclose()
            with pytest.raises(LoopXError):
                await session.step()

    asyncio.run(closed())


def test_exactly_a_request_is_answered(host: ExtensionHost) -> None:
    async def misused() -> None:
        session = await host.open(CODE, "sample.asks", {"word": "x", "count": None}, CONTEXT)
        with pytest.raises(ValueError, match="answered"):
            await session.step(FINE)
        assert isinstance(await session.step(), Ask)
        with pytest.raises(ValueError, match="answered"):
            await session.step()
        await session.aclose()

    asyncio.run(misused())


def test_sessions_do_not_know_each_other(host: ExtensionHost) -> None:
    async def both() -> list[object]:
        parameters = {"word": "x", "count": 1}
        first = await host.open(CODE, "sample.counts", parameters, CONTEXT)
        second = await host.open(CODE, "sample.counts", parameters | {"word": "y"}, CONTEXT)
        steps = [await one.step() for one in (first, second, first, second)]
        await first.aclose()
        await second.aclose()
        return [*steps]

    assert asyncio.run(both()) == [
        Emit({"name": "x", "size": 0}),
        Emit({"name": "y", "size": 0}),
        Done(),
        Done(),
    ]
