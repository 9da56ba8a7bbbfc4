"""Global options: they work before and after the subcommand, and each has a twin in the environment."""

from dataclasses import dataclass
from typing import Any, Final

import click
from click.core import ParameterSource

from loopx.entrypoints.presentation.output import Output

Given = dict[str, Any]
"""What was asked for so far, by option name; the commands of one line share it as ``ctx.obj``."""

EPILOG: Final = "Global options (-o, --fields, --timeout, …) work here too: see loopx --help."
_LONGEST: Final = 86_400.0


class Seconds(click.ParamType[float]):
    """A positive number of seconds, at most a day."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number; NaN and infinity are none."""
        try:
            seconds = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        if not 0 < seconds <= _LONGEST:
            self.fail(f"{value} is not above 0 and at most {_LONGEST:.0f} seconds", param, ctx)
        return seconds


@dataclass(frozen=True, slots=True)
class Unusable:
    """Stands for a value of the environment that cannot be used, unless the line says something else."""

    error: click.BadParameter

    def __bool__(self) -> bool:
        """As if nothing were given."""
        return False


class GlobalOption(click.Option):
    """An option whose error says so when the value came from the environment, and waits for the line."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Understand the value."""
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter as error:
            if ctx.get_parameter_source(str(self.name)) is not ParameterSource.ENVIRONMENT:
                raise
            error.ctx, error.param = error.ctx or ctx, error.param or self
            return Unusable(error)

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """How the error names the option."""
        from_environment = ctx and ctx.get_parameter_source(str(self.name)) is ParameterSource.ENVIRONMENT
        return f"{self.envvar} in the environment" if from_environment else super().get_error_hint(ctx)


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """Fresh option objects for one command; only the root ones are listed and read the environment."""
    declared: list[tuple[list[str], str, Given]] = [
        (["-o", "--output"], "How results are shown.", {"type": click.Choice([*map(str, Output)])}),
        (["--fields"], "Only these fields, e.g. number,author.login.", {"metavar": "A,B.C"}),
        (["--timeout"], "Most seconds for one call (30).", {"type": Seconds(), "metavar": "S"}),
        (["--max-wait"], "Most seconds for one run (900).", {"type": Seconds(), "metavar": "S"}),
        (["--project"], "The folder with the project's registry.json.", {"metavar": "DIR"}),
        (["--agent-id"], "The agent on whose behalf calls are made.", {"metavar": "ID"}),
        (["--turn-id"], "The agent's turn in which they are made.", {"metavar": "ID"}),
        (["--yes"], "Answer every question with yes: a person has decided.", {"is_flag": True}),
        (["--quiet"], "Say nothing but errors on stderr.", {"is_flag": True}),
        (["--verbose"], "Say more on stderr.", {"is_flag": True}),
        (["--debug"], "Add a traceback to errors, secrets masked.", {"is_flag": True}),
        (["--no-color"], "No colours; NO_COLOR does the same.", {"is_flag": True}),
    ]
    return [
        GlobalOption(
            names,
            help=text,
            hidden=hidden,
            envvar=None if hidden else f"LOOPX_{names[-1][2:].replace('-', '_').upper()}",
            expose_value=False,
            callback=_remember,
            **attributes,
        )
        for names, text, attributes in declared
    ]


def _remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Outer commands are read first, so what is given further right wins."""
    given = ctx.ensure_object(dict)
    source = ctx.get_parameter_source(str(param.name))
    if source in {ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT}:
        given[str(param.name)] = value
