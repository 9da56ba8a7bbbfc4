"""Answers a query from nodes held in memory, with exactly the fields that it selects."""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from loopx.entrypoints.demo.document import Document, Field, Inline, Selection, Spread, Variable
from loopx.entrypoints.demo.nodes import Node

_DIRECTIONS: Final = {"ASC": False, "DESC": True}
_ORDERS: Final = {"CREATED_AT": "createdAt", "UPDATED_AT": "updatedAt"}


class AnswerError(Exception):
    """The query asks for what the schema does not have; ``kind`` is GitHub's word for how."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


def _cursor(node: Node) -> str:
    """An opaque cursor that stays right when nodes before it come and go."""
    return b64encode(f"cursor:v2:{node['id']}".encode()).decode()


def _page(nodes: list[Node], arguments: Mapping[str, Any]) -> Node:
    """One page of a connection, as https://relay.dev/graphql/connections.htm cuts it."""
    start, end = 0, len(nodes)
    if after := arguments.get("after"):
        places = [place for place, node in enumerate(nodes) if _cursor(node) == after]
        if not places:
            raise AnswerError(f"`{after}` does not appear to be a valid cursor.", "INVALID_CURSOR_ARGUMENTS")
        start = places[0] + 1
    if (first := arguments.get("first")) is not None:
        end = min(end, start + first)
    if (last := arguments.get("last")) is not None:
        start = max(start, end - last)
    page = nodes[start:end]
    info = {
        "__typename": "PageInfo",
        "hasNextPage": end < len(nodes),
        "hasPreviousPage": start > 0,
        "startCursor": _cursor(page[0]) if page else None,
        "endCursor": _cursor(page[-1]) if page else None,
    }
    return {"totalCount": len(nodes), "pageInfo": info, "nodes": page}


def _item_type(type_name: str) -> str:
    """How an enumeration of types spells one: READY_FOR_REVIEW_EVENT for ReadyForReviewEvent."""
    return "".join(f"_{letter}" if letter.isupper() else letter for letter in type_name).upper()[1:]


def _chosen(nodes: Iterable[Node], arguments: Mapping[str, Any]) -> list[Node]:
    chosen = list(nodes)
    if states := arguments.get("states"):
        chosen = [node for node in chosen if node["state"] in states]
    if types := arguments.get("itemTypes"):
        chosen = [node for node in chosen if _item_type(node["__typename"]) in types]
    if order := arguments.get("orderBy"):
        key = _ORDERS[order["field"]]
        chosen.sort(key=lambda node: str(node[key]), reverse=_DIRECTIONS[order["direction"]])
    return chosen


def answer(repository: Node, document: Document, variables: Mapping[str, Any], roots: Node) -> Node:
    """The body of the answer; ``roots`` are the query's own fields that take no arguments.

    Raises AnswerError.
    """
    projection = _Projection(repository, document, variables, roots, [])
    data = projection.data()
    return {"data": data, "errors": projection.errors} if projection.errors else {"data": data}


@dataclass(frozen=True, slots=True)
class _Projection:
    repository: Node
    document: Document
    variables: Mapping[str, Any]
    roots: Node
    errors: list[Node]

    def data(self) -> Node:
        fields = self._fields(self.document.selections, "Query")
        return {field.key: self._value(self._root(field), field) for field in fields}

    def _root(self, field: Field) -> Any:
        arguments = self._arguments(field)
        if field.name == "repository":
            name = f"{arguments['owner']}/{arguments['name']}"
            if name.lower() == self.repository["nameWithOwner"].lower():
                return self.repository
            self._not_found(f"a Repository with the name '{name}'", field)
            return None
        if field.name == "node":
            described = f"a node with the global id of '{arguments['id']}'"
            return self._pull_request("id", arguments["id"], described, field)
        return self._plain(self.roots, field, "Query")

    def _pull_request(self, key: str, wanted: object, described: str, *path: Field) -> Any:
        for node in self.repository["pullRequests"]:
            if node[key] == wanted:
                return node
        self._not_found(described, *path)
        return None

    def _not_found(self, described: str, *path: Field) -> None:
        message = f"Could not resolve to {described}."
        keys = [field.key for field in path]
        self.errors.append({"type": "NOT_FOUND", "path": keys, "message": message})

    def _plain(self, node: Mapping[str, Any], field: Field, type_name: str) -> Any:
        if field.name not in node:
            raise AnswerError(f"Field '{field.name}' doesn't exist on type '{type_name}'", "undefinedField")
        return node[field.name]

    def _arguments(self, field: Field) -> dict[str, Any]:
        return {name: self._argument(value) for name, value in field.arguments.items()}

    def _argument(self, value: Any) -> Any:
        if isinstance(value, Variable):
            return self.variables.get(value.name)
        if isinstance(value, dict):
            return {name: self._argument(item) for name, item in value.items()}
        return value

    def _fields(self, selections: Iterable[Selection], type_name: str) -> list[Field]:
        """The fields that apply to a type, with fragments laid open."""
        found: list[Field] = []
        for selection in selections:
            part = self.document.fragments[selection.fragment] if isinstance(selection, Spread) else selection
            if isinstance(part, Inline):
                if part.type_name == type_name:
                    found += self._fields(part.selections, type_name)
            else:
                found.append(part)
        return found

    def _value(self, value: Any, field: Field) -> Any:
        """A value as the field selects from it: a list under page arguments is a connection."""
        if value is None or not field.selections:
            return value
        arguments = self._arguments(field)
        if isinstance(value, list) and arguments.keys() & {"first", "last"}:
            return self._object(_page(_chosen(value, arguments), arguments), field)
        if isinstance(value, list):
            return [self._object(item, field) for item in value]
        return self._object(value, field)

    def _object(self, node: Node, field: Field) -> Node:
        type_name = node.get("__typename", "")
        return {
            inner.key: self._value(self._inner(node, inner, field), inner)
            for inner in self._fields(field.selections, type_name)
        }

    def _inner(self, node: Node, field: Field, parent: Field) -> Any:
        type_name = node.get("__typename", "")
        if (type_name, field.name) != ("Repository", "pullRequest"):
            return self._plain(node, field, type_name)
        number = self._arguments(field)["number"]
        described = f"a PullRequest with the number of {number}"
        return self._pull_request("number", number, described, parent, field)
