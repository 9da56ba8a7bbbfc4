"""``loopx self-update``: this very program, from one version to another and back."""

import click

from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given


@click.command("self-update", cls=Command)
@click.option("--url", metavar="URL", help="Where the release archive is: https only.")
@click.option("--checksum", metavar="SHA256", help="Its SHA-256, from whoever made the release.")
@click.option("--plan", is_flag=True, help="Tell what would happen; nothing is fetched or written.")
@click.option("--list", "listed", is_flag=True, help="The versions that are here.")
@click.option("--rollback", is_flag=True, help="Go back to the version before.")
@click.option("--adopt", is_flag=True, help="Install beside a copy of pip, pipx, uv or a checkout.")
@click.pass_obj
def self_update(given: Given, /, **words: object) -> int:
    """Update this program, if it is a copy of its own; others are told their tool's command.

    The release is fetched, compared with its checksum, unpacked beside the present version and started
    once by its own path. Only then is it the one that is started, and when it fails then, the old one is
    back at once. Programs that run keep the version they were started from.
    """
    from loopx.entrypoints.cli.self_update_run import UpdateOptions, update
    from loopx.entrypoints.cli.session import run

    options = UpdateOptions.of(words, timeout=given.get("timeout"))
    return run(given, lambda session: update(options, session))
