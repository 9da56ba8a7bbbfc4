"""Version numbers and ranges of them.

Sources: Semantic Versioning 2.0.0, section 11 (order); PEP 440 (the spellings ``1.0rc1`` and ``1.0.dev1``).
"""

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Final, Self

_NUMBERS: Final = 4
_DIGITS: Final = 9
_VERSION: Final = re.compile(
    r"(?P<numbers>(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){0,3})"
    r"(?:-(?P<semver>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)|(?P<kind>a|b|rc|\.dev)(?P<count>0|[1-9][0-9]*))?",
    re.ASCII,
)
_KINDS: Final = {".dev": "Dev", "a": "alpha", "b": "beta", "rc": "rc"}  # "Dev" sorts first, being upper-case
_LONGEST: Final = 64
_BOUND: Final = re.compile(r"(?P<sign>>=|<=|>|<|==)\s*(?P<version>\S+)")


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A version; 1.0 and 1.0.0 are equal, and a pre-release comes before what it leads to."""

    text: str
    numbers: tuple[int, ...]
    pre: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a version; ``None`` for anything that is none, build metadata included."""
        match = _VERSION.fullmatch(text) if len(text) <= _LONGEST else None
        if match is None:
            return None
        numbers = match["numbers"].split(".")
        pre = match["semver"].split(".") if match["semver"] else []
        if match["kind"]:
            pre = [_KINDS[match["kind"]], match["count"]]
        if any(len(part) > _DIGITS for part in (*numbers, *filter(str.isdigit, pre))):
            return None
        if any(part.isdigit() and part != str(int(part)) for part in pre):
            return None
        return cls(text, tuple(map(int, numbers)), tuple(pre))

    @classmethod
    def of(cls, text: str) -> Self:
        """A version that this program says of itself or of its surroundings.

        Raises:
            ValueError: it is none.
        """
        found = cls.parse(text)
        if found is None:
            raise ValueError(f"{text} is no version")
        return found

    @property
    def is_pre(self) -> bool:
        """Whether it is a pre-release."""
        return bool(self.pre)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Version) else NotImplemented

    def __lt__(self, other: "Version") -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        padded = (*self.numbers, *(0,) * (_NUMBERS - len(self.numbers)))
        # Numbers come before words, and a shorter list before a longer one that begins the same.
        pre = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.pre)
        return padded, not self.pre, pre


@dataclass(frozen=True, slots=True)
class VersionRange:
    """Bounds that all must hold, as in ``>=1.2,<2``."""

    text: str
    bounds: tuple[tuple[str, Version], ...]

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read bounds separated by commas; ``None`` for anything else, nothing included."""
        bounds: list[tuple[str, Version]] = []
        for part in text.split(","):
            match = _BOUND.fullmatch(part.strip())
            version = Version.parse(match["version"]) if match else None
            if match is None or version is None:
                return None
            bounds.append((match["sign"], version))
        return cls(text, tuple(bounds))

    def __contains__(self, version: Version) -> bool:
        return all(_holds(version, sign, bound) for sign, bound in self.bounds)

    def __str__(self) -> str:
        return self.text


def _holds(version: Version, sign: str, bound: Version) -> bool:
    return {
        ">=": version >= bound,
        "<=": version <= bound,
        ">": version > bound,
        "<": version < bound,
        "==": version == bound,
    }[sign]
