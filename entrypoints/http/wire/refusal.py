"""An answer that the wire gives itself, for a request that no application ever saw."""

from email.utils import formatdate
from http import HTTPStatus

import h11

from loopx.entrypoints.http.headers import complete
from loopx.entrypoints.http.messages import Response


def render(response: Response, *, with_body: bool) -> bytes:
    """The answer as bytes; the connection ends with it."""
    body = response.body if isinstance(response.body, bytes) else b""
    headers = [
        *complete(response.headers, "GET"),
        ("Content-Length", str(len(body))),
        ("Date", formatdate(usegmt=True)),
        ("Connection", "close"),
    ]
    http = h11.Connection(h11.SERVER)
    status = HTTPStatus(response.status)
    head = http.send(h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())) or b""
    return head + (body if with_body else b"")
