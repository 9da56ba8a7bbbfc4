"""Read a tree in the one order of an archive, through descriptors and never through a link."""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from loopx.adapters.tarball.background import Stop
from loopx.adapters.tarball.descriptors import CHUNK, OPEN_DIRECTORY, names_in
from loopx.adapters.tarball.faults import reading
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import Entry, Member, is_executable
from loopx.domain.archives.names import check_component, read_path
from loopx.domain.archives.refusal import quoted, refused
from loopx.domain.archives.writing import LEFT_OUT

# Not to wait for a writer, should a pipe have taken the file's place.
_OPEN_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Omission:
    """Names in one directory, known by device and inode, that are no part of the tree."""

    device: int
    inode: int
    names: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Everything below a directory, depth first, names in the order of their bytes."""

    tree: str
    top: str
    limits: ArchiveLimits
    stop: Stop
    omission: Omission

    def entries(self) -> Iterator[Entry]:
        """The top directory and all it holds.

        Raises:
            LoopXError: ``archive_error`` for what an archive may not hold; ``state_error/unreadable``.
        """
        check_component(self.top, self.limits)
        with ExitStack() as opened:
            with reading(self.tree):
                root = os.open(self.tree, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                opened.callback(os.close, root)
            yield Entry(Member(path=(self.top,), is_directory=True))
            yield from self._below(root, self.top.encode())

    def _below(self, parent: int, raw: bytes) -> Iterator[Entry]:
        with reading(self._shown(raw)):
            here = os.fstat(parent)
            names = set(names_in(parent)) - LEFT_OUT
        if (here.st_dev, here.st_ino) == (self.omission.device, self.omission.inode):
            names -= self.omission.names
        for name in sorted(map(os.fsencode, names)):
            self.stop.check()
            yield from self._entry(parent, name, raw + b"/" + name)

    def _entry(self, parent: int, name: bytes, raw: bytes) -> Iterator[Entry]:
        with reading(self._shown(raw)):
            mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
        path = self._path(raw, is_directory=stat.S_ISDIR(mode))
        if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
            raise refused("member_type", f"{quoted(raw)} is {_describe(mode)}")
        with ExitStack() as opened:
            with reading(self._shown(raw)):
                flags = OPEN_DIRECTORY if stat.S_ISDIR(mode) else _OPEN_FILE
                descriptor = os.open(name, flags, dir_fd=parent)
                opened.callback(os.close, descriptor)
                found = os.fstat(descriptor)
            if stat.S_IFMT(found.st_mode) != stat.S_IFMT(mode):
                raise refused("changed", quoted(raw))
            if stat.S_ISDIR(mode):
                yield Entry(Member(path=path, is_directory=True))
                yield from self._below(descriptor, raw)
            else:
                executable = is_executable(found.st_mode)
                member = Member(path=path, is_executable=executable, size=found.st_size)
                yield Entry(member, self._content(descriptor, raw))

    def _content(self, descriptor: int, raw: bytes) -> Iterator[bytes]:
        while True:
            self.stop.check()
            with reading(self._shown(raw)):
                chunk = os.read(descriptor, CHUNK)
            if not chunk:
                return
            yield chunk

    def _path(self, raw: bytes, *, is_directory: bool) -> tuple[str, ...]:
        return read_path(raw, is_directory=is_directory, limits=self.limits)

    def _shown(self, raw: bytes) -> str:
        return f"{self.tree}: {quoted(raw)}"


def _describe(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "a named pipe" if stat.S_ISFIFO(mode) else "a socket or a device"
