"""Whether a version may be installed here, and whether there is room for it."""

from dataclasses import dataclass

from loopx.domain.errors import LoopXError
from loopx.domain.updates.refusal import refused

ROOM = 2
"""So many times the size of a new version must be free: its files, and their bytecode."""
_ROOT = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder that is or will be there: whose it is, whether it can be written, and its free bytes."""

    path: str
    owner: int
    user: int
    writable: bool
    free: int


def check_place(place: Place) -> None:
    """Whether this user may install there.

    Raises:
        LoopXError: ``update_error/home`` when root would leave files that their user cannot change;
            ``state_error/unwritable``.
    """
    if place.user == _ROOT and place.owner != _ROOT:
        raise refused("home", f"{place.path} belongs to user {place.owner}")
    if not place.writable:
        raise LoopXError("state_error", "unwritable", detail=f"{place.path}: it is read-only for this user")


def check_room(place: Place, size: int) -> None:
    """Whether a version of that many bytes fits, with as much to spare.

    Raises:
        LoopXError: ``update_error/space``.
    """
    needed = ROOM * size
    if place.free < needed:
        raise refused("space", f"{place.path} has {place.free} bytes free, {needed} are needed")
