"""The command of one capability, made from its specification."""

from typing import Any

import click

from loopx.domain.schema import CapabilitySpec
from loopx.entrypoints.cli.capability_run import run_capability
from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.parameters import given_values, options_for
from loopx.entrypoints.cli.session import run


def command_of(spec: CapabilitySpec) -> click.Command:
    """A command with one option for each parameter."""

    @click.pass_obj
    def start(given: Given, /, **values: Any) -> int:
        return run(given, lambda session: run_capability(spec.name, given_values(values), session))

    return Command(spec.name, callback=start, params=options_for(spec.parameters), help=spec.description)
