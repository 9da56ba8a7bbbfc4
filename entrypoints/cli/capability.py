"""``loopx capability``: the machine door."""

from typing import Final

import click

from loopx.entrypoints.cli.commands import Command, LazyGroup
from loopx.entrypoints.cli.options import Given


@click.command("list", cls=Command)
@click.pass_obj
def list_command(given: Given, /) -> int:
    """What LoopX can do, one capability a line."""
    from loopx.entrypoints.cli.capability_list import list_capabilities
    from loopx.entrypoints.cli.session import run

    return run(given, list_capabilities)


@click.command("describe", cls=Command)
@click.argument("name")
@click.pass_obj
def describe_command(given: Given, /, name: str) -> int:
    """What a capability takes and gives; with -o json as JSON Schema."""
    from loopx.entrypoints.cli.capability_list import describe_capability
    from loopx.entrypoints.cli.session import run

    return run(given, lambda session: describe_capability(name, session))


class RunGroup(LazyGroup):
    """``run NAME``: the names are those of the catalogue, the options those of the capability."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every capability."""
        from loopx.entrypoints.cli.capability_list import specs

        return [spec.name for spec in specs(ctx.ensure_object(dict))]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Which capabilities there are depends on the project, wherever on the line it is named."""
        if (project := _named_project(args)) is not None:
            ctx.ensure_object(dict)["project"] = project
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of one capability.

        Raises:
            LoopXError: ``usage_error/capability``.
        """
        from loopx.entrypoints.cli.capability_command import command_of
        from loopx.entrypoints.cli.capability_list import spec_of

        if ctx.resilient_parsing and cmd_name not in self.list_commands(ctx):
            return None  # a shell asks what a half-typed line could become
        return command_of(spec_of(cmd_name, ctx.ensure_object(dict)))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the capabilities."""
        from loopx.entrypoints.cli.capability_list import specs

        with formatter.section("Capabilities"):
            formatter.write_dl([(spec.name, spec.summary) for spec in specs(ctx.ensure_object(dict))])


def _named_project(args: list[str]) -> str | None:
    """The last ``--project`` of the arguments of a command that is yet to be found."""
    named: str | None = None
    for place, word in enumerate(args):
        if word == "--":
            break
        if word == "--project" and place + 1 < len(args):
            named = args[place + 1]
        elif word.startswith("--project="):
            named = word.removeprefix("--project=")
    return named


def _run_packet(ctx: click.Context, packet: str | None) -> int | None:
    """Without a name the packet says what to run; with both, which one counts would be a guess."""
    if packet is None and ctx.invoked_subcommand is None:
        raise click.UsageError("Missing a capability's name, or --packet", ctx)
    if packet is None:
        return None
    if ctx.invoked_subcommand is not None:
        raise click.UsageError("Give a capability's name or --packet, not both", ctx)
    from loopx.entrypoints.cli.capability_packet import load_packet, run_packet
    from loopx.entrypoints.cli.session import Choices, run

    loaded = load_packet(packet, Choices.of(ctx.obj).max_wait)
    return run(ctx.obj, lambda session: run_packet(loaded, session))


run_group: Final = RunGroup(
    "run",
    entries={},
    callback=click.pass_context(_run_packet),
    invoke_without_command=True,
    params=[
        click.Option(
            ["--packet"],
            metavar="FILE|-",
            help='Run a request packet: {"schema": "loopx.request/1", "capability": …, "params": {…}}.',
        )
    ],
    help="Run a capability and stream what it yields.",
    subcommand_metavar="NAME [ARGS]...",
)


capability: Final = LazyGroup(
    "capability",
    entries={
        "list": (lambda: list_command, "What LoopX can do, one capability a line."),
        "describe": (lambda: describe_command, "What a capability takes and gives."),
        "run": (lambda: run_group, "Run a capability, by name or from a packet."),
    },
    help="The same use cases for programs: list, describe and run capabilities.",
)
