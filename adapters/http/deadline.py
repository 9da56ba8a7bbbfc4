"""The outermost layer: one total deadline, and complete facts in every error."""

import asyncio
from dataclasses import replace

from loopx.application.ports.clock import Clock
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.context import CallContext
from loopx.domain.error_table import Sent
from loopx.domain.errors import LoopXError
from loopx.domain.http.deadline import time_left
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.outcome import Circumstances, Fault, locate, normalize
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.redaction import Redactor


class DeadlineTransport:
    """Ends a call when its time or that of its run is up, wherever below it stands."""

    def __init__(self, onward: HttpTransport, *, clock: Clock) -> None:
        self._onward = onward
        self._clock = clock

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        started = self._clock.monotonic()
        seconds, kind = time_left(request.timeout, context.deadline, started)
        failure: Fault | LoopXError = Fault(kind, Sent.NO)
        if seconds > 0:
            scope = asyncio.timeout(seconds)
            try:
                async with scope:
                    return await self._onward.send(request, replace(context, call_deadline=started + seconds))
            except TimeoutError:
                if not scope.expired():
                    raise
                failure = Fault(kind)
            except LoopXError as error:
                failure = error
        elapsed = self._clock.monotonic() - started
        circumstances = Circumstances.of(request, context, now=self._clock.now(), elapsed=elapsed)
        redactor = Redactor(secrets_of(request))
        # Raised out here, the error has no foreign exception as its context.
        if isinstance(failure, Fault):
            raise normalize(failure, circumstances, redactor)
        raise locate(failure, circumstances, redactor)
