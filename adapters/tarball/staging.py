"""Write a tree below one open directory, and below nothing else."""

import os
import shutil
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from loopx.adapters.tarball.descriptors import OPEN_DIRECTORY, names_in, write_all
from loopx.adapters.tarball.faults import writing
from loopx.domain.archives.member import DIRECTORY_MODE, Entry
from loopx.domain.errors import LoopXError

_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNFINISHED_MODE: Final = 0o600


class StagedTree:
    """Works on descriptors of directories that it made itself, so that no path is resolved twice."""

    def __init__(self, root: int, destination: str) -> None:
        self._root = root
        self._destination = destination
        self._made: set[tuple[str, ...]] = set()
        # The directories from the destination to where the last entry lies.
        self._entered: list[tuple[str, int]] = []

    def add(self, entry: Entry) -> None:
        """Make the file or directory, and its parents where they are missing.

        Raises:
            LoopXError: ``state_error/unwritable``, or what reading the content raises.
        """
        member = entry.member
        with writing(f"{self._destination}/{member.name}"):
            if member.is_directory:
                self._enter(member.path)
            else:
                self._create(entry, self._enter(member.path[:-1]))

    def clear(self) -> None:
        """Remove what there is; what cannot be removed is left to whoever sweeps the staging area."""
        self.close()  # removing needs descriptors too
        with suppress(OSError):
            for name in names_in(self._root):
                shutil.rmtree(name, ignore_errors=True, dir_fd=self._root)

    def close(self) -> None:
        """Let go of every directory but the root."""
        self._leave(0)

    def _create(self, entry: Entry, parent: int) -> None:
        descriptor = os.open(entry.member.path[-1], _CREATE, _UNFINISHED_MODE, dir_fd=parent)
        try:
            for piece in entry.content:
                write_all(descriptor, piece)
            os.fchmod(descriptor, entry.member.mode)  # whatever the umask says
        finally:
            os.close(descriptor)

    def _enter(self, path: tuple[str, ...]) -> int:
        depth = 0
        while depth < min(len(path), len(self._entered)) and path[depth] == self._entered[depth][0]:
            depth += 1
        self._leave(depth)
        for level in range(depth, len(path)):
            self._entered.append((path[level], self._open(path[: level + 1])))
        return self._here()

    def _open(self, path: tuple[str, ...]) -> int:
        if path in self._made:
            return os.open(path[-1], OPEN_DIRECTORY, dir_fd=self._here())
        os.mkdir(path[-1], DIRECTORY_MODE, dir_fd=self._here())
        descriptor = os.open(path[-1], OPEN_DIRECTORY, dir_fd=self._here())
        self._made.add(path)
        os.fchmod(descriptor, DIRECTORY_MODE)
        return descriptor

    def _here(self) -> int:
        return self._entered[-1][1] if self._entered else self._root

    def _leave(self, depth: int) -> None:
        while len(self._entered) > depth:
            os.close(self._entered.pop()[1])


@contextmanager
def staged(destination: str) -> Generator[StagedTree]:
    """A tree in an empty directory that is empty again if the block does not end well.

    Raises:
        LoopXError: ``state_error/unwritable``, also when something is in the directory already.
    """
    with ExitStack() as always:
        with writing(destination):
            root = os.open(destination, OPEN_DIRECTORY)
            always.callback(os.close, root)
            is_empty = not names_in(root)
        if not is_empty:
            raise LoopXError("state_error", "unwritable", detail=f"{destination}: it is not empty")
        tree = StagedTree(root, destination)
        always.callback(tree.close)
        with ExitStack() as unless_done:
            unless_done.callback(tree.clear)
            yield tree
            unless_done.pop_all()
