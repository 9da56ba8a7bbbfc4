"""Shapes of data as values: parameters and records are described once and exported as JSON Schema.

Source: JSON Schema draft 2020-12.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from loopx.domain.errors import LoopXError

JsonSchema = dict[str, object]
Data = Mapping[str, object]
"""A record as JSON-ready data."""
SortKey = Callable[[Data], tuple[str | int | float, ...]]

TRUE_WORDS: Final = frozenset({"true", "yes", "on", "1"})
_MAXIMUM_DIGITS: Final = 18
"""What surely fits in 64 bits."""
FALSE_WORDS: Final = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, slots=True)
class Field:
    """One named part of a record, with its JSON Schema and whether it may be null."""

    name: str
    shape: JsonSchema
    description: str
    nullable: bool = False

    def json_schema(self) -> JsonSchema:
        """The schema of the value."""
        schema = dict(self.shape)
        if self.nullable:
            schema = {"anyOf": [schema, {"type": "null"}]}
        return schema | {"description": self.description}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSpec:
    """A kind of record: its versioned name, its type in streams and its fields in order."""

    schema: str
    type: str
    fields: tuple[Field, ...]
    columns: tuple[str, ...]
    """Dotted paths of the fields that csv and plain listings show."""
    orders: tuple[tuple[str, SortKey], ...] = ()
    """Named orders for finished lists; the first is the default."""

    def json_schema(self) -> JsonSchema:
        """The record as JSON Schema; other fields may be added in a release, so they are allowed."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.schema,
            "type": "object",
            "required": [field.name for field in self.fields],
            "properties": {field.name: field.json_schema() for field in self.fields},
        }


def text(*, choices: tuple[str, ...] = (), form: str | None = None) -> JsonSchema:
    """A string, optionally one of a closed list or of a JSON Schema format."""
    schema: JsonSchema = {"type": "string"}
    if choices:
        schema["enum"] = list(choices)
    if form:
        schema["format"] = form
    return schema


def nullable(schema: JsonSchema) -> JsonSchema:
    """The same or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def listing(items: JsonSchema) -> JsonSchema:
    """A list."""
    return {"type": "array", "items": items}


def record(**properties: JsonSchema) -> JsonSchema:
    """An object with exactly these parts."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


INTEGER: Final[JsonSchema] = {"type": "integer"}
BOOLEAN: Final[JsonSchema] = {"type": "boolean"}

ParameterValue = str | int | bool | tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterSpec:
    """One parameter of a capability, from which options, schemas and forms are derived."""

    name: str
    description: str
    kind: type[str] | type[int] | type[bool] = str
    required: bool = False
    repeated: bool = False
    choices: tuple[str, ...] = ()
    default: ParameterValue | None = None
    minimum: int | None = None
    example: str = ""

    def json_schema(self) -> JsonSchema:
        """The parameter's value as JSON Schema."""
        schema: JsonSchema = {"type": {str: "string", int: "integer", bool: "boolean"}[self.kind]}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.repeated:
            schema = {"type": "array", "items": schema} | ({"minItems": 1} if self.required else {})
        if self.default is not None:
            schema["default"] = list(self.default) if isinstance(self.default, tuple) else self.default
        return schema | {"description": self.description}

    def read(self, value: object) -> ParameterValue | None:
        """Check one value as it came through a door; ``None`` asks for the default.

        Raises:
            LoopXError: ``usage_error/parameter``.
        """
        if value is None or value == ():
            if self.required:
                raise self._unusable("is missing")
            return self.default
        if not self.repeated:
            return self._read_one(value)
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(str(self._read_one(item)) for item in items)

    def check_type(self, value: object) -> None:
        """Refuse what only a command line may write: text for a number, one value for a list.

        Raises:
            LoopXError: ``usage_error/parameter``.
        """
        if value is None:
            raise self._unusable("must not be null")
        if self.repeated and not isinstance(value, list | tuple):
            raise self._unusable("must be a list")
        if self.repeated and self.required and not value:
            raise self._unusable("must not be empty")
        if self.kind is not str and isinstance(value, str):
            raise self._unusable("must be a whole number" if self.kind is int else "must be true or false")

    def _read_one(self, value: object) -> str | int | bool:
        if self.kind is bool:
            return self._read_boolean(value)
        if self.kind is int:
            return self._read_integer(value)
        if not isinstance(value, str) or not value.strip():
            raise self._unusable("must be text")
        if self.choices and value not in self.choices:
            raise self._unusable(f"must be one of {', '.join(self.choices)}")
        return value

    def _read_integer(self, value: object) -> int:
        if (
            isinstance(value, str)
            and value.isascii()
            and value.removeprefix("-").isdigit()
            and len(value) <= _MAXIMUM_DIGITS
        ):
            value = int(value)
        if isinstance(value, float) and value.is_integer() and abs(value) < 10**_MAXIMUM_DIGITS:
            value = int(value)  # to JSON Schema 2.0 is a whole number
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._unusable("must be a whole number")
        if self.minimum is not None and value < self.minimum:
            raise self._unusable(f"must be {self.minimum} or more")
        return value

    def _read_boolean(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        word = value.strip().lower() if isinstance(value, str) else ""
        if word in TRUE_WORDS | FALSE_WORDS:
            return word in TRUE_WORDS
        raise self._unusable("must be true or false")

    def _unusable(self, problem: str) -> LoopXError:
        return LoopXError("usage_error", "parameter", detail=f"{self.name} {problem}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilitySpec:
    """What a capability is called, does, takes and gives."""

    name: str
    summary: str
    description: str
    parameters: tuple[ParameterSpec, ...]
    record: RecordSpec

    def parameters_schema(self) -> JsonSchema:
        """All parameters as the JSON Schema of one object."""
        return {
            "type": "object",
            "required": [parameter.name for parameter in self.parameters if parameter.required],
            "properties": {parameter.name: parameter.json_schema() for parameter in self.parameters},
            "additionalProperties": False,
        }

    def read(self, given: dict[str, object], *, typed: bool = False) -> dict[str, ParameterValue | None]:
        """Check all parameters; unknown ones are refused, absent ones get their default.

        ``typed`` values came as JSON and have the types of the published schema; others may be text.

        Raises:
            LoopXError: ``usage_error/parameter``.
        """
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise LoopXError("usage_error", "parameter", detail=f"there is none called {name[:60]!r}")
        for parameter in self.parameters:
            if typed and parameter.name in given:
                parameter.check_type(given[parameter.name])
        return {parameter.name: parameter.read(given.get(parameter.name)) for parameter in self.parameters}
