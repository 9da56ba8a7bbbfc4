"""Everything that the process of an extension can do wrong becomes a coded error, and nothing of it stays."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from fakes.extensions import CONTEXT, code_of
from fakes.extensions.process import children, data_of, host_of, run_unit, unit_code
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.limits import DEFAULT_HOST_LIMITS, HostLimits
from loopx.domain.extensions.session import Emit, Reply

HASTY = HostLimits(start=10.0, step=0.7)
ASK: dict[str, object] = {"say": "ask", "method": "GET", "url": "", "headers": [], "accept_status": []}
ASK |= {"credential": None, "timeout": None}
REPLY = Reply(status=200, body=b"fine")


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


CRASHES = {
    "exit": ("os._exit(3)", "crashed", "exit code 3"),
    "exit as if done": ("os._exit(0)", "crashed", "exit code 0"),
    "signal": ("import signal; signal.raise_signal(signal.SIGTERM)", "crashed", "SIGTERM"),
    "abort": ("os.abort()", "crashed", "SIGABRT"),
    "sys.exit": ("sys.exit(0)", "raised", "SystemExit"),
    "exception": ("1 / 0", "raised", "ZeroDivisionError at sample/units.py:"),
    "recursion": ("def f(): return f()\nf()", "raised", "RecursionError"),
    "interrupt": ("raise KeyboardInterrupt", "raised", "KeyboardInterrupt"),
    "memory": ("x = b'x' * (1 << 40)", "memory", "MemoryError"),
    "much memory": ("x = [bytes(1 << 20) for _ in range(4096)]", "memory", "MemoryError"),
    "busy loop": ("while True: pass", "timeout", "0.7 seconds"),
    "sleep": ("import select; select.select([], [], [], 60)", "timeout", "0.7 seconds"),
    "deaf": ("import signal; signal.signal(15, signal.SIG_IGN)\nwhile True: pass", "timeout", "seconds"),
    "closed pipe": ("os.close(find_pipe())\nwhile True: pass", "crashed", "closed its pipes"),
    "garbage": ("os.write(find_pipe(), b'hello, this is no frame')", "output_too_large", "bytes"),
    "no json": ("say('{]')", "protocol", "json"),
    "no object": ("say('[]')", "protocol", "object"),
    "no number": ("say('{\"say\": NaN}')", "protocol", "json_number"),
    "key twice": ('say(\'{"say": "done", "say": "done"}\')', "protocol", "duplicate"),
    "deep": ("say('[' * 900_000)", "protocol", "json_depth"),
    "unknown word": ("say('{\"say\": \"boo\"}')", "protocol", "boo"),
    "huge frame": ("say('', size=0xffffffff)", "output_too_large", "4294967295"),
    "huge body": ("say('{}', body=0xff000000)", "output_too_large", "bytes"),
    "cut frame": ("say('{', size=80)\nos._exit(0)", "crashed", "exit code 0"),
    "half a prefix": ("os.write(find_pipe(), bytes(5))\nwhile True: pass", "timeout", "seconds"),
    "loaded again": ("say('{\"say\": \"loaded\"}')", "protocol", "follow"),
    "unhandled nothing": ("say('{\"say\": \"unhandled\"}')", "protocol", "follow"),
    "large record": ("yield Record({'x': 'y' * (2 << 20)})", "output_too_large", "allowed"),
    "large request": ("yield Request('POST', 'https://a.b/', body=bytes(9 << 20))", "output_too_large", ""),
}  # fmt: skip
each_crash = pytest.mark.parametrize(("body", "reason", "detail"), CRASHES.values(), ids=CRASHES)


def limits_for(reason: str) -> HostLimits:
    """Only who waits for a timeout is hasty: a busy machine may take long for a step."""
    return HASTY if reason == "timeout" else DEFAULT_HOST_LIMITS


@each_crash
def test_a_unit_that_fails_at_once_is_a_coded_error(body: str, reason: str, detail: str) -> None:
    played = run_unit(body, limits=limits_for(reason))
    assert played.ended_by == ("extension_error", reason)
    assert detail in str(played.error)


@each_crash
def test_a_unit_that_fails_on_its_way_gives_what_it_gave_before(body: str, reason: str, detail: str) -> None:
    start = "yield Record({'a': 1})\nyield Request('GET', 'https://a.b/')\n"
    played = run_unit(start + body, REPLY, limits=limits_for(reason))
    assert played.steps[0] == Emit({"a": 1})
    assert played.ended_by == ("extension_error", reason)
    assert detail in str(played.error)


@pytest.mark.parametrize(
    ("before", "reason", "detail"),
    [
        ("os._exit(4)", "crashed", "exit code 4"),
        ("1 / 0", "load", "ZeroDivisionError at sample/units.py:"),
        ("import no_such_module", "load", "ModuleNotFoundError"),
        ("import sample.other", "load", "ModuleNotFoundError"),
        ("from . import other", "load", "ImportError"),
        ("def (", "load", "SyntaxError at sample/units.py:"),
        ("while True: pass", "timeout", "2 seconds"),
        ('say(\'{"say": "done"}\')', "protocol", "before it was loaded"),
        ("sys.exit()", "load", "SystemExit"),
        ("import socket; socket.socket()", "load", "PermissionError"),
        ("x = b'x' * (1 << 40)", "memory", "MemoryError"),
    ],
)
def test_code_that_cannot_be_imported_is_not_loaded(before: str, reason: str, detail: str) -> None:
    limits = replace(DEFAULT_HOST_LIMITS, start=2.0 if reason == "timeout" else 10.0)
    with pytest.raises(LoopXError) as caught:
        asyncio.run(host_of(limits).try_load(unit_code("", before=before), CONTEXT))
    assert (caught.value.code, caught.value.reason) == ("extension_error", reason)
    assert detail in str(caught.value)


@pytest.mark.parametrize(
    ("units", "detail"),
    [
        ("UNITS = [1]", "dict"),
        ("", "dict"),
        ("UNITS = {}", "sample.unit: it gives no such unit"),
        ("UNITS = {'sample.unit': 5}", "no generator function"),
        ("UNITS = {'sample.unit': lambda word, count: None}", "no generator function"),
        ("def f(word): yield\nUNITS = {'sample.unit': f}", "parameters"),
        ("def f(**all): yield\nUNITS = {'sample.unit': f, 'sample.x': f}", "sample.x: the manifest provides"),
        ("def f(**all): yield\nUNITS = {'sample.unit': f, 5: f}", "the manifest provides"),
    ],
)
def test_an_entry_that_gives_something_else_is_not_loaded(units: str, detail: str) -> None:
    with pytest.raises(LoopXError) as caught:
        asyncio.run(host_of().try_load(code_of(units, "unit"), CONTEXT))
    assert caught.value.reason == "entry"
    assert detail in str(caught.value)


def test_what_is_printed_does_not_reach_the_protocol() -> None:
    body = "print('{}')\nsys.stdout.flush()\nos.write(1, bytes(8))\nassert sys.stdin.read() == ''"
    assert data_of(run_unit(body)) == [{"end": 1}]


def test_a_flood_on_stderr_stops_nothing() -> None:
    body = "for _ in range(200): os.write(2, b'x' * 65536)\nprint('y' * 5_000_000)"
    assert data_of(run_unit(body)) == [{"end": 1}]


def test_the_last_words_are_for_whoever_debugs_and_masked() -> None:
    secret = "ghp_" + "A1b2" * 9
    body = (
        f"print('x' * 100_000, 'password=hunter22 {secret}', file=sys.stderr)\nraise ValueError('{secret}')"
    )
    error = run_unit(body).error
    assert error is not None
    notes = "".join(error.__notes__)
    assert "password=*** ***" in notes
    assert "raise ValueError" in notes
    assert len(notes) < 10_000
    assert "hunter22" not in notes + str(error)
    assert secret not in str(error)


def test_endless_records_end() -> None:
    limits = replace(DEFAULT_HOST_LIMITS, output=200_000)
    played = run_unit("while True: yield Record({'x': 'y' * 9000})", limits=limits)
    assert played.ended_by == ("extension_error", "output_too_large")
    assert 15 <= len(played.steps) <= 25


def test_a_large_answer_to_a_process_that_does_not_read_ends_in_time() -> None:
    body = f"say({json.dumps(json.dumps(ASK))})\nwhile True: pass"
    played = run_unit(body, Reply(status=200, body=bytes(8 << 20)), limits=HASTY)
    assert played.ended_by == ("extension_error", "timeout")


@pytest.mark.parametrize(
    "body", ["while True: pass", "import select; select.select([], [], [], 60)", "yield Record({})"]
)
def test_a_cancelled_step_leaves_no_process(body: str) -> None:
    async def cancelled() -> None:
        session = await host_of().open(unit_code(body), "sample.unit", {"word": "", "count": None}, CONTEXT)
        assert len(children()) >= 1
        step = asyncio.ensure_future(session.step())
        await asyncio.wait([step], timeout=0.1)
        step.cancel()
        with suppress(asyncio.CancelledError):
            await step
        await session.aclose()

    asyncio.run(cancelled())


def test_cancelling_the_start_leaves_no_process() -> None:
    async def cancelled(turns: int) -> None:
        load = asyncio.ensure_future(host_of().try_load(unit_code("", before="while True: pass"), CONTEXT))
        for _ in range(turns):
            await asyncio.wait([load], timeout=0.01)
        load.cancel()
        with suppress(asyncio.CancelledError):
            await load

    for turns in (0, 1, 5, 20):
        asyncio.run(cancelled(turns))


def test_the_runs_time_ends_a_step_that_takes_longer() -> None:
    async def late() -> str:
        host = host_of()
        context: CallContext = replace(CONTEXT, deadline=asyncio.get_running_loop().time() + 2.0)
        session = await host.open(
            unit_code("while True: pass"), "sample.unit", {"word": "", "count": 1}, context
        )
        with pytest.raises(LoopXError) as caught:
            await session.step()
        return caught.value.code

    assert asyncio.run(late()) == "deadline_exceeded"
