"""Read what a manifest provides: capabilities and connectors with their parameters and records."""

import re
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.manifest import Unit, UnitKind
from loopx.domain.extensions.names import (
    RESERVED_PARAMETERS,
    RESERVED_TYPES,
    is_unit_name,
    is_word,
    namespace,
)
from loopx.domain.extensions.refusal import quoted
from loopx.domain.extensions.tables import Table, first_repeated
from loopx.domain.schema import (
    BOOLEAN,
    INTEGER,
    CapabilitySpec,
    Field,
    JsonSchema,
    ParameterSpec,
    ParameterValue,
    RecordSpec,
    listing,
    text,
)

UNIT_KEYS: Final = ("kind", "name", "summary", "description", "parameters", "record")
MOST_COLUMNS: Final = 6

PARAMETER_KEYS: Final = (
    "name",
    "description",
    "type",
    "required",
    "repeated",
    "choices",
    "default",
    "minimum",
    "example",
)
RECORD_KEYS: Final = ("schema", "type", "columns", "fields")
FIELD_KEYS: Final = ("name", "description", "type", "nullable", "repeated", "choices")
KINDS: Final[dict[str, type[str] | type[int] | type[bool]]] = {"text": str, "integer": int, "boolean": bool}
SHAPES: Final[dict[str, JsonSchema]] = {
    "text": text(),
    "integer": INTEGER,
    "number": {"type": "number"},
    "boolean": BOOLEAN,
    "date": text(form="date"),
    "timestamp": text(form="date-time"),
    "url": text(form="uri"),
    "object": {"type": "object"},
}
_NEGATION: Final = "no_"
_SCHEMA: Final = re.compile(r"([a-z0-9_.]+)/[1-9][0-9]{0,3}")


def read_units(root: Table, tables: list[Table], extension_id: str) -> tuple[Unit, ...]:
    """All that is provided, at least one unit and no name twice.

    Raises:
        LoopXError: ``extension_error/manifest``.
    """
    units = tuple(_read_unit(table, extension_id) for table in tables)
    if not units:
        raise root.unfit("provides", "is missing: at least one [[provides]] is expected")
    if twice := first_repeated(unit.name for unit in units):
        raise root.unfit("provides", f"names {quoted(twice)} twice")
    return units


def _read_unit(table: Table, extension_id: str) -> Unit:
    kind = UnitKind(table.choice("kind", tuple(UnitKind)))
    name, summary = table.line("name"), table.line("summary", longest=100)
    if not is_unit_name(name, extension_id):
        own = namespace(extension_id)
        raise table.unfit("name", f"must be {own} or begin with {own}. as its id does, not {quoted(name)}")
    parameters = tuple(_read_parameter(one) for one in table.tables("parameters", PARAMETER_KEYS))
    if twice := first_repeated(parameter.name for parameter in parameters):
        raise table.unfit("parameters", f"names {quoted(twice)} twice")
    spec = CapabilitySpec(
        name=name,
        summary=summary,
        description=table.line_or("description", summary, longest=1000),
        parameters=parameters,
        record=_read_record(table.table("record", RECORD_KEYS), extension_id),
    )
    return Unit(kind, spec)


def _read_parameter(table: Table) -> ParameterSpec:
    name = table.line("name")
    if not is_word(name) or name.startswith(_NEGATION):
        raise table.unfit("name", f"must be a word like max_pages, not {quoted(name)}")
    if name in RESERVED_PARAMETERS:
        raise table.unfit("name", f"must not be {quoted(name)}, which is an option of every command")
    kind = KINDS[table.choice("type", KINDS, absent="text")]
    parameter = ParameterSpec(
        name=name,
        description=table.line("description").removesuffix("."),
        kind=kind,
        required=table.flag("required"),
        repeated=table.flag("repeated"),
        choices=table.lines("choices"),
        minimum=table.number("minimum"),
        example=table.line_or("example", ""),
    )
    _check_parameter(table, parameter)
    return _with_default(table, parameter)


def _check_parameter(table: Table, parameter: ParameterSpec) -> None:
    if parameter.kind is not str and (parameter.choices or parameter.repeated):
        raise table.unfit("choices" if parameter.choices else "repeated", "goes with the type text only")
    if parameter.kind is not int and parameter.minimum is not None:
        raise table.unfit("minimum", "goes with the type integer only")


def _with_default(table: Table, parameter: ParameterSpec) -> ParameterSpec:
    value = table.value("default")
    if value is None:
        return parameter
    if parameter.required:
        raise table.unfit("default", "makes no sense for what is required")
    return ParameterSpec(
        name=parameter.name,
        description=parameter.description,
        kind=parameter.kind,
        repeated=parameter.repeated,
        choices=parameter.choices,
        minimum=parameter.minimum,
        example=parameter.example,
        default=_read_default(table, parameter, value),
    )


def _read_default(table: Table, parameter: ParameterSpec, value: object) -> ParameterValue:
    # The parameter would take "5" for a number, as it comes from a command line; a manifest has types.
    if parameter.repeated:
        value = table.lines("default")
    elif type(value) is not parameter.kind:
        raise table.unfit("default", "must have the type of the parameter")
    elif isinstance(value, str):
        value = table.line("default")
    try:
        checked = parameter.read(value)
    except LoopXError:
        checked = None
    if checked is None:
        raise table.unfit("default", "must be a value that the parameter takes")
    return checked


def _read_record(table: Table, extension_id: str) -> RecordSpec:
    schema, kind = table.line("schema"), table.line("type")
    match = _SCHEMA.fullmatch(schema)
    if match is None or not is_unit_name(match[1], extension_id):
        own = namespace(extension_id)
        raise table.unfit("schema", f"must be a versioned name like {own}.filing/1, not {quoted(schema)}")
    if not is_word(kind) or kind in RESERVED_TYPES:
        raise table.unfit("type", f"must be a word like filing, not {quoted(kind)}")
    fields = tuple(_read_field(one) for one in table.tables("fields", FIELD_KEYS))
    if not fields:
        raise table.unfit("fields", "is missing: at least one field is expected")
    if twice := first_repeated(field.name for field in fields):
        raise table.unfit("fields", f"names {quoted(twice)} twice")
    return RecordSpec(schema=schema, type=kind, fields=fields, columns=_read_columns(table, fields))


def _read_columns(table: Table, fields: tuple[Field, ...]) -> tuple[str, ...]:
    names = tuple(field.name for field in fields)
    columns = table.lines("columns")
    for column in columns:
        if column not in names:
            raise table.unfit("columns", f"must name fields of the record, not {quoted(column)}")
    return columns or names[:MOST_COLUMNS]


def _read_field(table: Table) -> Field:
    name = table.line("name")
    if not is_word(name) or name in {"schema", "type"}:
        raise table.unfit(
            "name", f"must be a word like filed_on, neither schema nor type, not {quoted(name)}"
        )
    kind = table.choice("type", SHAPES, absent="text")
    choices = table.lines("choices")
    if choices and kind != "text":
        raise table.unfit("choices", "goes with the type text only")
    shape = text(choices=choices) if choices else SHAPES[kind]
    if table.flag("repeated"):
        shape = listing(shape)
    return Field(name, shape, table.line("description").removesuffix("."), table.flag("nullable"))
