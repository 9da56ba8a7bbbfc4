"""An error as a value, for tests in which either is right."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from loopx.domain.errors import LoopXError

P = ParamSpec("P")
R = TypeVar("R")


def outcome_of(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R | LoopXError:
    """What a call returns, or the error it raises; any other exception passes."""
    try:
        return function(*args, **kwargs)
    except LoopXError as error:
        return error


def pair_of(outcome: object) -> str | None:
    """``code/reason`` of an error; nothing for anything else."""
    return f"{outcome.code}/{outcome.reason}" if isinstance(outcome, LoopXError) else None
