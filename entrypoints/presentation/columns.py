"""Tables: columns that know their cells, laid out for a terminal or for whatever reads plain text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.style import Cell, Terminal, Tone
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.width import fit, pad, width

_GAP: Final = "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column; on a narrow terminal those with the highest ``rank`` are left out first."""

    title: str
    cell: Callable[[Data], Cell]
    right: bool = False
    most: int | None = None
    """Widest on a terminal."""
    least: int | None = None
    """How far it may shrink on a terminal; ``None`` for columns that keep their width."""
    rank: int = 0
    """0 for columns that always stay."""


@dataclass(frozen=True, slots=True)
class _Laid:
    """A column with its cells made harmless, and the width it gets."""

    column: Column
    cells: tuple[Cell, ...]
    width: int


def lay_out(columns: Sequence[Column], records: Iterable[Data], terminal: Terminal) -> Iterator[str]:
    """A line of titles, then one line a record."""
    rows = list(records)
    laid = [_measure(column, rows, terminal) for column in columns]
    if terminal.columns is not None:
        laid = _squeeze(laid, terminal.columns)
    yield _line([Cell(each.column.title, Tone.QUIET) for each in laid], laid, terminal)
    for index in range(len(rows)):
        yield _line([each.cells[index] for each in laid], laid, terminal)


def _measure(column: Column, rows: Sequence[Data], terminal: Terminal) -> _Laid:
    cells = tuple(replace(cell, text=one_line(cell.text)) for cell in map(column.cell, rows))
    widest = max([width(column.title), *(width(cell.text) for cell in cells)])
    if terminal.columns is not None and column.most is not None:
        widest = min(widest, max(column.most, width(column.title)))
    return _Laid(column, cells, widest)


def _squeeze(laid: list[_Laid], columns: int) -> list[_Laid]:
    """Leave out what does not fit even when shrunk, then shrink whatever has the most to give."""
    kept = list(laid)
    while _least(kept) > columns and any(each.column.rank for each in kept):
        kept.remove(max(kept, key=lambda each: each.column.rank))
    excess = sum(each.width for each in kept) + len(_GAP) * (len(kept) - 1) - columns
    for _ in range(excess):
        slackest = max(kept, key=_slack)
        if _slack(slackest):
            kept[kept.index(slackest)] = replace(slackest, width=slackest.width - 1)
    return kept


def _slack(laid: _Laid) -> int:
    """By how much a column may still shrink."""
    return 0 if laid.column.least is None else max(0, laid.width - laid.column.least)


def _least(laid: list[_Laid]) -> int:
    return sum(each.width - _slack(each) for each in laid) + len(_GAP) * (len(laid) - 1)


def _line(cells: list[Cell], laid: list[_Laid], terminal: Terminal) -> str:
    parts: list[str] = []
    for place, (cell, each) in enumerate(zip(cells, laid, strict=True)):
        shown = fit(cell.text, each.width)
        last = place == len(laid) - 1 and not each.column.right
        blanks = pad("", 0 if last else each.width - width(shown))
        painted = terminal.paint(shown, cell.tone)
        parts.append(blanks + painted if each.column.right else painted + blanks)
    return _GAP.join(parts).rstrip()
