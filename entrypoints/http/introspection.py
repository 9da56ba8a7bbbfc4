"""What the server says about itself: alive, ready, status, measurements."""

from typing import Final

from loopx.application.steps.meter import Meter
from loopx.application.use_cases.read_status import ReadStatus
from loopx.domain.errors import LoopXError
from loopx.domain.metrics import ACTIVE_RUNS, BUILD, UPTIME, Measured, Sample
from loopx.domain.server_status import ServerStatus
from loopx.entrypoints.http.exposition import choose_format, expose
from loopx.entrypoints.http.messages import Request, Response, json_response
from loopx.entrypoints.http.offering import Offered, Offering
from loopx.entrypoints.presentation.times import iso

STATUS_SCHEMA: Final = "loopx.status/1"
_SCHEMA_VERSION: Final = 1
_WELL: Final = {"status": "ok"}


class Introspection:
    """The endpoints; ``is_stopping`` is set by who stops the server."""

    def __init__(self, *, read_status: ReadStatus, offering: Offering, meter: Meter) -> None:
        self._read_status = read_status
        self._offering = offering
        self._meter = meter
        self.is_stopping = False

    async def live(self, _request: Request) -> Response:
        """The process answers."""
        return json_response(_WELL)

    async def ready(self, request: Request) -> Response:
        """New work is welcome.

        Raises:
            LoopXError: ``not_ready/stopping``.
        """
        if self.is_stopping:
            raise LoopXError("not_ready", "stopping")
        checks = {"checks": {"accepting": "ok"}} if request.asks_for("verbose") else {}
        return json_response(_WELL | checks)

    async def status(self, _request: Request) -> Response:
        """How the server is doing; files that cannot be read are a part of that."""
        offered = await self._offering.read()
        return json_response(_status_data(self._read_status(), offered))

    async def metrics(self, request: Request) -> Response:
        """Measurements."""
        content_type = choose_format(request.headers.get("accept") or "")
        text = expose((*self._meter.read(), *_gauges(self._read_status())), content_type)
        return Response(200, text.encode(), (("Content-Type", content_type), ("Vary", "Accept")))


def _status_data(status: ServerStatus, offered: Offered) -> dict[str, object]:
    return {
        "schema": STATUS_SCHEMA,
        "schema_version": _SCHEMA_VERSION,
        "version": status.version,
        "pid": status.pid,
        "started_at": iso(status.started_at),
        "uptime_s": round(status.uptime, 3),
        "capabilities": [spec.name for spec in offered.specs],
        "problem": offered.problem,
        "runs": dict(status.runs),
        "errors": [
            {
                "code": failure.code,
                "reason": failure.reason,
                "count": failure.count,
                "last_at": iso(failure.last_at),
            }
            for failure in status.failures
        ],
    }


def _gauges(status: ServerStatus) -> tuple[Measured, ...]:
    return (
        (ACTIVE_RUNS, tuple(Sample((state,), float(count)) for state, count in status.runs)),
        (UPTIME, (Sample((), status.uptime),)),
        (BUILD, (Sample((status.version,), 1.0),)),
    )
