"""Archives without a disk."""

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Final

from loopx.application.ports.byte_source import ByteSource
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary, Entry, Member
from loopx.domain.archives.names import check_component, read_path
from loopx.domain.archives.reading import ArchiveReading, inspect_archive
from loopx.domain.archives.refusal import refused
from loopx.domain.archives.writing import LEFT_OUT, write_archive
from loopx.domain.errors import LoopXError

_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file of a tree in memory."""

    content: bytes
    is_executable: bool = False


MemoryTree = Mapping[str, MemoryFile | None]
"""Paths with slashes; ``None`` is a directory."""


class MemoryArchives:
    """Reads and writes real archives; trees and packed files lie in two mappings by name.

    Names of trees take the place of directories: a destination is there, and empty, when its
    name leads to an empty tree.
    """

    def __init__(
        self,
        trees: MutableMapping[str, MemoryTree] | None = None,
        files: MutableMapping[str, bytes] | None = None,
    ) -> None:
        self.trees: MutableMapping[str, MemoryTree] = {} if trees is None else trees
        self.files: MutableMapping[str, bytes] = {} if files is None else files

    async def inspect(self, source: ByteSource, limits: ArchiveLimits) -> ArchiveSummary:
        return inspect_archive(_chunks(source), limits)

    async def extract(self, source: ByteSource, destination: str, limits: ArchiveLimits) -> ArchiveSummary:
        checked = inspect_archive(_chunks(source), limits)
        if self.trees.get(destination) != {}:
            raise LoopXError("state_error", "unwritable", detail=f"{destination}: no empty tree of this name")
        entries = ArchiveReading(_chunks(source), limits)
        tree = dict[str, MemoryFile | None]()
        for entry in entries:
            parents = ["/".join(entry.member.path[:depth]) for depth in range(1, len(entry.member.path))]
            tree |= dict.fromkeys(parents)
            tree[entry.member.name] = _keep(entry)
        if entries.summary() != checked:
            raise refused("changed", "the archive itself")
        self.trees[destination] = tree
        return checked

    async def pack(self, tree: str, target: str, *, top: str, limits: ArchiveLimits) -> ArchiveSummary:
        if tree not in self.trees:
            raise LoopXError("state_error", "unreadable", detail=f"{tree}: no tree of this name")
        check_component(top, limits)
        archive = b"".join(write_archive(_entries(self.trees[tree], top, limits), limits))
        summary = inspect_archive([archive], limits)
        self.files[target] = archive
        return summary


def _chunks(source: ByteSource) -> Iterator[bytes]:
    try:
        source.seek(0)
        while chunk := source.read(_CHUNK):
            yield chunk
    except OSError:
        raise LoopXError("state_error", "unreadable", detail="the archive") from None


def _keep(entry: Entry) -> MemoryFile | None:
    if entry.member.is_directory:
        return None
    return MemoryFile(b"".join(entry.content), entry.member.is_executable)


def _entries(tree: MemoryTree, top: str, limits: ArchiveLimits) -> Iterator[Entry]:
    everything = dict[tuple[str, ...], MemoryFile | None]({(): None})
    for name, file in tree.items():
        path = tuple(name.split("/"))
        if not LEFT_OUT.intersection(path):
            everything |= {path[:depth]: everything.get(path[:depth]) for depth in range(1, len(path))}
            everything[path] = file
    for path in sorted(everything, key=lambda path: [part.encode() for part in path]):
        yield _entry((top, *path), everything[path], limits)


def _entry(path: tuple[str, ...], file: MemoryFile | None, limits: ArchiveLimits) -> Entry:
    checked = read_path("/".join(path).encode(), is_directory=file is None, limits=limits)
    if file is None:
        return Entry(Member(path=checked, is_directory=True))
    member = Member(path=checked, is_executable=file.is_executable, size=len(file.content))
    return Entry(member, [file.content])
