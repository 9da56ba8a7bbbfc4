"""A session of the command line with fakes behind its ports and its output in memory."""

import asyncio
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dependency_injector import providers

from loopx.adapters.memory.checkout import MemoryCheckout
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.entrypoints.cli.session import Choices, Deed, Screen, Session
from loopx.entrypoints.container import Container, Settings
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.streams import DataOut, TalkOut
from loopx.entrypoints.presentation.style import PLAIN_TEXT, Terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Everything around a command; what it printed is in ``out`` and ``talk``."""

    source: MemoryPullRequests
    checkout: MemoryCheckout = field(default_factory=MemoryCheckout)
    environment: Mapping[str, str] = field(default_factory=dict)
    terminal: Terminal = PLAIN_TEXT
    clock: MemoryClock = field(default_factory=MemoryClock)
    out: io.StringIO = field(default_factory=io.StringIO)
    talk: io.StringIO = field(default_factory=io.StringIO)

    def session(self, output: str = "table", **choices: Any) -> Session:
        """A session in which these global options were given."""
        return Session(
            choices=Choices(output=Output(output), **choices),
            container=Container(
                settings=providers.Object(Settings.of(self.environment)),
                clock=providers.Object(self.clock),
                entropy=providers.Object(MemoryEntropy()),
                checkout=providers.Object(self.checkout),
                pull_request_source=providers.Object(self.source),
            ),
            screen=Screen(
                out=DataOut(self.out),
                talk=TalkOut(self.talk),
                terminal=self.terminal,
                talk_terminal=self.terminal,
            ),
            environment=self.environment,
        )

    def run(self, deed: Deed, output: str = "table", **choices: Any) -> int:
        """Run a command to its end."""
        session = self.session(output, **choices)

        async def main() -> int:
            return await deed(session)

        return asyncio.run(main())

    @property
    def shown(self) -> str:
        """What was printed as data."""
        return self.out.getvalue()

    @property
    def said(self) -> str:
        """What was said beside it."""
        return self.talk.getvalue()

    @property
    def document(self) -> dict[str, Any]:
        """The data as one JSON document."""
        found: dict[str, Any] = json.loads(self.shown)
        return found

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The data as NDJSON."""
        return [json.loads(line) for line in self.shown.splitlines()]
