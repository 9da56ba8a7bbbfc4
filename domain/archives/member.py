"""What an archive consists of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

DIRECTORY_MODE: Final = 0o755
FILE_MODE: Final = 0o644
EXECUTABLE_MODE: Final = 0o755
_ANY_EXECUTE: Final = 0o111


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A file or a directory; ``path`` holds its checked components, ``size`` is in bytes."""

    path: tuple[str, ...]
    is_directory: bool = False
    is_executable: bool = False
    size: int = 0

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("a member has a name")
        if self.is_directory and self.size:
            raise ValueError("a directory has no content")

    @property
    def name(self) -> str:
        """The whole path, with slashes."""
        return "/".join(self.path)

    @property
    def mode(self) -> int:
        """One of two permissions, whatever the archive says: nothing writable by others, no set-id bits."""
        if self.is_directory:
            return DIRECTORY_MODE
        return EXECUTABLE_MODE if self.is_executable else FILE_MODE


@dataclass(frozen=True, slots=True)
class Entry:
    """A member and its content in pieces, which can be taken once and in order."""

    member: Member
    content: Iterable[bytes] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSummary:
    """What a whole archive was found to hold, and the digest of exactly the bytes that were read.

    ``directories`` counts parents that are only named in paths too. ``content_bytes`` is the size
    of all files, ``archive_bytes`` that of the archive itself; ``sha256`` is lower-case hexadecimal.
    """

    top: str
    files: int
    directories: int
    content_bytes: int
    archive_bytes: int
    sha256: str


def is_executable(mode: int) -> bool:
    """Whether a file of these permissions is one to run: anybody may."""
    return bool(mode & _ANY_EXECUTE)
