"""Reads the part of GraphQL that LoopX writes: queries with variables, arguments, fragments and aliases."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

# https://spec.graphql.org/October2021/#sec-Language.Source-Text.Lexical-Tokens, without block strings
_TOKEN: Final = re.compile(
    r'[\s,]+|#[^\n]*|(\.\.\.|[!$&():=@\[\]{|}]|[_A-Za-z]\w*|-?\d+|"(?:[^"\\\n]|\\.)*")'
)
MAX_DEPTH: Final = 64
_CONSTANTS: Final = {"true": True, "false": False, "null": None}


class DocumentError(Exception):
    """The document is not what this reader knows."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A value that comes with the request."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One selected field; ``key`` is its name in the answer."""

    key: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    selections: tuple["Selection", ...] = ()


@dataclass(frozen=True, slots=True)
class Inline:
    """Selections that apply to one type only."""

    type_name: str
    selections: tuple["Selection", ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """A fragment used by its name."""

    fragment: str


Selection: TypeAlias = Field | Inline | Spread


@dataclass(frozen=True, slots=True)
class Document:
    """A query and the fragments it may use."""

    operation: str
    selections: tuple[Selection, ...]
    fragments: Mapping[str, Inline]


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = list(reversed(_tokens(text)))
        self._depth = 0

    def document(self) -> Document:
        operations: dict[str, tuple[Selection, ...]] = {}
        fragments: dict[str, Inline] = {}
        while self._tokens:
            keyword, name = self._take(), self._take()
            if keyword == "fragment":
                self._expect("on")
                fragments[name] = Inline(self._take(), self._selections())
            elif keyword == "query":
                self._skip_parentheses()
                operations[name] = self._selections()
            else:
                raise DocumentError(f"unexpected {keyword!r}")
        if len(operations) != 1:
            raise DocumentError("one query is expected")
        [(operation, selections)] = operations.items()
        return Document(operation, selections, fragments)

    def _peek(self) -> str:
        return self._tokens[-1] if self._tokens else ""

    def _take(self) -> str:
        if not self._tokens:
            raise DocumentError("the document ends too early")
        return self._tokens.pop()

    def _expect(self, token: str) -> None:
        if (found := self._take()) != token:
            raise DocumentError(f"expected {token!r}, found {found!r}")

    def _accept(self, token: str) -> bool:
        if self._peek() == token:
            self._tokens.pop()
            return True
        return False

    def _skip_parentheses(self) -> None:
        """Variable definitions: the values arrive by name, their types are the real server's business."""
        if self._accept("("):
            while not self._accept(")"):
                self._take()

    def _selections(self) -> tuple[Selection, ...]:
        self._expect("{")
        self._go_deeper()
        found: list[Selection] = []
        while not self._accept("}"):
            found.append(self._fragment() if self._accept("...") else self._field())
        self._depth -= 1
        return tuple(found)

    def _go_deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise DocumentError("the document is nested too deep")

    def _fragment(self) -> Selection:
        if self._accept("on"):
            return Inline(self._take(), self._selections())
        return Spread(self._take())

    def _field(self) -> Field:
        key = name = self._take()
        if self._accept(":"):
            name = self._take()
        arguments = self._pairs(")") if self._accept("(") else {}
        selections = self._selections() if self._peek() == "{" else ()
        return Field(key=key, name=name, arguments=arguments, selections=selections)

    def _pairs(self, end: str) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        while not self._accept(end):
            name = self._take()
            self._expect(":")
            pairs[name] = self._value()
        return pairs

    def _value(self) -> Any:
        word = self._take()
        if word == "$":
            return Variable(self._take())
        if word in "{[":
            self._go_deeper()
            inner = self._pairs("}") if word == "{" else self._items()
            self._depth -= 1
            return inner
        if word.startswith('"'):
            return word[1:-1]
        return _CONSTANTS[word] if word in _CONSTANTS else int(word) if word.lstrip("-").isdigit() else word

    def _items(self) -> list[Any]:
        items = []
        while not self._accept("]"):
            items.append(self._value())
        return items


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise DocumentError(f"unexpected character at {position}")
        position = match.end()
        if match.group(1):
            tokens.append(match.group(1))
    return tokens


def read_document(text: str) -> Document:
    """The query of a document; raises DocumentError for what LoopX never writes."""
    return _Reader(text).document()
