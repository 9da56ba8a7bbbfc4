import json

import click
import pytest

from fakes.runs import incomplete, refused, summary
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.results import Status
from loopx.entrypoints.cli.outcome import conclude, exit_code
from loopx.entrypoints.presentation.faults import error_lines
from loopx.entrypoints.presentation.style import PLAIN_TEXT, Terminal

TOKEN = "ghp_" + "0" * 36
ERROR = LoopXError(
    "provider_http_error",
    "rate_limited",
    hint="Wait.",
    call=CallFacts(
        method="POST",
        url="https://api.github.com/graphql",
        status=429,
        retry_after=59.6,
        request_id="AB:12",
        excerpt="slow \x1b[31mdown",
    ),
)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, 0),
        ({"status": Status.EMPTY}, 0),
        ({"completeness": incomplete("limit")}, 0),
        ({"status": Status.PARTIAL, "completeness": incomplete("problems")}, 3),
    ],
)
def test_a_run_that_read_something_ends_with_0_or_3(changes: dict[str, object], code: int) -> None:
    assert exit_code(summary(**changes)) == code  # type: ignore[arg-type]  # changes have no number of records


def test_a_run_that_read_nothing_ends_with_its_error() -> None:
    with pytest.raises(LoopXError) as caught:
        exit_code(summary(0, error=refused().error))
    assert caught.value.row.exit_code == 77


def test_an_error_is_three_lines_what_happened_the_code_and_what_to_do() -> None:
    assert list(error_lines(ERROR, PLAIN_TEXT)) == [
        "error: the server's rate limit is used up",
        (
            "  provider_http_error/rate_limited · HTTP 429 · POST https://api.github.com/graphql"
            " · request AB:12 · again in 60 s · the server said: slow �[31mdown"
        ),
        "  Wait.",
    ]


def test_an_error_is_coloured_where_colours_are() -> None:
    first, second, _ = error_lines(ERROR, Terminal(colour=True))
    assert first.startswith("\x1b[31merror:\x1b[0m ")
    assert second.startswith("\x1b[2m")


def end(error: Exception, *arguments: str, **given: object) -> int:
    return conclude(error, dict(given), arguments, {"GH_TOKEN": TOKEN})


def test_the_exit_code_is_that_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert end(ERROR) == 75
    assert capsys.readouterr().err.splitlines()[0].startswith("error: ")


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (("pr", "-o", "json"), {}),
        (("pr", "-ojson"), {}),
        (("pr", "--output=ndjson"), {}),
        (("-o", "table", "pr", "--output", "json"), {}),
        (("pr",), {"output": "json"}),
        (("pr", "-o"), {"output": "ndjson"}),
    ],
)
def test_programs_get_the_error_as_one_object(
    arguments: tuple[str, ...], given: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    end(ERROR, *arguments, **given)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert LoopXError.from_dict(json.loads(printed.err)["error"]).call == ERROR.call


@pytest.mark.parametrize(
    "arguments", [("-o", "json", "pr", "-o", "table"), ("pr", "--", "-o", "json"), ("-otable",)]
)
def test_people_get_it_as_text(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    end(ERROR, *arguments)
    assert capsys.readouterr().err.startswith("error: ")


def test_what_the_command_line_gets_wrong_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    context = click.Context(click.Command("list"), info_name="list")
    assert end(click.UsageError("No such option '--x\x1b'.", context)) == 2
    printed = capsys.readouterr().err
    assert "No such option '--x�'" in printed
    assert "See `list --help`." in printed


def broken() -> Exception:
    def use(token: str) -> None:
        raise ValueError(f"could not use {token} \x1b[2J")

    with pytest.raises(ValueError, match="could not") as caught:
        use(TOKEN)
    return caught.value


def test_a_defect_is_told_without_its_text_and_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert end(broken()) == 1
    printed = capsys.readouterr().err
    assert "internal_error/defect" in printed
    assert "ValueError" in printed
    assert "Traceback" not in printed
    assert "could not use" not in printed


@pytest.mark.parametrize("output", ["table", "json"])
def test_debug_adds_a_traceback_without_secrets_and_control_characters(
    output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert end(broken(), "-o", output, "--debug") == 1
    printed = capsys.readouterr().err
    assert "Traceback" in printed
    assert "could not use ***" in printed
    assert TOKEN not in printed
    assert "\x1b" not in printed
