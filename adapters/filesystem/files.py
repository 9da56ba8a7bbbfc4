"""Write a file whole or not at all."""

import os
import secrets
from pathlib import Path

from loopx.adapters.filesystem.faults import reading, writing

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_bytes(path: Path) -> bytes | None:
    """The content of a file; ``None`` when there is none.

    Raises:
        LoopXError: ``state_error/unreadable``.
    """
    with reading(path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None


def write_atomically(path: Path, content: bytes, mode: int = PRIVATE_FILE) -> None:
    """Replace a file so that every reader, and every start after a crash, finds the old or the new.

    Temporary file beside it, flush, fsync, ``os.replace``, fsync of the folder.

    Raises:
        LoopXError: ``state_error/unwritable``; the old file is as it was.
    """
    with writing(path):
        make_folder(path.parent)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
        descriptor = os.open(temporary, _NEW_FILE, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:  # whatever it is passes on; half a file must not stay behind
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def make_folder(path: Path, mode: int = PRIVATE_FOLDER) -> None:
    """Create a folder with its parents; one that exists keeps its mode."""
    path.mkdir(mode=mode, parents=True, exist_ok=True)


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a crash of the machine."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
