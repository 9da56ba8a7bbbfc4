"""``approvals.json`` in the user's own data folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.document_file import DocumentFile, DocumentFormat
from loopx.application.ports.locks import Locks
from loopx.domain.registry.approvals import Approvals
from loopx.domain.registry.approvals_document import read_approvals, write_approvals

_NAME: Final = "approvals.json"
_FORM: Final = DocumentFormat(read_approvals, write_approvals)


class JsonApprovalsFile:
    """Readable by its user alone."""

    def __init__(self, folder: Path, *, locks: Locks) -> None:
        self._file = DocumentFile(folder / _NAME, _FORM, locks=locks)

    def read(self) -> Approvals:
        return self._file.read()

    def update(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        return self._file.update(change)

    def recover(self) -> None:
        self._file.recover()
