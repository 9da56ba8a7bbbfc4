"""The command line as a process: what a start loads, the demo, standard input, the checkout."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.program import CHECKOUT, run
from loopx import __version__

LOADED = """
import sys
from loopx.entrypoints.cli.main import run
code = run(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.startswith("loopx")), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("line", ["--version", "--help", "pr --help", "capability --help"])
def test_help_and_version_load_no_layer_below_the_command_line(line: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", LOADED, *line.split()],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(answer.stderr.split())
    assert not any(
        name.startswith(("loopx.domain", "loopx.application", "loopx.adapters")) for name in loaded
    )
    assert {name for name in loaded if "presentation." in name} == {"loopx.entrypoints.presentation.output"}


def test_a_version_that_checks_itself_does_not_look_at_what_a_project_declares(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".loopx").mkdir()
    (tmp_path / ".loopx" / "registry.json").write_text("{")
    assert run("capability", "list", cwd=tmp_path).code != 0
    finished = run("--self-check", cwd=tmp_path)
    assert (finished.code, finished.stdout, finished.stderr) == (0, f"loopx {__version__}\n", "")


def test_an_interrupted_update_stops_no_command_even_where_the_working_directory_is_gone(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "update.journal").write_text("not what an update writes")
    finished = from_nowhere(tmp_path, "--version", LOOPX_DATA_HOME=str(data))
    assert (finished.returncode, finished.stdout) == (0, f"loopx {__version__}\n")
    assert finished.stderr.startswith("note: an update was interrupted")
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize("line", ["demo", "capability list", "registry list", "audit list"])
def test_commands_work_where_the_working_directory_is_gone(tmp_path: Path, line: str) -> None:
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    finished = from_nowhere(tmp_path, *line.split(), **homes)
    assert (finished.returncode, "internal_error" in finished.stderr) == (0, False)


def test_a_relative_folder_where_the_working_directory_is_gone_is_told(tmp_path: Path) -> None:
    finished = from_nowhere(tmp_path, "registry", "list", "--project", "here")
    assert finished.returncode == 66
    assert "state_error/unreadable" in finished.stderr


def from_nowhere(tmp_path: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run in a folder that is deleted before the program starts."""
    gone = tmp_path / "gone"
    gone.mkdir()
    line = 'cd "$0" && rmdir "$0" && exec "$@"'
    return subprocess.run(
        ["/bin/sh", "-c", line, gone, sys.executable, "-m", "loopx", *arguments],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_demo_needs_neither_token_nor_network_nor_proxy(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9"
    finished = run("demo", cwd=tmp_path, environment={"HTTP_PROXY": nowhere, "ALL_PROXY": nowhere})
    assert finished.code == 0
    assert finished.stdout.startswith("loopx-demo/harbour · ")
    assert "complete" in finished.stdout.splitlines()[-1]
    assert "Next:" in finished.stderr
    assert "\x1b" not in finished.stdout + finished.stderr


def test_the_demo_in_every_form_has_the_same_pull_requests() -> None:
    found: dict[str, list[int]] = {}
    ndjson = run("demo", "-o", "ndjson", "--quiet")
    assert ndjson.stderr == ""
    found["ndjson"] = [line["number"] for line in ndjson.of_type("pull_request")]
    found["json"] = [one["number"] for one in json.loads(run("demo", "-o", "json").stdout)["records"]]
    rows = csv.DictReader(io.StringIO(run("demo", "-o", "csv").stdout))
    found["csv"] = [int(row["number"]) for row in rows]
    markdown = run("demo", "-o", "markdown").stdout.splitlines()
    found["markdown"] = [
        int(line.split("[#")[1].split("]")[0]) for line in markdown if line.startswith("| [#")
    ]
    assert len(found["ndjson"]) > 30
    assert len({tuple(sorted(numbers)) for numbers in found.values()}) == 1
    assert found["csv"] == found["markdown"]


def test_a_packet_is_read_from_standard_input(tmp_path: Path) -> None:
    packet = tmp_path / "packet.json"
    packet.write_text('{"schema": "loopx.request/1", "capability": "pr_review", "params": {}}')
    with packet.open() as source:
        finished = run("capability", "run", "--packet", "-", "-o", "json", stdin=source)
    assert (finished.code, finished.error["reason"]) == (2, "parameter")
    assert "repo is missing" in finished.error["message"]


def test_the_repository_is_that_of_the_checkout(tmp_path: Path) -> None:
    for words in (["init", "-q"], ["remote", "add", "origin", "http://127.0.0.1:9/octo/harbour.git"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)  # noqa: S607 - the git of the machine
    finished = run("pr", "list", "-o", "json", cwd=tmp_path)
    assert finished.code == 69
    assert finished.error["url"] == "http://127.0.0.1:9/api/graphql"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_is_utf8_whatever_the_locale_says(encoding: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "loopx", "demo", "-o", "csv", "--fields", "title"],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src"), "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    assert "潮汐" in process.stdout.decode("utf-8")
    assert b"\r\n" in process.stdout


def test_a_defect_shows_no_traceback_unless_it_is_asked_for(tmp_path: Path) -> None:
    # A module of the application is broken on the way in: whatever that raises is a defect.
    broken = tmp_path / "sitecustomize.py"
    broken.write_text("import sys; sys.modules['loopx.entrypoints.demo.server'] = None\n")
    path = f"{tmp_path}{os.pathsep}{CHECKOUT / 'src'}"
    plain = run("demo", environment={"PYTHONPATH": path})
    assert (plain.code, plain.stdout) == (1, "")
    assert "internal_error/defect" in plain.stderr
    assert "Traceback" not in plain.stderr
    assert "Traceback" in run("demo", "--debug", environment={"PYTHONPATH": path}).stderr
