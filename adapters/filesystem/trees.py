"""Read a whole tree below an open folder, following no link."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.faults import reading
from loopx.domain.extensions.code import MOST_BYTES, MOST_FILES
from loopx.domain.extensions.refusal import refused

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def read_tree(root: Path) -> dict[str, bytes]:
    """Every file by its path below the root; none where there is no such folder.

    Whatever is neither file nor folder counts as a file without content: nothing like it was stored.

    Raises:
        LoopXError: ``state_error/unreadable``; ``extension_error/tree`` when there is too much of it.
    """
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    with reading(root):
        if not root.is_dir():
            return {}
        for path, parent, name in _walk(root):
            found[path] = _read(name, parent, left)
            left -= len(found[path])
            if left < 0 or len(found) > MOST_FILES:
                raise refused("tree", f"more than {MOST_FILES} files or {MOST_BYTES} bytes")
    return found


def _walk(root: Path) -> Iterator[tuple[str, int, str]]:
    """Path, open parent and name of everything that is no folder."""
    for above, folders, files, descriptor in os.fwalk(root, follow_symlinks=False, onerror=_fail):
        below = os.path.relpath(above, root)
        links = [name for name in folders if _is_link(name, descriptor)]
        for name in sorted((*files, *links)):
            yield name if below == os.curdir else f"{below}/{name}", descriptor, name


def _fail(error: OSError) -> None:
    raise error


def _is_link(name: str, parent: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _read(name: str, parent: int, most: int) -> bytes:
    if not stat.S_ISREG(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
        return b""
    with os.fdopen(os.open(name, _FILE, dir_fd=parent), "rb") as file:
        return file.read(most + 1)
