"""Folders in which something new is put together, each alive as long as its process is."""

import fcntl
import io
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from loopx.adapters.filesystem.faults import reading, writing
from loopx.adapters.filesystem.files import PRIVATE_FILE, PRIVATE_FOLDER, make_folder
from loopx.application.ports.locks import Locks

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer  # it exists for type checkers alone

_LOCK: Final = "staging"
_ALIVE: Final = "alive"
_ARCHIVE: Final = "archive"
_TREE: Final = "tree"
_MARK: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PROBE: Final = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class ArchiveFile(io.FileIO):
    """A new file whose failures are LoopX's own; unbuffered, so that closing it cannot fail."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), "x+b", opener=_private)
        self._path = path

    def write(self, data: "ReadableBuffer", /) -> int:
        """Take all of the data.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        left = memoryview(data)
        with writing(self._path):
            while left:
                left = left[super().write(left) :]
        return memoryview(data).nbytes

    def read(self, size: int | None = -1, /) -> bytes:
        """At most that many bytes.

        Raises:
            LoopXError: ``state_error/unreadable``.
        """
        with reading(self._path):
            return super().read(size) or b""


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, PRIVATE_FILE)


@dataclass(frozen=True, slots=True)
class FileStagingArea:
    """A folder with the archive and, beside it, the tree that came out of it."""

    folder: Path
    archive: BinaryIO

    @property
    def tree(self) -> str:
        return str(self.folder / _TREE)


class FileStaging:
    """Areas with unguessable names, each marked by a lock that dies with its process.

    Areas are made and swept under one lock, so that nobody sweeps one that is not marked yet.
    """

    def __init__(self, folder: Path, *, locks: Locks) -> None:
        self._folder = folder
        self._locks = locks

    @contextmanager
    def stage(self) -> Iterator[FileStagingArea]:
        folder = self._folder / secrets.token_hex(16)
        with ExitStack() as opened:
            with self._locks.hold(_LOCK), writing(folder):
                make_folder(self._folder)
                folder.mkdir(PRIVATE_FOLDER)
                opened.callback(shutil.rmtree, folder, ignore_errors=True)
                opened.callback(os.close, _mark(folder / _ALIVE))
                # While it is still marked, so that nobody else sweeps it at the same time.
                opened.callback(shutil.rmtree, folder, ignore_errors=True)
                (folder / _TREE).mkdir(PRIVATE_FOLDER)
                archive = ArchiveFile(folder / _ARCHIVE)
                opened.callback(archive.close)
            yield FileStagingArea(folder, archive)

    @contextmanager
    def swept(self) -> Iterator[bool]:
        """Remove abandoned areas; nobody can stage during the block, which is told if nobody does."""
        with self._locks.hold(_LOCK):
            abandoned = [path for path in self.areas() if not _is_alive(path / _ALIVE)]
            for path in abandoned:
                with writing(path):
                    shutil.rmtree(path)
            yield not self.areas()

    def areas(self) -> list[Path]:
        """Every area, abandoned or not."""
        with reading(self._folder):
            try:
                return list(self._folder.iterdir())
            except FileNotFoundError:
                return []


def _mark(path: Path) -> int:
    descriptor = os.open(path, _MARK, PRIVATE_FILE)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _is_alive(mark: Path) -> bool:
    """Only what is certainly abandoned may be swept: a doubt, such as no descriptor left, means alive."""
    try:
        descriptor = os.open(mark, _PROBE)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
