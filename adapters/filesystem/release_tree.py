"""The tree of a release on the disk."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.background import in_background
from loopx.adapters.filesystem.faults import reading, writing
from loopx.adapters.filesystem.syncing import sync_tree
from loopx.domain.errors import LoopXError
from loopx.domain.updates.release import LARGEST_MANIFEST, RELEASE_FILE, FileDigest
from loopx.domain.updates.seal import INTERPRETER_FILE, SEAL_FILE, Seal, write_seal

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BYTECODE: Final = "__pycache__"
_NOT_LISTED: Final = frozenset({RELEASE_FILE, SEAL_FILE, INTERPRETER_FILE})
_ANY_EXECUTE: Final = 0o111


class FileReleaseTree:
    """Follows no link; what is neither file nor folder has no digest, and fits no list."""

    async def manifest(self, root: str) -> bytes:
        return await in_background(_read_manifest, Path(root))

    async def measure(self, root: str) -> Mapping[str, FileDigest]:
        return await in_background(_measure, Path(root))

    async def seal(self, root: str, seal: Seal, interpreter: str) -> None:
        await in_background(_seal, Path(root), seal, interpreter)


def _read_manifest(root: Path) -> bytes:
    path = root / RELEASE_FILE
    with reading(path):
        try:
            with os.fdopen(os.open(path, _READ), "rb") as file:
                return file.read(LARGEST_MANIFEST)
        except FileNotFoundError:
            detail = f"there is no {RELEASE_FILE} in its top directory"
            raise LoopXError("update_error", "release", detail=detail) from None


def _measure(root: Path) -> dict[str, FileDigest]:
    with reading(root):
        return {path: _digest(name, parent) for path, name, parent in _walk(root) if path not in _NOT_LISTED}


def _walk(root: Path) -> Iterator[tuple[str, str, int]]:
    """Path, name and open parent of every file."""
    for above, folders, files, descriptor in os.fwalk(root, follow_symlinks=False):
        folders[:] = [name for name in folders if name != _BYTECODE]
        below = os.path.relpath(above, root)
        for name in files:
            yield name if below == os.curdir else f"{below}/{name}", name, descriptor


def _digest(name: str, parent: int) -> FileDigest:
    mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    if not stat.S_ISREG(mode):
        return FileDigest("", 0)
    with os.fdopen(os.open(name, _READ, dir_fd=parent), "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileDigest(digest, file.tell(), executable=bool(mode & _ANY_EXECUTE))


def _seal(root: Path, seal: Seal, interpreter: str) -> None:
    with writing(root):
        (root / INTERPRETER_FILE).write_text(f"{interpreter}\n", encoding="utf-8")
        sync_tree(root)
        (root / SEAL_FILE).write_bytes(write_seal(seal))
        sync_tree(root)
