"""The audit log as people see it: a table, pages, and lines that come one by one."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from loopx.application.capabilities.capability import Record
from loopx.domain.results import Problem, Summary
from loopx.domain.schema import Data
from loopx.entrypoints.presentation.columns import Column
from loopx.entrypoints.presentation.faults import problem_lines
from loopx.entrypoints.presentation.frame import Frame, write_lines
from loopx.entrypoints.presentation.page import fact_lines
from loopx.entrypoints.presentation.selection import value_at
from loopx.entrypoints.presentation.style import Cell, Tone
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.view import View, noun, value_text
from loopx.entrypoints.presentation.width import fit, pad

_PHASES: Final = {"intent": Tone.QUIET, "note": Tone.BUSY}


def result_cell(data: Data) -> Cell:
    """How it ended, in a word or two."""
    status, code, reason = data["status"], data["code"], data["reason"]
    if code == "provider_http_error" and status is not None:
        return Cell(f"{status} {reason}", Tone.BAD)
    if code is not None:
        return Cell(f"{code}/{reason}", Tone.BAD)
    if data["cache"] is not None:
        return Cell(f"cache {data['cache']}", Tone.GOOD)
    return Cell("" if status is None else str(status), Tone.GOOD)


def _time(data: Data) -> str:
    """To the second: the rest is in the data."""
    return str(data["time"])[:19].replace("T", " ")


def _text(name: str, tone: Tone = Tone.PLAIN) -> Callable[[Data], Cell]:
    return lambda data: Cell("" if data[name] is None else str(data[name]), tone)


def _phase(data: Data) -> Cell:
    return Cell(str(data["phase"]), _PHASES.get(str(data["phase"]), Tone.PLAIN))


def _called(data: Data) -> Cell:
    return Cell(str(data["url"] or data["note"] or ""))


def _columns(_records: Sequence[Data], _now: float) -> tuple[Column, ...]:
    return (
        Column(title="#", cell=_text("sequence", Tone.QUIET), right=True),
        Column(title="TIME (UTC)", cell=lambda data: Cell(_time(data))),
        Column(title="ID", cell=_text("id", Tone.QUIET), rank=3),
        Column(title="PHASE", cell=_phase, rank=1),
        Column(title="METHOD", cell=_text("method"), rank=2),
        Column(title="URL", cell=_called, least=16),
        Column(title="RESULT", cell=result_cell),
        Column(title="MS", cell=_text("elapsed_ms"), right=True, rank=4),
        Column(title="AGENT", cell=_text("agent_id", Tone.QUIET), rank=5),
    )


AUDIT_VIEW: Final = View(_columns)


def audit_line(data: Data, frame: Frame) -> str:
    """A row on a line of its own, for output that does not wait for the others."""
    if frame.selection is not None:
        texts = (value_text(value_at(data, path)) for path in frame.selection.paths)
        return one_line("  ".join(texts)).rstrip()
    parts = (
        Cell(_time(data), Tone.QUIET),
        Cell(str(data["id"]), Tone.QUIET),
        Cell(pad(str(data["phase"]), 7), _phase(data).tone),
        Cell(pad(str(data["method"] or "-"), 6)),
        _called(data),
        result_cell(data),
        Cell(f"{data['elapsed_ms']} ms" if data["elapsed_ms"] is not None else "", Tone.QUIET),
        Cell(str(data["agent_id"] or ""), Tone.QUIET),
    )
    room = frame.terminal.columns
    shown: list[str] = []
    for part in parts:
        text = one_line(part.text)
        text = text if room is None else fit(text, max(0, room))
        room = room if room is None else room - len(text) - 2
        shown.append(frame.terminal.paint(text, part.tone))
    return "  ".join(text for text in shown if text).rstrip()


class AuditLineSink:
    """Shows each row at once; a summary says nothing that was not seen."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def take(self, item: Record | Problem) -> None:
        frame = self._frame
        if isinstance(item, Problem):
            write_lines(frame.talk, problem_lines(item, frame.talk_terminal))
            return
        frame.out.write(f"{audit_line(item.data, frame)}\n")
        frame.out.flush()

    def finish(self, summary: Summary) -> None:  # noqa: ARG002 - of the interface
        self._frame.out.flush()


def call_page(data: Data, frame: Frame) -> Iterator[str]:
    """One row with everything that it says."""
    terminal = frame.terminal
    title = f"{data['sequence']}  {data['phase']}  {data['time']}"
    yield terminal.paint(one_line(title), Tone.STRONG)
    sizes = [f"{data[name]} {word}" for name, word in _SIZES if data[name] is not None]
    facts: dict[str, list[object]] = {
        "call": [_joined(data, "method", "url")],
        "result": [result_cell(data).text],
        "took": [f"{data['elapsed_ms']} ms"] if data["elapsed_ms"] is not None else [],
        "bytes": [", ".join(sizes)],
        "attempt": [data["attempt"]],
        "id": [data["id"]],
        "trace": [data["trace_id"]],
        "agent": [_joined(data, "agent_id", "turn_id")],
        "for": [data["capability"]],
        "rate left": [data["rate_remaining"]],
        "note": [data["note"]],
        "hash": [data["hash"]],
    }
    for name, values in facts.items():
        cells = [Cell(str(value)) for value in values if value not in {None, ""}]
        yield from fact_lines(name, cells, terminal)
    yield ""


_SIZES: Final = (("bytes_out", "out"), ("bytes_in", "in"))


def _joined(data: Data, *names: str) -> str:
    return " ".join(str(data[name]) for name in names if data[name] is not None)


def head_page(data: Data, _frame: Frame) -> Iterator[str]:
    """The head alone, to be kept as it is."""
    yield str(data["head"])


def verdict_page(data: Data, frame: Frame) -> Iterator[str]:
    """What was proven, and what not."""
    terminal = frame.terminal
    rows = noun("audit_row", int(str(data["rows"])))
    yield terminal.paint(f"The chain is whole: {rows}.", Tone.GOOD)
    kept = data["kept_head"]
    facts = {
        "head": str(data["head"]),
        "kept": f"{kept} is part of it"
        if kept
        else "no head was given: an end that was cut off shows nowhere",
        "pruned": f"{data['pruned']} rows, last at {data['pruned_at']}" if data["pruned"] else "",
        "open": f"{data['unfinished']} sent without an outcome" if data["unfinished"] else "",
    }
    for name, text in facts.items():
        yield from fact_lines(name, [Cell(text)] if text else [], terminal)
