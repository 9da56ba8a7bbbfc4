"""Whether this version may take over from that one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from loopx.domain.updates.found import Found
from loopx.domain.updates.names import VersionName
from loopx.domain.updates.refusal import refused
from loopx.domain.updates.release import StateRange
from loopx.domain.versions import Version

STATE: Final = StateRange(oldest=1, newest=1)
"""The schemas of state that this LoopX reads; it writes the newest."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What would take over: its version, its archive's digest, and the state it reads."""

    version: Version
    sha256: str
    state: StateRange

    @property
    def name(self) -> str:
        """The name of its folder."""
        return str(VersionName.of(self.version, self.sha256))


def check_digest(sha256: str, found: Found, place: str) -> None:
    """Refuse bytes that failed here before; ``place`` is where the marks lie.

    Raises:
        LoopXError: ``update_error/bad``.
    """
    for name, mark in found.bad.items():
        if mark.sha256 == sha256:
            raise refused("bad", f"{name} ({mark.why}), marked in {place}/{name}")


def check_update(candidate: Candidate, found: Found, running: Version | None) -> None:
    """Whether a release may take over; ``running`` is the version that is being replaced, if known.

    Raises:
        LoopXError: ``update_error`` with reason ``same_version``, ``downgrade`` or ``state``.
    """
    for version, sha256 in _known(found):
        if version == candidate.version and sha256 != candidate.sha256:
            detail = f"{version}: {sha256} was here, {candidate.sha256} came"
            raise refused("same_version", detail)
    replaced = found.current.version if found.current else running
    if replaced is not None and candidate.version < replaced:
        raise refused("downgrade", f"{candidate.version} is older than {replaced}")
    check_state(candidate, found)


def check_state(candidate: Candidate, found: Found) -> None:
    """Whether a version can read what the present one writes.

    Raises:
        LoopXError: ``update_error/state``.
    """
    written = max(STATE.newest, found.current.state.newest if found.current else 0)
    if not candidate.state.reads(written):
        reads = f"{candidate.state.oldest} to {candidate.state.newest}"
        raise refused("state", f"{candidate.version} reads state schemas {reads}, here it is {written}")


def choose_way_back(found: Found, older: Iterable[str]) -> str:
    """The version to go back to: the previous one, else the newest that is older than the current.

    Raises:
        LoopXError: ``update_error/no_version``.
    """
    previous, current = found.pointers.previous, found.pointers.current
    if previous != current and found.usable(previous) and previous is not None:
        return previous
    for name in older:
        seal = found.seal(name)
        if name != current and seal and found.current and seal.version < found.current.version:
            return name
    raise refused("no_version", "there is none beside the current one")


def _known(found: Found) -> list[tuple[Version, str]]:
    seals = [(each.seal.version, each.seal.sha256) for each in found.installed if each.seal]
    names = ((VersionName.parse(name), mark) for name, mark in found.bad.items())
    return seals + [(name.version, mark.sha256) for name, mark in names if name is not None]
