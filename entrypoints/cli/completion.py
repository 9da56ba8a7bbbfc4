"""``loopx completion``: tab completion for a shell."""

import click

from loopx.entrypoints.cli.commands import Command, print_text

_VARIABLE = "_LOOPX_COMPLETE"


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, /, shell: str) -> int:
    r"""Print the completion script of a shell.

    \b
    bash  eval "$(loopx completion bash)"            in ~/.bashrc
    zsh   eval "$(loopx completion zsh)"             in ~/.zshrc, after compinit
    fish  loopx completion fish > ~/.config/fish/completions/loopx.fish
    """
    from click.shell_completion import get_completion_class

    root = ctx.find_root()
    found = get_completion_class(shell)
    if found is not None:
        print_text(found(root.command, {}, str(root.info_name), _VARIABLE).source())
    return 0
