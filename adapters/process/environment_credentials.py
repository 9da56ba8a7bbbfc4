"""Tokens from the environment."""

from collections.abc import Mapping

from loopx.domain.http.credentials import Credential, choose_github_credential
from loopx.domain.http.target import Target


class EnvironmentCredentials:
    """Finds GitHub's tokens under the names that GitHub's own tools read."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def find(self, target: Target) -> Credential | None:
        return choose_github_credential(self._environment, target)
