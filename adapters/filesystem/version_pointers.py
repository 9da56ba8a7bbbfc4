"""Pointers as relative links that are replaced at once."""

import os
from pathlib import Path

from loopx.adapters.filesystem.faults import writing
from loopx.adapters.filesystem.files import sync_folder
from loopx.domain.errors import LoopXError
from loopx.domain.updates.places import CURRENT, PREVIOUS, VERSIONS
from loopx.domain.updates.seal import SEAL_FILE


class FileVersionPointers:
    """One writer at a time (the lock of updates); readers need no lock."""

    def __init__(self, home: str) -> None:
        self._home = Path(home)

    def switch(self, name: str) -> None:
        if not (self._home / VERSIONS / name / SEAL_FILE).is_file():
            raise LoopXError("update_error", "vanished", detail=name)
        self._point(CURRENT, name)

    def drop(self) -> None:
        pointer = self._home / CURRENT
        with writing(pointer):
            pointer.unlink(missing_ok=True)
            sync_folder(self._home)

    def remember(self, name: str) -> None:
        self._point(PREVIOUS, name)

    def sweep(self) -> None:
        """Remove new links that a killed process did not get to put in place."""
        for pointer in (CURRENT, PREVIOUS):
            with writing(self._home / pointer):
                self._new(pointer).unlink(missing_ok=True)

    def _point(self, pointer: str, name: str) -> None:
        new, place = self._new(pointer), self._home / pointer
        with writing(place):
            new.unlink(missing_ok=True)
            os.symlink(f"{VERSIONS}/{name}", new)  # noqa: PTH211 - the target is text, relative to the home
            new.replace(place)
            sync_folder(self._home)

    def _new(self, pointer: str) -> Path:
        return self._home / f".{pointer}.new"
