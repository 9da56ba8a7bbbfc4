"""The places of this process: its environment, its user and the folders above its working directory."""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from loopx.domain.errors import LoopXError
from loopx.domain.homes import FOLDER, Folder, Homes, find_homes

_REPOSITORY = ".git"


def locate_homes(environment: Mapping[str, str], project: str | None = None) -> Homes:
    """Where LoopX keeps what, as absolute paths; ``project`` is what the command line names.

    Raises:
        LoopXError: ``state_error/unreadable`` for a relative path without a working directory.
    """
    home = environment.get("HOME") or str(Path.home())
    above = _way_up_from_here()
    homes = find_homes(environment, home, above, project=project, macos=sys.platform == "darwin")
    return replace(
        homes,
        project=_absolute(homes.project, home),
        state=_absolute(homes.state, home),
        cache=_absolute(homes.cache, home),
        data=_absolute(homes.data, home),
    )


def _way_up_from_here() -> tuple[Folder, ...]:
    try:
        here = Path.cwd()
    except OSError:  # it was deleted, or a folder above it may not be read
        return ()
    return way_up(here, os.geteuid())


def way_up(start: Path, user: int) -> tuple[Folder, ...]:
    """The folders from here to the root of the repository; none where there is no repository."""
    folders = tuple(_up_to_repository(start, user))
    return folders if folders and folders[-1].is_repository_root else ()


def _up_to_repository(start: Path, user: int) -> Iterator[Folder]:
    for path in (start, *start.parents):
        found = _look_at(path, user)
        yield found
        if found.is_repository_root:
            return


def _look_at(path: Path, user: int) -> Folder:
    own = path / FOLDER
    try:
        # A link would lead to a place that whoever made the repository has chosen.
        is_there = own.is_dir() and not own.is_symlink()
        owned = is_there and own.stat().st_uid == user
        is_root = os.path.lexists(path / _REPOSITORY)
    except OSError:
        return Folder(str(path), has_loopx=False, owned=False, is_repository_root=False)
    return Folder(str(path), has_loopx=is_there, owned=owned, is_repository_root=is_root)


def _absolute(path: str, home: str) -> str:
    try:
        return str(Path(home + path[1:] if path.startswith("~/") else path).absolute())
    except OSError:
        detail = f"the working directory, which {path!r} starts from"
        raise LoopXError("state_error", "unreadable", detail=detail) from None
