"""Credentials."""

from typing import Protocol

from loopx.domain.http.credentials import Credential
from loopx.domain.http.target import Target


class CredentialSource(Protocol):
    """Knows which credential belongs to which host."""

    def find(self, target: Target) -> Credential | None:
        """The credential for an address; ``None`` when the host has none.

        Raises:
            LoopXError: ``credential_error/malformed`` or ``credential_error/too_short``.
        """
        ...
