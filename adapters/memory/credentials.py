"""Credentials written down in a program."""

from collections.abc import Mapping

from loopx.domain.http.credentials import Credential, read_credential
from loopx.domain.http.target import Target


class MemoryCredentials:
    """Holds a token for each host, named as in a URL: ``api.example.com``, ``127.0.0.1:8080``."""

    def __init__(self, tokens: Mapping[str, str] | None = None) -> None:
        self._credentials = {
            authority: read_credential(token, "memory") for authority, token in (tokens or {}).items()
        }

    def find(self, target: Target) -> Credential | None:
        return self._credentials.get(target.authority)
