"""Options derived from the parameters of a capability: the one place where it is done.

Values are passed on as they were typed; the parameter's own specification checks them, so that
every door refuses the same things in the same words.
"""

from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from loopx.domain.schema import ParameterSpec


def options_for(parameters: Iterable[ParameterSpec]) -> list[click.Parameter]:
    """One option for each parameter, in order."""
    return [_option(parameter) for parameter in parameters]


def given_values(values: dict[str, Any]) -> dict[str, object]:
    """The values that were given, by name of the parameter."""
    return {name: value for name, value in values.items() if value is not None and value != ()}


def _option(parameter: ParameterSpec) -> click.Option:
    flag = f"--{parameter.name.replace('_', '-')}"
    if parameter.kind is bool:
        return click.Option([f"{flag}/--no-{flag[2:]}", parameter.name], help=_help(parameter), default=None)
    return click.Option(
        [flag, parameter.name],
        help=_help(parameter),
        metavar=_metavar(parameter),
        multiple=parameter.repeated,
        shell_complete=_complete(parameter.choices),
    )


def _help(parameter: ParameterSpec) -> str:
    notes = []
    if parameter.required:
        notes.append("required")
    if parameter.repeated:
        notes.append("may be repeated")
    if parameter.default is not None:
        notes.append(f"default: {parameter.default}")
    return f"{parameter.description}." + (f" [{'; '.join(notes)}]" if notes else "")


def _metavar(parameter: ParameterSpec) -> str:
    if parameter.choices:
        return f"[{'|'.join(parameter.choices)}]"
    return "N" if parameter.kind is int else parameter.name.upper()


_Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _complete(choices: tuple[str, ...]) -> _Complete:
    return lambda _ctx, _param, start: [CompletionItem(word) for word in choices if word.startswith(start)]
