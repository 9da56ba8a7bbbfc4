"""What an archive holds so far, and whether one more member fits in."""

from dataclasses import dataclass

from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import Member
from loopx.domain.archives.names import fold
from loopx.domain.archives.refusal import quoted, refused


@dataclass(slots=True)
class _Place:
    spelling: str
    is_directory: bool
    is_listed: bool = False


class MemberTable:
    """Admits members one by one: one top directory, no place twice, never more than the limits."""

    def __init__(self, limits: ArchiveLimits) -> None:
        self._limits = limits
        self._places: dict[str, _Place] = {}
        self._directories: set[tuple[str, ...]] = set()
        self.top = ""
        self.files = 0
        self.content_bytes = 0

    @property
    def directories(self) -> int:
        """How many directories there are, those that are only named as parents included."""
        return len(self._directories)

    def admit(self, member: Member) -> None:
        """Take a member in.

        Raises:
            LoopXError: ``archive_error`` with reason ``layout``, ``collision``,
                ``too_many_members`` or ``too_large``.
        """
        self._check_top(member)
        known = len(member.path) - 1
        while known and member.path[:known] not in self._directories:
            known -= 1
        for depth in range(known + 1, len(member.path)):
            self._claim(member.path[:depth], is_directory=True, is_listed=False)
        self._claim(member.path, is_directory=member.is_directory, is_listed=True)
        self.files += not member.is_directory
        self.content_bytes += member.size
        if self.content_bytes > self._limits.content_bytes:
            raise refused("too_large", f"its files have more than {self._limits.content_bytes} bytes")

    def _check_top(self, member: Member) -> None:
        top = member.path[0]
        if len(member.path) == 1 and not member.is_directory:
            raise refused("layout", f"{quoted(top)} lies beside the one top directory")
        if self.top and fold(top) == fold(self.top):
            return  # another spelling is a collision, which is found with the others
        if self.top:
            raise refused("layout", f"both {quoted(self.top)} and {quoted(top)} lie at the top")
        self.top = top

    def _claim(self, path: tuple[str, ...], *, is_directory: bool, is_listed: bool) -> None:
        spelling = "/".join(path)
        place = self._places.setdefault(fold(spelling), _Place(spelling, is_directory))
        if place.spelling != spelling:
            raise refused("collision", f"{quoted(place.spelling)} and {quoted(spelling)}")
        if place.is_directory != is_directory or (place.is_listed and is_listed):
            raise refused("collision", f"{quoted(spelling)} twice")
        place.is_listed |= is_listed
        if is_directory:
            self._directories.add(path)
        if len(self._places) > self._limits.members:
            raise refused("too_many_members", f"more than {self._limits.members}")
