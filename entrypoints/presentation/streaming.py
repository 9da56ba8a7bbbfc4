"""JSON as a stream (ndjson) and as one document (json); both are written while the run goes on."""

from loopx.application.capabilities.capability import Record
from loopx.domain.results import Problem, Summary
from loopx.entrypoints.presentation.envelope import (
    JsonData,
    problem_data,
    summary_data,
    to_json,
)
from loopx.entrypoints.presentation.frame import Frame


class NdjsonSink:
    """One object a line, each handed on at once; the last is the summary."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def take(self, item: Record | Problem) -> None:
        if isinstance(item, Problem):
            self._write(problem_data(item))
        else:
            self._write({"type": item.type, **_record_data(item, self._frame)})

    def finish(self, summary: Summary) -> None:
        self._write({"type": "summary", **summary_data(summary)})

    def _write(self, data: JsonData) -> None:
        self._frame.out.write(to_json(data) + "\n")
        self._frame.out.flush()


class JsonSink:
    """One document with the records first; only the problems are kept until its end."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._problems: list[Problem] = []
        self._records = 0

    def take(self, item: Record | Problem) -> None:
        if isinstance(item, Problem):
            self._problems.append(item)
            return
        self._start_record()
        self._frame.out.write(to_json(_record_data(item, self._frame)))
        self._frame.out.flush()

    def finish(self, summary: Summary) -> None:
        if not self._records:
            self._open()
        out = self._frame.out
        out.write("\n" if self._records else "")
        errors = to_json([problem_data(problem) for problem in self._problems])
        out.write(f'],\n"errors":{errors},\n"summary":{to_json(summary_data(summary))}}}\n')
        out.flush()

    def _start_record(self) -> None:
        if not self._records:
            self._open()
        self._frame.out.write(",\n" if self._records else "\n")
        self._records += 1

    def _open(self) -> None:
        self._frame.out.write(f'{{"schema":{to_json(self._frame.spec.schema)},\n"records":[')


def _record_data(record: Record, frame: Frame) -> JsonData:
    data = frame.selection.keep(record.data) if frame.selection else record.data
    return dict(data)
