"""What every capability is to its callers."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from loopx.domain.context import CallContext
from loopx.domain.results import Problem, Summary
from loopx.domain.schema import CapabilitySpec, Data, ParameterValue

Parameters = Mapping[str, ParameterValue | None]


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a run, of the type that the capability's specification names."""

    type: str
    data: Data


Item = Record | Problem | Summary


class Capability(Protocol):
    """Takes checked parameters and streams records and problems, the summary last."""

    @property
    def spec(self) -> CapabilitySpec:
        """Name, parameters and record."""
        ...

    def run(self, parameters: Parameters, context: CallContext) -> AsyncIterator[Item]:
        """Start a run.

        Raises:
            LoopXError: ``usage_error`` before anything was asked of the outside.
        """
        ...
