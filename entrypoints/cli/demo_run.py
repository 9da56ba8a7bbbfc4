"""The demo itself."""

from datetime import UTC, datetime
from typing import Final

from loopx.application.capabilities.pr_review import PR_REVIEW
from loopx.entrypoints.cli.capability_run import run_capability
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.demo.sample import NAME, OWNER
from loopx.entrypoints.demo.server import demo_github
from loopx.entrypoints.presentation.style import Tone

_NEXT: Final = (
    ("loopx pr list -R owner/name", "the queue of your repository (set GH_TOKEN)"),
    ("loopx pr explain owner/name#12", "why it is whose turn"),
    ("loopx demo -o json", "the same for programs"),
)


async def show_demo(session: Session) -> int:
    """Show the queue of the sample repository, then what to do next."""
    now = datetime.fromtimestamp(session.container.clock().now(), UTC)
    async with demo_github(now) as address:
        code = await run_capability(PR_REVIEW.name, {"repo": [f"{address}/{OWNER}/{NAME}"]}, session)
    session.say("")
    session.say("These were sample data, read from a server on this machine. Next:", Tone.STRONG)
    widest = max(len(command) for command, _ in _NEXT)
    for command, purpose in _NEXT:
        session.say(f"  {command:<{widest}}  {purpose}")
    return code
