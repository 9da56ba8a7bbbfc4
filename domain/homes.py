"""Where LoopX keeps what: the project's folder and the user's own, decided from the environment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from posixpath import isabs, join
from typing import Final

FOLDER: Final = ".loopx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Homes:
    """The four places; only ``cache`` may be deleted at any time."""

    project: str
    state: str
    cache: str
    data: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on the way up from the working directory."""

    path: str
    has_loopx: bool
    owned: bool
    is_repository_root: bool


def find_homes(
    environment: Mapping[str, str],
    home: str,
    way_up: Sequence[Folder],
    *,
    project: str | None = None,
    macos: bool = False,
) -> Homes:
    """Choose the places; ``project`` is what the command line names.

    Sources: the XDG Base Directory Specification; Apple's File System Programming Guide.
    """
    usual = _MACOS if macos else _XDG
    own = {kind: _own(environment, home, kind, folder) for kind, folder in usual.items()}
    return Homes(project=_project(environment, home, way_up, project), **own)


_XDG: Final = {"state": ".local/state", "cache": ".cache", "data": ".local/share"}
_MACOS: Final = {
    "state": "Library/Application Support",
    "cache": "Library/Caches",
    "data": "Library/Application Support",
}


def _own(environment: Mapping[str, str], home: str, kind: str, usual: str) -> str:
    named = environment.get(f"LOOPX_{kind.upper()}_HOME", "")
    if named:
        return named
    base = environment.get(f"XDG_{kind.upper()}_HOME", "")
    # The specification says to ignore a relative path.
    return join(base if isabs(base) else join(home, usual), "loopx")


def _project(environment: Mapping[str, str], home: str, way_up: Sequence[Folder], named: str | None) -> str:
    """A folder that somebody else owns is passed over: what lies in it was not put there by the user."""
    chosen = named or environment.get("LOOPX_HOME", "")
    if chosen:
        return chosen
    for folder in way_up:
        if folder.has_loopx and folder.owned:
            return join(folder.path, FOLDER)
        if folder.is_repository_root:
            break
    return join(home, FOLDER)
