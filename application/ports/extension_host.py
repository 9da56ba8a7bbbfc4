"""The process in which code of an extension runs."""

from typing import Protocol

from loopx.domain.context import CallContext
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.session import Answer, Step
from loopx.domain.schema import Data


class ExtensionSession(Protocol):
    """One run of one unit, stepped by whoever opened it and closes it."""

    async def step(self, answer: Answer | None = None) -> Step:
        """The next step, given the answer after an ``Ask`` and nothing otherwise; none follows ``Done``.

        Raises:
            LoopXError: ``extension_error``; the error of a ``Failed`` that the code did not handle;
                ``deadline_exceeded`` when the run's time is over. The session is over with any error.
        """
        ...

    async def aclose(self) -> None:
        """End it, wherever it stands; nothing of it is left afterwards. A second time does nothing."""
        ...


class ExtensionHost(Protocol):
    """Loads code apart from LoopX itself, and never lets it reach out."""

    async def try_load(self, code: ExtensionCode, context: CallContext) -> None:
        """Load code once and throw it away: it imports, and gives every unit that the manifest names.

        Raises:
            LoopXError: ``extension_error``.
        """
        ...

    async def open(
        self, code: ExtensionCode, unit: str, parameters: Data, context: CallContext
    ) -> ExtensionSession:
        """Start a unit with parameters that were checked against its specification.

        Raises:
            LoopXError: ``extension_error``; ``deadline_exceeded``.
        """
        ...
