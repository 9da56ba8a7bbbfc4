"""A token that is gone with the process."""

from loopx.application.ports.entropy import Entropy
from loopx.domain.http.credentials import read_credential
from loopx.domain.secrets import Secret

_TOKEN_BYTES = 32


class MemoryServeToken:
    """Keeps the token in memory; ``given`` is one to start with."""

    def __init__(self, *, entropy: Entropy, given: str | None = None) -> None:
        self._entropy = entropy
        self._given = given

    @property
    def place(self) -> str:
        return "memory"

    def load_or_create(self) -> Secret:
        if self._given is None:
            self._given = self._entropy.hex(_TOKEN_BYTES)
        return read_credential(self._given, self.place).token
