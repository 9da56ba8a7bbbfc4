"""The status server's token in a file that only its user can read."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.faults import reading, writing
from loopx.adapters.filesystem.files import PRIVATE_FILE, make_folder, sync_folder
from loopx.application.ports.entropy import Entropy
from loopx.domain.errors import LoopXError
from loopx.domain.http.credentials import read_credential
from loopx.domain.secrets import Secret

TOKEN_FILE: Final = "serve-token"  # noqa: S105 - its name, not its content
_TOKEN_BYTES: Final = 32
_MOST_BYTES: Final = 4096
_ROOT: Final = 0
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FileServeToken:
    """Reads the token from a file, and makes both where there is none."""

    def __init__(self, path: Path, *, entropy: Entropy) -> None:
        self._path = path
        self._entropy = entropy

    @property
    def place(self) -> str:
        return str(self._path)

    def load_or_create(self) -> Secret:
        token = self._load()
        if token is None:
            self._create()
            token = self._load()
        if token is None:
            raise LoopXError("state_error", "unreadable", detail=f"{self._path}: it vanished")
        return token

    def _load(self) -> Secret | None:
        with reading(self._path):
            try:
                descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            except FileNotFoundError:
                return None
            with os.fdopen(descriptor, "rb") as file:
                # Of the file that is open: the one at the path may be another by now.
                self._refuse_exposed(os.fstat(file.fileno()))
                content = file.read(_MOST_BYTES)
        return read_credential(content.decode("latin-1"), str(self._path)).token

    def _refuse_exposed(self, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            raise LoopXError("state_error", "unreadable", detail=f"{self._path}: it is no file")
        is_private = not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        if not is_private or status.st_uid not in {os.geteuid(), _ROOT}:
            raise LoopXError("credential_error", "exposed", detail=str(self._path))

    def _create(self) -> None:
        """Two servers that start at once must end with one token, so a file that is there is kept."""
        with writing(self._path):
            make_folder(self._path.parent)
            temporary = self._path.with_name(f".{self._path.name}.{self._entropy.hex(6)}.tmp")
            try:
                with os.fdopen(os.open(temporary, _NEW_FILE, PRIVATE_FILE), "w", encoding="ascii") as file:
                    file.write(f"{self._entropy.hex(_TOKEN_BYTES)}\n")
                    file.flush()
                    os.fsync(file.fileno())
                with suppress(FileExistsError):
                    os.link(temporary, self._path)
            finally:
                temporary.unlink(missing_ok=True)
            sync_folder(self._path.parent)
