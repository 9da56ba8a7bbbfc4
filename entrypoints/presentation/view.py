"""How records of a type are shown to people."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from loopx.domain.schema import Data, RecordSpec
from loopx.entrypoints.presentation.columns import Column
from loopx.entrypoints.presentation.selection import Path, Selection, value_at
from loopx.entrypoints.presentation.style import Cell


@dataclass(frozen=True, slots=True)
class View:
    """A table of records: its columns at a moment (Unix time), and what is said above them."""

    columns: Callable[[Sequence[Data], float], tuple[Column, ...]]
    headline: Callable[[Sequence[Data]], tuple[str, ...]] = lambda _records: ()


def plain_view(spec: RecordSpec) -> View:
    """The columns that the specification names."""
    paths = [tuple(column.split(".")) for column in spec.columns]
    return View(lambda _records, _now: tuple(map(_plain_column, paths)))


def selected_view(view: View, selection: Selection) -> View:
    """The same with the asked fields for columns."""
    return View(lambda _records, _now: tuple(map(_plain_column, selection.paths)), view.headline)


def value_text(value: object) -> str:
    """A value as text for one cell: lists with commas, objects as JSON, null as nothing."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return ", ".join(value_text(item) for item in cast("list[object]", value))
        case dict():
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        case _:
            return str(value)


def noun(type_name: str, number: int) -> str:
    """How many of a type, in words: ``1 pull request``, ``3 capabilities``."""
    return f"{number} {type_name.replace('_', ' ') if number == 1 else plural(type_name)}"


def plural(type_name: str) -> str:
    """Several of a type, in words."""
    word = type_name.replace("_", " ")
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _plain_column(path: Path) -> Column:
    # The last of several wide columns gives way first: people name what matters most first.
    return Column(title=".".join(path), cell=lambda data: Cell(value_text(value_at(data, path))), least=4)
