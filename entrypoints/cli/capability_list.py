"""What LoopX can do, for people and programs."""

import os
from collections.abc import AsyncIterator

from loopx.application.capabilities.capability import Item, Record
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.domain.results import Completeness, Status, Summary
from loopx.domain.schema import CapabilitySpec
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.container import Container, Settings
from loopx.entrypoints.presentation.capabilities import (
    CAPABILITY,
    PARAMETER,
    capability_data,
    capability_page,
    description_data,
    parameter_data,
)
from loopx.entrypoints.presentation.envelope import to_json
from loopx.entrypoints.presentation.frame import write_lines
from loopx.entrypoints.presentation.output import Output


def specs(given: Given) -> list[CapabilitySpec]:
    """Every capability's specification.

    Raises:
        LoopXError: ``state_error``.
    """
    return [capability.spec for capability in _catalog(given)]


def spec_of(name: str, given: Given) -> CapabilitySpec:
    """The specification of one.

    Raises:
        LoopXError: ``usage_error/capability``; ``state_error``.
    """
    return _catalog(given).find(name).spec


def _catalog(given: Given) -> CapabilityCatalog:
    """What there is before anything runs: for the options of commands, and for help."""
    return Container(settings=Settings.of(os.environ, project=given.get("project"))).catalog()


async def list_capabilities(session: Session) -> int:
    """Show all capabilities."""
    found = [capability.spec for capability in session.container.catalog()]
    records = [Record(CAPABILITY.type, capability_data(spec)) for spec in found]
    return await session.show(_stream(records), CAPABILITY)


async def describe_capability(name: str, session: Session) -> int:
    """Show what a capability takes and gives.

    Raises:
        LoopXError: ``usage_error/capability``.
    """
    spec = session.container.catalog().find(name).spec
    screen = session.screen
    match session.choices.output:
        case Output.JSON | Output.NDJSON if session.choices.fields is None:
            write_lines(screen.out, [to_json(description_data(spec))])
            screen.out.flush()
        case Output.TABLE if session.choices.fields is None:
            write_lines(screen.out, capability_page(spec, screen.terminal))
            screen.out.flush()
        case _:
            records = [Record(PARAMETER.type, parameter_data(one)) for one in spec.parameters]
            return await session.show(_stream(records), PARAMETER)
    return 0


async def _stream(records: list[Record]) -> AsyncIterator[Item]:
    for record in records:
        yield record
    yield Summary(
        status=Status.OK,
        completeness=Completeness(complete=True),
        records=len(records),
        requests=0,
        duration=0.0,
    )
