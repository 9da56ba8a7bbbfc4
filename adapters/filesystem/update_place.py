"""What the file system says of a home for versions."""

import os
from pathlib import Path

from loopx.adapters.filesystem.faults import reading
from loopx.domain.updates.preflight import Place


class FileUpdatePlace:
    """Looks at the home, or at the nearest folder above it that is there."""

    def __init__(self, home: str) -> None:
        self._home = Path(home)

    def inspect(self) -> Place:
        there = next(path for path in (self._home, *self._home.parents) if path.is_dir())
        with reading(there):
            disk = os.statvfs(there)
            return Place(
                path=str(self._home),
                owner=there.stat().st_uid,
                user=os.geteuid(),
                writable=os.access(there, os.W_OK | os.X_OK),
                free=disk.f_bavail * disk.f_frsize,
            )
