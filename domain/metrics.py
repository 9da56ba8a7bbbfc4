"""Measurements as values: what is counted, under which name and labels.

Source: the Prometheus data model; OpenMetrics 1.0.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
"""Bounds of durations, as OpenTelemetry has them for HTTP."""


class Kind(StrEnum):
    """How a measurement behaves over time."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Family:
    """Measurements of one name; a counter's name is without its ``_total``."""

    name: str
    kind: Kind
    about: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """One value; ``buckets`` count the observations up to each bound and in all, for histograms only."""

    labels: tuple[str, ...]
    value: float
    buckets: tuple[int, ...] = ()


Measured = tuple[Family, tuple[Sample, ...]]

REJECTED: Final = Family(
    "loopx_server_rejected",
    Kind.COUNTER,
    "Requests that reached no handler, by the check that failed.",
    ("check",),
)
REQUESTS: Final = Family(
    "loopx_server_requests", Kind.COUNTER, "Requests that were answered.", ("method", "route", "status")
)
ACTIVE_RUNS: Final = Family("loopx_server_runs", Kind.GAUGE, "Runs that are kept, by state.", ("state",))
UPTIME: Final = Family("loopx_server_uptime_seconds", Kind.GAUGE, "Time since the server started.")
BUILD: Final = Family("loopx_build_info", Kind.GAUGE, "The version that runs; always 1.", ("version",))
CALLS: Final = Family(
    "loopx_http_client_request_duration_seconds",
    Kind.HISTOGRAM,
    "Calls to the outside, retries and redirects included.",
    ("provider", "method"),
    SECONDS,
)
CALL_ERRORS: Final = Family(
    "loopx_http_client_errors",
    Kind.COUNTER,
    "Calls to the outside that failed, by code and reason.",
    ("provider", "code", "reason"),
)

FAMILIES: Final = (REJECTED, REQUESTS, CALLS, CALL_ERRORS)
"""What is counted while it happens; the others are read off when somebody asks."""
