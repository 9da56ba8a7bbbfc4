"""What can go wrong on the way; each fault changes how one answer is delivered."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from fakes.github.recording import Received

T = TypeVar("T")

_PROSE: Final = "<!DOCTYPE html>\n<html><head><title>Unicorn!</title></head><body><p>{}</p></body></html>\n"


@dataclass(slots=True)
class Delivery:
    """An answer about to be sent; of the body only ``stop_after`` bytes go out before ``ending`` happens."""

    request: Received
    status: int
    headers: dict[str, str]
    body: bytes
    delay: float = 0
    interval: float | None = None
    chunk: int = 1
    stop_after: int | None = None
    ending: Literal["keep", "close", "reset", "hang"] = "keep"


class Fault(Protocol):
    """Something that happens to a delivery."""

    def apply(self, delivery: Delivery) -> None: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """Another answer altogether."""

    status: int
    body: bytes | str | Mapping[str, Any] = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def apply(self, delivery: Delivery) -> None:
        body = self.body if isinstance(self.body, bytes | str) else json.dumps(self.body)
        delivery.status = self.status
        delivery.body = body.encode() if isinstance(body, str) else body
        delivery.headers |= {name.lower(): value for name, value in self.headers.items()}


def html_page(
    status: int = 502, text: str = "We had issues producing the response to your request."
) -> Answer:
    """The page that GitHub's front end shows when what is behind it does not answer."""
    return Answer(status, _PROSE.format(text), {"Content-Type": "text/html; charset=utf-8"})


@dataclass(frozen=True, slots=True)
class CutBody:
    """The connection is closed after so many bytes of the declared body (half of it by default)."""

    after: int | None = None

    def apply(self, delivery: Delivery) -> None:
        delivery.stop_after = len(delivery.body) // 2 if self.after is None else self.after
        delivery.ending = "close"


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection is reset: before any byte of the answer, or after so many of the body."""

    after: int | None = None

    def apply(self, delivery: Delivery) -> None:
        delivery.stop_after = -1 if self.after is None else self.after
        delivery.ending = "reset"


@dataclass(frozen=True, slots=True)
class Hang:
    """Silence until the client goes: before any byte of the answer, or after so many of the body."""

    after: int | None = None

    def apply(self, delivery: Delivery) -> None:
        delivery.stop_after = -1 if self.after is None else self.after
        delivery.ending = "hang"


@dataclass(frozen=True, slots=True)
class Drip:
    """The answer, head included, comes a few bytes at a time."""

    interval: float
    chunk: int = 1

    def apply(self, delivery: Delivery) -> None:
        delivery.interval = self.interval
        delivery.chunk = self.chunk


@dataclass(frozen=True, slots=True)
class Latency:
    """The answer comes so many seconds late."""

    seconds: float

    def apply(self, delivery: Delivery) -> None:
        delivery.delay = self.seconds


@dataclass(frozen=True, slots=True)
class GraphQLErrors:
    """Status 200 with errors; the places in ``null`` are emptied, or all of the data when it is None."""

    errors: Sequence[Mapping[str, Any]]
    null: Sequence[tuple[str | int, ...]] | None = ()

    def apply(self, delivery: Delivery) -> None:
        answer = json.loads(delivery.body)
        if self.null is None:
            answer["data"] = None
        for *path, last in self.null or ():
            place = answer["data"]
            for key in path:
                place = place[key]
            place[last] = None
        answer["errors"] = [*answer.get("errors", ()), *self.errors]
        delivery.body = json.dumps(answer).encode()


@dataclass(slots=True)
class Rule(Generic[T]):
    """When something is due, and how often it still may be."""

    due: T
    when: Callable[[Received], bool]
    left: float

    def take(self, request: Received) -> bool:
        """Whether it is due for this request; counts it if so."""
        if self.left > 0 and self.when(request):
            self.left -= 1
            return True
        return False
