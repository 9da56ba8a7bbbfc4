"""The pages of a listing: where its nodes stand, what is wrong with them, and which page is next."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from loopx.adapters.github.assembly import Unreadable
from loopx.adapters.github.graphql import Answer, fault_error
from loopx.domain.errors import LoopXError
from loopx.domain.http.graphql import GraphQLFault
from loopx.domain.repositories import Repository
from loopx.domain.results import Problem, RateLimit


@dataclass(frozen=True, slots=True)
class Listing:
    """Some nodes of an answer and where in it they stand."""

    repository: Repository
    nodes: tuple[object, ...]
    path: tuple[str, ...]
    total: int | None = None
    has_next: bool = False
    cursor: str | None = None

    def subject(self, index: int) -> str:
        """How a problem names one of the nodes."""
        node = self.nodes[index]
        number = cast("Mapping[str, object]", node).get("number") if isinstance(node, Mapping) else None
        known = isinstance(number, int)
        return f"{self.repository.id}#{number}" if known else f"a pull request of {self.repository.id}"

    def unreadable(self, answer: Answer, index: int) -> Unreadable:
        """The fields of a node that a fault speaks of."""
        return frozenset(
            str(rest[0])
            for fault in answer.faults
            if (rest := self._below(fault, index)) is not None and rest
        )

    def faults(self, answer: Answer) -> list[Problem]:
        """Every fault as a problem of the node it speaks of, and nodes that are missing without one."""
        found: list[Problem] = []
        for fault in answer.faults:
            index = next((i for i in range(len(self.nodes)) if self._below(fault, i) is not None), None)
            subject = self.repository.id if index is None else self.subject(index)
            found.append(Problem(subject, fault_error(fault.reason, fault, answer.call)))
        for index, node in enumerate(self.nodes):
            if node is None and not any(self._below(fault, index) is not None for fault in answer.faults):
                found.append(Problem(self.subject(index), fault_error("forbidden", None, answer.call)))
        return found

    def _below(self, fault: GraphQLFault, index: int) -> tuple[str | int, ...] | None:
        """The rest of a fault's path below one node; ``None`` when it is about something else."""
        single = self.path == ("pullRequest",)
        prefix = ("repository", *self.path, *(() if single else (index,)))
        return fault.path[len(prefix) :] if fault.path[: len(prefix)] == prefix else None


class Cursors:
    """Walks from page to page and notices when a server leads in a circle."""

    def __init__(self) -> None:
        self.current: str | None = None
        self._seen: set[str] = set()

    def move_on(self, page: Listing, answer: Answer) -> bool:
        """Go to the next page; false when this was the last.

        Raises:
            LoopXError: ``provider_pagination_error``.
        """
        if not page.has_next:
            return False
        if page.cursor is None:
            raise LoopXError("provider_pagination_error", "missing_cursor", call=answer.call)
        # An empty page that promises more would make no progress for ever.
        if page.cursor in self._seen or not page.nodes:
            raise LoopXError("provider_pagination_error", "cursor_loop", call=answer.call)
        self._seen.add(page.cursor)
        self.current = page.cursor
        return True


def _repository_node(answer: Answer) -> Mapping[str, object]:
    found = answer.data.get("repository")
    if not isinstance(found, Mapping):
        raise answer.failure()
    return cast("Mapping[str, object]", found)


def _renamed(found: Mapping[str, object], asked: Repository) -> Repository:
    """Under its current name, which a renamed repository answers with."""
    owner, slash, name = str(found.get("nameWithOwner") or "").partition("/")
    return Repository(asked.host, owner, name, asked.scheme) if slash else asked


def read_single(answer: Answer, repository: Repository) -> Listing:
    """The one pull request that was asked for, as a listing of one.

    Raises:
        LoopXError: ``provider_graphql_error`` when there is no such repository or pull request.
    """
    found = _repository_node(answer)
    page = Listing(_renamed(found, repository), (found.get("pullRequest"),), ("pullRequest",))
    if page.nodes[0] is None:
        raise answer.failure()
    return page


def read_listing(answer: Answer, repository: Repository) -> Listing:
    """One page of the pull requests of a repository.

    Raises:
        LoopXError: ``provider_graphql_error`` or ``provider_response_invalid/schema``.
    """
    found = _repository_node(answer)
    listing = found.get("pullRequests")
    if not isinstance(listing, Mapping):
        raise answer.failure("unknown")
    page = cast("Mapping[str, object]", listing)
    nodes, info, total = page.get("nodes"), page.get("pageInfo"), page.get("totalCount")
    if not isinstance(nodes, list) or not isinstance(info, Mapping):
        raise LoopXError("provider_response_invalid", "schema", detail="pullRequests", call=answer.call)
    position = cast("Mapping[str, object]", info)
    cursor = position.get("endCursor")
    return Listing(
        repository=_renamed(found, repository),
        nodes=tuple(cast("list[object]", nodes)),
        path=("pullRequests", "nodes"),
        total=total if isinstance(total, int) else None,
        has_next=position.get("hasNextPage") is True,
        cursor=cursor if isinstance(cursor, str) else None,
    )


def read_rate(found: object) -> RateLimit | None:
    """What is left of the limit; GitHub Enterprise Server has no limits by default and says null."""
    if not isinstance(found, Mapping):
        return None
    rate = cast("Mapping[str, object]", found)
    remaining, limit, reset = rate.get("remaining"), rate.get("limit"), rate.get("resetAt")
    if not isinstance(remaining, int) or not isinstance(limit, int) or not isinstance(reset, str):
        return None
    try:
        return RateLimit(remaining, limit, datetime.fromisoformat(reset).timestamp())
    except ValueError:
        return None
