"""What a program sends to start a run over HTTP: a request packet, of which the address says the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, cast

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from loopx.domain.context import NAME_PATTERN, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.json_text import read_json
from loopx.domain.schema import CapabilitySpec, JsonSchema, nullable, text
from loopx.entrypoints.presentation.packet import PACKET_SCHEMA, Trace

_TRACE: Final[JsonSchema] = {
    "type": "object",
    "properties": {
        "agent_id": nullable(text() | {"pattern": f"^{NAME_PATTERN}$"}),
        "turn_id": nullable(text() | {"pattern": f"^{NAME_PATTERN}$"}),
        "traceparent": nullable(text()),
    },
    "additionalProperties": False,
    "description": "On whose behalf the run is made",
}


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Parameters that the capability still checks, and on whose behalf it runs."""

    params: Mapping[str, object]
    trace: Trace = field(default_factory=Trace)


def read_run_request(content: bytes, capability: str) -> RunRequest:
    """Understand the body of a request for a run of that capability.

    Raises:
        LoopXError: ``bad_request/body``.
    """
    try:
        document = read_json(content)
    except LoopXError as error:
        raise LoopXError("bad_request", "body", detail=f"it is no usable JSON ({error.reason})") from None
    if not isinstance(document, dict):
        raise LoopXError("bad_request", "body", detail="it is not a JSON object")
    try:
        wanted, named = cast("tuple[RunRequest, str | None]", _schema().load(document))
    except ValidationError as error:
        fields_at_fault = ", ".join(sorted(map(str, error.messages_dict)))
        raise LoopXError("bad_request", "body", detail=f"not as described: {fields_at_fault[:200]}") from None
    if named is not None and named != capability:
        raise LoopXError("bad_request", "body", detail="it names another capability than the address")
    return wanted


def run_request_schema(spec: CapabilitySpec) -> JsonSchema:
    """The same as JSON Schema."""
    parameters = spec.parameters_schema()
    return {
        "type": "object",
        "required": ["params"] if parameters["required"] else [],
        "properties": {
            "schema": {"const": PACKET_SCHEMA},
            "capability": {"const": spec.name},
            "params": parameters,
            "trace": _TRACE,
        },
        "additionalProperties": False,
    }


class _TraceSchema(Schema):
    class Meta:
        unknown = RAISE

    agent_id = fields.String(allow_none=True)
    turn_id = fields.String(allow_none=True)
    traceparent = fields.String(allow_none=True)

    @post_load
    def build(self, data: dict[str, Any], **_: object) -> Trace:
        """The value; what is no traceparent begins a new trace, as the standard has it."""
        given = data.get("traceparent")
        if given is not None and TraceContext.parse(given) is None:
            data["traceparent"] = None
        return Trace(**data)


class _RunRequestSchema(Schema):
    class Meta:
        unknown = RAISE

    schema = fields.String(validate=validate.Equal(PACKET_SCHEMA))
    capability = fields.String()
    params = fields.Dict(keys=fields.String(), load_default=dict)
    trace = fields.Nested(_TraceSchema, load_default=Trace)

    @post_load
    def build(self, data: dict[str, Any], **_: object) -> tuple[RunRequest, str | None]:
        """The value, and the capability if the body names one."""
        return RunRequest(data["params"], data["trace"]), data.get("capability")


@cache
def _schema() -> _RunRequestSchema:
    """Building a schema takes milliseconds, so there is one a process."""
    return _RunRequestSchema()
