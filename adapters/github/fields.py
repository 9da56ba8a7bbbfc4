"""Marshmallow fields for the habits of GitHub's GraphQL API."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NoReturn, Protocol, cast

from marshmallow import ValidationError, fields

from loopx.adapters.github.nodes import Connection
from loopx.domain.pull_requests.record import Person, PersonKind


class Word(fields.Field[str]):
    """One of GitHub's upper-case words, in lower case; also one that is not known yet."""

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        if not isinstance(value, str):
            raise ValidationError("must be a word")
        return value.lower()


class Moment(fields.Field[datetime]):
    """A moment with its time zone, as GitHub writes it, in UTC."""

    def _deserialize(self, value: object, *_: object, **__: object) -> datetime:
        try:
            moment = datetime.fromisoformat(str(value))
            return moment.astimezone(UTC) if moment.tzinfo else _no_moment()
        except (ValueError, OverflowError):
            return _no_moment()


def _no_moment() -> NoReturn:
    raise ValidationError("must be a moment with its time zone")


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
    "User": PersonKind.USER,
    "EnterpriseUserAccount": PersonKind.USER,
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
        # A kind of tomorrow may be no human at all, and only a human's approval counts.
        return Person(login, _KINDS.get(str(actor.get("__typename")), PersonKind.BOT))


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
        position = cast("Mapping[str, object]", info)
        cursor = position.get("endCursor")
        items = {
            _key(node, f"{cursor} {place}"): self._load(node)
            for place, node in enumerate(nodes)
            if node is not None
        }
        return Connection(
            items=tuple(items.values()),
            keys=tuple(items),
            total=total,
            has_next=position.get("hasNextPage") is True,
            cursor=cursor if isinstance(cursor, str) else None,
            hidden=nodes.count(None) if isinstance(listed, list) else 1,
        )

    def _load(self, node: object) -> object:
        if not isinstance(node, Mapping):
            raise ValidationError("must hold objects")
        return self._node.load(cast("Mapping[str, object]", node))


def _key(node: object, place: str) -> str:
    """The id of a node, or the name of a label, which has only that; of a kind of tomorrow its place."""
    fields = cast("Mapping[str, object]", node) if isinstance(node, Mapping) else {}
    named = fields.get("id") or fields.get("name")
    return named if isinstance(named, str) else place
