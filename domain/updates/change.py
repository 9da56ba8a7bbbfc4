"""What became of an update."""

from dataclasses import dataclass
from enum import StrEnum


class Deed(StrEnum):
    """What was done."""

    UPDATED = "updated"
    ADOPTED = "adopted"
    ROLLED_BACK = "rolled_back"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The names of the versions before and after; running programs keep the one they were started from."""

    deed: Deed
    old: str | None
    new: str
    version: str
    sha256: str
    launcher: str
    """What starts the current version, now and after every update."""
    removed: tuple[str, ...] = ()
