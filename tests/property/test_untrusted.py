"""No text from outside moves a cursor, reorders letters, hides, calls somebody or computes."""

import csv
import io
import json
import re
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from loopx.entrypoints.presentation.untrusted import csv_cell, escape_json, markdown_cell, one_line
from loopx.entrypoints.presentation.width import fit, pad, width

HOSTILE = st.sampled_from(
    [
        "\x1b[2J", "\x1b]0;owned\x07", "\x9b31m", "\r\n", "\u2028", "\x85", "\u202e", "\u2066", "\u200b",
        "\u200d", "\ufeff", "\u00ad", "\ud800", "\udfff", "\U000e0041", "e\u0301", "\u0336" * 9, "潮", "🚢",
        "\ufe0f", "@octocat", "#12", "GH-7", "https://evil.example", "www.evil.example", "|", "\\", "\\|",
        "<img src=x>", "&lt;", "`", "*", "[a](b)", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '"', ",", "'",
        "$x$", "mailto:a@b.example",
    ]
)  # fmt: skip
# Hypothesis draws no surrogates unless asked: they come out of "\ud800" in JSON.
ANY = st.text(st.characters(codec=None, exclude_categories=())) | st.lists(
    HOSTILE | st.text(max_size=4), max_size=8
).map("".join)

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
INVISIBLE = set("\u00ad\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u206a\u206f\ufeff\ufe0f\ufe0e")


@given(ANY)
def test_a_terminal_never_gets_what_could_control_it(text: str) -> None:
    shown = one_line(text)
    assert {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"} == set()
    assert set(shown) & (BIDI | INVISIBLE) == set()
    assert len(shown.splitlines()) <= 1


@given(ANY)
def test_making_a_text_harmless_twice_changes_nothing_more(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Cf"])))
def test_an_ordinary_text_stays_as_it_is(text: str) -> None:
    assert one_line(text) == text


def test_other_scripts_stay_as_they_are() -> None:
    for text in ("潮汐表の時差", "Zürich, naïve “quotes”", "שלום", "สวัสดี", "🚢 ahoy"):
        assert one_line(text) == text


@given(ANY)
def test_marks_never_pile_up(text: str) -> None:
    assert re.search(r"[\u0300-\u036f]{5}", one_line(text)) is None


@given(ANY, st.integers(1, 60))
def test_a_fitted_text_is_never_wider_than_asked(text: str, columns: int) -> None:
    shown = one_line(text)
    fitted = fit(shown, columns)
    assert width(fitted) <= columns
    assert fitted == shown or fitted.endswith("…")
    assert width(pad(fitted, columns)) == columns


@given(ANY)
def test_escaped_json_reads_back_the_same_and_is_utf8(text: str) -> None:
    document = escape_json(json.dumps({"title": text}, ensure_ascii=False))
    assert json.loads(document) == {"title": text}
    document.encode("utf-8")
    assert {character for character in document if unicodedata.category(character) in {"Cc", "Cs"}} == set()
    assert set(document) & BIDI == set()


@given(st.lists(ANY, min_size=1, max_size=5))
def test_csv_reads_back_what_was_written(texts: list[str]) -> None:
    cells = [csv_cell(text) for text in texts]
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    (row,) = csv.reader(io.StringIO(buffer.getvalue(), newline="")) if any(cells) else ([""] * len(cells),)
    assert row == cells


@given(ANY)
@example("=1+1")
@example("\uff1dcmd")
def test_a_csv_cell_is_never_a_formula_and_otherwise_the_text(text: str) -> None:
    cell = csv_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"))
    kept = cell.removeprefix("'") if len(cell) == len(text) + 1 else cell
    assert all(there in {here, "\ufffd"} for here, there in zip(text, kept, strict=True))
    assert csv_cell(cell) == cell


@given(ANY)
def test_a_markdown_cell_never_breaks_its_row(text: str) -> None:
    cell = markdown_cell(text)
    assert "|" not in cell
    assert len(cell.splitlines()) <= 1
    assert "<" not in cell
    assert ">" not in cell


@given(ANY)
def test_a_markdown_cell_has_no_markup_and_calls_nobody(text: str) -> None:
    cell = markdown_cell(text)
    unescaped = re.sub(r"\\[\\`*_\[\]~$!]", "", cell)
    assert set(unescaped) & set("\\`*_[]~$") == set()
    assert re.search(r"@[A-Za-z0-9]|#[0-9](?![0-9]*;)|://|\bwww\.", re.sub(r"&#?\w+;", "", cell)) is None


def test_the_number_of_a_spreadsheet_line_is_kept() -> None:
    assert csv_cell("12") == "12"
    assert csv_cell("-12") == "'-12"
