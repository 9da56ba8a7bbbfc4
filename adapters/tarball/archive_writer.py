"""Packing: the archive is read back before it takes its place."""

import os
import secrets
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loopx.adapters.tarball.background import Stop, in_background
from loopx.adapters.tarball.descriptors import read_chunks, write_all
from loopx.adapters.tarball.faults import writing
from loopx.adapters.tarball.walking import Omission, Walk
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.archives.reading import inspect_archive
from loopx.domain.archives.writing import write_archive

_CREATE: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_MODE: Final = 0o666  # less what the umask takes, as for any file that a person makes


class TarballWriter:
    """Writes beside the target, reads back what it wrote with the reader's own eyes, then renames."""

    async def pack(self, tree: str, target: str, *, top: str, limits: ArchiveLimits) -> ArchiveSummary:
        return await in_background(lambda stop: _pack(tree, Path(target), top, limits, stop))


def _pack(tree: str, target: Path, top: str, limits: ArchiveLimits, stop: Stop) -> ArchiveSummary:
    with _drafted(target) as draft:
        walk = Walk(tree=tree, top=top, limits=limits, stop=stop, omission=draft.omission())
        for piece in write_archive(walk.entries(), limits):
            with writing(str(target)):
                write_all(draft.descriptor, piece)
        with open(draft.descriptor, "rb", closefd=False) as source:
            summary = inspect_archive(read_chunks(source, str(target), stop), limits)
        draft.publish()
    return summary


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    target: Path
    directory: int
    name: str
    descriptor: int

    def omission(self) -> Omission:
        found = os.fstat(self.directory)
        return Omission(found.st_dev, found.st_ino, frozenset({self.name, self.target.name}))

    def publish(self) -> None:
        with writing(str(self.target)):
            os.fsync(self.descriptor)
            os.replace(self.name, self.target.name, src_dir_fd=self.directory, dst_dir_fd=self.directory)
            os.fsync(self.directory)


@contextmanager
def _drafted(target: Path) -> Generator[_Draft]:
    """A new file beside the target that is gone at the end, published or not."""
    name = f".{target.name}.{secrets.token_hex(8)}"
    with ExitStack() as opened:
        with writing(str(target)):
            directory = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            opened.callback(os.close, directory)
            descriptor = os.open(name, _CREATE, _MODE, dir_fd=directory)
            opened.callback(os.close, descriptor)
        opened.callback(_remove, name, directory)
        yield _Draft(target=target, directory=directory, name=name, descriptor=descriptor)


def _remove(name: str, directory: int) -> None:
    with suppress(OSError):  # it was renamed, or the disk is in a state in which nothing can be done
        os.unlink(name, dir_fd=directory)
