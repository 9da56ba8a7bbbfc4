"""Whether data is of the shape that was declared for it.

Knows the vocabulary of ``domain/schema.py``: type, enum, format, anyOf, items, properties, required and
additionalProperties (JSON Schema draft 2020-12).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from math import isfinite
from typing import Final, cast

from loopx.domain.schema import Data, JsonSchema, RecordSpec

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_URL: Final = re.compile(r"https?://[!-~]+")
_SECONDS_PART: Final = re.compile(r"\.[0-9]+")


def misfit(data: Data, spec: RecordSpec) -> str | None:
    """The first way in which a record is not as declared, ``None`` if it is; other fields count too."""
    known = {field.name: field.json_schema() for field in spec.fields}
    for name in data:
        if name not in known:
            return f"{name[:60]!a} is not declared"
    for name, schema in known.items():
        if name not in data:
            return f"{name} is missing"
        if (fault := next(_faults(data[name], schema, name), None)) is not None:
            return fault
    return None


def _faults(value: object, schema: JsonSchema, place: str) -> Iterator[str]:
    choices = schema.get("anyOf")
    if isinstance(choices, list):
        tried = [list(_faults(value, one, place)) for one in cast("list[JsonSchema]", choices)]
        if all(tried):
            yield tried[0][0]
        return
    kind = schema.get("type")
    if isinstance(kind, str) and not _TYPES[kind](value):
        yield f"{place} is no {kind}"
        return
    enum = schema.get("enum")
    if isinstance(enum, list) and value not in cast("list[object]", enum):
        yield f"{place} is none of {', '.join(map(str, cast('list[object]', enum)))}"
    form = schema.get("format")
    if isinstance(form, str) and isinstance(value, str) and not _FORMS[form](value):
        yield f"{place} is no {form}"
    yield from _inner_faults(value, schema, place)


def _inner_faults(value: object, schema: JsonSchema, place: str) -> Iterator[str]:
    if isinstance(value, list) and "items" in schema:
        items = cast("JsonSchema", schema["items"])
        for number, item in enumerate(cast("list[object]", value)):
            yield from _faults(item, items, f"{place}[{number}]")
    if isinstance(value, Mapping) and "properties" in schema:
        parts = cast("Mapping[str, object]", value)
        properties = cast("dict[str, JsonSchema]", schema["properties"])
        for name in cast("list[str]", schema.get("required", [])):
            if name not in parts:
                yield f"{place}.{name} is missing"
        for name, part in parts.items():
            if name in properties:
                yield from _faults(part, properties[name], f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{place}.{name[:60]!a} is not declared"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_integer(value: object) -> bool:
    # JSON Schema counts 1.0 as an integer; a caller in a typed language would not.
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Final[dict[str, Callable[[object], bool]]] = {
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and _reads(date.fromisoformat, text)


def _is_timestamp(text: str) -> bool:
    """RFC 3339, with a zone; Python reads fewer digits of a second."""
    return _TIMESTAMP.fullmatch(text) is not None and _reads(
        datetime.fromisoformat, _SECONDS_PART.sub("", text.upper())
    )


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


_FORMS: Final[dict[str, Callable[[str], bool]]] = {
    "date": _is_date,
    "date-time": _is_timestamp,
    "uri": lambda text: _URL.fullmatch(text) is not None,
}
