"""The whole command line in this process: options, help and usage errors."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loopx.domain.errors import LoopXError
from loopx.entrypoints.cli.main import run

Loopx = Callable[..., "Ended"]


class Ended:
    """What a command line left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def error(self) -> LoopXError:
        """The error on stderr, which is one JSON object."""
        return LoopXError.from_dict(json.loads(self.err)["error"])

    @property
    def document(self) -> Any:
        """The data as JSON."""
        return json.loads(self.out)


@pytest.fixture
def loopx(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Loopx:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    def start(*arguments: str, **environment: str) -> Ended:
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            code = run(arguments)
        printed = capsys.readouterr()
        return Ended(code, printed.out, printed.err)

    return start


def test_help_lists_what_works_and_nothing_else(loopx: Loopx) -> None:
    ended = loopx("--help")
    commands = ended.out.split("Commands:")[1].split("Options:")[0]
    assert ended.code == 0
    # What is indented further goes on with the summary of the line above.
    assert re.findall(r"^  (\S+)", commands, re.MULTILINE) == [
        "demo",
        "pr",
        "capability",
        "registry",
        "extension",
        "serve",
        "self-update",
        "audit",
        "completion",
    ]


@pytest.mark.parametrize(
    "words",
    ["demo", "pr", "pr list", "pr show", "pr explain", "capability", "capability list", "capability describe",
     "capability run", "capability run pr_review", "registry", "registry add", "extension",
     "serve", "self-update", "audit", "completion"],
)  # fmt: skip
def test_every_command_has_help_with_a_word_on_the_global_options(loopx: Loopx, words: str) -> None:
    ended = loopx(*words.split(), "--help")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"Usage: loopx {words} ")
    assert "Global options" in ended.out
    assert loopx(*words.split(), "-h").out == ended.out


def test_the_options_of_a_capability_are_its_parameters(loopx: Loopx) -> None:
    text = loopx("capability", "run", "pr_review", "--help").out
    described = loopx("capability", "describe", "pr_review", "-o", "json").document
    for name, schema in described["parameters"]["properties"].items():
        assert f"--{name} " in text
        assert "|".join(schema.get("enum", ())) in text


@pytest.mark.parametrize(
    "line",
    [
        "-o json --fields number demo",
        "demo -o json --fields number",
        "-o json demo --fields number",
        "--fields title -o csv demo -o json --fields number",
        "-o csv -o json demo --fields number",
    ],
)
def test_global_options_work_before_and_after_the_command_and_the_last_counts(
    loopx: Loopx, line: str
) -> None:
    ended = loopx(*line.split(), LOOPX_OUTPUT="markdown", LOOPX_FIELDS="url")
    assert ended.code == 0
    assert set(ended.document["records"][0]) == {"number"}


def test_global_options_work_between_the_words_of_a_command(loopx: Loopx) -> None:
    assert loopx("capability", "-o", "json", "list").document["schema"] == "loopx.capability/1"


def test_the_environment_counts_where_the_line_says_nothing(loopx: Loopx) -> None:
    assert loopx("demo", LOOPX_OUTPUT="csv", LOOPX_FIELDS="url").out.startswith("url\r\n")


@pytest.mark.parametrize("line", ["-o json demo", "demo -o json", "capability -o json list"])
def test_what_the_line_says_counts_over_what_is_unusable_in_the_environment(loopx: Loopx, line: str) -> None:
    ended = loopx(*line.split(), "--quiet", LOOPX_OUTPUT="xml")
    assert (ended.code, ended.err) == (0, "")
    assert ended.document["records"]


@pytest.mark.parametrize("host", ["http://ghes.example", "ghes.example/path", "user@ghes.example", "a b"])
def test_a_gh_host_that_is_no_host_is_told_by_its_name(loopx: Loopx, host: str) -> None:
    ended = loopx("capability", "list", "-o", "json", GH_HOST=host)
    assert (ended.code, ended.error.code, ended.error.reason) == (78, "config_invalid", "value")
    assert "GH_HOST" in ended.error.detail


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("LOOPX_OUTPUT", "xml", "LOOPX_OUTPUT in the environment"),
        ("LOOPX_TIMEOUT", "soon", "LOOPX_TIMEOUT in the environment"),
        ("LOOPX_MAX_WAIT", "-1", "LOOPX_MAX_WAIT in the environment"),
        ("LOOPX_QUIET", "perhaps", "LOOPX_QUIET in the environment"),
        ("LOOPX_VERBOSE", "perhaps", "LOOPX_VERBOSE in the environment"),
        ("LOOPX_DEBUG", "perhaps", "LOOPX_DEBUG in the environment"),
        ("LOOPX_NO_COLOR", "perhaps", "LOOPX_NO_COLOR in the environment"),
        ("LOOPX_FIELDS", "nope", "no field 'nope'"),
        ("LOOPX_AGENT_ID", "a b", "agent id"),
        ("LOOPX_TURN_ID", "a b", "turn id"),
    ],
)
def test_every_global_option_has_a_twin_in_the_environment(
    loopx: Loopx, name: str, value: str, words: str
) -> None:
    ended = loopx("demo", **{name: value})
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


USAGE = [
    "nope", "pr list --bogus", "pr show", "pr show 1 2", "--timeout 0 demo", "demo --timeout nan",
    "demo --max-wait inf", "demo --timeout 1e9", "capability run", "capability run nope",
    "capability run pr_review", "capability run --packet x pr_review", "capability describe nope",
    "pr list", "pr list -R a/b/c/d", "pr list -R o/r --limit x", "pr explain nope", "completion tcsh",
    "demo --fields ,", "demo --fields number,nope", "demo --agent-id a,b",
]  # fmt: skip


@pytest.mark.parametrize("line", USAGE)
def test_a_usage_error_is_three_lines_on_stderr(loopx: Loopx, line: str) -> None:
    ended = loopx(*line.split())
    assert (ended.code, ended.out) == (2, "")
    first, second, third = ended.err.splitlines()
    assert first.startswith("error: ")
    assert second.strip().startswith("usage_error/")
    assert third.strip()


@pytest.mark.parametrize("line", USAGE)
def test_a_usage_error_is_one_object_for_programs(loopx: Loopx, line: str) -> None:
    for more in (["-o", "json"], ["--output=ndjson"]):
        ended = loopx(*line.split(), *more)
        assert (ended.code, ended.out) == (2, "")
        assert (ended.error.code, bool(ended.error.hint)) == ("usage_error", True)
    assert loopx(*line.split(), LOOPX_OUTPUT="json").error.code == "usage_error"


def test_a_group_without_a_command_shows_its_help(loopx: Loopx) -> None:
    ended = loopx("pr")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Usage: loopx pr ")
    assert loopx("pr", "-o", "json").error.detail == "Missing command"
    assert loopx("pr", LOOPX_OUTPUT="json").error.detail == "Missing command"


def test_an_argument_with_control_characters_is_quoted_harmlessly(loopx: Loopx) -> None:
    for line in (
        ["pr", "show", "\x1b[2J"],
        ["\x1b[2J"],
        ["demo", "--fields", "\x1b[2J"],
        ["-o", "\x1b[2J", "demo"],
    ):
        assert "\x1b" not in loopx(*line).err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion_script(loopx: Loopx, shell: str) -> None:
    ended = loopx("completion", shell)
    assert ended.code == 0
    assert "_LOOPX_COMPLETE" in ended.out


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("loopx ca", "capability"),
        ("loopx pr li", "list"),
        ("loopx pr list --fil", "--filter"),
        ("loopx pr list --filter cl", "closed"),
        ("loopx capability run p", "pr_review"),
        ("loopx capability run nope --s", ""),
        ("loopx demo -o nd", "ndjson"),
    ],
)
def test_what_a_shell_asks_is_completed(
    loopx: Loopx, capsys: pytest.CaptureFixture[str], typed: str, wanted: str
) -> None:
    words = str(len(typed.split()) - 1)
    with pytest.raises(SystemExit):
        loopx(_LOOPX_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=words)
    assert [line.partition(",")[2] for line in capsys.readouterr().out.split()] == (
        [wanted] if wanted else []
    )
