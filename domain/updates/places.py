"""Names within the data home, and which one a version lies in."""

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
