"""Which repository or pull request a person means, and where its API lives."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from loopx.domain.errors import LoopXError
from loopx.domain.http.target import read_target
from loopx.domain.redaction import Redactor

GITHUB: Final = "github.com"

_OWNER: Final = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?"
_NAME: Final = r"(?!\.{1,2}(?:$|/))[A-Za-z0-9._-]{1,100}"
_SHORT: Final = re.compile(
    rf"(?:(?P<host>[A-Za-z0-9.-]+\.[A-Za-z]+|localhost)/)?(?P<owner>{_OWNER})/(?P<name>{_NAME})"
)
_SCP: Final = re.compile(
    rf"(?:[A-Za-z0-9_.-]+@)(?P<host>[A-Za-z0-9.-]+):/?(?P<owner>{_OWNER})/(?P<name>{_NAME})/?"
)
_PATH: Final = re.compile(rf"/(?P<owner>{_OWNER})/(?P<name>{_NAME})/?")
_PULL_ADDRESS: Final = re.compile(
    rf"(?P<repository>https?://[^/?#\s]+/{_OWNER}/{_NAME})/pull/(?P<number>[1-9][0-9]{{0,9}})(?:[/?#].*)?"
)
_REFERENCE: Final = re.compile(r"(?:(?P<repository>[^#\s]+)#|#)?(?P<number>[1-9][0-9]{0,9})")
_SSH_SCHEMES: Final = frozenset({"ssh", "git+ssh", "ssh+git", "git"})


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on a GitHub host; ``host`` carries the port where it is not the usual one."""

    host: str
    owner: str
    name: str
    scheme: str = "https"

    @property
    def full_name(self) -> str:
        """``owner/name``."""
        return f"{self.owner}/{self.name}"

    @property
    def id(self) -> str:
        """``host/owner/name``, unique over all hosts."""
        return f"{self.host}/{self.full_name}"

    @property
    def argument(self) -> str:
        """The shortest form that ``read_repository`` reads back as this repository."""
        return self.full_name if self.host == GITHUB else f"{self.scheme}://{self.id}"

    @property
    def graphql_url(self) -> str:
        """The address of the host's GraphQL API (GitHub's GraphQL and GHES documentation)."""
        if self.host == GITHUB:
            return "https://api.github.com/graphql"
        if self.host.endswith(".ghe.com"):
            return f"https://api.{self.host}/graphql"
        return f"{self.scheme}://{self.host}/api/graphql"


@dataclass(frozen=True, slots=True)
class PullRequestReference:
    """One pull request of a repository."""

    repository: Repository
    number: int

    @property
    def id(self) -> str:
        """``host/owner/name#number``."""
        return f"{self.repository.id}#{self.number}"

    @property
    def argument(self) -> str:
        """The form in which a person types it: ``owner/name#number`` or its address."""
        if self.repository.host == GITHUB:
            return f"{self.repository.full_name}#{self.number}"
        return f"{self.repository.argument}/pull/{self.number}"


def read_repository(text: str, default_host: str = GITHUB) -> Repository:
    """Understand a repository as people write it: ``o/r``, an address, or a git remote.

    Raises:
        LoopXError: ``usage_error/repository``; ``egress_blocked/scheme`` for http off loopback.
    """
    text = text.strip()
    if "://" in text:
        return _read_address(text)
    match = _SHORT.fullmatch(text) or _SCP.fullmatch(text)
    if match is None:
        raise _not_a_repository(text)
    return _repository(match["host"] or default_host, match)


def read_reference(text: str, current: Repository | None, default_host: str = GITHUB) -> PullRequestReference:
    """Understand a pull request: ``12``, ``#12``, ``o/r#12`` or its address.

    Raises:
        LoopXError: ``usage_error`` with ``reference``, ``repository`` or ``no_repository``.
    """
    text = text.strip()
    if (pull := _PULL_ADDRESS.fullmatch(text)) is not None:
        return PullRequestReference(_read_address(pull["repository"]), int(pull["number"]))
    match = _REFERENCE.fullmatch(text)
    if match is None:
        raise LoopXError("usage_error", "reference", detail=_shown(text))
    if match["repository"] is not None:
        return PullRequestReference(read_repository(match["repository"], default_host), int(match["number"]))
    if current is None:
        raise LoopXError("usage_error", "no_repository")
    return PullRequestReference(current, int(match["number"]))


def _read_address(text: str) -> Repository:
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        raise _not_a_repository(text) from None
    match = _PATH.fullmatch(parts.path)
    if match is None or not host or parts.query or parts.fragment:
        raise _not_a_repository(text)
    if parts.scheme in _SSH_SCHEMES:
        return _repository(host, match)
    # User information is what `git remote` may hold (https://token@github.com/…): it is dropped.
    authority = parts.netloc.rpartition("@")[2]
    target = read_target(f"{parts.scheme}://{authority}{parts.path}")
    return _repository(target.authority, match, target.scheme)


def _repository(host: str, match: re.Match[str], scheme: str = "https") -> Repository:
    host = host.lower().removeprefix("www.")
    host = GITHUB if host == f"ssh.{GITHUB}" else host
    name = match["name"].removesuffix(".git")
    if not name or name in {".", ".."}:
        raise _not_a_repository(match.string)
    return Repository(host, match["owner"], name, scheme)


def _not_a_repository(text: str) -> LoopXError:
    return LoopXError("usage_error", "repository", detail=_shown(text))


def _shown(text: str) -> str:
    return Redactor().excerpt(text, 80)
