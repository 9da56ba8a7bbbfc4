"""The one way out."""

from typing import Protocol

from loopx.domain.context import CallContext
from loopx.domain.http.message import HttpRequest, HttpResponse


class HttpTransport(Protocol):
    """Sends requests to the outside world and brings whole answers back."""

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        """Send one request, following its redirects, within its total ``timeout`` in seconds.

        Raises:
            LoopXError: ``provider_http_error`` for a status outside ``accept_status``;
                ``provider_network_error``, ``deadline_exceeded``, ``provider_redirect_error``,
                ``provider_response_invalid``, ``provider_response_too_large``, ``egress_blocked``
                or ``request_invalid`` when there is no usable answer.
        """
        ...
