"""``loopx pr``: the daily door."""

from typing import Final

import click

from loopx.entrypoints.cli.commands import LazyGroup


def _list() -> click.Command:
    from loopx.entrypoints.cli.pr_list import list_command

    return list_command


def _show() -> click.Command:
    from loopx.entrypoints.cli.pr_show import show_command

    return show_command


def _explain() -> click.Command:
    from loopx.entrypoints.cli.pr_explain import explain_command

    return explain_command


pr: Final = LazyGroup(
    "pr",
    entries={
        "list": (_list, "The queue: every pull request and whose turn it is."),
        "show": (_show, "One pull request with its checks, reviews and threads."),
        "explain": (_explain, "Why it is whose turn: every rule that was asked."),
    },
    help="Pull requests: whose turn is it, and why?",
)
