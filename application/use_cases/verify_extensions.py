"""Verify extensions."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from loopx.application.steps.extension_records import ExtensionRecords
from loopx.domain.errors import LoopXError
from loopx.domain.registry.status import ExtensionStatus
from loopx.domain.registry.tree import Difference


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found of one extension: files compared and those that differ, or why none could be."""

    status: ExtensionStatus
    files: int = 0
    differences: tuple[Difference, ...] = ()
    error: LoopXError | None = None

    @property
    def intact(self) -> bool:
        """Whether it is installed, and every byte is as it was approved."""
        return self.status.approval is not None and not self.differences and self.error is None


class VerifyExtensions:
    """Reads every stored file again and compares it with what was approved."""

    def __init__(self, *, records: ExtensionRecords) -> None:
        self._records = records

    async def __call__(self, name: str | None = None) -> AsyncIterator[Verification]:
        """Every extension of the project in order of name, or the one of a name.

        Raises:
            LoopXError: ``registry_error/unknown``; ``state_error`` of the registry or the approvals.
        """
        self._records.recover_if_possible()
        found = self._records.statuses() if name is None else (self._records.status(name),)
        for status in found:
            yield await self._verify(status)

    async def _verify(self, status: ExtensionStatus) -> Verification:
        if status.approval is None:
            return Verification(status)
        try:
            examination = await self._records.store.examine(status.approval.artifact)
        except LoopXError as error:
            return Verification(status, error=error)
        return Verification(status, len(examination.tree.files), examination.differences)
