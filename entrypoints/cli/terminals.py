"""What a stream of this process can show."""

import os
from collections.abc import Mapping
from typing import TextIO

from loopx.entrypoints.presentation.style import PLAIN_TEXT, Terminal

_FALLBACK_COLUMNS = 80


def terminal_of(stream: TextIO | None, environment: Mapping[str, str], *, plain: bool) -> Terminal:
    """Colours and a width for a terminal, neither for anything else (https://no-color.org)."""
    if stream is None or stream.closed or not stream.isatty():
        return PLAIN_TEXT
    is_dumb = environment.get("TERM", "") in {"", "dumb"}
    colour = not plain and not is_dumb and not environment.get("NO_COLOR")
    return Terminal(columns=_columns(stream, environment), colour=colour)


def _columns(stream: TextIO, environment: Mapping[str, str]) -> int:
    asked = environment.get("COLUMNS", "")
    if asked.isascii() and asked.isdigit() and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _FALLBACK_COLUMNS
    except OSError:
        return _FALLBACK_COLUMNS


def speak_utf8(stream: TextIO | None) -> None:
    """Make a stream write UTF-8 without failing; a terminal keeps its own encoding."""
    reconfigure = getattr(stream, "reconfigure", None)
    if stream is None or reconfigure is None:
        return
    if stream.isatty():
        reconfigure(errors="replace")
    else:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
