"""How wide a text is on a terminal, and how to fit it (Unicode Standard Annex 11)."""

import unicodedata
from typing import Final

ELLIPSIS: Final = "…"


def width(text: str) -> int:
    """Columns that a harmless text takes: two for wide letters, none for combining marks."""
    return len(text) if text.isascii() else sum(map(_width, text))


def fit(text: str, columns: int) -> str:
    """The text, cut with an ellipsis if it is wider than that."""
    if width(text) <= columns:
        return text
    room = columns - 1
    kept: list[str] = []
    for character in text:
        room -= _width(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ELLIPSIS if columns > 0 else ""


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """The text with blanks up to the width; ``right`` puts them in front."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def _width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
