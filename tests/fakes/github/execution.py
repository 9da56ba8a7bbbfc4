"""Executes GraphQL against GitHub's schema over nodes held in memory, with real pages of every connection."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    build_schema,
    execute_sync,
    get_named_type,
    parse,
    validate,
)

from loopx.entrypoints.demo.nodes import Node

_SCHEMA: Final = Path(__file__).with_name("schema.graphql")
_ORDERS: Final = {"CREATED_AT": "createdAt", "UPDATED_AT": "updatedAt"}
_AS_HELD: Final = {"field": "CREATED_AT", "direction": "ASC"}
_PAGE_LIMIT: Final = 100


class RefusalError(Exception):
    """What GitHub itself would refuse; becomes an error of that type beside the data."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class MissingDataError(Exception):
    """The nodes in memory lack a field that was asked for: the test's data is wrong, or the query is."""


@cache
def github_schema() -> GraphQLSchema:
    """GitHub's schema, pruned."""
    return build_schema(_SCHEMA.read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def checked_document(text: str) -> tuple[DocumentNode | None, tuple[GraphQLError, ...]]:
    """A document and what is wrong with it, worked out once for each text."""
    try:
        document = parse(text)
    except GraphQLError as error:
        return None, (error,)
    return document, tuple(validate(github_schema(), document))


def cursor_of(node: Node) -> str:
    """An opaque cursor that stays right when nodes before it come and go."""
    return b64encode(f"cursor:v2:{node['id']}".encode()).decode()


def _item_type(type_name: str) -> str:
    """How an enumeration of types spells one: READY_FOR_REVIEW_EVENT for ReadyForReviewEvent."""
    return "".join(f"_{letter}" if letter.isupper() else letter for letter in type_name).upper()[1:]


def _kept(node: Node, arguments: Mapping[str, Any]) -> bool:
    states, types = arguments.get("states"), arguments.get("itemTypes")
    return (not states or node["state"] in states) and (not types or _item_type(node["__typename"]) in types)


def _ordered(nodes: list[Node], order: Mapping[str, str] | None) -> list[Node]:
    # The schema's default for labels and others is oldest first: the order in which they are held.
    if order is None or (order == _AS_HELD and any("createdAt" not in node for node in nodes)):
        return nodes
    key = _ORDERS[order["field"]]
    if any(key not in node for node in nodes):
        raise MissingDataError(f"nodes in memory have no {key} to be ordered by")
    return sorted(nodes, key=lambda node: (node[key], node["number"]), reverse=order["direction"] == "DESC")


def _check_bounds(field_name: str, arguments: Mapping[str, Any]) -> None:
    bounds = {name: arguments[name] for name in ("first", "last") if arguments.get(name) is not None}
    if not bounds:
        message = (
            f"You must provide a `first` or `last` value to properly paginate the `{field_name}` connection."
        )
        raise RefusalError("MISSING_PAGINATION_BOUNDARIES", message)
    for name, value in bounds.items():
        if not 0 <= value <= _PAGE_LIMIT:
            asked = f"Requesting {value} records on the `{field_name}` connection exceeds the `{name}` limit"
            raise RefusalError("EXCESSIVE_PAGINATION", f"{asked} of {_PAGE_LIMIT} records.")


def _after(nodes: list[Node], cursor: str) -> list[Node]:
    for place, node in enumerate(nodes):
        if cursor_of(node) == cursor:
            return nodes[place + 1 :]
    raise RefusalError("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor.")


def connection(field_name: str, nodes: list[Node], arguments: Mapping[str, Any]) -> Node:
    """One page; a node that no longer fits the filter still tells where its cursor was."""
    _check_bounds(field_name, arguments)
    ordered = _ordered(nodes, arguments.get("orderBy"))
    total = sum(_kept(node, arguments) for node in ordered)
    if cursor := arguments.get("after"):
        ordered = _after(ordered, cursor)
    rest = [node for node in ordered if _kept(node, arguments)]
    page = rest[: arguments.get("first")]
    if last := arguments.get("last"):
        page = page[-last:]
    info = {
        "hasNextPage": bool(page) and page[-1] is not rest[-1],
        "hasPreviousPage": bool(page) and (len(rest) < total or page[0] is not rest[0]),
        "startCursor": cursor_of(page[0]) if page else None,
        "endCursor": cursor_of(page[-1]) if page else None,
    }
    edges = [{"cursor": cursor_of(node), "node": node} for node in page]
    return {"totalCount": total, "pageInfo": info, "nodes": page, "edges": edges}


@dataclass(slots=True)
class Executor:
    """Answers documents over repositories; ``roots`` are further fields of the query, made when asked for."""

    repositories: dict[str, Node] = field(default_factory=dict)
    roots: dict[str, Callable[[], Node]] = field(default_factory=dict)
    defects: list[Exception] = field(default_factory=list)

    def answer(self, text: str, variables: Mapping[str, Any]) -> Node:
        """The body of GitHub's answer; what a test must not overlook goes to ``defects``."""
        document, problems = checked_document(text)
        if document is None or problems:
            self.defects += problems
            return {"errors": [{"message": problem.message} for problem in problems]}
        result = execute_sync(
            github_schema(),
            document,
            root_value={"__typename": "Query"},
            variable_values=dict(variables),
            field_resolver=self._resolve,
            type_resolver=lambda value, _info, _type: value["__typename"],
        )
        errors = [self._error(error) for error in result.errors or ()]
        return {"data": result.data} | ({"errors": errors} if errors else {})

    def _error(self, error: GraphQLError) -> Node:
        kind = error.original_error.kind if isinstance(error.original_error, RefusalError) else None
        if kind is None:
            self.defects.append(error)
        shown = {"type": kind, "path": error.path, "message": error.message}
        return {key: value for key, value in shown.items() if value is not None}

    def _resolve(self, source: Node, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        name, parent = info.field_name, info.parent_type.name
        if parent == "Query":
            return self._root(name, arguments)
        if (parent, name) == ("Repository", "pullRequest"):
            return self._numbered(source, arguments["number"])
        if name not in source:
            raise MissingDataError(f"the {parent} {source.get('id', '')} in memory has no {name}")
        value = source[name]
        if isinstance(value, list) and _is_connection(info):
            return connection(name, value, arguments)
        return value

    def _root(self, name: str, arguments: Mapping[str, Any]) -> Any:
        if name == "repository":
            return self._repository(f"{arguments['owner']}/{arguments['name']}")
        if name == "node":
            return self._node(arguments["id"])
        if name == "nodes":
            return [self._node(wanted) for wanted in arguments["ids"]]
        if name not in self.roots:
            raise MissingDataError(f"the query's field {name} is not in memory")
        return self.roots[name]()

    def _repository(self, full_name: str) -> Node:
        if found := self.repositories.get(full_name.lower()):
            return found
        raise RefusalError("NOT_FOUND", f"Could not resolve to a Repository with the name '{full_name}'.")

    def _node(self, wanted: str) -> Node:
        for repository in self.repositories.values():
            nodes: Sequence[Node] = (repository, *repository["pullRequests"])
            for node in nodes:
                if node["id"] == wanted:
                    return node
        raise RefusalError("NOT_FOUND", f"Could not resolve to a node with the global id of '{wanted}'.")

    def _numbered(self, repository: Node, number: int) -> Node:
        pull_requests: Sequence[Node] = repository["pullRequests"]
        for node in pull_requests:
            if node["number"] == number:
                return node
        raise RefusalError("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")


def _is_connection(info: GraphQLResolveInfo[Any]) -> bool:
    return get_named_type(info.return_type).name.endswith("Connection")
