"""``loopx pr explain``: why it is whose turn."""

from collections.abc import AsyncIterator

import click

from loopx.application.capabilities.capability import Item, Record
from loopx.domain.pull_requests.explanation import EXPLANATION, explanation_data
from loopx.domain.pull_requests.record import PullRequest
from loopx.domain.repositories import PullRequestReference
from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.pr_show import ReferenceOptions, find_reference
from loopx.entrypoints.cli.session import Session, run
from loopx.entrypoints.presentation.explanation import explanation_page
from loopx.entrypoints.presentation.lists import page_renderer


async def explain_pull_request(options: ReferenceOptions, session: Session) -> int:
    """Show every rule that was asked, the facts it found and what was decided."""
    reference = await find_reference(options, session)
    return await session.show(_records(reference, session), EXPLANATION, page=page_renderer(explanation_page))


async def _records(reference: PullRequestReference, session: Session) -> AsyncIterator[Item]:
    async for item in session.container.read_pull_request()(reference, session.context()):
        yield Record(EXPLANATION.type, explanation_data(item)) if isinstance(item, PullRequest) else item


@click.command("explain", cls=Command)
@click.argument("reference", metavar="REF")
@click.option("-R", "--repo", metavar="REPO", help="The repository of a bare number.")
@click.pass_obj
def explain_command(given: Given, /, reference: str, repo: str | None) -> int:
    """Why it is whose turn: every rule that was asked, in order.

    REF is 12, #12, owner/name#12 or the address of its page.
    """
    options = ReferenceOptions(reference, repo)
    return run(given, lambda session: explain_pull_request(options, session))
