"""``--fields a,b.c``: parts of a record, picked by dotted paths that its specification knows."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Self, cast

from loopx.domain.errors import LoopXError
from loopx.domain.schema import Data, JsonSchema, RecordSpec
from loopx.entrypoints.presentation.untrusted import one_line

Path = tuple[str, ...]
_Tree = dict[str, "_Tree"]
"""Names to what is kept below them; nothing below means all of it."""

_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Selection:
    """Some fields of a record, in the order in which they were asked for."""

    paths: tuple[Path, ...]

    @classmethod
    def read(cls, text: str, spec: RecordSpec) -> Self:
        """Check the paths against the record's specification.

        Raises:
            LoopXError: ``usage_error/parameter`` with the names that come near.
        """
        paths = tuple(dict.fromkeys(tuple(part.strip().split(".")) for part in text.split(",")))
        schema = spec.json_schema()
        for path in paths:
            if not _knows(schema, path):
                raise _unknown(path, schema, spec)
        return cls(paths)

    def keep(self, data: Data) -> dict[str, object]:
        """The record with these fields only, nested as they were."""
        return cast("dict[str, object]", _prune(data, self._tree()))

    def _tree(self) -> _Tree:
        tree: _Tree = {}
        for path in self.paths:
            place = tree
            for depth, name in enumerate(path):
                if name in place and not place[name]:
                    break  # all of it is wanted already
                place = place.setdefault(name, {})
                if depth == len(path) - 1:
                    place.clear()
        return tree


def value_at(data: object, path: Path) -> object:
    """What a record holds at a path; a list on the way gives a list, an absent part ``None``."""
    if not path:
        return data
    if isinstance(data, list | tuple):
        return [value_at(item, path) for item in cast("list[object]", data)]
    return value_at(cast("Data", data).get(path[0]), path[1:]) if isinstance(data, dict) else None


def _prune(value: object, tree: _Tree) -> object:
    if not tree:
        return value
    if isinstance(value, list | tuple):
        return [_prune(item, tree) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    parts = cast("Data", value)
    return {name: _prune(parts[name], below) for name, below in tree.items() if name in parts}


def _knows(schema: JsonSchema, path: Path) -> bool:
    if not path:
        return True
    return any(
        _knows(cast("JsonSchema", option[path[0]]), path[1:])
        for option in _objects(schema)
        if path[0] in option
    ) or any(_knows(rest, path[1:]) for rest in _open_ends(schema))


def _objects(schema: JsonSchema) -> Iterator[JsonSchema]:
    """The named parts of a schema, also where it may be null or is a list of objects."""
    for form in _forms(schema):
        yield cast("JsonSchema", form.get("properties", {}))


def _open_ends(schema: JsonSchema) -> Iterator[JsonSchema]:
    for form in _forms(schema):
        rest = form.get("additionalProperties")
        if isinstance(rest, dict):
            yield cast("JsonSchema", rest)


def _forms(schema: JsonSchema) -> Iterator[JsonSchema]:
    yield schema
    for option in cast("list[JsonSchema]", schema.get("anyOf", [])):
        yield from _forms(option)
    if "items" in schema:
        yield from _forms(cast("JsonSchema", schema["items"]))


def _all_paths(schema: JsonSchema, above: str = "") -> Iterator[str]:
    for parts in _objects(schema):
        for name, below in parts.items():
            yield above + name
            yield from _all_paths(cast("JsonSchema", below), f"{above}{name}.")


def _unknown(path: Path, schema: JsonSchema, spec: RecordSpec) -> LoopXError:
    asked = ".".join(path)
    known = list(_all_paths(schema))
    near = (
        get_close_matches(asked, known, n=5) or [name for name in known if path[-1] and path[-1] in name][:5]
    )
    listed = near or [field.name for field in spec.fields]
    return LoopXError(
        "usage_error",
        "parameter",
        detail=f"there is no field {one_line(asked)[:_SHOWN]!r}",
        hint=f"{'Near' if near else 'Known'} names: {', '.join(listed)}.",
    )
