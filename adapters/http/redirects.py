"""Follow redirects by our own rules; everything below this layer sees one hop at a time."""

from dataclasses import replace

from loopx.application.ports.clock import Clock
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.context import CallContext
from loopx.domain.http.body import EXCERPT_SOURCE
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.outcome import Answer, Circumstances, normalize
from loopx.domain.http.redirects import FOLLOWED, follow
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.http.target import read_target
from loopx.domain.redaction import Redactor


class RedirectTransport:
    """Asks again where a redirect points to, as far as ``domain/http/redirects.py`` allows it."""

    def __init__(self, onward: HttpTransport, *, clock: Clock) -> None:
        self._onward = onward
        self._clock = clock

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        hop = replace(request, url=read_target(request.url).url)
        seen = frozenset({hop.url})
        response = await self._onward.send(_accepting_redirects(hop), context)
        while (onward := follow(hop, response.status, response.headers, seen)) is not None:
            hop = onward
            seen |= {hop.url}
            response = await self._onward.send(_accepting_redirects(hop), context)
        if response.status in request.accept_status:
            return response
        body = response.content
        answer = Answer(response.status, response.headers, body, cut=len(body) >= EXCERPT_SOURCE)
        circumstances = Circumstances.of(hop, context, now=self._clock.now(), elapsed=0)
        raise normalize(answer, circumstances, Redactor(secrets_of(request)))


def _accepting_redirects(hop: HttpRequest) -> HttpRequest:
    return replace(hop, accept_status=hop.accept_status | FOLLOWED)
