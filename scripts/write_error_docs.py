"""Write docs/errors.md from the one table of errors: ``python scripts/write_error_docs.py``."""

import sys
from pathlib import Path
from typing import Final

from loopx.domain.error_table import ERROR_TABLE, ErrorRow

TARGET: Final = Path(__file__).resolve().parent.parent / "docs" / "errors.md"

INTRODUCTION: Final = """\
# Errors

Every failure that LoopX reports is one `loopx.LoopXError` with a `code` and a finer `reason`. Codes never
change; reasons may be added in a release. On a terminal an error is three lines: what happened, the code,
what to do. With `--output json` or `ndjson` it is one object on stderr, over HTTP it is
`application/problem+json`, always with the same fields:

| field | meaning |
|---|---|
| `code`, `reason` | what kind of failure, and the finer fact within it |
| `message`, `detail` | what happened, in LoopX's own words; the detail is the particular case |
| `hint` | what to do |
| `retryable` | whether the same call may succeed later |
| `sent` | whether the request may have reached the other side: `no`, `maybe`, `yes` |
| `method`, `url` | the request; user information and query values of the address are masked |
| `status`, `request_id`, `excerpt` | of the answer: status, the provider's own id, masked start of the text |
| `retry_after` | seconds to wait before another try, if the server or a limit says so |
| `attempts`, `elapsed_ms` | how often it was tried, and how long it took |
| `agent_id`, `turn_id` | on whose behalf the call was made |

Exit codes follow sysexits(3). Beside those below: 0 done, 1 a defect, 2 usage, 3 a partial result,
5 a gate or an assertion that was asked for is not met.

This page is written by `scripts/write_error_docs.py`.
"""


def render() -> str:
    """The whole page."""
    by_code: dict[str, list[ErrorRow]] = {}
    for row in ERROR_TABLE.values():
        by_code.setdefault(row.code, []).append(row)
    return "\n".join([INTRODUCTION, *(_section(code, rows) for code, rows in by_code.items())])


def _section(code: str, rows: list[ErrorRow]) -> str:
    lines = [
        f"## {code}",
        "",
        "| reason | what happened | what to do | retryable | sent | exit | HTTP |",
        "|---|---|---|---|---|---|---|",
        *(_line(row) for row in rows),
        "",
    ]
    return "\n".join(lines)


def _line(row: ErrorRow) -> str:
    retryable = "yes" if row.retryable else "no"
    cells = (row.what, row.hint, retryable, row.sent.value, str(row.exit_code), str(row.http_status))
    return f"| `{row.reason}` | " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def main() -> int:
    TARGET.write_text(render(), encoding="utf-8")
    print(f"{TARGET.name}: {len(ERROR_TABLE)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
