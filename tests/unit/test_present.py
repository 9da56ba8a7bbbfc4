import asyncio
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from fakes.runs import frame, record, refused, stream, summary
from loopx.adapters.memory.clock import MemoryClock
from loopx.application.capabilities.capability import Item
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.redaction import Redactor
from loopx.domain.results import Problem, Status, Summary
from loopx.domain.secrets import Secret
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.present import present
from loopx.entrypoints.presentation.sinks import open_sink
from loopx.entrypoints.presentation.streams import DataOut, ReaderGoneError, TalkOut

TOKEN = "0123456789abcdef" * 2
TROUBLE = LoopXError("provider_network_error", "reset")


def show(items: AsyncIterator[Item], output: str = "json", given: Frame | None = None) -> tuple[Summary, str]:
    out = io.StringIO()
    sink = open_sink(Output(output), given or frame(out=out))
    return asyncio.run(present(items, sink, MemoryClock().monotonic, Redactor())), out.getvalue()


def interrupt(output: str, *items: Item) -> str:
    """What is printed when the task is cancelled while it waits for more."""
    out = io.StringIO()
    waits = asyncio.Event()

    async def endless() -> AsyncIterator[Item]:
        for item in items:
            yield item
        waits.set()
        await asyncio.Event().wait()

    async def main() -> None:
        sink = open_sink(Output(output), frame(out=out))
        task = asyncio.ensure_future(present(endless(), sink, MemoryClock().monotonic, Redactor()))
        await waits.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    return out.getvalue()


def test_a_run_is_shown_to_its_end_and_gives_its_summary() -> None:
    end = summary(2)
    found, text = show(stream([record(7), refused(), record(8), end]))
    assert found == end
    assert len(json.loads(text)["records"]) == 2


@pytest.mark.parametrize("items", [[], [record(7)], [record(7), refused(), record(8)]])
def test_json_that_is_cut_is_valid_and_says_so(items: list[Item]) -> None:
    document = json.loads(interrupt("json", *items))
    records = sum(item.__class__.__name__ == "Record" for item in items)
    assert len(document["records"]) == records
    assert (document["summary"]["status"], document["summary"]["records"]) == ("partial", records)
    assert (
        document["summary"]["completeness"]["complete"],
        document["summary"]["completeness"]["reason"],
    ) == (
        False,
        "interrupted",
    )
    assert document["summary"]["requests"] is None


def test_ndjson_that_is_cut_ends_with_the_summary_too() -> None:
    lines = [json.loads(line) for line in interrupt("ndjson", record(7)).splitlines()]
    assert [line["type"] for line in lines] == ["pull_request", "summary"]


def test_an_error_on_the_way_ends_the_output_and_is_in_the_summary() -> None:
    found, text = show(stream([record(7), TROUBLE]))
    assert found.error is not None
    assert (found.status, found.error.to_dict()) == (Status.PARTIAL, TROUBLE.to_dict())
    assert json.loads(text)["summary"]["completeness"]["reason"] == "provider_network_error/reset"


def test_an_error_before_anything_came_has_its_own_status() -> None:
    found, _ = show(stream([LoopXError("egress_blocked", "scheme")]))
    assert found.status is Status.BLOCKED


def test_a_defect_is_not_swallowed_but_the_output_ends_well() -> None:
    out = io.StringIO()
    with pytest.raises(ZeroDivisionError):
        show(stream([record(7), ZeroDivisionError()]), given=frame(out=out))
    assert json.loads(out.getvalue())["summary"]["completeness"]["reason"] == "internal_error/defect"


def test_a_run_without_a_summary_is_a_defect() -> None:
    found, text = show(stream([record(7)]))
    assert found.error is not None
    assert found.error.reason == "defect"
    assert json.loads(text)["summary"]["completeness"]["complete"] is False


class Failing:
    """A stream that takes so many writes and then fails."""

    def __init__(self, writes: int, error: OSError) -> None:
        self.left = writes
        self.error = error
        self.text = ""

    def write(self, text: str) -> None:
        if self.left == 0:
            raise self.error
        self.left -= 1
        self.text += text

    def flush(self) -> None:
        """Nothing is kept."""


@pytest.mark.parametrize(
    ("error", "expected"),
    [(BrokenPipeError(), ReaderGoneError), (OSError(28, "No space left on device"), LoopXError)],
)
def test_nothing_more_is_written_where_writing_failed(error: OSError, expected: type[Exception]) -> None:
    stream_out = Failing(1, error)
    with pytest.raises(expected):
        show(stream([record(7), record(8), summary()]), "ndjson", frame(out=DataOut(stream_out)))
    assert len(stream_out.text.splitlines()) == 1


def test_a_full_disk_is_named() -> None:
    out = DataOut(Failing(0, OSError(28, "No space left on device")))
    with pytest.raises(LoopXError) as caught:
        out.write("x")
    assert (caught.value.code, caught.value.reason) == ("output_error", "unwritable")
    assert "no space is left" in caught.value.what


def test_a_closed_stdout_is_told_and_a_closed_stderr_is_not() -> None:
    with pytest.raises(LoopXError):
        DataOut(None).write("x")
    TalkOut(None).write("x")
    broken = TalkOut(Failing(0, BrokenPipeError()))
    broken.write("x")
    broken.write("y")


def test_the_run_is_closed_when_the_reader_goes() -> None:
    closed: list[str] = []

    async def watched() -> AsyncIterator[Item]:
        try:
            yield record(7)
            yield record(8)
        finally:
            closed.append("yes")

    out: Any = Failing(0, BrokenPipeError())
    with pytest.raises(ReaderGoneError):
        show(watched(), "ndjson", frame(out=DataOut(out)))
    assert closed == ["yes"]


@pytest.mark.parametrize("output", ["ndjson", "json", "table", "markdown", "csv"])
def test_a_known_secret_is_masked_wherever_it_stands(output: str) -> None:
    call = CallFacts(excerpt=f"you sent {TOKEN}", url=f"https://h.example/{TOKEN}", request_id=TOKEN)
    refusal = LoopXError("provider_http_error", "forbidden", detail=TOKEN, hint=TOKEN, call=call)
    items: list[Item] = [
        record(title=f"use {TOKEN} here"),
        Problem(TOKEN, refusal),
        summary(warnings=(TOKEN,), error=refusal),
    ]
    given = frame()
    sink = open_sink(Output(output), given)
    ended = asyncio.run(present(stream(items), sink, MemoryClock().monotonic, Redactor([Secret(TOKEN)])))
    assert isinstance(given.out, io.StringIO)
    assert isinstance(given.talk, io.StringIO)
    assert "use" in given.out.getvalue()
    assert TOKEN not in given.out.getvalue() + given.talk.getvalue() + str(ended.error)
