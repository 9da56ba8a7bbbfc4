"""The pages of a listing: where its nodes stand, what is wrong with them, and which page is next."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, cast

from loopx.adapters.github.assembly import Unreadable
from loopx.adapters.github.graphql import Answer, fault_error
from loopx.domain.errors import LoopXError
from loopx.domain.http.graphql import GraphQLFault
from loopx.domain.repositories import Repository
from loopx.domain.results import Problem, RateLimit

_PLAUSIBLE: Final = range(2000, 2200)
"""Years in which a limit may be reset; others cannot be shown everywhere, and mean nothing."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Some nodes of an answer and where in it they stand."""

    repository: Repository
    nodes: tuple[object, ...]
    path: tuple[str, ...]
    total: int | None = None
    has_next: bool = False
    cursor: str | None = None

    def number(self, index: int) -> int | None:
        """The number of one of the nodes, if it tells."""
        node = self.nodes[index]
        number = cast("Mapping[str, object]", node).get("number") if isinstance(node, Mapping) else None
        return number if isinstance(number, int) else None

    def fresh(self, seen: set[int]) -> int:
        """How many of the nodes are new, which are then seen; one without a number counts as new."""
        numbers = [self.number(index) for index in range(len(self.nodes))]
        new = {number for number in numbers if number is not None and number not in seen}
        seen |= new
        return len(new) + numbers.count(None)

    def subject(self, index: int) -> str:
        """How a problem names one of the nodes."""
        number = self.number(index)
        return (
            f"a pull request of {self.repository.id}" if number is None else f"{self.repository.id}#{number}"
        )

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
                found.append(Problem(self.subject(index), fault_error("withheld", None, answer.call)))
        return found

    def _below(self, fault: GraphQLFault, index: int) -> tuple[str | int, ...] | None:
        """The rest of a fault's path below one node; ``None`` when it is about something else."""
        single = self.path == ("pullRequest",)
        prefix = ("repository", *self.path, *(() if single else (index,)))
        return fault.path[len(prefix) :] if fault.path[: len(prefix)] == prefix else None


def _repository_node(answer: Answer) -> Mapping[str, object]:
    found = answer.data.get("repository")
    if not isinstance(found, Mapping):
        raise answer.failure()
    return cast("Mapping[str, object]", found)


def _renamed(found: Mapping[str, object], asked: Repository) -> Repository:
    """Under its current name, which a renamed repository answers with."""
    owner, slash, name = str(found.get("nameWithOwner") or "").partition("/")
    return Repository(asked.host, owner, name, asked.scheme) if slash else asked


def read_single(answer: Answer, repository: Repository, number: int) -> Listing:
    """The one pull request that was asked for, as a listing of one.

    Raises:
        LoopXError: ``provider_graphql_error`` when there is no such repository or pull request.
    """
    found = _repository_node(answer)
    page = Listing(_renamed(found, repository), (found.get("pullRequest"),), ("pullRequest",))
    if page.nodes[0] is None:
        raise answer.failure()
    if page.number(0) != number:
        detail = f"it is not pull request {number}"
        raise LoopXError("provider_response_invalid", "schema", detail=detail, call=answer.call)
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
        moment = datetime.fromisoformat(reset).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return RateLimit(remaining, limit, moment.timestamp()) if moment.year in _PLAUSIBLE else None
