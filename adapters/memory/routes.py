"""Answers for exactly the requests that a test expects."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from loopx.adapters.memory.transport import Reply
from loopx.domain.http.message import HttpRequest
from loopx.domain.http.outcome import Fault
from loopx.domain.http.target import read_target
from loopx.domain.redaction import Redactor

Answering = Reply | Fault | Callable[[HttpRequest], Reply | Fault]


@dataclass(slots=True)
class _Route:
    replies: list[Answering] = field(default_factory=list[Answering])
    forever: Answering | None = None
    used: bool = False


class Routes:
    """A handler for ``MemoryTransport``: what it was not told of, and what nobody asks for, is loud.

    ``with Routes() as routes:`` checks at the end that every answer was asked for.
    """

    def __init__(self) -> None:
        self._routes: dict[tuple[str, str], _Route] = {}

    def on(self, method: str, url: str, *replies: Answering) -> Self:
        """Give these answers to a request, in this order, each once."""
        self._route(method, url).replies.extend(replies)
        return self

    def always(self, method: str, url: str, reply: Answering) -> Self:
        """Give this answer to a request as often as it comes, at least once."""
        self._route(method, url).forever = reply
        return self

    def __call__(self, request: HttpRequest) -> Reply | Fault:
        route = self._routes.get((request.method, request.url), _Route())
        route.used = True
        reply = route.replies.pop(0) if route.replies else route.forever
        if reply is None:
            raise AssertionError(f"unexpected request: {_shown(request.method, request.url)}")
        return reply(request) if callable(reply) else reply

    def verify(self) -> None:
        """Fail when an answer was never asked for.

        Raises:
            AssertionError: names the requests that did not come.
        """
        missing = [
            _shown(method, url)
            for (method, url), route in self._routes.items()
            if route.replies or not route.used
        ]
        if missing:
            raise AssertionError(f"requests that did not come: {', '.join(missing)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.verify()

    def _route(self, method: str, url: str) -> _Route:
        return self._routes.setdefault((method, read_target(url).url), _Route())


def _shown(method: str, url: str) -> str:
    return f"{method} {Redactor().url(url)}"
