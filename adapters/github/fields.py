"""Marshmallow fields for the habits of GitHub's GraphQL API."""

from collections.abc import Mapping
from typing import Final, Protocol, cast

from marshmallow import ValidationError, fields

from loopx.adapters.github.nodes import Connection
from loopx.domain.pull_requests.record import Person, PersonKind


class Word(fields.Field[str]):
    """One of GitHub's upper-case words, in lower case; also one that is not known yet."""

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if not isinstance(value, str):
            raise ValidationError("must be a word")
        return value.lower()


class Moment(fields.AwareDateTime):
    """A moment with its time zone, as GitHub writes it."""

    DEFAULT_FORMAT = "iso"


class Part(fields.Field[str | None]):
    """One text out of an object: the title of a milestone, the name of a workflow."""

    def __init__(self, *path: str, data_key: str | None = None) -> None:
        super().__init__(allow_none=True, load_default=None, data_key=data_key)
        self._path = path

    def _deserialize(self, value: object, *_: object, **__: object) -> str | None:
        for name in self._path:
            if value is None:
                return None
            if not isinstance(value, Mapping):
                raise ValidationError(f"must be an object with {name}")
            value = cast("Mapping[str, object]", value).get(name)
        if value is not None and not isinstance(value, str):
            raise ValidationError("must be text")
        return value


_KINDS: Final = {
    "Bot": PersonKind.BOT,
    "Organization": PersonKind.ORGANIZATION,
    "Mannequin": PersonKind.MANNEQUIN,
}


class Actor(fields.Field[Person]):
    """Who did it; ``None`` where the account was deleted."""

    def __init__(self, *, data_key: str | None = None) -> None:
        super().__init__(allow_none=True, load_default=None, data_key=data_key)

    def _deserialize(self, value: object, *_: object, **__: object) -> Person:
        actor = cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}
        login = actor.get("login")
        if not isinstance(login, str):
            raise ValidationError("must be an account")
        # Enterprise accounts, and kinds of tomorrow, act like users.
        return Person(login, _KINDS.get(str(actor.get("__typename")), PersonKind.USER))


class NodeSchema(Protocol):
    """Turns one node into a value."""

    def load(self, data: Mapping[str, object]) -> object:
        """Raises ``ValidationError``."""
        ...


class Page(fields.Field[Connection[object]]):
    """One page of a connection; null entries are counted, for they are hidden and not absent."""

    def __init__(self, node: NodeSchema, *, data_key: str | None = None) -> None:
        super().__init__(allow_none=True, load_default=None, data_key=data_key)
        self._node = node

    def _deserialize(self, value: object, *_: object, **__: object) -> Connection[object]:
        if not isinstance(value, Mapping):
            raise ValidationError("must be a connection")
        page = cast("Mapping[str, object]", value)
        listed, info, total = page.get("nodes"), page.get("pageInfo"), page.get("totalCount")
        if not isinstance(info, Mapping) or not isinstance(total, int):
            raise ValidationError("must have pageInfo and totalCount")
        nodes = cast("list[object]", listed) if isinstance(listed, list) else []
        items = tuple(self._load(node) for node in nodes if node is not None)
        position = cast("Mapping[str, object]", info)
        cursor = position.get("endCursor")
        return Connection(
            items=items,
            total=total,
            has_next=position.get("hasNextPage") is True,
            cursor=cursor if isinstance(cursor, str) else None,
            hidden=len(nodes) - len(items) if nodes else 0,
        )

    def _load(self, node: object) -> object:
        if not isinstance(node, Mapping):
            raise ValidationError("must hold objects")
        return self._node.load(cast("Mapping[str, object]", node))
