"""A capability that yields what a test tells it to, and remembers how it ended."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final

from loopx.application.capabilities.capability import Item, Parameters, Record
from loopx.domain.context import CallContext
from loopx.domain.results import Completeness, Status, Summary
from loopx.domain.schema import INTEGER, CapabilitySpec, Field, ParameterSpec, RecordSpec, text

NUMBER: Final = RecordSpec(
    schema="loopx.number/1",
    type="number",
    fields=(Field("value", INTEGER, "the number"), Field("padding", text(), "as much as was asked for")),
    columns=("value",),
)
COUNTING: Final = CapabilitySpec(
    name="count",
    summary="Count",
    description="Yields the numbers from 1 on.",
    parameters=(
        ParameterSpec(name="to", description="The last number", kind=int, required=True, minimum=0),
        ParameterSpec(name="label", description="Anything", choices=("plain", "fancy"), default="plain"),
        ParameterSpec(name="loud", description="Whether to count aloud", kind=bool, default=False),
    ),
    record=NUMBER,
)


def done(records: int) -> Summary:
    """The end of a run that went well."""
    return Summary(
        status=Status.OK if records else Status.EMPTY,
        completeness=Completeness(complete=True),
        records=records,
        requests=0,
        duration=0.0,
    )


class Counting:
    """Counts; ``padding`` characters make a record large, ``pause_after`` stops until ``go_on`` is set.

    ``most`` ends a run early, whatever was asked for.
    """

    def __init__(self, *, padding: int = 0, pause_after: int | None = None, most: int | None = None) -> None:
        self.go_on = asyncio.Event()
        self.contexts: list[CallContext] = []
        self.yielded = 0
        self.ended: asyncio.Event = asyncio.Event()
        self._padding = padding
        self._pause_after = pause_after
        self._most = most

    @property
    def spec(self) -> CapabilitySpec:
        return COUNTING

    def run(self, parameters: Parameters, context: CallContext) -> AsyncIterator[Item]:
        self.contexts.append(context)
        last = parameters["to"]
        assert isinstance(last, int)
        return self._count(range(1, (last if self._most is None else min(last, self._most)) + 1))

    async def _count(self, numbers: Iterable[int]) -> AsyncIterator[Item]:
        try:
            for number in numbers:
                if self.yielded == self._pause_after:
                    await self.go_on.wait()
                self.yielded += 1
                yield Record("number", {"value": number, "padding": "x" * self._padding})
            yield done(self.yielded)
        finally:
            self.ended.set()
