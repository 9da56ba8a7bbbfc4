"""Pages: a title, then facts with their names in a column on the left."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.style import Cell, Terminal, Tone
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.width import pad

_NAMES = 10
_WIDEST = 110


def heading_lines(data: Data, terminal: Terminal) -> Iterator[str]:
    """Number, title and address of a pull request."""
    for line in folded(one_line(f"#{data['number']}  {data['title']}"), terminal, 0):
        yield terminal.paint(line, Tone.STRONG)
    yield terminal.paint(one_line(str(data["url"])), Tone.QUIET)


def fact_lines(name: str, cells: Iterable[Cell], terminal: Terminal) -> Iterator[str]:
    """A named fact on one or more lines; nothing at all if there is none."""
    label = name
    for cell in cells:
        for line in folded(one_line(cell.text), terminal, _NAMES):
            yield f"{terminal.paint(pad(label, _NAMES), Tone.QUIET)}{terminal.paint(line, cell.tone)}"
            label = ""


def folded(text: str, terminal: Terminal, indent: int) -> list[str]:
    """A harmless text on lines that fit beside an indent; unbroken where nothing is cut."""
    if terminal.columns is None:
        return [text]
    room = max(20, min(terminal.columns, _WIDEST) - indent)
    return wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
