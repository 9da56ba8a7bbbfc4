"""All capabilities by name."""

from collections.abc import Iterable, Iterator

from loopx.application.capabilities.capability import Capability
from loopx.domain.errors import LoopXError


class CapabilityCatalog:
    """Finds capabilities."""

    def __init__(self, capabilities: Iterable[Capability]) -> None:
        self._by_name = {capability.spec.name: capability for capability in capabilities}

    def __iter__(self) -> Iterator[Capability]:
        return iter(self._by_name.values())

    def find(self, name: str) -> Capability:
        """The capability of that name.

        Raises:
            LoopXError: ``usage_error/capability``.
        """
        capability = self._by_name.get(name)
        if capability is None:
            known = ", ".join(sorted(self._by_name))
            raise LoopXError("usage_error", "capability", detail=f"{name[:60]!r} is none of: {known}")
        return capability
