"""The error table itself, and the page that is written from it."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from loopx.domain.error_table import ERROR_TABLE, ErrorRow

ROOT = Path(__file__).parents[2]
SYSEXITS = set(range(64, 79))
DECIDED = {1, 2, 130, 143}
"""A defect, usage, and what shells call a program that a signal ended."""

ROWS = list(ERROR_TABLE.values())


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "write_error_docs", ROOT / "scripts" / "write_error_docs.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_the_one_that_the_table_gives() -> None:
    written = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert written == script().render(), "run: python scripts/write_error_docs.py"


def test_every_row_has_its_line() -> None:
    page = script().render()
    for row in ROWS:
        section = page.split(f"## {row.code}\n")[1].split("\n## ")[0]
        assert section.count(f"| `{row.reason}` | {row.what} |") == 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.code}/{row.reason}")
def test_a_row_can_be_shown_to_a_person_and_to_a_shell(row: ErrorRow) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", row.code)
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", row.reason)
    assert row.exit_code in SYSEXITS | DECIDED
    assert 400 <= row.http_status < 600
    assert not row.what.endswith(".")
    assert row.hint.endswith(".")
    assert "\n" not in row.what + row.hint
