"""One archive, and what must become of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Tree = Mapping[str, bytes | None]
"""Paths below the destination; ``None`` is a directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Refused with ``archive_error/reason``, or extracted to exactly this tree."""

    name: str
    build: Callable[[], bytes] = field(repr=False)
    reason: str | None = None
    tree: Tree = field(default_factory=dict, repr=False)
    executable: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        assert (self.reason is None) == bool(self.tree), self.name


def refused(name: str, reason: str, build: Callable[[], bytes]) -> Case:
    return Case(name=name, build=build, reason=reason)


def accepted(
    name: str, tree: Tree, build: Callable[[], bytes], executable: frozenset[str] = frozenset()
) -> Case:
    return Case(name=name, build=build, tree=tree, executable=executable)
