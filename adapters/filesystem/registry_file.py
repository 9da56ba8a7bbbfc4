"""``registry.json`` in a project's folder."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.document_file import DocumentFile, DocumentFormat
from loopx.application.ports.locks import Locks
from loopx.domain.registry.document import Registry, read_registry, write_registry

_NAME: Final = "registry.json"
_SHARED: Final = 0o644  # it holds no secret, and others may read what a project wants
_FORM: Final = DocumentFormat(read_registry, write_registry, _SHARED)


class JsonRegistryFile:
    """The locks are kept in the same folder, so that they hold for everybody who shares the project."""

    def __init__(self, folder: Path, *, locks: Locks) -> None:
        self._project = os.path.realpath(folder)
        self._file = DocumentFile(Path(self._project) / _NAME, _FORM, locks=locks)

    @property
    def project(self) -> str:
        return self._project

    def read(self) -> Registry:
        return self._file.read()

    def update(self, change: Callable[[Registry], Registry]) -> Registry:
        return self._file.update(change)

    def recover(self) -> None:
        self._file.recover()
