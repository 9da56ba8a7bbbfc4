"""Versions of LoopX without a disk."""

from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from hashlib import sha256
from typing import Final

from loopx.adapters.memory.archives import MemoryFile, MemoryTree
from loopx.domain.errors import LoopXError
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.release import RELEASE_FILE, FileDigest
from loopx.domain.updates.seal import INTERPRETER_FILE, SEAL_FILE, BadMark, Seal, read_seal, write_seal

_NOT_LISTED: Final = frozenset({RELEASE_FILE, SEAL_FILE, INTERPRETER_FILE})


class MemoryVersions:
    """Store and pointers in one; ``versions`` and ``running`` (names in use) are there to look at."""

    def __init__(self, trees: MutableMapping[str, MemoryTree]) -> None:
        self._trees = trees
        self._pointers = Pointers()
        self._bad: dict[str, BadMark] = {}
        self.versions: dict[str, MemoryTree] = {}
        self.running: set[str] = set()

    def found(self) -> Found:
        installed = [
            Installed(name, _read_seal(name, tree), in_use=name in self.running)
            for name, tree in sorted(self.versions.items())
        ]
        return Found(self._pointers, tuple(installed), dict(self._bad))

    def add(self, root: str, name: str) -> None:
        area, top = _split(root)
        staged = self._trees.get(area, {})
        tree = _below(staged, top)
        if not tree:
            raise LoopXError("state_error", "unwritable", detail=f"{root}: there is no such tree")
        self._trees[area] = {path: file for path, file in staged.items() if path.split("/")[0] != top}
        self.versions[name] = tree

    def remove(self, name: str) -> bool:
        if name in self.running:
            return False
        self.versions.pop(name, None)
        return True

    def mark_bad(self, name: str, mark: BadMark) -> None:
        self._bad[name] = mark

    def switch(self, name: str) -> None:
        if _read_seal(name, self.versions.get(name, {})) is None:
            raise LoopXError("update_error", "vanished", detail=name)
        self._pointers = replace(self._pointers, current=name)

    def drop(self) -> None:
        self._pointers = replace(self._pointers, current=None)

    def remember(self, name: str) -> None:
        self._pointers = replace(self._pointers, previous=name)

    def sweep(self) -> None:
        """Nothing is left behind in memory."""


class MemoryUpdateJournal:
    """Keeps every entry, also those of updates that are over, in ``entries``."""

    def __init__(self) -> None:
        self._pending: JournalEntry | None = None
        self.entries: list[JournalEntry] = []

    def pending(self) -> JournalEntry | None:
        return self._pending

    def write(self, entry: JournalEntry) -> None:
        self._pending = entry
        self.entries.append(entry)

    def clear(self) -> None:
        self._pending = None


class MemoryReleaseTree:
    """Trees as ``MemoryArchives`` unpacks them."""

    def __init__(self, trees: MutableMapping[str, MemoryTree]) -> None:
        self._trees = trees

    async def manifest(self, root: str) -> bytes:
        area, top = _split(root)
        file = self._trees[area].get(f"{top}/{RELEASE_FILE}")
        if file is None:
            detail = f"there is no {RELEASE_FILE} in its top directory"
            raise LoopXError("update_error", "release", detail=detail)
        return file.content

    async def measure(self, root: str) -> Mapping[str, FileDigest]:
        area, top = _split(root)
        return {
            path: FileDigest(sha256(file.content).hexdigest(), len(file.content), file.is_executable)
            for path, file in _below(self._trees[area], top).items()
            if file is not None and path not in _NOT_LISTED and "__pycache__" not in path.split("/")
        }

    async def seal(self, root: str, seal: Seal, interpreter: str) -> None:
        area, top = _split(root)
        added = {INTERPRETER_FILE: f"{interpreter}\n".encode(), SEAL_FILE: write_seal(seal)}
        files = {f"{top}/{name}": MemoryFile(content) for name, content in added.items()}
        self._trees[area] = {**self._trees[area], **files}


def _split(root: str) -> tuple[str, str]:
    area, _, top = root.rpartition("/")
    return area, top


def _below(tree: MemoryTree, top: str) -> dict[str, MemoryFile | None]:
    start = f"{top}/"
    return {path.removeprefix(start): file for path, file in tree.items() if path.startswith(start)}


def _read_seal(name: str, tree: MemoryTree) -> Seal | None:
    seal_file, manifest = tree.get(SEAL_FILE), tree.get(RELEASE_FILE)
    if seal_file is None or manifest is None:
        return None
    seal = read_seal(seal_file.content, SEAL_FILE)
    fits = (seal.name, seal.manifest) == (name, sha256(manifest.content).hexdigest())
    return seal if fits else None
