"""How a run ended, in the few lines below a table."""

from collections.abc import Iterator

from loopx.domain.results import Status, Summary
from loopx.domain.schema import RecordSpec
from loopx.entrypoints.presentation.style import Terminal, Tone
from loopx.entrypoints.presentation.times import duration
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.view import noun, plural


def is_worth_telling(summary: Summary) -> bool:
    """Whether a person who sees the records alone would be misled."""
    return not summary.completeness.complete or bool(summary.warnings)


def footer_lines(summary: Summary, spec: RecordSpec, terminal: Terminal) -> Iterator[str]:
    """Complete or not and why, what it took, warnings, and the command that gets the rest."""
    if summary.status is Status.EMPTY:
        yield f"No {plural(spec.type)} found."
    if summary.requests or not summary.completeness.complete:
        yield terminal.paint(one_line(" · ".join(_facts(summary, spec))), _tone(summary))
    for warning in summary.warnings:
        yield terminal.paint(one_line(f"note: {warning}"), Tone.BUSY)
    commands = summary.next or ((summary.completeness.rerun,) if summary.completeness.rerun else ())
    for command in commands:
        yield one_line(f"next: {command}")


def _facts(summary: Summary, spec: RecordSpec) -> Iterator[str]:
    completeness = summary.completeness
    yield "complete" if completeness.complete else f"incomplete: {_reason(summary, spec)}"
    if summary.requests:
        yield f"{noun('request', summary.requests)} in {duration(summary.duration)}"


def _reason(summary: Summary, spec: RecordSpec) -> str:
    reason = summary.completeness.reason or "unknown"
    if reason == "limit":
        totals = [source.total for source in summary.completeness.per_source]
        read = noun(spec.type, summary.records)
        if totals and None not in totals:
            read = f"{summary.records} of {sum(total or 0 for total in totals)} {plural(spec.type)}"
        return f"stopped at the limit, {read} read"
    return {
        "interrupted": f"interrupted after {noun(spec.type, summary.records)}",
        "problems": "some of it could not be read",
    }.get(reason, reason)


def _tone(summary: Summary) -> Tone:
    return Tone.QUIET if summary.completeness.complete else Tone.BUSY
