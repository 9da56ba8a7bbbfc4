"""Bring a whole tree to the disk."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def sync_tree(root: Path, *, at_once: Callable[[Path], bool] | None = None) -> None:
    """Make a tree survive a crash of the machine.

    One syncfs(2) takes a thirtieth of the time of an fsync(2) for each of 1,200 files. Where there is
    none (it is Linux's own), or where it fails, every file is synced by itself. ``at_once`` stands in for it.
    """
    if not (at_once or _sync_file_system)(root):
        for folder, _, files, descriptor in os.fwalk(root):
            for name in files:
                _sync(Path(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            os.fsync(descriptor)


def _sync_file_system(root: Path) -> bool:
    if sys.platform != "linux":
        return False
    import ctypes  # noqa: PLC0415 - it costs milliseconds that only an installation should pay

    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if syncfs is None:
        return False
    descriptor = os.open(root, _FOLDER)
    try:
        return bool(syncfs(descriptor) == 0)
    finally:
        os.close(descriptor)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
