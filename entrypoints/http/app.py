"""The application: the gate in front, one handler behind it, and every answer complete."""

from typing import Final

from loopx.application.steps.failures import Failures
from loopx.application.steps.meter import Meter
from loopx.domain.access_request import Allow, Options, Refuse
from loopx.domain.errors import LoopXError
from loopx.domain.metrics import REJECTED, REQUESTS
from loopx.domain.redaction import Redactor
from loopx.entrypoints.http.answering import Answering, live, read_body
from loopx.entrypoints.http.asgi import Receive, Scope, Send
from loopx.entrypoints.http.gate import Gate, read_headers
from loopx.entrypoints.http.messages import Fields, Request, Response
from loopx.entrypoints.http.problems import problem
from loopx.entrypoints.http.routes import Route, Router

_NO_ROUTE: Final = "none"
_KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class StatusApp:
    """An ASGI application; what it refuses reaches no handler."""

    def __init__(
        self, *, gate: Gate, router: Router, meter: Meter, failures: Failures, redactor: Redactor
    ) -> None:
        self._gate = gate
        self._router = router
        self._meter = meter
        self._failures = failures
        self._redactor = redactor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; as ASGI wants it, also the questions of a server that starts and stops."""
        if scope["type"] == "lifespan":
            await live(receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    def refuse(self, code: str, reason: str) -> Response:
        """The answer of the wire to what is no request for the application."""
        self._meter.count(REJECTED, code)
        return problem(LoopXError(code, reason), self._redactor)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = read_headers(scope["headers"])
        route, parts = self._router.find(scope["path"]) or (None, {})
        verdict = self._gate.judge(scope, headers, route.resource if route else None)
        match verdict:
            case Refuse(check=check, code=code, reason=reason):
                self._meter.count(REJECTED, check)
                response = self._problem(LoopXError(code, reason), scope["path"], verdict.headers)
            case Options():
                response = Response(204, b"", verdict.headers)
            case Allow():
                request = Request(
                    method=scope["method"],
                    path=scope["path"],
                    query=scope["query_string"].decode("latin-1"),
                    headers=headers,
                    parts=parts,
                    read_body=lambda: read_body(receive),
                )
                response = await self._handle(route, request, verdict.headers)
        self._count(scope["method"], route, response.status)
        await Answering(scope["method"], receive, send).give(response)

    async def _handle(self, route: Route | None, request: Request, sharing: Fields) -> Response:
        if route is None:
            return self._problem(LoopXError("not_found", "path"), request.path, sharing)
        operation = route.operations["GET" if request.method == "HEAD" else request.method]
        try:
            response = await operation.handler(request)
        except LoopXError as error:
            self._failures.note(error)
            return self._problem(error, request.path, sharing)
        except Exception as error:  # noqa: BLE001 - the boundary of the server: a defect is one answer, not the end
            defect = LoopXError("internal_error", "defect", detail=type(error).__name__)
            self._failures.note(defect)
            return self._problem(defect, request.path, sharing)
        return Response(response.status, response.body, (*response.headers, *sharing))

    def _problem(self, error: LoopXError, instance: str, headers: Fields) -> Response:
        return problem(error, self._redactor, instance, headers)

    def _count(self, method: str, route: Route | None, status: int) -> None:
        # Labels come from fixed sets: names that clients invent would never end.
        known = method if method in _KNOWN_METHODS else "_OTHER"
        self._meter.count(REQUESTS, known, route.path if route else _NO_ROUTE, str(status))
