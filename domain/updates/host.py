"""What a release must fit: the machine's platform and its Python."""

from dataclasses import dataclass
from typing import Final

from loopx.domain.versions import Version

ANY_PLATFORM: Final = "any"
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class Host:
    """The platform's tag, and the interpreter that would run a release, by its concrete path."""

    platform: str
    python: Version
    interpreter: str


def platform_tag(system: str, machine: str, libc: str) -> str:
    """One spelling for one platform: ``linux-x86_64-glibc``, ``darwin-aarch64``; ``libc`` may be empty."""
    name = machine.lower()
    parts = (system.lower(), _MACHINES.get(name, name), libc.lower())
    return "-".join(part for part in parts if part)
