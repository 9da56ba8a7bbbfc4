"""The journal of updates as a file that only grows."""

import os
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.faults import writing
from loopx.adapters.filesystem.files import PRIVATE_FILE, read_bytes, sync_folder
from loopx.domain.updates.journal import JournalEntry, read_journal, write_entry
from loopx.domain.updates.places import JOURNAL

_APPEND: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class FileUpdateJournal:
    """That the file is there says that something may be unfinished."""

    def __init__(self, home: str) -> None:
        self._path = Path(home) / JOURNAL

    def pending(self) -> JournalEntry | None:
        content = read_bytes(self._path)
        return None if content is None else read_journal(content, str(self._path))

    def write(self, entry: JournalEntry) -> None:
        with writing(self._path):
            descriptor = os.open(self._path, _APPEND, PRIVATE_FILE)
            try:
                size = os.fstat(descriptor).st_size
                _append(descriptor, write_entry(entry), size)
                if size == 0:
                    sync_folder(self._path.parent)
            finally:
                os.close(descriptor)

    def clear(self) -> None:
        with writing(self._path):
            self._path.unlink(missing_ok=True)
            sync_folder(self._path.parent)


def _append(descriptor: int, line: bytes, size: int) -> None:
    """All of the line or nothing: the next line would follow what a full disk let in of this one."""
    try:
        left = memoryview(line)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
