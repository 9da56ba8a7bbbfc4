"""Names within the data home, and where that is: read at every start, so nothing costly is loaded here."""

from collections.abc import Mapping
from posixpath import isabs, join
from typing import Final

VERSIONS: Final = "versions"
CURRENT: Final = "current"
PREVIOUS: Final = "previous"
BAD: Final = "bad"
STAGING: Final = "staging"
JOURNAL: Final = "update.journal"
LOCK: Final = "update"
LIBRARIES: Final = "lib"
"""The folder of the packages within a version."""


def enclosing_home(package: str) -> str | None:
    """The data home in whose versions a package lies, by its real path; ``None`` if it lies elsewhere."""
    home, versions, rest = package.rpartition(f"/{VERSIONS}/")
    name, _, below = rest.partition("/")
    return home if versions and name and below == f"{LIBRARIES}/loopx" else None


def quick_data_home(environment: Mapping[str, str], user: str, *, macos: bool) -> str:
    """The same as the data home of ``find_homes``, for a hundredth of the time; ``user`` is their home."""
    named = environment.get("LOOPX_DATA_HOME", "")
    if named:
        return join(user, named[2:]) if named.startswith("~/") else named
    base = environment.get("XDG_DATA_HOME", "")
    usual = "Library/Application Support" if macos else ".local/share"
    return join(base if isabs(base) else join(user, usual), "loopx")
