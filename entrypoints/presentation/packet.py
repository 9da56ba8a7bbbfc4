"""``loopx.request/1``: a request as one JSON document."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, cast

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate

from loopx.domain.context import TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.json_text import read_json
from loopx.entrypoints.presentation.untrusted import one_line

PACKET_SCHEMA: Final = "loopx.request/1"


@dataclass(frozen=True, slots=True)
class Trace:
    """On whose behalf the request is made."""

    agent_id: str | None = None
    turn_id: str | None = None
    traceparent: str | None = None


@dataclass(frozen=True, slots=True)
class Packet:
    """A capability to run, with parameters that its own specification still checks."""

    capability: str
    params: Mapping[str, object]
    trace: Trace = field(default_factory=Trace)


def read_packet(content: bytes) -> Packet:
    """Understand a packet.

    Raises:
        LoopXError: ``usage_error/packet`` with the place of the fault.
    """
    try:
        document = read_json(content)
    except LoopXError as error:
        raise _unreadable(f"{error.row.what.replace('the answer', 'it')}{_place(content)}") from None
    if not isinstance(document, dict):
        raise _unreadable("it is not a JSON object")
    try:
        return cast("Packet", _schema().load(cast("dict[str, object]", document)))
    except ValidationError as error:
        raise _unreadable("; ".join(_faults(error.messages_dict))) from None


class _TraceSchema(Schema):
    class Meta:
        unknown = RAISE

    agent_id = fields.String(allow_none=True)
    turn_id = fields.String(allow_none=True)
    traceparent = fields.String(allow_none=True)

    @post_load
    def build(self, data: dict[str, Any], **_: object) -> Trace:
        """The value."""
        if data.get("traceparent") is not None and TraceContext.parse(data["traceparent"]) is None:
            raise ValidationError("Not a W3C traceparent.", "traceparent")
        return Trace(**data)


class _PacketSchema(Schema):
    class Meta:
        unknown = RAISE

    schema = fields.String(required=True, validate=validate.Equal(PACKET_SCHEMA))
    capability = fields.String(required=True, validate=validate.Length(min=1))
    params = fields.Dict(keys=fields.String(), load_default=dict)
    trace = fields.Nested(_TraceSchema, load_default=Trace)

    @post_load
    def build(self, data: dict[str, Any], **_: object) -> Packet:
        """The value."""
        return Packet(data["capability"], data["params"], data["trace"])


@cache
def _schema() -> _PacketSchema:
    """Building a schema takes milliseconds, so there is one a process."""
    return _PacketSchema()


def _faults(messages: Mapping[str, Any], above: str = "") -> list[str]:
    """Marshmallow's messages, each behind the path to the field it is about."""
    found: list[str] = []
    for name, below in messages.items():
        path = above if name == "_schema" else f"{above}.{name}".removeprefix(".")
        if isinstance(below, Mapping):
            found += _faults(cast("Mapping[str, Any]", below), path)
        else:
            found += [f"{one_line(path) or 'packet'}: {text.removesuffix('.').lower()}" for text in below]
    return found


def _place(content: bytes) -> str:
    """Where the document stops being JSON; nothing for faults that have no one place."""
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        return f" (line {error.lineno}, column {error.colno})"
    except (ValueError, RecursionError):
        pass
    return ""


def _unreadable(detail: str) -> LoopXError:
    return LoopXError("usage_error", "packet", detail=detail)
