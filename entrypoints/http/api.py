"""The table of everything that the server offers."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from loopx.domain.schema import Data, text
from loopx.entrypoints.http.capability_runs import CapabilityRuns
from loopx.entrypoints.http.exposition import OPENMETRICS, PROMETHEUS
from loopx.entrypoints.http.introspection import Introspection
from loopx.entrypoints.http.messages import JSON, NDJSON, Request, Response, json_response
from loopx.entrypoints.http.offering import Offering
from loopx.entrypoints.http.openapi import describe
from loopx.entrypoints.http.routes import Answer, Handler, Operation, Route, Router, json_answer
from loopx.entrypoints.http.shapes import (
    AFTER,
    CAPABILITIES,
    LAST_LINE_HEADER,
    REGISTRY,
    REGISTRY_SCHEMA,
    RUN,
    STATUS,
    VERBOSE,
    WELL,
)

RegistryReader = Callable[[], Sequence[Data]]
"""Gives the extensions that are registered, as JSON-ready data."""

_LINES: Final = "The lines of the run as they come"


def build_router(
    *,
    introspection: Introspection,
    runs: CapabilityRuns,
    offering: Offering,
    version: str,
    registry: RegistryReader | None = None,
) -> Router:
    """All routes; the registry is among them where there is one."""
    routes = [
        *_probe_routes(introspection),
        *_status_routes(introspection),
        *_capability_routes(runs),
        *_run_routes(runs),
        *(_registry_routes(registry) if registry is not None else ()),
    ]

    async def describe_all(_request: Request) -> Response:
        return json_response(describe(routes, await offering.read(), version))

    routes.append(_description_route(describe_all))
    return Router(routes)


def _probe_routes(introspection: Introspection) -> Iterator[Route]:
    alive = Operation(
        name="live",
        summary="Whether the process answers",
        handler=introspection.live,
        answers={200: json_answer("It does", WELL)},
    )
    yield Route("/livez", {"GET": alive}, is_open=True)
    for path, name in (("/readyz", "ready"), ("/healthz", "health")):
        ready = Operation(
            name=name,
            summary="Whether new work is welcome",
            handler=introspection.ready,
            answers={200: json_answer("It is", WELL)},
            parameters=(VERBOSE,),
        )
        yield Route(path, {"GET": ready}, is_open=True)


def _status_routes(introspection: Introspection) -> Iterator[Route]:
    status = Operation(
        name="status",
        summary="How the server is doing",
        handler=introspection.status,
        answers={200: json_answer("The state at this moment", STATUS)},
    )
    measured = {PROMETHEUS: text(), OPENMETRICS: text()}
    metrics = Operation(
        name="metrics",
        summary="Measurements, for Prometheus and OpenMetrics",
        handler=introspection.metrics,
        answers={200: Answer("Everything that was measured", measured)},
    )
    yield Route("/status", {"GET": status})
    yield Route("/metrics", {"GET": metrics})


def _capability_routes(runs: CapabilityRuns) -> Iterator[Route]:
    listed = Operation(
        name="capabilities",
        summary="What can be run",
        handler=runs.list_capabilities,
        answers={200: json_answer("All capabilities", CAPABILITIES)},
    )
    yield Route("/v1/capabilities", {"GET": listed})
    started = Operation(
        name="run",
        summary="Run a capability",
        handler=runs.start,
        answers={201: Answer(_LINES, {NDJSON: text()}, {"Location": "where the run is read again"})},
    )
    yield Route("/v1/capabilities/{name}/runs", {"POST": started})


def _run_routes(runs: CapabilityRuns) -> Iterator[Route]:
    read = Operation(
        name="read_run",
        summary="How a run stands or, with after, its lines from there on",
        handler=runs.read,
        answers={200: Answer(f"The state, or: {_LINES.lower()}", {JSON: RUN, NDJSON: text()})},
        faults=(404, 410),
        parameters=(AFTER, LAST_LINE_HEADER),
    )
    cancelled = Operation(
        name="cancel_run",
        summary="End a run and forget it",
        handler=runs.cancel,
        answers={204: Answer("It is ended")},
        faults=(404,),
    )
    yield Route("/v1/runs/{id}", {"GET": read, "DELETE": cancelled})


def _registry_routes(registry: RegistryReader) -> Iterator[Route]:
    async def show(_request: Request) -> Response:
        # It may wait for another process that writes the registry.
        found = await asyncio.to_thread(registry)
        return json_response({"schema": REGISTRY_SCHEMA, "extensions": [dict(each) for each in found]})

    listed = Operation(
        name="registry",
        summary="The extensions that are registered",
        handler=show,
        answers={200: json_answer("All of them", REGISTRY)},
    )
    yield Route("/v1/registry", {"GET": listed})


def _description_route(handler: Handler) -> Route:
    described = Operation(
        name="openapi",
        summary="This description",
        handler=handler,
        answers={200: json_answer("An OpenAPI document", {"type": "object"})},
    )
    return Route("/openapi.json", {"GET": described})
