"""Which path stands for what; the description of the API is made from the same table."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from loopx.domain.access_request import Resource
from loopx.domain.schema import JsonSchema
from loopx.entrypoints.http.messages import JSON, Request, Response

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a handler answers with when all is well."""

    about: str
    content: Mapping[str, JsonSchema] = field(default_factory=dict)
    """Schema by media type; nothing for an answer without a body."""
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(about: str, schema: JsonSchema) -> Answer:
    """An answer in JSON."""
    return Answer(about, {JSON: schema})


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A method of a path: what runs, and what a client must know; ``faults`` are statuses of problems."""

    name: str
    summary: str
    handler: Handler
    answers: Mapping[int, Answer]
    faults: tuple[int, ...] = ()
    parameters: tuple[JsonSchema, ...] = ()
    """As OpenAPI parameter objects."""


@dataclass(frozen=True, slots=True)
class Route:
    """A path whose parts in braces vary, and its operations by method."""

    path: str
    operations: Mapping[str, Operation]
    is_open: bool = False

    @property
    def resource(self) -> Resource:
        """The route as the access decision sees it."""
        return Resource(is_open=self.is_open, methods=frozenset(self.operations))

    def match(self, path: str) -> dict[str, str] | None:
        """The variable parts of a path that this route stands for."""
        pattern, parts = self.path.split("/"), path.split("/")
        if len(pattern) != len(parts):
            return None
        found: dict[str, str] = {}
        for wanted, part in zip(pattern, parts, strict=True):
            if wanted.startswith("{") and part:
                found[wanted[1:-1]] = part
            elif wanted != part:
                return None
        return found


class Router:
    """Finds routes."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = tuple(routes)

    def find(self, path: str) -> tuple[Route, dict[str, str]] | None:
        """The route of a path and its variable parts."""
        for route in self.routes:
            parts = route.match(path)
            if parts is not None:
                return route, parts
        return None
