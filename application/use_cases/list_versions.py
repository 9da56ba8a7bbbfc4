"""Which versions are here."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from loopx.application.ports.version_store import VersionStore
from loopx.domain.updates.found import Found, Installed
from loopx.domain.updates.seal import BadMark, Seal


class Standing(StrEnum):
    """What a version is good for."""

    CURRENT = "current"
    PREVIOUS = "previous"
    KEPT = "kept"
    BAD = "bad"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionFacts:
    """A version that is here, or a bad one that was; ``seal`` only while it is whole."""

    name: str
    standing: Standing
    seal: Seal | None
    in_use: bool
    bad: BadMark | None


class ListVersions:
    """Reads, and changes nothing."""

    def __init__(self, *, store: VersionStore) -> None:
        self._store = store

    def __call__(self) -> tuple[VersionFacts, ...]:
        """All of them, the newest first.

        Raises:
            LoopXError: ``state_error/unreadable``.
        """
        return tuple(_facts(self._store.found()))


def _facts(found: Found) -> Iterator[VersionFacts]:
    here = {each.name for each in found.installed}
    gone = [Installed(name, None) for name in found.bad if name not in here]
    everything = [*found.installed, *gone]
    everything.sort(key=lambda each: (each.seal.installed_at if each.seal else -1, each.name), reverse=True)
    for each in everything:
        yield VersionFacts(
            name=each.name,
            standing=_standing(each, found),
            seal=each.seal,
            in_use=each.in_use,
            bad=found.bad.get(each.name),
        )


def _standing(each: Installed, found: Found) -> Standing:
    if each.name == found.pointers.current and each.seal is not None:
        return Standing.CURRENT
    if each.name in found.bad:
        return Standing.BAD
    if each.seal is None:
        return Standing.INCOMPLETE
    return Standing.PREVIOUS if each.name == found.pointers.previous else Standing.KEPT
