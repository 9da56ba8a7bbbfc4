"""A document in a file: read as it is, replaced as a whole, by one process at a time."""

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from loopx.adapters.filesystem.faults import reading, writing
from loopx.adapters.filesystem.files import PRIVATE_FILE, write_atomically
from loopx.application.ports.locks import Locks
from loopx.domain.documents import corrupt
from loopx.domain.errors import LoopXError

_Document = TypeVar("_Document")
_MOST_BYTES: Final = 16 * 1024 * 1024
# O_NONBLOCK: a pipe of that name must not hold up the program.
_READ: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


@dataclass(frozen=True, slots=True)
class DocumentFormat(Generic[_Document]):
    """How a document is read, from bytes and the path that errors name, and how it is written."""

    read: Callable[[bytes | None, str], _Document]
    write: Callable[[_Document], bytes]
    mode: int = PRIVATE_FILE
    """The permissions of a new file; those of one that is there are kept."""


class DocumentFile(Generic[_Document]):
    """Reads without a lock, for whatever is there is whole; writes under one, so that nothing is lost.

    A link is followed within the project or the home: people keep such files where they version them.
    """

    def __init__(self, path: Path, form: DocumentFormat[_Document], *, locks: Locks) -> None:
        self._path = path
        self._form = form
        self._locks = locks

    def read(self) -> _Document:
        """The document as it is."""
        return self._form.read(_read_regular(self._path), str(self._path))

    def update(self, change: Callable[[_Document], _Document]) -> _Document:
        """Replace it by what the function makes of it."""
        with self._locks.hold(f".{self._path.stem}"):
            self._sweep()
            before = self.read()
            after = change(before)
            if after != before:
                write_atomically(self._target(), self._form.write(after), self._mode())
            return after

    def recover(self) -> None:
        """Remove what a writer that was killed left behind."""
        if self._leftovers():
            with self._locks.hold(f".{self._path.stem}"):
                self._sweep()

    def _sweep(self) -> None:
        """Whoever holds the lock is the only writer, so every temporary file is a dead one's."""
        for path in self._leftovers():
            with writing(path):
                path.unlink(missing_ok=True)

    def _leftovers(self) -> list[Path]:
        target = self._target()
        temporary = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{12}}\.tmp")
        with reading(target.parent):
            try:
                return [path for path in target.parent.iterdir() if temporary.fullmatch(path.name)]
            except FileNotFoundError:
                return []

    def _target(self) -> Path:
        """Where a link leads, as long as it stays near: a cloned project must not choose what is written."""
        with reading(self._path):
            target = Path(os.path.realpath(self._path))
            around = Path(os.path.realpath(self._path.parent.parent))
        if self._path.is_symlink() and not target.is_relative_to(around):
            detail = f"{self._path}: it is a link that leads out of {around}"
            raise LoopXError("state_error", "unwritable", detail=detail)
        return target

    def _mode(self) -> int:
        with reading(self._path):
            try:
                return stat.S_IMODE(self._path.stat().st_mode)
            except FileNotFoundError:
                return self._form.mode


def _read_regular(path: Path) -> bytes | None:
    with reading(path):
        try:
            descriptor = os.open(path, _READ)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise LoopXError("state_error", "unreadable", detail=f"{path}: it is no file")
            content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise corrupt(str(path), f"it is longer than {_MOST_BYTES} bytes")
    return content
