"""``loopx pr show``: one pull request."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import click

from loopx.application.capabilities.capability import Item, Record
from loopx.domain.pull_requests.data import PULL_REQUEST, to_data
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import PullRequestReference, read_reference
from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.repository import current_repository
from loopx.entrypoints.cli.session import Session, run
from loopx.entrypoints.presentation.lists import page_renderer
from loopx.entrypoints.presentation.pull_request_page import pull_request_page


@dataclass(frozen=True, slots=True)
class ReferenceOptions:
    """Which pull request, as it was typed."""

    reference: str
    repository: str | None


async def find_reference(options: ReferenceOptions, session: Session) -> PullRequestReference:
    """Understand the reference; a bare number is of the repository at hand.

    Raises:
        LoopXError: ``usage_error`` with ``reference``, ``repository`` or ``no_repository``.
    """
    is_bare = options.reference.strip().removeprefix("#").isdigit()
    current = await current_repository(session, options.repository) if is_bare else None
    return read_reference(options.reference, current, session.container.settings().default_host)


async def show_pull_request(options: ReferenceOptions, session: Session) -> int:
    """Show one pull request on a page of its own."""
    reference = await find_reference(options, session)
    return await session.show(
        _records(reference, session), PULL_REQUEST, page=page_renderer(pull_request_page)
    )


async def _records(reference: PullRequestReference, session: Session) -> AsyncIterator[Item]:
    async for item in session.container.read_pull_request()(reference, session.context()):
        yield Record(PULL_REQUEST.type, to_data(item)) if isinstance(item, PullRequest) else item


@click.command("show", cls=Command)
@click.argument("reference", metavar="REF")
@click.option("-R", "--repo", metavar="REPO", help="The repository of a bare number.")
@click.pass_obj
def show_command(given: Given, /, reference: str, repo: str | None) -> int:
    """One pull request with its checks, reviews and threads.

    REF is 12, #12, owner/name#12 or the address of its page.
    """
    options = ReferenceOptions(reference, repo)
    return run(given, lambda session: show_pull_request(options, session))
