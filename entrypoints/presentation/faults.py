"""Errors and problems as lines for people: what happened, the code, what to do."""

from collections.abc import Iterator

from loopx.domain.errors import LoopXError
from loopx.domain.results import Problem
from loopx.entrypoints.presentation.style import Terminal, Tone
from loopx.entrypoints.presentation.untrusted import one_line


def error_lines(error: LoopXError, terminal: Terminal) -> Iterator[str]:
    """A fatal error on three lines."""
    yield f"{terminal.paint('error:', Tone.BAD)} {one_line(error.what)}"
    yield terminal.paint(f"  {' · '.join(_facts(error))}", Tone.QUIET)
    yield f"  {one_line(error.hint)}"


def problem_lines(problem: Problem, terminal: Terminal) -> Iterator[str]:
    """Something missing from the result, on the same three lines."""
    yield f"{terminal.paint('missing:', Tone.BUSY)} {one_line(f'{problem.subject}: {problem.error.what}')}"
    yield terminal.paint(f"  {' · '.join(_facts(problem.error))}", Tone.QUIET)
    yield f"  {one_line(problem.error.hint)}"


def _facts(error: LoopXError) -> Iterator[str]:
    yield f"{error.code}/{error.reason}"
    if error.status is not None:
        yield f"HTTP {error.status}"
    if error.url is not None:
        yield one_line(f"{error.method or ''} {error.url}".strip())
    if error.request_id is not None:
        yield one_line(f"request {error.request_id}")
    if error.retry_after is not None:
        yield f"again in {error.retry_after:.0f} s"
    if error.excerpt:
        yield one_line(f"the server said: {error.excerpt}")
