"""The description of the API, made from the routes and from what capabilities and records say of themselves.

Source: OpenAPI 3.1.1.
"""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Final

from loopx.domain.access import MARKER
from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.errors import Sent
from loopx.domain.schema import (
    BOOLEAN,
    INTEGER,
    CapabilitySpec,
    JsonSchema,
    nullable,
    text,
)
from loopx.entrypoints.http.messages import JSON, NDJSON, PROBLEM
from loopx.entrypoints.http.offering import Offered
from loopx.entrypoints.http.routes import Answer, Operation, Route
from loopx.entrypoints.http.shapes import PROBLEM_REFERENCE, embedded
from loopx.entrypoints.presentation.run_request import run_request_schema

VERSION: Final = "3.1.0"
_READING: Final = frozenset({"GET"})
_ALWAYS: Final = (400, 405, 408, 414, 421, 431, 403, 503, 500)
_NUMBER: Final[JsonSchema] = {"type": "number"}


def describe(routes: Iterable[Route], offered: Offered, version: str) -> dict[str, object]:
    """The document; an extension field of it says why capabilities are missing."""
    known = offered.specs
    paths: dict[str, object] = {}
    for route in routes:
        if "{name}" in route.path:
            paths |= {route.path.replace("{name}", spec.name): _path(route, spec) for spec in known}
        else:
            paths[route.path] = _path(route, None)
    return {
        "openapi": VERSION,
        "info": {
            "title": "LoopX",
            "version": version,
            "description": "The one audited border between an agent runtime and the outside world.",
        },
        "paths": paths,
        "components": {
            "schemas": {"Problem": problem_schema()}
            | {_record_name(spec): embedded(spec.record) for spec in known},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        **({} if offered.problem is None else {"x-loopx-problem": offered.problem}),
    }


def problem_schema() -> JsonSchema:
    """A problem document as JSON Schema."""
    properties: dict[str, JsonSchema] = {
        "type": text(),
        "title": text(),
        "status": INTEGER,
        "detail": text(),
        "instance": text(),
        "code": text(choices=tuple(sorted({code for code, _ in ERROR_TABLE}))),
        "reason": text(),
        "message": text(),
        "hint": text(),
        "retryable": BOOLEAN,
        "sent": text(choices=tuple(Sent)),
        "upstream_status": nullable(INTEGER),
        "retry_after": nullable(_NUMBER),
        "attempts": INTEGER,
        "elapsed_ms": nullable(INTEGER),
        **{
            name: nullable(text())
            for name in ("method", "url", "request_id", "agent_id", "turn_id", "excerpt")
        },
    }
    required = [name for name in properties if name != "instance"]
    return {"type": "object", "required": required, "properties": properties}


def _path(route: Route, spec: CapabilitySpec | None) -> dict[str, object]:
    found: dict[str, object] = {
        method.lower(): _operation(route, method, operation, spec)
        for method, operation in route.operations.items()
    }
    variable = [part[1:-1] for part in route.path.split("/") if part.startswith("{") and spec is None]
    if variable:
        found["parameters"] = [_path_parameter(name) for name in variable]
    return found


def _operation(
    route: Route, method: str, operation: Operation, spec: CapabilitySpec | None
) -> dict[str, object]:
    changes = method not in _READING
    name = operation.name if spec is None else f"{operation.name}_{spec.name}"
    described: dict[str, object] = {
        "operationId": name,
        "summary": operation.summary if spec is None else spec.summary,
        "parameters": [*operation.parameters, *([_marker()] if changes else [])],
        "responses": _responses(route, method, operation, spec),
        "security": [] if route.is_open else [{"token": []}],
    }
    if spec is not None:
        described["description"] = spec.description
        described["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": run_request_schema(spec)}},
        }
    return described


def _responses(
    route: Route, method: str, operation: Operation, spec: CapabilitySpec | None
) -> dict[str, object]:
    faults = {*_ALWAYS, *operation.faults, *(() if route.is_open else (401,))}
    if method not in _READING:
        faults |= {413, 415}
    return {
        **{str(status): _answer(answer, spec) for status, answer in operation.answers.items()},
        **{str(status): _fault(status) for status in sorted(faults)},
    }


def _answer(answer: Answer, spec: CapabilitySpec | None) -> dict[str, object]:
    content = {
        kind: {"schema": _stream(spec) if kind == NDJSON else schema}
        for kind, schema in answer.content.items()
    }
    return {
        "description": answer.about,
        **({"content": content} if content else {}),
        **({"headers": _headers(answer.headers)} if answer.headers else {}),
    }


def _stream(spec: CapabilitySpec | None) -> JsonSchema:
    """A stream is text to JSON Schema; what its lines are stands beside it."""
    lines = "One JSON object a line, the last of type summary."
    if spec is None:
        return {"type": "string", "description": lines}
    return {
        "type": "string",
        "description": f"{lines} Lines of type {spec.record.type}: #/components/schemas/{_record_name(spec)}",
    }


def _fault(status: int) -> dict[str, object]:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {PROBLEM: {"schema": PROBLEM_REFERENCE}},
    }


def _headers(about: Mapping[str, str]) -> dict[str, object]:
    return {
        name: {"description": meaning, "required": True, "schema": text()} for name, meaning in about.items()
    }


def _marker() -> JsonSchema:
    return {
        "name": MARKER,
        "in": "header",
        "required": True,
        "description": "Marks a request that changes something; no page can send it unasked.",
        "schema": {"const": "1"},
    }


def _path_parameter(name: str) -> JsonSchema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _record_name(spec: CapabilitySpec) -> str:
    return spec.record.schema.replace("/", "-")
