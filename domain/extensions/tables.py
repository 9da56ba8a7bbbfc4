"""Read tables strictly: every key is known, every value has the type that is expected of it."""

from collections.abc import Iterable
from typing import Final, cast

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.refusal import quoted, refused

LONGEST_LINE: Final = 300
MOST_ITEMS: Final = 200

_LARGEST: Final = 10**15


class Table:
    """One table of a manifest; ``place`` is its own path, for errors.

    Raises:
        LoopXError: ``extension_error/manifest`` for a key that is not known, and from every method
            for a value that is missing or not what is expected, naming the key.
    """

    def __init__(self, data: dict[str, object], place: str, known: tuple[str, ...]) -> None:
        self._data = data
        self._place = place
        for key in data:
            if key not in known:
                raise self.unfit(quoted(key), f"is not known here; there are {', '.join(known)}")

    def unfit(self, key: str, says: str) -> LoopXError:
        """The error for a key."""
        return refused("manifest", f"{self._place}{key} {says}")

    def line(self, key: str, *, longest: int = LONGEST_LINE) -> str:
        """Text that must be there."""
        return self._line(key, self._present(key, "text"), longest)

    def line_or(self, key: str, absent: str, *, longest: int = LONGEST_LINE) -> str:
        """Text, or something else when the key is absent."""
        return self.line(key, longest=longest) if key in self._data else absent

    def choice(self, key: str, choices: Iterable[str], *, absent: str | None = None) -> str:
        """One of a few words."""
        allowed = tuple(choices)
        word = self.line(key) if absent is None else self.line_or(key, absent)
        if word not in allowed:
            raise self.unfit(key, f"must be one of {', '.join(allowed)}, not {quoted(word)}")
        return word

    def flag(self, key: str) -> bool:
        """True or false; false when the key is absent."""
        value = self._data.get(key, False)
        if not isinstance(value, bool):
            raise self.unfit(key, "must be true or false")
        return value

    def number(self, key: str) -> int | None:
        """A whole number, if the key is there."""
        value = self._data.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
            raise self.unfit(key, "must be a whole number")
        return value

    def lines(self, key: str) -> tuple[str, ...]:
        """A list of texts, none twice; none at all when the key is absent."""
        items = self._list(key, "a list of texts")
        found = tuple(self._line(f"{key}[{place}]", item, LONGEST_LINE) for place, item in enumerate(items))
        if twice := first_repeated(found):
            raise self.unfit(key, f"names {quoted(twice)} twice")
        return found

    def tables(self, key: str, known: tuple[str, ...]) -> list["Table"]:
        """A list of tables; none at all when the key is absent."""
        items = self._list(key, f"a list of tables, written [[{key}]]")
        return [self._table(f"{key}[{place}]", item, known) for place, item in enumerate(items)]

    def table(self, key: str, known: tuple[str, ...]) -> "Table":
        """A table that must be there."""
        return self._table(key, self._present(key, "a table"), known)

    def value(self, key: str) -> object:
        """Whatever stands there, ``None`` if nothing does."""
        return self._data.get(key)

    def _present(self, key: str, expected: str) -> object:
        if key not in self._data:
            raise self.unfit(key, f"is missing: {expected} is expected")
        return self._data[key]

    def _line(self, key: str, value: object, longest: int) -> str:
        if not isinstance(value, str):
            raise self.unfit(key, "must be text")
        # What moves a cursor, breaks a line or hides letters would be shown to whoever is asked to agree.
        if not value.strip() or value != value.strip() or not value.isprintable():
            raise self.unfit(key, "must be one line of visible text without blanks around it")
        if len(value) > longest:
            raise self.unfit(key, f"must have at most {longest} characters")
        return value

    def _list(self, key: str, expected: str) -> list[object]:
        value = self._data.get(key, [])
        if not isinstance(value, list):
            raise self.unfit(key, f"must be {expected}")
        items = cast("list[object]", value)
        if len(items) > MOST_ITEMS:
            raise self.unfit(key, f"must have at most {MOST_ITEMS} entries")
        return items

    def _table(self, key: str, value: object, known: tuple[str, ...]) -> "Table":
        if not isinstance(value, dict):
            raise self.unfit(key, "must be a table")
        return Table(cast("dict[str, object]", value), f"{self._place}{key}.", known)


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that comes a second time."""
    seen = set[str]()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
