"""All capabilities by name: those that are built in, and those that come from elsewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from loopx.application.capabilities.capability import Capability
from loopx.domain.errors import LoopXError


class CapabilitySource(Protocol):
    """Brings capabilities that are not built in."""

    def capabilities(self) -> Iterable[Capability]:
        """Those that there are now.

        Raises:
            LoopXError: ``state_error``.
        """
        ...


@dataclass(frozen=True, slots=True)
class Survey:
    """What there is, and the first error if a source could not be asked."""

    capabilities: tuple[Capability, ...]
    error: LoopXError | None


class CapabilityCatalog:
    """Finds capabilities; no source can put one in the place of another that came before."""

    def __init__(self, capabilities: Iterable[Capability], sources: Iterable[CapabilitySource] = ()) -> None:
        self._built_in = {capability.spec.name: capability for capability in capabilities}
        self._sources = tuple(sources)

    def __iter__(self) -> Iterator[Capability]:
        survey = self.survey()
        if survey.error is not None:
            raise survey.error
        return iter(survey.capabilities)

    def survey(self) -> Survey:
        """All that there are now; a source that fails takes away only its own."""
        found = dict(self._built_in)
        first: LoopXError | None = None
        for source in self._sources:
            try:
                brought = [*source.capabilities()]
            except LoopXError as error:
                first = first or error
                continue
            for capability in brought:
                found.setdefault(capability.spec.name, capability)
        return Survey(tuple(found.values()), first)

    def find(self, name: str) -> Capability:
        """The capability of that name; for one that is built in no source is asked.

        Raises:
            LoopXError: ``usage_error/capability``; ``state_error``.
        """
        if name in self._built_in:
            return self._built_in[name]
        found = {capability.spec.name: capability for capability in self}
        if name not in found:
            raise LoopXError(
                "usage_error", "capability", detail=f"{name[:60]!r} is none of: {', '.join(sorted(found))}"
            )
        return found[name]
