"""The one way out, with a look at the clock."""

from loopx.application.ports.clock import Clock
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.steps.meter import Meter
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import is_github_cloud
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.target import read_target
from loopx.domain.metrics import CALL_ERRORS, CALLS


class MeteredTransport:
    """Measures every call of the transport behind it."""

    def __init__(self, *, transport: HttpTransport, meter: Meter, clock: Clock) -> None:
        self._transport = transport
        self._meter = meter
        self._clock = clock

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        provider = _provider(request.url)
        started = self._clock.monotonic()
        try:
            return await self._transport.send(request, context)
        except LoopXError as error:
            self._meter.count(CALL_ERRORS, provider, error.code, error.reason)
            raise
        finally:
            self._meter.observe(CALLS, self._clock.monotonic() - started, provider, request.method)

    async def aclose(self) -> None:
        """Close the transport, if it is one that holds anything."""
        close = getattr(self._transport, "aclose", None)
        if close is not None:
            await close()


def _provider(url: str) -> str:
    """A name out of few: hosts come from callers, and a label for each would never end."""
    try:
        return "github" if is_github_cloud(read_target(url).host) else "other"
    except LoopXError:
        return "other"
