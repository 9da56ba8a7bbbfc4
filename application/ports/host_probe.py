"""The machine."""

from typing import Protocol

from loopx.domain.updates.host import Host


class HostProbe(Protocol):
    """Knows what this process runs on."""

    def host(self) -> Host:
        """The platform and the interpreter, by its real path and outside of any virtual environment."""
        ...
