"""The rules of docs/contributing.md that no linter knows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from architecture.checkout import LAYERS, ROOT, files, product_code

MAX_FILE_LINES = 299
MAX_FUNCTION_LINES = 29
EMPTY_WORDS = {"abstract", "base", "helper", "helpers", "impl", "interface", "manager", "util", "utils"}

# A word that is empty in general and exact here: why.
EXACT_HERE = {"Base": "what a pull request is to be merged into, as GitHub names it"}

ALL_CODE = [*product_code(), *sorted(files("tests", "scripts", "benchmarks", pattern="*.py"))]


def by_path(path: Path) -> str:
    return str(path.relative_to(ROOT))


def words(name: str) -> set[str]:
    """``JsonStoreImpl`` and ``json_store_impl`` alike as {json, store, impl}."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)}


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The length of a function without its docstring, which nobody should save on."""
    assert function.end_lineno is not None
    length = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None and first.end_lineno is not None:
        length -= first.end_lineno - first.lineno + 1
    return length


@pytest.mark.parametrize("path", ALL_CODE, ids=by_path)
def test_a_file_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES


@pytest.mark.parametrize("path", product_code(), ids=by_path)
def test_a_function_is_short(path: Path) -> None:
    too_long = {f"{f.name}: {lines_of(f)} lines" for f in functions(path) if lines_of(f) > MAX_FUNCTION_LINES}
    assert too_long == set()


@pytest.mark.parametrize("path", product_code(), ids=by_path)
def test_a_name_says_something(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    empty = {name for name in {path.stem, path.parent.name, *classes} if words(name) & EMPTY_WORDS}
    assert empty - EXACT_HERE.keys() == set()


def test_empty_words_are_found_in_every_spelling() -> None:
    assert words("HTTPBaseClient") == {"http", "base", "client"}
    assert words("file_utils") == {"file", "utils"}
    assert words("Baselines") == {"baselines"}


@pytest.mark.parametrize("folder", [*LAYERS, "src"])
def test_every_folder_with_python_files_is_a_package(folder: str) -> None:
    # Without __init__.py a folder is invisible to import-linter: its imports would pass every contract.
    folders = {path.parent for path in files(folder, pattern="*.py")}
    assert {by_path(path) for path in folders if not (path / "__init__.py").is_file()} == set()


@pytest.mark.parametrize("path", sorted(files("tests", pattern="*.py")), ids=by_path)
def test_tests_use_fakes_and_run_always(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    # Split, so that this file does not find itself.
    for banned in ("Magic" + "Mock", "unittest" + ".mock", "time." + "sleep(", "pytest.mark." + "xfail"):
        assert banned not in source
