"""What lies where in the data home: the versions, and the one pointer that says which of them is started."""

from dataclasses import dataclass
from typing import Final

from loopx.domain.updates.names import VersionName

VERSIONS: Final = "versions"
CURRENT: Final = "current"
PREVIOUS: Final = "previous"
BAD: Final = "bad"
JOURNAL: Final = "update.journal"
LOCK: Final = "update"
LIBRARIES: Final = "lib"
"""The folder of the packages within a version."""

_DEPTH: Final = len(("versions", "0.1.0-0123456789ab", "lib", "loopx"))


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths below a data home; it is absolute."""

    home: str

    @property
    def current(self) -> str:
        """The pointer to the version that is started."""
        return f"{self.home}/{CURRENT}"

    @property
    def bad(self) -> str:
        """The folder of the marks of bad releases."""
        return f"{self.home}/{BAD}"

    @property
    def journal(self) -> str:
        """There while an update is under way or was interrupted."""
        return f"{self.home}/{JOURNAL}"

    def version(self, name: str) -> str:
        """The concrete folder of a version, whatever any pointer says."""
        return f"{self.home}/{VERSIONS}/{name}"


def enclosing_home(package: str) -> str | None:
    """The data home in whose versions a package lies, by its real path; ``None`` if it lies elsewhere."""
    parts = package.split("/")
    if len(parts) <= _DEPTH or parts[-_DEPTH] != VERSIONS or parts[-2] != LIBRARIES:
        return None
    return "/".join(parts[:-_DEPTH]) if VersionName.parse(parts[-3]) else None
