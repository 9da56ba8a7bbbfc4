"""Which repository a command is about when nobody says it."""

from loopx.domain.errors import LoopXError
from loopx.domain.remotes import choose_repository
from loopx.domain.repositories import Repository, read_repository
from loopx.entrypoints.cli.session import Session


async def current_repository(session: Session, named: str | None = None) -> Repository:
    """The named repository, else that of GH_REPO, else that of the checkout.

    Raises:
        LoopXError: ``usage_error/repository`` or ``usage_error/no_repository``.
    """
    host = session.container.settings().default_host
    for source, text in (("-R", named), ("GH_REPO", session.environment.get("GH_REPO"))):
        if text:
            session.detail(f"repository from {source}: {text}")
            return read_repository(text, host)
    preferred = host if session.environment.get("GH_HOST") else None
    repository = choose_repository(await session.container.checkout().remotes(), preferred)
    if repository is None:
        raise LoopXError("usage_error", "no_repository")
    session.detail(f"repository from the git remotes: {repository.id}")
    return repository
