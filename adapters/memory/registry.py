"""Registry and approvals without a disk."""

from collections.abc import Callable

from loopx.domain.registry.approvals import Approvals
from loopx.domain.registry.document import Registry


class MemoryRegistryFile:
    """The registry of a project that exists in name only."""

    def __init__(self, registry: Registry | None = None, *, project: str = "/project/.loopx") -> None:
        self._registry = registry or Registry()
        self._project = project

    @property
    def project(self) -> str:
        return self._project

    def read(self) -> Registry:
        return self._registry

    def update(self, change: Callable[[Registry], Registry]) -> Registry:
        self._registry = change(self._registry)
        return self._registry

    def recover(self) -> None:
        """Nothing is left behind in memory."""


class MemoryApprovalsFile:
    """The approvals of a user who is nobody."""

    def __init__(self, approvals: Approvals | None = None) -> None:
        self._approvals = approvals or Approvals()

    def read(self) -> Approvals:
        return self._approvals

    def update(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        self._approvals = change(self._approvals)
        return self._approvals

    def recover(self) -> None:
        """Nothing is left behind in memory."""
