"""Make texts from outside harmless for the place where they are shown. Pure and idempotent functions.

Sources: Unicode Technical Report 36 (bidirectional and invisible characters), RFC 4180, OWASP
"CSV Injection", GitHub Flavored Markdown.
"""

import re
import unicodedata
from typing import Final

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands where a text held something that could deceive: worth a second look."""

_MOST_MARKS: Final = 4
"""Combining marks on one letter; writing needs fewer, and stacks of them cover the lines around."""

_BREAKS: Final = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_ORDER: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROL: Final = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_DECEIVING: Final = re.compile(rf"[{_CONTROL}{_ORDER}\ufff9-\ufffb\ud800-\udfff]")
# Soft hyphen, zero-width characters, fillers, variation selectors and tags: nothing to see at all.
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_NEEDS_CARE: Final = re.compile(r"[^ -~\u00a1-\u00ac\u00ae-\u02ff]")


def visible(text: str) -> str:
    """The text without what nobody can see."""
    return _INVISIBLE.sub("", text)


def one_line(text: str) -> str:
    """The text on one line, free of everything that moves a cursor, reorders or hides letters."""
    if not _NEEDS_CARE.search(text):
        return text
    text = _BREAKS.sub(" ", text)
    text = _DECEIVING.sub(REPLACEMENT, text)
    text = _INVISIBLE.sub("", text)
    return _limit_marks("".join(map(_known_format, text)))


def _known_format(character: str) -> str:
    """A control or format character that a newer Unicode may have brought is replaced too."""
    return REPLACEMENT if unicodedata.category(character) in {"Cc", "Cf", "Cs"} else character


def _limit_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


_JSON_CARE: Final = re.compile(
    rf"[\x7f-\x9f\u00ad{_ORDER}\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)


def escape_json(document: str) -> str:
    r"""Write what could deceive a reader of JSON text as ``\uXXXX``; parsers see no difference.

    Lone surrogates become escapes as well, so that the document is valid UTF-8.
    """
    return _JSON_CARE.sub(_escape, document)


def _escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


# A bare carriage return would let a terminal overwrite the line.
_UNUSUAL_BREAKS: Final = re.compile(r"\r(?!\n)|[\v\f\x85\u2028\u2029]")
_FORMULA: Final = re.compile(r"[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def csv_cell(text: str) -> str:
    """The text as a spreadsheet takes it: never a formula, line breaks and tabs kept."""
    text = _UNUSUAL_BREAKS.sub(REPLACEMENT, _DECEIVING.sub(REPLACEMENT, text))
    return f"'{text}" if _FORMULA.match(text) else text


_JOINER: Final = "\N{WORD JOINER}"
# What GitHub turns into links by itself: mentions and addresses, references, schemes, www.
_LINKING: Final = re.compile(
    r"@(?=\S)|#(?=\d)|\bgh-(?=\d)|:(?=//)|\bwww(?=\.)|\b(?:mailto|xmpp)(?=:)", re.IGNORECASE
)
_MARKUP: Final = re.compile(r"[\\`*_\[\]~$!]")
# As entities: a pipe would end the cell wherever a renderer reads backslashes differently.
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}


def markdown_cell(text: str) -> str:
    """The text for one cell of a Markdown table: no markup, no HTML, and nobody is called by it."""
    text = _LINKING.sub(lambda match: match.group() + _JOINER, one_line(text))
    text = _MARKUP.sub(lambda match: "\\" + match.group(), text)
    return "".join(_ENTITIES.get(character, character) for character in text)
