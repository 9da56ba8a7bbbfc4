"""How a command ends: the one place that turns whatever happened into an exit code and a message."""

import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Final

import click

from loopx.domain.environment import likely_secrets, own_secrets
from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.errors import LoopXError
from loopx.domain.redaction import Redactor
from loopx.domain.results import Status, Summary
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.terminals import terminal_of
from loopx.entrypoints.presentation.envelope import error_data, to_json
from loopx.entrypoints.presentation.faults import error_lines
from loopx.entrypoints.presentation.frame import write_lines
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.streams import ReaderGoneError, TalkOut
from loopx.entrypoints.presentation.untrusted import one_line

DONE: Final = 0
PARTIAL: Final = 3
GATE: Final = 5
"""A person asked whether something is so, and it is not."""
READER_GONE: Final = 141
"""What a shell shows for a program that SIGPIPE ended, as it ends most others."""
INTERRUPTED: Final = ERROR_TABLE["cancelled", "caller"].exit_code
TERMINATED: Final = ERROR_TABLE["cancelled", "signal"].exit_code


def exit_code(summary: Summary) -> int:
    """The exit code of a run that gave a summary.

    Raises:
        LoopXError: the run's own, when nothing could be read.
    """
    if summary.error is not None:
        raise summary.error
    return PARTIAL if summary.status is Status.PARTIAL else DONE


def conclude(error: Exception, given: Given, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Tell what ended the program, and give its exit code."""
    if isinstance(error, ReaderGoneError):
        _forget_stdout()
        return READER_GONE
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and not _wants_json(
        given, arguments, environment
    ):
        TalkOut(sys.stderr).write(f"{error.format_message()}\n")
        return error.exit_code
    fault = _name(error).masked(Redactor(own_secrets(environment)).exact)
    trace = _trace(error, environment) if given.get("debug") or "--debug" in arguments else []
    if _wants_json(given, arguments, environment):
        data = error_data(fault)
        TalkOut(sys.stderr).write(to_json(data | ({"traceback": trace} if trace else {})) + "\n")
    else:
        plain = bool(given.get("no_color")) or "--no-color" in arguments
        terminal = terminal_of(sys.stderr, environment, plain=plain)
        write_lines(TalkOut(sys.stderr), [*trace, *error_lines(fault, terminal)])
    if fault.code == "output_error":
        _forget_stdout()
    return fault.row.exit_code


def _name(error: Exception) -> LoopXError:
    if isinstance(error, LoopXError):
        return error
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "loopx"
        message = one_line(error.format_message()).removesuffix(".")
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            message = "Missing command"
        return LoopXError("usage_error", "command_line", detail=message, hint=f"See `{command} --help`.")
    return LoopXError("internal_error", "defect", detail=type(error).__name__)


def _trace(error: Exception, environment: Mapping[str, str]) -> list[str]:
    redactor = Redactor(likely_secrets(environment))
    text = redactor.text("".join(traceback.format_exception(error)))
    return [one_line(line) for line in text.splitlines()]


def _wants_json(given: Given, arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    output = _asked_output(arguments) or given.get("output") or environment.get("LOOPX_OUTPUT")
    return output in {Output.JSON.value, Output.NDJSON.value}


def _asked_output(arguments: Sequence[str]) -> str | None:
    """The last ``-o`` of the line, also where it stands behind what could not be understood."""
    asked: str | None = None
    for place, word in enumerate(arguments):
        if word == "--":
            break
        if word in {"-o", "--output"}:
            asked = arguments[place + 1] if place + 1 < len(arguments) else asked
        elif word.startswith("--output="):
            asked = word.removeprefix("--output=")
        elif word.startswith("-o") and not word.startswith("--"):
            asked = word.removeprefix("-o").removeprefix("=")
    return asked


def _forget_stdout() -> None:
    """Let the interpreter's last flush go nowhere: what it holds cannot be written, and that is told."""
    if sys.stdout is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
