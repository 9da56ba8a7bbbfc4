"""The places of this process: its environment, its user and the folders above its working directory."""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from loopx.domain.homes import FOLDER, Folder, Homes, find_homes

_REPOSITORY = ".git"


def locate_homes(environment: Mapping[str, str], project: str | None = None) -> Homes:
    """Where LoopX keeps what, as absolute paths; ``project`` is what the command line names."""
    home = environment.get("HOME") or str(Path.home())
    above = way_up(Path.cwd(), os.geteuid())
    homes = find_homes(environment, home, above, project=project, macos=sys.platform == "darwin")
    return replace(
        homes,
        project=_absolute(homes.project, home),
        state=_absolute(homes.state, home),
        cache=_absolute(homes.cache, home),
        data=_absolute(homes.data, home),
    )


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
    return str(Path(home + path[1:] if path.startswith("~/") else path).absolute())
