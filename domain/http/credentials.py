"""Which credential goes to which host; no other host ever gets one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.http.target import Target, read_target
from loopx.domain.secrets import MINIMUM_LENGTH, Secret

_PUBLIC_TOKENS: Final = ("GH_TOKEN", "GITHUB_TOKEN")
_ENTERPRISE_TOKENS: Final = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
TOKEN_NAMES: Final = _PUBLIC_TOKENS + _ENTERPRISE_TOKENS
"""Variables of the environment that hold credentials."""

_VISIBLE: Final = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Credential:
    """A bearer token and where it came from (for people: ``environment GH_TOKEN``)."""

    token: Secret
    source: str

    def header(self) -> tuple[str, str]:
        """The ``Authorization`` field; only the wire asks for it."""
        return ("Authorization", f"Bearer {self.token.reveal()}")


def choose_github_credential(environment: Mapping[str, str], target: Target) -> Credential | None:
    """The token that the environment holds for an address, by the rules of GitHub's own CLI.

    Raises:
        LoopXError: ``credential_error/malformed`` or ``credential_error/too_short``;
            ``config_invalid/value``.
    """
    if target.scheme == "https" and is_github_cloud(target.host):
        names = _PUBLIC_TOKENS
    elif target.authority == named_host(environment):
        names = _ENTERPRISE_TOKENS
    else:
        return None
    for name in names:
        value = environment.get(name, "")
        if value.strip():
            return read_credential(value, f"environment {name}")
    return None


def named_host(environment: Mapping[str, str]) -> str | None:
    """The host, with its port where that is not the usual one, that ``GH_HOST`` names.

    An ``https://`` before it and a slash behind it are what a copied address has, and mean the same.

    Raises:
        LoopXError: ``config_invalid/value``.
    """
    named = environment.get("GH_HOST", "").strip().lower()
    if not named:
        return None
    try:
        target = read_target(f"https://{named.removeprefix('https://').removesuffix('/')}/")
    except LoopXError:
        target = None
    if target is None or target.path != "/":
        detail = "GH_HOST is no host name with or without a port, as in ghes.example or ghes.example:8443"
        raise LoopXError("config_invalid", "value", detail=detail)
    return target.authority


def is_github_cloud(host: str) -> bool:
    """Whether a host belongs to github.com or to a ghe.com tenant."""
    return host in {"github.com", "api.github.com", "uploads.github.com"} or host.endswith(".ghe.com")


def read_credential(value: str, source: str) -> Credential:
    """Check a token before it is used; the error never quotes it.

    Raises:
        LoopXError: ``credential_error/malformed`` or ``credential_error/too_short``.
    """
    # One newline at the end is what `$(cat token)` or an editor leaves behind.
    token = value.removesuffix("\n").removesuffix("\r")
    if not _VISIBLE.fullmatch(token):
        raise LoopXError("credential_error", "malformed", detail=source)
    if len(token) < MINIMUM_LENGTH:
        raise LoopXError("credential_error", "too_short", detail=source)
    return Credential(Secret(token), source)
