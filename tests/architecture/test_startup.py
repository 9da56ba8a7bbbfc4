"""What importing costs: nothing runs at import, and a start loads only what it needs."""

import re

import pytest

from architecture.checkout import LAYERS, run_python

VERSION = """
import sys
from loopx.entrypoints.cli import main
sys.argv = ["loopx", "--version"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(*sorted(sys.modules), sep="\\n")
"""
EVERY_MODULE = """
import importlib, pkgutil, sys
import loopx
for module in pkgutil.walk_packages(loopx.__path__, "loopx."):
    importlib.import_module(module.name)
print(*sorted(sys.modules), sep="\\n")
"""
COSTLY = {"asyncio", "dependency_injector", "email", "h11", "httpcore", "httpx", "importlib.metadata", "json"}
COSTLY |= {"logging", "marshmallow", "sqlite3", "ssl", "subprocess", "tomllib"}


def modules_after(program: str) -> set[str]:
    return set(run_python(program).splitlines())


@pytest.fixture(scope="module")
def version_run() -> list[str]:
    return run_python(VERSION).splitlines()


def test_the_version_is_printed(version_run: list[str]) -> None:
    assert re.fullmatch(r"loopx\b.* \d+\.\d+\.\d+\S*", version_run[0])


def test_the_version_loads_nothing_that_costs(version_run: list[str]) -> None:
    assert COSTLY & set(version_run) == set()


def test_the_version_loads_no_third_party_but_click(version_run: list[str]) -> None:
    from importlib.metadata import packages_distributions

    # What stands in every process of this environment (hooks in .pth files) is not of our doing.
    always = modules_after('import sys; print(*sys.modules, sep="\\n")')
    loaded = {name.partition(".")[0] for name in set(version_run) - always}
    assert loaded & packages_distributions().keys() <= {"click", "loopx"}


def test_importing_loopx_loads_none_of_its_layers() -> None:
    loaded = modules_after('import sys, loopx; print(*sys.modules, sep="\\n")')
    assert {name for name in loaded if name.startswith("loopx")} == {"loopx"}


@pytest.mark.parametrize("foreign", ["dependency_injector", "httpx", "marshmallow", "click"])
def test_the_application_loads_no_framework(foreign: str) -> None:
    program = EVERY_MODULE.replace("import loopx\n", "import loopx.application as loopx\n")
    program = program.replace('"loopx."', '"loopx.application."')
    assert foreign not in modules_after(program)


def test_no_layer_is_ever_imported_under_a_second_name() -> None:
    # Run from the checkout, where `import domain` would work and give every class a twin.
    loaded = modules_after(EVERY_MODULE)
    assert {f"loopx.{layer}" for layer in LAYERS} <= loaded
    assert set(LAYERS) & {name.partition(".")[0] for name in loaded} == set()
