import csv
import io
from typing import Any

import pytest

from fakes.pull_requests import NOON, checks, review
from fakes.runs import incomplete, record, refused, shown, summary
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import Decision, Person, PersonKind, Threads
from loopx.domain.repositories import PullRequestReference, Repository
from loopx.domain.results import Problem, Status
from loopx.entrypoints.presentation.style import Terminal
from loopx.entrypoints.presentation.width import width

NARROW = Terminal(columns=80)
COLOURED = Terminal(columns=80, colour=True)


def table(*items: Any, fields: str | None = None, **parts: Any) -> list[str]:
    return shown("table", items, fields, **parts)[0].splitlines()


def test_a_table_has_a_headline_titles_a_line_for_each_record_and_the_summary() -> None:
    lines = table(record(7), record(8, checks=checks("failure")), summary(2))
    assert lines[0] == "octo/harbour · 2 pull requests"
    assert lines[1] == "whose turn: maintainer 1 · author 1"
    assert lines[3].split() == ["#", "TITLE", "AUTHOR", "AGE", "CHECKS", "REVIEW", "TURN", "WHY"]
    assert lines[4].split() == [
        "#7", "Log", "every", "gate", "opening", "maya", "3d", "✓", "pass", "approved", "maintainer", "ready",
    ]  # fmt: skip
    assert lines[5].endswith("✗ 1 fail  approved  author      checks failing")
    assert lines[-1] == "complete · 2 requests in 1.2 s"


def test_the_queue_comes_first_unless_another_order_is_asked_for() -> None:
    drafts = [record(9, draft=True), record(7)]
    assert [line.split()[0] for line in table(*drafts, summary(2))[4:6]] == ["#7", "#9"]
    assert [line.split()[0] for line in table(*drafts, summary(2), order="number")[4:6]] == ["#7", "#9"]
    newest = [record(7, updated_at=NOON.replace(hour=1)), record(8, updated_at=NOON)]
    assert [line.split()[0] for line in table(*newest, summary(2), order="updated")[4:6]] == ["#8", "#7"]


def test_several_repositories_get_a_column() -> None:
    other = PullRequestReference(Repository("github.com", "octo", "lock"), 3)
    lines = table(record(7), record(8, reference=other), summary(2))
    assert lines[0] == "2 repositories · 2 pull requests"
    assert lines[3].split()[0] == "REPOSITORY"
    assert {line.split()[0] for line in lines[4:6]} == {"octo/harbour", "octo/lock"}


def test_nothing_is_cut_where_no_terminal_is() -> None:
    title = "a very long title " * 12
    assert title.strip() in "\n".join(table(record(title=title), summary()))


@pytest.mark.parametrize("columns", [60, 80, 100, 120, 200])
def test_a_terminal_is_never_overrun(columns: int) -> None:
    long_names = Person("a-login-of-thirty-nine-letters-in-total", PersonKind.USER)
    records = [record(7, title="潮汐表の時差を直す " * 9, author=long_names), record(8, title="short")]
    lines = table(*records, summary(2), terminal=Terminal(columns=columns))
    assert max(map(width, lines)) <= columns
    assert any("…" in line for line in lines)


def test_colours_are_only_where_they_can_be_seen() -> None:
    assert "\x1b[" not in shown("table", [record(), summary()], terminal=NARROW)[0]
    text, _ = shown("table", [record(), summary()], terminal=COLOURED)
    assert "\x1b[32m✓ pass\x1b[0m" in text


def test_columns_stand_below_each_other_whatever_the_script() -> None:
    lines = table(record(7, title="潮汐表の時差"), record(8, title="e\u0301te\u0301"), summary(2))
    starts = {width(line[: line.index("maya")]) for line in lines if "maya" in line}
    assert len(starts) == 1


def test_a_hostile_title_reaches_no_terminal() -> None:
    text, _ = shown("table", [record(title="\x1b[2Jgone\u202e\n#1 fake"), summary()], terminal=COLOURED)
    assert "\x1b[2J" not in text
    assert "\u202e" not in text
    assert len(text.splitlines()) == 7


@pytest.mark.parametrize(
    ("changes", "cell"),
    [
        ({"checks": checks("failure", "cancelled")}, "✗ 2 fail"),
        ({"checks": checks("queued")}, "● 1 left"),
        ({"checks": checks()}, "· none"),
        ({"checks": checks("neverheardof")}, "? unclear"),
        ({"review": review(Decision.CHANGES_REQUESTED)}, "changes"),
        ({"review": review(Decision.REVIEW_REQUIRED)}, "required"),
        ({"review": review(Decision.UNKNOWN)}, "unknown"),
        ({"author": Person(None, PersonKind.GHOST)}, "(deleted)"),
        ({"threads": Threads(3, 2, 0)}, "unresolved threads"),
    ],
)
def test_every_state_has_its_words(changes: dict[str, object], cell: str) -> None:
    assert cell in table(record(7, **changes), summary())[4]


def test_an_empty_result_is_told_kindly() -> None:
    assert table(summary(0, status=Status.EMPTY)) == [
        "No pull requests found.",
        "complete · 2 requests in 1.2 s",
    ]


def test_a_limit_is_told_with_the_command_for_the_rest() -> None:
    cut = incomplete("limit", records=1, total=60, rerun="loopx pr list")
    lines = table(record(), summary(1, completeness=cut))
    assert lines[-2].startswith("incomplete: stopped at the limit, 1 of 60 pull requests read")
    assert lines[-1] == "next: loopx pr list"
    unknown = incomplete("limit", records=1, total=None)
    assert "limit, 1 pull request read" in table(record(), summary(1, completeness=unknown))[-1]


def test_an_interrupted_run_is_shown_as_far_as_it_came() -> None:
    lines = table(record(), summary(1, requests=None, completeness=incomplete("interrupted")))
    assert "Log every gate opening" in lines[4]
    assert lines[-1] == "incomplete: interrupted after 1 pull request"


def test_problems_go_to_stderr_with_the_code_and_what_to_do() -> None:
    partial = summary(1, status=Status.PARTIAL, completeness=incomplete("problems"))
    text, said = shown("table", [record(), refused("github.com/octo/lock"), partial])
    assert "incomplete: some of it could not be read" in text
    first, second, third = said.splitlines()
    assert first == "missing: github.com/octo/lock: the server refused access"
    assert second == (
        "  provider_http_error/forbidden · HTTP 403 · POST https://api.github.com/graphql · request AB:12"
    )
    assert third.strip()


def test_the_error_that_ends_the_run_is_left_to_the_end_of_the_program() -> None:
    problem = refused()
    other = Problem("github.com/octo/lock", LoopXError("provider_network_error", "dns"))
    failed = summary(0, status=Status.REFUSED, error=problem.error, completeness=incomplete("x"))
    text, said = shown("table", [problem, other, failed])
    assert text == ""
    assert "octo/harbour" not in said
    assert "octo/lock" in said


def test_fields_become_columns() -> None:
    lines = table(record(7), summary(), fields="number,review.approved_by,draft,milestone")
    assert lines[3].split() == ["number", "review.approved_by", "draft", "milestone"]
    assert lines[4].split() == ["7", "lena", "false"]


def test_csv_has_a_header_and_a_line_for_each_record() -> None:
    text, said = shown("csv", [record(7, title='say "hi", all'), record(8), summary(2)])
    assert text.endswith("\r\n")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(row["number"], row["title"]) for row in rows] == [
        ("7", 'say "hi", all'),
        ("8", "Log every gate opening"),
    ]
    assert said == ""


def test_csv_says_on_stderr_that_something_is_missing() -> None:
    text, said = shown("csv", [record(), summary(1, completeness=incomplete("limit", total=9))])
    assert len(text.splitlines()) == 2
    assert said.startswith("incomplete: stopped at the limit, 1 of 9")


def test_csv_turns_no_title_into_a_formula_and_keeps_numbers() -> None:
    text, _ = shown("csv", [record(title='=HYPERLINK("x")'), summary()], "number,title,size.deletions")
    assert list(csv.reader(io.StringIO(text)))[1] == ["7", '\'=HYPERLINK("x")', "2"]


def test_markdown_is_a_table_to_paste() -> None:
    text, _ = shown("markdown", [record(7, title="pipe | and @maya and <b>"), summary()])
    head, rule, row, empty, below = text.splitlines()
    assert head.startswith("| # | Title | Author | Age |")
    assert rule.startswith("| ---: | --- |")
    assert row.startswith(
        "| [#7](https://github.com/octo/harbour/pull/7) | pipe &#124; and @\u2060maya and &lt;b&gt; |"
    )
    assert (empty, below.strip()) == ("", "complete · 2 requests in 1.2 s")


def test_markdown_links_only_to_an_address_that_is_one() -> None:
    text, _ = shown("markdown", [record(url="https://x/)[a](javascript:b"), summary()])
    assert "](" not in text


def test_who_watches_sees_how_far_it_has_come_and_nothing_of_it_stays() -> None:
    _, said = shown("table", [record(7), record(8), summary(2)], progress=True)
    assert said.split("\r")[2::2] == ["1 pull request …", "2 pull requests …", ""]
    screen = ""
    for part in said.split("\r"):
        screen = part + screen[len(part) :]
    assert screen.strip() == ""
