"""Reads what can be run: files are behind it, so that it never happens in the loop."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from loopx.application.capabilities.capability import Capability
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.domain.redaction import Redactor
from loopx.domain.schema import CapabilitySpec
from loopx.entrypoints.http.problems import problem_data


@dataclass(frozen=True, slots=True)
class Offered:
    """What can be run now, and as a problem document why that is not all."""

    specs: tuple[CapabilitySpec, ...]
    problem: dict[str, object] | None


class Offering:
    """Asks the catalogue in a thread."""

    def __init__(self, *, catalog: Callable[[], CapabilityCatalog], redactor: Redactor) -> None:
        self._catalog = catalog
        self._redactor = redactor

    async def read(self) -> Offered:
        """Everything that can be run now; nothing is raised."""
        return await asyncio.to_thread(self._read)

    async def find(self, name: str) -> Capability:
        """The capability of that name.

        Raises:
            LoopXError: ``usage_error/capability``; ``state_error``.
        """
        return await asyncio.to_thread(lambda: self._catalog().find(name))

    def _read(self) -> Offered:
        survey = self._catalog().survey()
        problem = None if survey.error is None else problem_data(survey.error, self._redactor)
        return Offered(tuple(capability.spec for capability in survey.capabilities), problem)
