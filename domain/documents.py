"""LoopX's own state as JSON documents: read strictly, written so that people can follow."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from loopx.domain.errors import LoopXError
from loopx.domain.http.json_text import read_json

JsonObject = Mapping[str, object]

_VERSION: Final = re.compile(r"[1-9][0-9]{0,5}")
_SHOWN: Final = 60
_WORDS: Final = {
    "charset": "it is not UTF-8",
    "json": "it is not JSON",
    "json_depth": "it is nested too deeply",
    "json_number": "it holds a number that JSON does not know",
    "json_duplicate_key": "a name stands twice in one object",
}


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """What a kind of document is called (``loopx.registry``), and the newest version that is understood."""

    schema: str
    newest: int = 1

    @property
    def marker(self) -> str:
        """The value of the document's field ``schema``."""
        return f"{self.schema}/{self.newest}"


def corrupt(place: str, problem: str) -> LoopXError:
    """The error for a document that cannot be understood; ``place`` is its path."""
    return LoopXError("state_error", "corrupt", detail=f"{place}: {problem}")


def read_document(content: bytes, kind: DocumentKind, place: str) -> JsonObject:
    """Parse a document and check what it is; ``place`` is the path that an error names.

    Raises:
        LoopXError: ``state_error/corrupt`` with line and column where they are known, or
            ``state_error/newer_version``.
    """
    try:
        data = read_json(content)
    except LoopXError as error:
        raise corrupt(place, _WORDS[error.reason] + _position(content)) from None
    if not isinstance(data, dict):
        raise corrupt(place, "it is no JSON object")
    document = cast("JsonObject", data)
    _check_schema(document.get("schema"), kind, place)
    return document


def write_document(kind: DocumentKind, data: JsonObject) -> bytes:
    """The document as indented JSON with a final line break."""
    text = json.dumps({"schema": kind.marker, **data}, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


@dataclass(frozen=True, slots=True)
class Part:
    """An object within a document, whose fields are taken out by type; errors name where it stands.

    Every method raises ``state_error/corrupt``.
    """

    data: JsonObject
    place: str
    path: str = ""

    @classmethod
    def of(cls, value: object, place: str, path: str) -> "Part":
        """An object, if it is one."""
        if not isinstance(value, dict):
            raise corrupt(place, f"{path} is no object")
        return cls(cast("JsonObject", value), place, path)

    def text(self, name: str) -> str:
        """A text that must be there."""
        found = self.optional_text(name)
        if found is None:
            raise self.fault(name, "is missing")
        return found

    def optional_text(self, name: str) -> str | None:
        """A text; absent and null are the same."""
        found = self.data.get(name)
        if found is not None and not isinstance(found, str):
            raise self.fault(name, "is no text")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; absent is empty."""
        found = [(path, item) for path, item in self._items(name)]
        for path, item in found:
            if not isinstance(item, str):
                raise corrupt(self.place, f"{path} is no text")
        return tuple(cast("str", item) for _, item in found)

    def whole(self, name: str) -> int:
        """A whole number from 0 on."""
        found = self.data.get(name)
        if not isinstance(found, int) or isinstance(found, bool) or found < 0:
            raise self.fault(name, "is no whole number from 0 on")
        return found

    def truth(self, name: str) -> bool:
        """True or false; absent is false."""
        found = self.data.get(name, False)
        if not isinstance(found, bool):
            raise self.fault(name, "is neither true nor false")
        return found

    def parts(self, name: str) -> tuple["Part", ...]:
        """A list of objects; absent is empty."""
        return tuple(Part.of(item, self.place, path) for path, item in self._items(name))

    def named_parts(self, name: str) -> tuple[tuple[str, "Part"], ...]:
        """An object of objects, with their names; absent is empty."""
        whole = Part.of(self.data.get(name, {}), self.place, self._path(name))
        return tuple(
            (key, Part.of(value, self.place, whole._path(key)))  # noqa: SLF001 - of this very class
            for key, value in whole.data.items()
        )

    def rest(self, known: Collection[str]) -> JsonObject:
        """The fields that this version does not know, to be written back as they are."""
        return {name: value for name, value in self.data.items() if name not in known}

    def fault(self, name: str, problem: str) -> LoopXError:
        """The error for one field."""
        return corrupt(self.place, f"{self._path(name)} {problem}")

    def _items(self, name: str) -> Iterator[tuple[str, object]]:
        found = self.data.get(name, [])
        if not isinstance(found, list):
            raise self.fault(name, "is no list")
        for index, item in enumerate(cast("list[object]", found)):
            yield f"{self._path(name)}[{index}]", item

    def _path(self, name: str) -> str:
        shown = name if re.fullmatch(r"[\w-]{1,60}", name, re.ASCII) else ascii(name[:_SHOWN])
        return f"{self.path}.{shown}" if self.path else shown


def _check_schema(found: object, kind: DocumentKind, place: str) -> None:
    name, _, version = found.rpartition("/") if isinstance(found, str) else ("", "", "")
    if name != kind.schema or not _VERSION.fullmatch(version):
        raise corrupt(place, f'its "schema" is not "{kind.marker}"')
    if int(version) > kind.newest:
        detail = f"{place}: its schema is {found}, this LoopX reads up to {kind.marker}"
        raise LoopXError("state_error", "newer_version", detail=detail)


def _position(content: bytes) -> str:
    """Where the document stops being UTF-8 or JSON; nothing for faults that have no one place."""
    try:
        json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        return f" (line {line}, column {column})"
    except json.JSONDecodeError as error:
        return f" (line {error.lineno}, column {error.colno})"
    except (ValueError, RecursionError):
        pass
    return ""
