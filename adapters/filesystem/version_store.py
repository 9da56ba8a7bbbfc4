"""Versions of LoopX in folders that are never changed, each started from as long as a lock on it says."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.faults import reading, writing
from loopx.adapters.filesystem.files import (
    PRIVATE_FOLDER,
    make_folder,
    read_bytes,
    sync_folder,
    write_atomically,
)
from loopx.domain.errors import LoopXError
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.names import VersionName
from loopx.domain.updates.places import BAD, CURRENT, PREVIOUS, VERSIONS
from loopx.domain.updates.release import RELEASE_FILE
from loopx.domain.updates.seal import SEAL_FILE, BadMark, Seal, read_bad_mark, read_seal, write_bad_mark

_REMOVED: Final = ".removed-"
_TEMPORARY: Final = ".tmp"
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class FileVersionStore:
    """A folder comes and goes by one rename; a process that runs from it holds a shared lock on it."""

    def __init__(self, home: str) -> None:
        self._home = Path(home)
        self._versions = self._home / VERSIONS
        self._bad = self._home / BAD

    def found(self) -> Found:
        installed = [
            Installed(path.name, _read_seal(path), in_use=_is_used(path))
            for path in _listed(self._versions)
            if VersionName.parse(path.name) is not None
        ]
        pointers = Pointers(_target(self._home / CURRENT), _target(self._home / PREVIOUS))
        return Found(pointers, tuple(installed), dict(self._marks()))

    def add(self, root: str, name: str) -> None:
        target = self._versions / name
        with writing(target):
            make_folder(self._versions)
            if os.path.lexists(target):
                self._take_away(target)
            Path(root).rename(target)
            sync_folder(self._versions)

    def remove(self, name: str) -> bool:
        path = self._versions / name
        with writing(path):
            if not os.path.lexists(path):
                return True
            with _alone(path) as is_alone:
                # It is gone for whoever comes now; who has it open is told by the lock, and comes not here.
                removed = self._take_away(path) if is_alone else None
            if removed is None:
                return False
            sync_folder(self._versions)
            _delete(removed)
        return True

    def mark_bad(self, name: str, mark: BadMark) -> None:
        write_atomically(self._bad / name, write_bad_mark(mark))

    def sweep(self) -> None:
        """Remove what a killed process was about to remove or to write."""
        for path in _listed(self._versions):
            if path.name.startswith(_REMOVED):
                with writing(path):
                    _delete(path)
        for path in _listed(self._bad):
            if path.name.endswith(_TEMPORARY):
                with writing(path):
                    path.unlink(missing_ok=True)

    def _take_away(self, path: Path) -> Path:
        removed = self._versions / f"{_REMOVED}{secrets.token_hex(8)}"
        path.rename(removed)
        return removed

    def _marks(self) -> Iterator[tuple[str, BadMark]]:
        for path in _listed(self._bad):
            content = read_bytes(path) if VersionName.parse(path.name) else None
            if content is not None:
                yield path.name, read_bad_mark(content, str(path))


def _listed(folder: Path) -> list[Path]:
    with reading(folder):
        try:
            return sorted(folder.iterdir())
        except FileNotFoundError:
            return []


def _target(pointer: Path) -> str | None:
    """The name that a pointer leads to; one that somebody made by hand leads nowhere."""
    with reading(pointer):
        try:
            text = os.readlink(pointer)  # noqa: PTH115 - pathlib would tidy up what must be exact
        except FileNotFoundError:
            return None
        except OSError:  # it is no link
            return None
    folder, _, name = text.rpartition("/")
    return name if folder == VERSIONS and VersionName.parse(name) else None


def _read_seal(folder: Path) -> Seal | None:
    """The seal, if it is that of this folder and of its ``release.json``."""
    try:
        content, manifest = read_bytes(folder / SEAL_FILE), read_bytes(folder / RELEASE_FILE)
        if content is None or manifest is None:
            return None
        seal = read_seal(content, str(folder / SEAL_FILE))
    except LoopXError:
        return None
    return seal if (seal.name, seal.manifest) == (folder.name, sha256(manifest).hexdigest()) else None


def _is_used(folder: Path) -> bool:
    with _alone(folder) as is_alone:
        return not is_alone


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no process runs from a folder; none can start from it during the block."""
    try:
        descriptor = os.open(folder, _FOLDER)
    except OSError:
        yield True  # no folder, so nothing can run from it
        return
    try:
        yield _lock(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held by another, or a file system without locks: then nothing is removed
        return False
    return True


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.chmod(PRIVATE_FOLDER)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
