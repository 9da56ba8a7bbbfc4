"""``loopx extension``: for those who write extensions."""

from typing import Final

import click

from loopx.entrypoints.cli.commands import Command, LazyGroup
from loopx.entrypoints.cli.options import Given


@click.command("new", cls=Command)
@click.argument("folder", metavar="NAME|DIR")
@click.pass_obj
def new_command(given: Given, /, folder: str) -> int:
    """Start an extension in a new folder, which is called like it: a manifest, one unit and its test."""
    from loopx.entrypoints.cli.extension_run import new_extension
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: new_extension(folder, session))


@click.command("check", cls=Command)
@click.argument("folder", metavar="DIR", default=".")
@click.pass_obj
def check_command(given: Given, /, folder: str) -> int:
    """Check an extension as installing it would.

    Its code is loaded once, in a process of its own; no unit is run, and nothing is called.
    """
    from loopx.entrypoints.cli.extension_run import check_extension
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: check_extension(folder, session))


@click.command("pack", cls=Command)
@click.argument("folder", metavar="DIR", default=".")
@click.option("-f", "--file", "target", metavar="FILE", help="The archive; by default it is put beside DIR.")
@click.pass_obj
def pack_command(given: Given, /, folder: str, target: str | None) -> int:
    """Check an extension, pack it into a .tar.gz and say how others declare it.

    The same files give the same archive, on every machine.
    """
    from loopx.entrypoints.cli.extension_run import pack_extension
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: pack_extension(folder, target, session))


extension: Final = LazyGroup(
    "extension",
    entries={
        "new": (lambda: new_command, "Start an extension in a new folder."),
        "check": (lambda: check_command, "Check one as installing it would."),
        "pack": (lambda: pack_command, "Check and pack one for others."),
    },
    help="For authors: start, check and pack extensions.",
)
