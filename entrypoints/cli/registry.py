"""``loopx registry``: extensions, from their declaration to their removal."""

from typing import Final

import click

from loopx.entrypoints.cli.commands import Command, LazyGroup
from loopx.entrypoints.cli.options import Given


@click.command("add", cls=Command)
@click.option("--name", required=True, metavar="NAME", help="What the extension calls itself.")
@click.option("--url", required=True, metavar="URL", help="Where its .tar.gz is: https only.")
@click.option(
    "--checksum", metavar="SHA256", help="64 hexadecimal digits; without it the first download is trusted."
)
@click.pass_obj
def add_command(given: Given, /, name: str, url: str, checksum: str | None) -> int:
    """Declare an extension in the project's registry.json; nothing is fetched.

    Another source for an extension that is installed waits until `loopx registry install` has put it in
    place: until then the old one works.
    """
    from loopx.entrypoints.cli.registry_run import AddOptions, add_extension
    from loopx.entrypoints.cli.session import run

    options = AddOptions(name, url, checksum)
    return run(given, lambda session: add_extension(options, session))


@click.command("install", cls=Command)
@click.argument("name", required=False)
@click.pass_obj
def install_command(given: Given, /, name: str | None) -> int:
    """Fetch, check and install one extension, or all that the registry declares.

    Nothing is in force before everything is certain: size and SHA-256, the archive, the manifest, your
    consent to what it asks for, and a trial in a process of its own.
    """
    from loopx.entrypoints.cli.registry_run import install_extensions
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: install_extensions(name, session))


@click.command("list", cls=Command)
@click.pass_obj
def list_command(given: Given, /) -> int:
    """What the registry declares, and how far each extension is on this machine."""
    from loopx.entrypoints.cli.registry_run import list_extensions
    from loopx.entrypoints.cli.session import run

    return run(given, list_extensions)


@click.command("show", cls=Command)
@click.argument("name")
@click.pass_obj
def show_command(given: Given, /, name: str) -> int:
    """One extension: where it is from, what it may do, what was approved and when."""
    from loopx.entrypoints.cli.registry_run import show_extension
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: show_extension(name, session))


@click.command("verify", cls=Command)
@click.argument("name", required=False)
@click.pass_obj
def verify_command(given: Given, /, name: str | None) -> int:
    """Read every stored file again and compare it with what was approved.

    Exits with 5 when anything differs, or is not installed.
    """
    from loopx.entrypoints.cli.registry_run import verify_extensions
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: verify_extensions(name, session))


@click.command("remove", cls=Command)
@click.argument("name")
@click.option("--forget", is_flag=True, help="Forget which bytes were seen under its versions, too.")
@click.pass_obj
def remove_command(given: Given, /, name: str, *, forget: bool) -> int:
    """Take back what was approved in this project, and the entry in its registry."""
    from loopx.entrypoints.cli.registry_run import remove_extension
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: remove_extension(name, session, forget=forget))


registry: Final = LazyGroup(
    "registry",
    entries={
        "add": (lambda: add_command, "Declare an extension; nothing is fetched."),
        "install": (lambda: install_command, "Fetch, check and install one extension, or all."),
        "list": (lambda: list_command, "What is declared, and how far each of it is."),
        "show": (lambda: show_command, "One extension: from where, what it may do, approved when."),
        "verify": (lambda: verify_command, "Compare every stored file with what was approved."),
        "remove": (lambda: remove_command, "Take back the approval and the entry."),
    },
    help="Extensions: declare, install, verify and remove them.",
)
