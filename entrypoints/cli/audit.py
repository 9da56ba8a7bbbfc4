"""``loopx audit``: what was called, for whom, and how it ended."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from loopx.entrypoints.cli.commands import Command, LazyGroup
from loopx.entrypoints.cli.options import Given

_Function = TypeVar("_Function", bound=Callable[..., Any])
_FILTERS: Final = (
    ("--since", "WHEN", "From then on: 2h, 3d, 2026-01-31 or 2026-01-31T12:00:00Z."),
    ("--until", "WHEN", "Before then."),
    ("--agent", "ID", "Of this agent."),
    ("--turn", "ID", "Of this turn."),
    ("--capability", "NAME", "For this capability."),
    ("--host", "HOST", "To this host."),
    ("--code", "CODE", "With this code, code/reason or status: egress_blocked, 404."),
)


def _filtered(function: _Function) -> _Function:
    """Add the options that choose rows."""
    for flag, metavar, text in reversed(_FILTERS):
        function = click.option(flag, metavar=metavar, help=text)(function)
    return function


@click.command("list", cls=Command)
@_filtered
@click.option("--limit", type=click.IntRange(min=1), default=50, metavar="N", help="At most so many (50).")
@click.pass_obj
def list_command(given: Given, /, limit: int, **filters: str | None) -> int:
    """The rows that match, the newest first."""
    from loopx.entrypoints.cli.audit_run import FilterOptions, list_rows, run

    options = FilterOptions(**filters)
    return run(given, lambda session: list_rows(options, limit, session))


@click.command("tail", cls=Command)
@_filtered
@click.option(
    "-n", "--lines", type=click.IntRange(min=0), default=10, metavar="N", help="The last N rows (10)."
)
@click.option("-f", "--follow", is_flag=True, help="Then each row as it is written, until Ctrl-C.")
@click.pass_obj
def tail_command(given: Given, /, lines: int, *, follow: bool, **filters: str | None) -> int:
    """The last rows in the order in which they were written."""
    from loopx.entrypoints.cli.audit_run import FilterOptions, run, tail_rows

    options = FilterOptions(**filters)
    return run(given, lambda session: tail_rows(options, session, last=lines, follow=follow))


@click.command("show", cls=Command)
@click.argument("name", metavar="ID")
@click.pass_obj
def show_command(given: Given, /, name: str) -> int:
    """Everything about one attempt.

    ID is an audit id, as answers and errors name it, the number of a row, or the id of a whole trace.
    """
    from loopx.entrypoints.cli.audit_run import run, show_call

    return run(given, lambda session: show_call(name, session))


@click.command("stats", cls=Command)
@_filtered
@click.pass_obj
def stats_command(given: Given, /, **filters: str | None) -> int:
    """Attempts, failures, bytes and times by host."""
    from loopx.entrypoints.cli.audit_run import FilterOptions, count_rows, run

    options = FilterOptions(**filters)
    return run(given, lambda session: count_rows(options, session))


@click.command("head", cls=Command)
@click.pass_obj
def head_command(given: Given, /) -> int:
    """Print the head of the chain, to be kept where this machine cannot change it.

    Later, `loopx audit verify --against HEAD` finds any change or removal before it.
    """
    from loopx.entrypoints.cli.audit_run import run, show_head

    return run(given, show_head)


@click.command("verify", cls=Command)
@click.option("--against", metavar="HEAD", help="A head that was kept elsewhere.")
@click.pass_obj
def verify_command(given: Given, /, against: str | None) -> int:
    """Recompute the chain, and name the first row that does not fit."""
    from loopx.entrypoints.cli.audit_run import run, verify_log

    return run(given, lambda session: verify_log(against, session))


@click.command("export", cls=Command)
@_filtered
@click.pass_obj
def export_command(given: Given, /, **filters: str | None) -> int:
    """All rows that match as ndjson, in the order of the chain."""
    from loopx.entrypoints.cli.audit_run import FilterOptions, export_rows, run

    options = FilterOptions(**filters)
    return run({**given, "output": "ndjson"}, lambda session: export_rows(options, session))


@click.command("prune", cls=Command)
@click.option("--before", metavar="WHEN", help="Drop what is older.")
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Keep at least the newest N rows.")
@click.pass_obj
def prune_command(given: Given, /, before: str | None, keep: int | None) -> int:
    """Drop the oldest rows, a hundred at a time; what stays is still a chain, and says what was dropped.

    A person is asked first. A log whose chain is broken is left as it is.
    """
    from loopx.entrypoints.cli.audit_run import PruneOptions, prune_log, run

    options = PruneOptions(before, keep)
    return run(given, lambda session: prune_log(options, session))


audit: Final = LazyGroup(
    "audit",
    entries={
        "list": (lambda: list_command, "The rows that match, the newest first."),
        "tail": (lambda: tail_command, "The last rows, and with -f those that come."),
        "show": (lambda: show_command, "Everything about one attempt."),
        "stats": (lambda: stats_command, "Attempts, failures, bytes and times by host."),
        "head": (lambda: head_command, "What to keep elsewhere, to prove the log by."),
        "verify": (lambda: verify_command, "Find out whether anybody changed the log."),
        "export": (lambda: export_command, "All rows that match, as ndjson."),
        "prune": (lambda: prune_command, "Drop the oldest rows."),
    },
    help="The audit log: every call that left this machine, and every call that the transport refused.",
)
