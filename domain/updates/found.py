"""What is installed, as it was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from loopx.domain.updates.seal import BadMark, Seal


@dataclass(frozen=True, slots=True)
class Installed:
    """A version's folder; without a seal it is not whole."""

    name: str
    seal: Seal | None
    in_use: bool = False
    """By a process that is running from it."""


@dataclass(frozen=True, slots=True)
class Pointers:
    """Which version is started, and which one was before it; a pointer may lead nowhere."""

    current: str | None = None
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that an update is decided from."""

    pointers: Pointers = Pointers()
    installed: tuple[Installed, ...] = ()
    bad: Mapping[str, BadMark] = field(default_factory=dict)

    def seal(self, name: str | None) -> Seal | None:
        """The seal of a version that is whole."""
        return next((each.seal for each in self.installed if each.name == name), None)

    def usable(self, name: str | None) -> bool:
        """Whether a version may be started: it is whole, and not known to be bad."""
        return self.seal(name) is not None and name not in self.bad

    @property
    def current(self) -> Seal | None:
        """The version that is started, if it is whole."""
        return self.seal(self.pointers.current)

    def by_digest(self, sha256: str) -> Seal | None:
        """The usable version that came from these bytes."""
        seals = (each.seal for each in self.installed if self.usable(each.name))
        return next((seal for seal in seals if seal is not None and seal.sha256 == sha256), None)
