"""Which repository a checkout belongs to, told from its git remotes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.repositories import GITHUB, Repository, read_repository

_PREFERRED: Final = ("upstream", "github", "origin")
_BASE: Final = "base"


@dataclass(frozen=True, slots=True)
class Remote:
    """A git remote; ``resolved`` is what ``gh repo set-default`` wrote down for it, if anything."""

    name: str
    url: str
    resolved: str | None = None


def choose_repository(remotes: Iterable[Remote], preferred_host: str | None = None) -> Repository | None:
    """The repository that people mean here, in the order in which GitHub's own CLI looks.

    A default that was chosen with it counts first, then the remotes upstream, github, origin and
    the rest. Remotes on ``preferred_host`` come before others; local paths are passed over.
    """
    known = list(remotes)
    for remote in known:
        if remote.resolved is not None and (chosen := _resolved(remote)) is not None:
            return chosen
    ranked = sorted(known, key=lambda remote: _rank(remote.name))
    repositories = [found for found in map(_read, ranked) if found is not None]
    at_home = [found for found in repositories if found.host == preferred_host]
    return next(iter(at_home or repositories), None)


def _resolved(remote: Remote) -> Repository | None:
    own = _read(remote)
    if remote.resolved == _BASE:
        return own
    try:
        return read_repository(str(remote.resolved), own.host if own else GITHUB)
    except LoopXError:
        return None


def _read(remote: Remote) -> Repository | None:
    if "://" not in remote.url and ":" not in remote.url:
        return None  # a path, which may look just like owner/name
    try:
        return read_repository(remote.url)
    except LoopXError:
        return None


def _rank(name: str) -> int:
    return _PREFERRED.index(name) if name in _PREFERRED else len(_PREFERRED)
