"""Where the running copy came from."""

from typing import Protocol

from loopx.domain.updates.owner import Evidence


class InstallOwner(Protocol):
    """Looks around the running copy."""

    def evidence(self) -> Evidence:
        """What was found; what cannot be read is no evidence."""
        ...
