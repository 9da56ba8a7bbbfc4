"""Errors as problem documents (RFC 9457), with the same fields as through every other door."""

from loopx.domain.errors import LoopXError
from loopx.domain.redaction import Redactor
from loopx.entrypoints.http.messages import PROBLEM, Fields, Response
from loopx.entrypoints.presentation.envelope import to_json
from loopx.entrypoints.presentation.untrusted import one_line

_RETRY_SECONDS = 1
_BUSY = 503


def problem_data(error: LoopXError, redactor: Redactor, instance: str | None = None) -> dict[str, object]:
    """The document; ``status`` is this answer's, ``upstream_status`` that of the provider's."""
    told = error.to_dict()
    upstream = told.pop("status")
    document = {
        "type": f"urn:loopx:error:{error.code}:{error.reason}",
        "title": error.row.what,
        **told,
        "detail": error.what,
        "status": error.row.http_status,
        "upstream_status": upstream,
        **({} if instance is None else {"instance": instance}),
    }
    return {name: _harmless(value, redactor) for name, value in document.items()}


def problem(
    error: LoopXError, redactor: Redactor, instance: str | None = None, headers: Fields = ()
) -> Response:
    """The error as an answer."""
    waiting = error.retry_after
    if waiting is None and error.row.http_status == _BUSY:
        waiting = _RETRY_SECONDS
    retry: Fields = () if waiting is None else (("Retry-After", str(round(waiting))),)
    body = f"{to_json(problem_data(error, redactor, instance))}\n".encode()
    return Response(error.row.http_status, body, (("Content-Type", PROBLEM), *retry, *headers))


def _harmless(value: object, redactor: Redactor) -> object:
    return redactor.text(one_line(value)) if isinstance(value, str) else value
