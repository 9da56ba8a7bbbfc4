"""``loopx pr list``: the capability ``pr_review`` on the repository at hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import click

from loopx.application.capabilities.pr_review import PR_REVIEW
from loopx.entrypoints.cli.capability_run import run_capability
from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.parameters import given_values, options_for
from loopx.entrypoints.cli.repository import current_repository
from loopx.entrypoints.cli.session import Session, run

_DERIVED: Final = [parameter for parameter in PR_REVIEW.parameters if parameter.name != "repo"]


@dataclass(frozen=True, slots=True)
class ListOptions:
    """Which repositories, and the other parameters of the capability."""

    repositories: tuple[str, ...]
    parameters: Mapping[str, object]


async def list_pull_requests(options: ListOptions, session: Session) -> int:
    """Show the queue of the repositories, or of the one at hand."""
    repositories = options.repositories or ((await current_repository(session)).argument,)
    return await run_capability(PR_REVIEW.name, {**options.parameters, "repo": repositories}, session)


@click.command(
    "list",
    cls=Command,
    params=options_for(_DERIVED),
    help="The queue: every pull request and whose turn it is. Without -R: of GH_REPO or this checkout.",
)
@click.option(
    "-R", "--repo", multiple=True, metavar="REPO", help="owner/name or its address. [may be repeated]"
)
@click.pass_obj
def list_command(given: Given, /, repo: tuple[str, ...], **parameters: Any) -> int:
    """Fill the options and run."""
    options = ListOptions(repo, given_values(parameters))
    return run(given, lambda session: list_pull_requests(options, session))
