"""Follow the inner lists of a pull request that are longer than one page."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from marshmallow import ValidationError

from loopx.adapters.github.assembly import Unreadable
from loopx.adapters.github.fields import Page
from loopx.adapters.github.graphql import Answer, GraphQLClient, Node, fault_error
from loopx.adapters.github.nodes import Connection, PullRequestNode
from loopx.adapters.github.queries import (
    MORE_CHECKS,
    MORE_LABELS,
    MORE_REVIEW_REQUESTS,
    MORE_REVIEWS,
    MORE_THREADS,
)
from loopx.adapters.github.schemas import (
    CheckContextSchema,
    LabelSchema,
    ReviewRequestSchema,
    ReviewSchema,
    ThreadSchema,
)
from loopx.domain.context import CallContext
from loopx.domain.errors import NO_CALL, CallFacts, LoopXError
from loopx.domain.paging import PageWalk
from loopx.domain.repositories import PullRequestReference
from loopx.domain.results import Problem

# A list of labels and one of checks are followed alike, so the type of their items is left open here.
AnyConnection = Connection[Any]

_OID: Final = ("commits", "nodes", "commit", "oid")


@dataclass(frozen=True, slots=True)
class InnerList:
    """One list: its words for people, its query, where it is in the answer and in the node."""

    words: str
    document: str
    path: tuple[str, ...]
    page: Page
    get: Callable[[PullRequestNode], AnyConnection | None]
    put: Callable[[PullRequestNode, AnyConnection], PullRequestNode]


def _checks(node: PullRequestNode) -> AnyConnection | None:
    return node.commit.checks if node.commit else None


def _with_checks(node: PullRequestNode, checks: AnyConnection) -> PullRequestNode:
    return replace(node, commit=replace(node.commit, checks=checks)) if node.commit else node


INNER_LISTS: Final = (
    InnerList(
        "labels",
        MORE_LABELS,
        ("labels",),
        Page(LabelSchema()),
        lambda node: node.labels,
        lambda node, found: replace(node, labels=found),
    ),
    InnerList(
        "reviews",
        MORE_REVIEWS,
        ("reviews",),
        Page(ReviewSchema()),
        lambda node: node.reviews,
        lambda node, found: replace(node, reviews=found),
    ),
    InnerList(
        "review requests",
        MORE_REVIEW_REQUESTS,
        ("reviewRequests",),
        Page(ReviewRequestSchema()),
        lambda node: node.review_requests,
        lambda node, found: replace(node, review_requests=found),
    ),
    InnerList(
        "review threads",
        MORE_THREADS,
        ("reviewThreads",),
        Page(ThreadSchema()),
        lambda node: node.threads,
        lambda node, found: replace(node, threads=found),
    ),
    InnerList(
        "checks",
        MORE_CHECKS,
        ("commits", "nodes", "commit", "statusCheckRollup", "contexts"),
        Page(CheckContextSchema()),
        _checks,
        _with_checks,
    ),
)


def is_whole(node: PullRequestNode) -> bool:
    """Whether the first page of every inner list was its last, and of the head."""
    lists = (inner.get(node) for inner in INNER_LISTS)
    return not node.commit_moved and not any(found.has_next for found in lists if found is not None)


class InnerPages:
    """Reads the further pages; counts the requests that this took."""

    def __init__(self, client: GraphQLClient, url: str, context: CallContext) -> None:
        self._client = client
        self._url = url
        self._context = context
        self.requests = 0

    async def complete(
        self, node: PullRequestNode, reference: PullRequestReference
    ) -> tuple[PullRequestNode, list[Problem]]:
        """The node with its lists as whole as they can be had; what is missing is a problem."""
        problems: list[Problem] = []
        for inner in INNER_LISTS:
            found = inner.get(node)
            if inner.get is _checks and node.commit_moved:
                problems.append(Problem(f"{inner.words} of {reference.id}", _moved(NO_CALL)))
                continue
            if found is None or not found.has_next:
                continue
            subject = f"{inner.words} of {reference.id}"
            try:
                async for merged, faults in self._follow(node, inner, found):
                    node = inner.put(node, merged)
                    problems += [Problem(subject, fault) for fault in faults]
            except LoopXError as error:
                problems.append(Problem(subject, error))
        return node, problems

    async def _follow(
        self, node: PullRequestNode, inner: InnerList, found: AnyConnection
    ) -> AsyncIterator[tuple[AnyConnection, list[LoopXError]]]:
        """The list so far after each page, and what the server says is wrong with that page."""
        walk, fresh = PageWalk(), len(found.items)
        while walk.move_on(has_next=found.has_next, cursor=found.cursor, fresh=fresh):
            self.requests += 1
            variables: Node = {"id": node.id, "after": walk.cursor}
            answer = await self._client.ask(self._url, inner.document, variables, self._context)
            following = _read_page(answer, node, inner)
            fresh = len(following.items)
            found = found.followed_by(following)
            yield found, _faults(answer, following)


def withheld(node: PullRequestNode, subject: str, unreadable: Unreadable, answer: Answer) -> list[Problem]:
    """The lists of a node in which the server left entries out, unless it said so itself."""
    return [
        Problem(f"{inner.words} of {subject}", fault_error("withheld", None, answer.call))
        for inner in INNER_LISTS
        if (found := inner.get(node)) is not None and found.hidden and inner.path[0] not in unreadable
    ]


def _faults(answer: Answer, page: AnyConnection) -> list[LoopXError]:
    found = [fault_error(fault.reason, fault, answer.call) for fault in answer.faults]
    return found or ([fault_error("withheld", None, answer.call)] if page.hidden else [])


def _read_page(answer: Answer, node: PullRequestNode, inner: InnerList) -> AnyConnection:
    owner = answer.data.get("node")
    if not isinstance(owner, Mapping):
        raise answer.failure()
    fields = cast("Mapping[str, object]", owner)
    read = {fields.get("headRefOid")} | ({_walk(fields, _OID)} if "commits" in inner.path else set())
    if read != {node.head_sha}:
        raise _moved(answer.call)
    try:
        page = inner.page.deserialize(_walk(fields, inner.path))
    except ValidationError as error:
        raise invalid_shape(error, answer) from None
    if page is None:
        raise answer.failure("unknown")
    return page


def _moved(call: CallFacts) -> LoopXError:
    # Checks of two commits in one verdict would be a verdict on neither.
    detail = "the pull request was pushed to while it was read"
    return LoopXError("provider_graphql_error", "changed_meanwhile", detail=detail, call=call)


def invalid_shape(error: ValidationError, answer: Answer) -> LoopXError:
    """Name the fields that do not fit, never their values."""
    paths = ", ".join(sorted(_paths(error.messages)))
    return LoopXError("provider_response_invalid", "schema", detail=paths[:200], call=answer.call)


def _paths(messages: object, prefix: str = "answer") -> set[str]:
    """The dotted paths of everything that was complained of."""
    if not isinstance(messages, Mapping):
        return {prefix}
    nested = cast("Mapping[object, object]", messages)
    below = [
        _paths(part, prefix if name == "_schema" else f"{prefix}.{name}") for name, part in nested.items()
    ]
    return set[str]().union(*below)


def _walk(fields: Mapping[str, object], path: tuple[str, ...]) -> object:
    value: object = fields
    for name in path:
        if name == "nodes":
            listed = cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None
            value = cast("list[object]", listed)[0] if isinstance(listed, list) and listed else None
        else:
            value = cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None
    return value
