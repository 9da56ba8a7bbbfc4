"""The same trees and archives on disk and in memory, for contracts that both must keep."""

import itertools
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from loopx.adapters.memory.archives import MemoryArchives, MemoryFile
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.archive_writer import ArchiveWriter

Content = Mapping[str, MemoryFile | None]
"""Path to file, or to nothing for a directory."""


class Yard(Protocol):
    """Somewhere to extract to, and to pack from."""

    @property
    def reader(self) -> ArchiveReader: ...
    @property
    def writer(self) -> ArchiveWriter: ...
    def plant(self, content: Content) -> str:
        """A new tree, and its name for the adapters."""
        ...

    def content(self, place: str) -> Content: ...
    def target(self) -> str:
        """A name for a new archive."""
        ...

    def packed(self, target: str) -> bytes | None: ...


class DiskYard:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers: Iterator[int] = itertools.count()
        self.reader = TarballReader()
        self.writer = TarballWriter()

    def plant(self, content: Content) -> str:
        root = self._folder / f"tree {next(self._numbers)}"
        root.mkdir()
        for name, file in content.items():
            path = root / name
            if file is None:
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
                path.chmod(0o700 if file.is_executable else 0o600)
        return str(root)

    def content(self, place: str) -> Content:
        root = Path(place)
        return {str(path.relative_to(root)): read(path) for path in root.rglob("*")}

    def target(self) -> str:
        return str(self._folder / f"packed {next(self._numbers)}.tar.gz")

    def packed(self, target: str) -> bytes | None:
        return Path(target).read_bytes() if Path(target).exists() else None


class MemoryYard:
    def __init__(self) -> None:
        archives = MemoryArchives()
        self.reader = archives
        self.writer = archives

    def plant(self, content: Content) -> str:
        name = f"tree {len(self.reader.trees)}"
        self.reader.trees[name] = dict(content)
        return name

    def content(self, place: str) -> Content:
        return self.reader.trees[place]

    def target(self) -> str:
        return f"packed {len(self.reader.files)}.tar.gz"

    def packed(self, target: str) -> bytes | None:
        return self.reader.files.get(target)


def read(path: Path) -> MemoryFile | None:
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return None
    assert stat.S_ISREG(mode), path
    return MemoryFile(path.read_bytes(), bool(mode & 0o100))
