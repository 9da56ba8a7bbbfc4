"""Disks that are full or read-only: a tiny file system of its own where that can be had."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Disk:
    """A folder that is a file system; ``path`` is where it lies."""

    path: Path

    def fill(self, leave: int) -> None:
        """Leave about so many bytes free."""
        free = os.statvfs(self.path).f_bavail * os.statvfs(self.path).f_frsize
        (self.path / "filler").write_bytes(bytes(max(0, free - leave)))

    def make_read_only(self) -> None:
        """Refuse every change from now on."""
        _mount("-o", "remount,ro", str(self.path))

    def forbid_running(self) -> None:
        """Let nothing on it be executed."""
        _mount("-o", "remount,noexec", str(self.path))


@contextmanager
def tiny_disk(path: Path, size: str = "1m") -> Iterator[Disk | None]:
    """A file system of that size; ``None`` where this user may not mount one."""
    path.mkdir()
    if os.geteuid() != 0 or _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)):
        yield None
        return
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)  # noqa: S607 - as the system has it


def _mount(*arguments: str) -> int:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode  # noqa: S607 - as above
