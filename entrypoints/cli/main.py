"""The program: the root command, and the one place through which it ends."""

import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

import click

from loopx import __version__
from loopx.entrypoints.cli.commands import LazyGroup, print_text
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.recovery import recover

PROGRAM: Final = "loopx"
SELF_CHECK: Final = "--self-check"
_INTERRUPTED: Final = 130
_TERMINATED: Final = 143


def _demo() -> click.Command:
    from loopx.entrypoints.cli.demo import demo

    return demo


def _pr() -> click.Command:
    from loopx.entrypoints.cli.pr import pr

    return pr


def _capability() -> click.Command:
    from loopx.entrypoints.cli.capability import capability

    return capability


def _registry() -> click.Command:
    from loopx.entrypoints.cli.registry import registry

    return registry


def _extension() -> click.Command:
    from loopx.entrypoints.cli.extension import extension

    return extension


def _serve() -> click.Command:
    from loopx.entrypoints.cli.serve import serve

    return serve


def _self_update() -> click.Command:
    from loopx.entrypoints.cli.self_update import self_update

    return self_update


def _audit() -> click.Command:
    from loopx.entrypoints.cli.audit import audit

    return audit


def _completion() -> click.Command:
    from loopx.entrypoints.cli.completion import completion

    return completion


root: Final = LazyGroup(
    PROGRAM,
    hide_globals=False,
    entries={
        "demo": (_demo, "See the queue of a sample repository: no token, no network."),
        "pr": (_pr, "Pull requests: whose turn is it, and why?"),
        "capability": (_capability, "The same for programs: list, describe and run capabilities."),
        "registry": (_registry, "Extensions: declare, install, verify and remove them."),
        "extension": (_extension, "For authors: start, check and pack extensions."),
        "serve": (_serve, "Answer over HTTP, on this machine: health, status, capabilities and runs."),
        "self-update": (_self_update, "Update this program, go back, or see what is here."),
        "audit": (_audit, "What was called: list, follow, verify and prune the audit log."),
        "completion": (_completion, "Print the completion script of a shell."),
    },
    help="The one audited border between an agent runtime and the outside world.",
    epilog=(
        "Options work before and after the command, and each has a twin in the environment: LOOPX_OUTPUT, "
        "LOOPX_FIELDS and so on. Start with loopx demo, then loopx pr list -R owner/name."
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
root.params.append(
    click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        help="Show the version and exit.",
        callback=lambda ctx, _param, asked: _show_version(ctx) if asked else None,
    )
)


root.params.append(
    click.Option(
        [SELF_CHECK],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        hidden=True,
        callback=lambda ctx, _param, asked: _check_itself(ctx) if asked else None,
    )
)


def _show_version(ctx: click.Context) -> NoReturn:
    print_text(f"{PROGRAM} {__version__}")
    ctx.exit()


def _check_itself(ctx: click.Context) -> NoReturn:
    """Answer an update that asks whether this version has all that it needs.

    No source of extensions is asked: what a project or a user has declared says nothing about a release.
    """
    from loopx.entrypoints.container import Container

    container = Container()
    container.catalog()
    _ = container.updates().self_update  # a version that cannot be updated would be the last one
    _show_version(ctx)


def main() -> NoReturn:
    """Run the command line of this process and end it."""
    code = run(sys.argv[1:])
    if code in {_INTERRUPTED, _TERMINATED}:
        import signal

        # The interpreter is on its way out, and all is told: another Ctrl-C has nothing left to end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give the exit code; nothing is raised."""
    given: Given = {}
    try:
        if SELF_CHECK not in arguments:
            recover(os.environ)
        code = root.main(args=[*arguments], prog_name=PROGRAM, standalone_mode=False, obj=given)
        return code if isinstance(code, int) else 0
    except (KeyboardInterrupt, click.Abort):
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the boundary of the program: whatever comes is told, in one place
        from loopx.entrypoints.cli.outcome import conclude

        return conclude(error, given, arguments, os.environ)
