"""The shapes of what the server answers with, as JSON Schema and OpenAPI parameters."""

from typing import Final

from loopx.domain.schema import INTEGER, JsonSchema, RecordSpec, listing, nullable, record, text
from loopx.entrypoints.http.capability_runs import LAST_LINE, RUN_SCHEMA
from loopx.entrypoints.http.introspection import STATUS_SCHEMA
from loopx.entrypoints.presentation.capabilities import CAPABILITY
from loopx.entrypoints.presentation.extensions import EXTENSION

REGISTRY_SCHEMA: Final = "loopx.registry/1"


def embedded(spec: RecordSpec) -> JsonSchema:
    """A record's schema as a part of another one, which says the dialect."""
    return {name: value for name, value in spec.json_schema().items() if name != "$schema"}


PROBLEM_REFERENCE: Final[JsonSchema] = {"$ref": "#/components/schemas/Problem"}
_PROBLEM: Final = nullable(PROBLEM_REFERENCE)
"""Why capabilities are missing."""

TIME: Final[JsonSchema] = text(form="date-time")
WELL: Final[JsonSchema] = {
    "type": "object",
    "required": ["status"],
    "properties": {"status": {"const": "ok"}, "checks": {"type": "object"}},
}
STATUS: Final[JsonSchema] = record(
    schema={"const": STATUS_SCHEMA},
    schema_version=INTEGER,
    version=text(),
    pid=INTEGER,
    started_at=TIME,
    uptime_s={"type": "number"},
    capabilities=listing(text()),
    problem=_PROBLEM,
    runs={"type": "object", "additionalProperties": INTEGER},
    errors=listing(record(code=text(), reason=text(), count=INTEGER, last_at=TIME)),
)
CAPABILITIES: Final[JsonSchema] = record(
    schema={"const": CAPABILITY.schema}, capabilities=listing(embedded(CAPABILITY)), problem=_PROBLEM
)
RUN: Final[JsonSchema] = record(
    schema={"const": RUN_SCHEMA},
    id=text(),
    capability=text(),
    state=text(choices=("running", "finished", "cancelled", "failed")),
    started_at=TIME,
    ended_at=nullable(TIME),
    first_line=INTEGER,
    last_line=INTEGER,
)
AFTER: Final[JsonSchema] = {
    "name": "after",
    "in": "query",
    "description": "The number of lines that were read already; without it the state of the run is told.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
}
LAST_LINE_HEADER: Final[JsonSchema] = {
    "name": LAST_LINE,
    "in": "header",
    "description": "The same as after, for readers of event streams.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
}
VERBOSE: Final[JsonSchema] = {
    "name": "verbose",
    "in": "query",
    "description": "Tell each check.",
    "allowEmptyValue": True,
    "schema": text(),
}
REGISTRY: Final[JsonSchema] = record(
    schema={"const": REGISTRY_SCHEMA}, extensions=listing(embedded(EXTENSION))
)
