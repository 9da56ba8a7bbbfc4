"""Choose the credential of each hop."""

from loopx.application.ports.credential_source import CredentialSource
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.context import CallContext
from loopx.domain.http.identity import authorize
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.target import read_target


class CredentialTransport:
    """Gives a request the credential of exactly the host it goes to; the wire alone reveals it."""

    def __init__(self, onward: HttpTransport, *, credentials: CredentialSource) -> None:
        self._onward = onward
        self._credentials = credentials

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        target = read_target(request.url)
        credential = None if request.anonymous else self._credentials.find(target)
        return await self._onward.send(authorize(request, credential), context)
