"""Output that is shown when the run has ended: table, pages, Markdown and csv."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from loopx.application.capabilities.capability import Record
from loopx.domain.results import Problem, Summary
from loopx.domain.schema import Data
from loopx.entrypoints.presentation.columns import lay_out
from loopx.entrypoints.presentation.faults import problem_lines
from loopx.entrypoints.presentation.footer import footer_lines, is_worth_telling
from loopx.entrypoints.presentation.frame import Frame, write_lines
from loopx.entrypoints.presentation.selection import value_at
from loopx.entrypoints.presentation.style import PLAIN_TEXT, Tone
from loopx.entrypoints.presentation.untrusted import csv_cell, markdown_cell, one_line
from loopx.entrypoints.presentation.view import View, noun, value_text


@dataclass(frozen=True, slots=True)
class Result:
    """All that a run gave, records in order."""

    records: Sequence[Data]
    summary: Summary


Renderer = Callable[[Result, Frame], None]


class ListSink:
    """Keeps records until the end; problems go to people, not among the data."""

    def __init__(self, frame: Frame, render: Renderer) -> None:
        self._frame = frame
        self._render = render
        self._records: list[Data] = []
        self._problems: list[Problem] = []
        self._reported = 0

    def take(self, item: Record | Problem) -> None:
        if isinstance(item, Problem):
            self._problems.append(item)
        else:
            self._records.append(item.data)
            self._report(f"{noun(item.type, len(self._records))} …")

    def finish(self, summary: Summary) -> None:
        frame = self._frame
        self._report("")
        orders = dict(frame.spec.orders)
        if orders:
            self._records.sort(key=orders[frame.order or next(iter(orders))])
        if self._records or summary.error is None:
            self._render(Result(self._records, summary), frame)
            frame.out.flush()
        for problem in self._problems:
            # The error of the summary is told by whoever ends the program with it.
            if summary.error is None or problem.error.to_dict() != summary.error.to_dict():
                write_lines(frame.talk, problem_lines(problem, frame.talk_terminal))

    def _report(self, text: str) -> None:
        """Say on one line, again and again, how far it has come; no text wipes it away."""
        if self._frame.progress:
            self._frame.talk.write(f"\r{' ' * self._reported}\r{text}")
            self._reported = len(text)


def table_renderer(view: View) -> Renderer:
    """A table with a headline above and the summary below."""

    def render(result: Result, frame: Frame) -> None:
        write_lines(frame.out, _table_lines(view, result, frame))

    return render


def page_renderer(page: Callable[[Data, Frame], Iterator[str]]) -> Renderer:
    """Each record on its own page; the summary follows only if something is missing."""

    def render(result: Result, frame: Frame) -> None:
        for data in result.records:
            write_lines(frame.out, page(data, frame))
        if is_worth_telling(result.summary):
            write_lines(frame.out, _below(result, frame))

    return render


def _table_lines(view: View, result: Result, frame: Frame) -> Iterator[str]:
    terminal = frame.terminal
    if result.records:
        headline = view.headline(result.records)
        for place, line in enumerate(headline):
            yield terminal.paint(one_line(line), Tone.QUIET if place else Tone.STRONG)
        yield from [""] if headline else []
        yield from lay_out(view.columns(result.records, frame.now), result.records, terminal)
    yield from _below(result, frame)


def _below(result: Result, frame: Frame) -> Iterator[str]:
    """The footer, apart from what stands above it."""
    footer = list(footer_lines(result.summary, frame.spec, frame.terminal))
    return iter(["", *footer] if footer and result.records else footer)


def markdown_renderer(view: View) -> Renderer:
    """A table to paste where Markdown is read, with the summary as a line below."""

    def render(result: Result, frame: Frame) -> None:
        write_lines(frame.out, _markdown_lines(view, result, frame))

    return render


_SAFE_URL: Final = re.compile(r"https?://[A-Za-z0-9._~:/\[\]-]+")


def _markdown_lines(view: View, result: Result, frame: Frame) -> Iterator[str]:
    columns = view.columns(result.records, frame.now)
    yield "| " + " | ".join(markdown_cell(column.title.capitalize()) for column in columns) + " |"
    yield "|" + "|".join(" ---: " if column.right else " --- " for column in columns) + "|"
    for data in result.records:
        cells = (_markdown_text(column.cell(data).text, data) for column in columns)
        yield "| " + " | ".join(cells) + " |"
    footer = list(footer_lines(result.summary, frame.spec, PLAIN_TEXT))
    yield from [""] if footer else []
    for line in footer:
        yield markdown_cell(line) + "  "


def _markdown_text(text: str, data: Data) -> str:
    """A cell; the number of a record becomes the link to its page, the one link that is ours."""
    url = data.get("url")
    if text == f"#{data.get('number')}" and isinstance(url, str) and _SAFE_URL.fullmatch(url):
        return f"[{text}]({url})"
    return markdown_cell(text)


def csv_renderer(paths: Sequence[tuple[str, ...]]) -> Renderer:
    """Comma-separated values (RFC 4180) with a header; what is missing is told on stderr."""

    def render(result: Result, frame: Frame) -> None:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\r\n")
        writer.writerow(".".join(path) for path in paths)
        for data in result.records:
            writer.writerow(_csv_value(value_at(data, path)) for path in paths)
        frame.out.write(buffer.getvalue())
        if is_worth_telling(result.summary):
            write_lines(frame.talk, footer_lines(result.summary, frame.spec, frame.talk_terminal))

    return render


def _csv_value(value: object) -> str:
    # A number cannot be a formula, and a negative one must stay a number.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else csv_cell(value_text(value))
