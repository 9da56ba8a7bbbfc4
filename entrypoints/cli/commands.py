"""Commands that take the global options, and groups that load their commands only to run them."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

import click

from loopx.entrypoints.cli.options import EPILOG, global_options

Entries = Mapping[str, tuple[Callable[[], click.Command], str]]
"""Name to what loads the command and its line in the list: a list of commands loads none of them."""


def print_text(text: str) -> None:
    """Print a help page, a version or a script; whoever ends the program tells what goes wrong.

    Raises:
        LoopXError: ``output_error/unwritable``.
        ReaderGoneError: nobody reads it.
    """
    failure = OSError()  # a stdout that was closed before the start
    if sys.stdout is not None:
        try:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
        except OSError as error:
            failure = error
        else:
            return
    from loopx.entrypoints.presentation.streams import write_failure

    raise write_failure(failure)


def _show_help(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - click's signature
    if asked and not ctx.resilient_parsing:
        print_text(ctx.get_help())
        ctx.exit()


class Command(click.Command):
    """A command with the global options."""

    def __init__(self, *arguments: Any, hide_globals: bool = True, **attributes: Any) -> None:
        super().__init__(*arguments, **{"epilog": EPILOG, **attributes})
        self.params.extend(global_options(hidden=hide_globals))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Click's own, except for how its text is printed."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


class LazyGroup(Command, click.Group):
    """A group whose commands are loaded one by one, when they are asked for."""

    def __init__(self, *arguments: Any, entries: Entries, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self._entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the table."""
        return list(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load one command."""
        entry = self._entries.get(cmd_name)
        return entry[0]() if entry else None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Commands first: they are what people look for."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._entries.items()])
