"""``loopx demo``: the real scan over a sample GitHub on loopback."""

import click

from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given


@click.command("demo", cls=Command)
@click.pass_obj
def demo(given: Given, /) -> int:
    """See the queue of a sample repository: no token, no network.

    A server with sample data runs on this machine while the command does, and is read through the
    same use case, adapter and transport as GitHub is.
    """
    from loopx.domain.audit.place import AuditPlace
    from loopx.entrypoints.cli.demo_run import show_demo
    from loopx.entrypoints.cli.session import run

    # Nobody outside is called, and it must work where nothing can be written.
    return run(given, show_demo, audit=AuditPlace.MEMORY)
