"""Versions, updates and plans as people see them."""

from collections.abc import Iterator, Sequence
from typing import Final

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.columns import Column
from loopx.entrypoints.presentation.footer import footer_lines
from loopx.entrypoints.presentation.frame import Frame, write_lines
from loopx.entrypoints.presentation.lists import Result
from loopx.entrypoints.presentation.page import fact_lines
from loopx.entrypoints.presentation.style import Cell, Tone
from loopx.entrypoints.presentation.times import age
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.view import View

_MEGABYTE: Final = 1_000_000
_STANDINGS: Final = {"current": Tone.GOOD, "bad": Tone.BAD, "incomplete": Tone.BUSY, "kept": Tone.QUIET}
_VERDICTS: Final = {"ready": Tone.GOOD, "blocked": Tone.BAD, "asks": Tone.BUSY, "unknown": Tone.BUSY}
_DEEDS: Final = {
    "updated": "LoopX is updated",
    "adopted": "LoopX is installed beside this copy",
    "rolled_back": "LoopX is back",
    "unchanged": "Nothing is to be done: this release is the current one",
}


def _version_columns(_records: Sequence[Data], now: float) -> tuple[Column, ...]:
    return (
        Column(title="VERSION", cell=lambda data: Cell(str(data["name"]), Tone.STRONG)),
        Column(title="STANDING", cell=_standing),
        Column(title="IN USE", cell=lambda data: Cell("yes" if data["in_use"] else "")),
        Column(title="AGE", cell=lambda data: Cell(age(data["installed_at"], now)), right=True, rank=2),
        Column(title="SIZE", cell=lambda data: Cell(_size(data["size"])), right=True, rank=3),
        Column(title="WHY", cell=lambda data: Cell(str(data["why_bad"] or "")), least=10, rank=1),
    )


def _plan_columns(_records: Sequence[Data], _now: float) -> tuple[Column, ...]:
    return (
        Column(title="#", cell=lambda data: Cell(str(data["number"]), Tone.QUIET), right=True, rank=1),
        Column(title="STEP", cell=lambda data: Cell(str(data["does"]))),
        Column(title="VERDICT", cell=_verdict),
        Column(title="DETAIL", cell=lambda data: Cell(str(data["detail"])), least=20),
    )


VERSION_VIEW: Final = View(_version_columns)
UPDATE_STEP_VIEW: Final = View(_plan_columns)


def update_page(result: Result, frame: Frame) -> None:
    """What was done, then what to know and what to do next."""
    for data in result.records:
        write_lines(frame.out, _update_lines(data, frame))
    write_lines(frame.out, footer_lines(result.summary, frame.spec, frame.terminal))


def _update_lines(data: Data, frame: Frame) -> Iterator[str]:
    terminal = frame.terminal
    yield terminal.paint(one_line(f"{_DEEDS[str(data['deed'])]}: {data['version']}"), Tone.STRONG)
    removed = data["removed"]
    facts = {
        "now": data["new"],
        "before": data["old"] if data["old"] != data["new"] else None,
        "removed": ", ".join(map(str, removed)) if isinstance(removed, list) else None,
        "start it": data["launcher"],
    }
    for name, fact in facts.items():
        yield from fact_lines(name, [Cell(str(fact))] if fact else [], terminal)


def _standing(data: Data) -> Cell:
    standing = str(data["standing"])
    return Cell(standing, _STANDINGS.get(standing, Tone.PLAIN))


def _verdict(data: Data) -> Cell:
    verdict = str(data["verdict"])
    return Cell(verdict, _VERDICTS.get(verdict, Tone.QUIET))


def _size(size: object) -> str:
    return f"{size / _MEGABYTE:.1f} MB" if isinstance(size, int) else ""
