"""``loopx serve``: the status server."""

from typing import Any

import click

from loopx.entrypoints.cli.commands import Command
from loopx.entrypoints.cli.options import Given


@click.command("serve", cls=Command)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="The address to listen at. [127.0.0.1]")
@click.option(
    "--port", default=8765, type=click.IntRange(0, 65_535), metavar="PORT", help="0 takes a free one. [8765]"
)
@click.option("--unix", metavar="PATH", help="Listen at a unix socket instead; only you can reach it.")
@click.option(
    "--allow-origin",
    "allowed_origins",
    multiple=True,
    metavar="ORIGIN",
    help="Let pages of this origin in, e.g. http://localhost:3000. [may be repeated]",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="HOST",
    help="Answer to this Host as well, e.g. behind a proxy. [may be repeated]",
)
@click.option("--token-file", metavar="FILE", help="Where the token is. [serve-token in the state home]")
@click.pass_obj
def serve(given: Given, /, token_file: str | None, **where: Any) -> int:
    """Answer over HTTP: health, status, measurements, capabilities and their runs.

    Only programs of this machine that can read the token are let in; pages of a browser are not, unless
    their origin is allowed. /livez, /readyz and /healthz need no token. Ctrl-C and SIGTERM let what is
    under way finish; a second one cuts it.
    """
    from loopx.domain.listening import Listening
    from loopx.entrypoints.cli.serve_run import serve_here
    from loopx.entrypoints.cli.session import run

    listening = Listening(**where)
    return run(given, lambda session: serve_here(listening, token_file, session))
