"""Every import contract of pyproject.toml is broken here, in a copy of the tree: none of them is vacuous."""

import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

from architecture.checkout import LAYERS, ROOT, settings

IDS: dict[str, str] = {
    contract["name"]: contract["id"] for contract in settings()["tool"]["importlinter"]["contracts"]
}


@dataclass(frozen=True, slots=True)
class Seed:
    """Source text by dotted module below ``loopx`` that breaks one contract."""

    contract: str
    modules: dict[str, str]

    def __str__(self) -> str:
        return f"{self.contract}: {next(iter(self.modules))}"


def arrow(contract: str, importer: str, imported: str) -> Seed:
    return Seed(contract, {importer: f"import loopx.{imported}", imported: ""})


def cycle(package: str) -> Seed:
    there, back = f"{package}.seed", f"{package}.goal"
    return Seed("acyclic", {there: f"import loopx.{back}", back: f"import loopx.{there}"})


def foreign(contract: str, importer: str, source: str) -> Seed:
    return Seed(contract, {importer: source})


SEEDS = [
    arrow("layers", "domain.seed", "application.ports.goal"),
    arrow("layers", "application.steps.seed", "entrypoints.demo.goal"),
    arrow("layers", "adapters.http.seed", "entrypoints.cli.goal"),
    foreign("layers", "helpers", "# a fifth layer"),
    arrow("inside-application", "application.ports.seed", "application.steps.goal"),
    arrow("inside-application", "application.steps.seed", "application.use_cases.goal"),
    arrow("inside-application", "application.use_cases.seed", "application.capabilities.goal"),
    foreign("inside-application", "application.services", "# a fifth part"),
    arrow("inside-entrypoints", "entrypoints.http.seed", "entrypoints.cli.goal"),
    arrow("inside-entrypoints", "entrypoints.http.seed", "entrypoints.serving"),
    arrow("inside-entrypoints", "entrypoints.demo.seed", "entrypoints.cli.goal"),
    arrow("inside-entrypoints", "entrypoints.presentation.seed", "entrypoints.cli.goal"),
    foreign("inside-entrypoints", "entrypoints.shared", "# neither a door nor below one"),
    arrow("doors", "entrypoints.cli.seed", "entrypoints.http.goal"),
    foreign("pure-domain", "domain.seed", "import time"),
    foreign("pure-domain", "domain.http.seed", "import asyncio"),
    foreign("pure-application", "application.use_cases.seed", "from os import environ"),
    arrow("composition-root", "entrypoints.cli.seed", "adapters.memory.goal"),
    foreign("injector-home", "entrypoints.cli.seed", "from dependency_injector import providers"),
    foreign("httpx-home", "adapters.github.seed", "def late():\n    import httpx"),
    foreign("httpx-home", "entrypoints.demo.seed", "import httpcore"),
    foreign("h11-home", "adapters.github.seed", "import h11"),
    foreign("no-other-client", "adapters.http.seed", "import requests"),
    foreign("sqlite-home", "adapters.filesystem.seed", "def late():\n    import sqlite3"),
    foreign("click-home", "entrypoints.presentation.seed", "import click"),
    foreign(
        "marshmallow-home",
        "entrypoints.cli.seed",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import marshmallow",
    ),
    arrow("adapters-independent", "adapters.github.seed", "adapters.memory.goal"),
    cycle("domain"),
    cycle("application.use_cases"),
    cycle("adapters.http"),
    cycle("entrypoints.cli"),
    arrow("private", "application.steps.seed", "domain.http._goal"),
]


def lay_out(tmp_path: Path) -> Path:
    """The checkout without links, so that a seed reaches no real file."""
    package = tmp_path / "src" / "loopx"
    package.mkdir(parents=True)
    for module in (ROOT / "src" / "loopx").glob("*.py"):
        shutil.copy(module, package)
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, package / layer, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def plant(seed: Seed, tree: Path) -> None:
    for module, source in seed.modules.items():
        path = tree.joinpath("src", "loopx", *module.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(source, encoding="utf-8")


def broken_contracts(tree: Path) -> set[str]:
    """The ids of the contracts that the command of ``make arch`` says are broken."""
    lint_imports = Path(sysconfig.get_path("scripts"), "lint-imports")
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "COLUMNS": "200"}
    answer = subprocess.run(
        [lint_imports, "--no-cache"], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    found = re.findall(r"^(.+) (KEPT|BROKEN)\b", answer.stdout, re.MULTILINE)
    assert {name for name, _ in found} == set(IDS), answer.stdout + answer.stderr
    assert answer.returncode == ("BROKEN" in dict(found).values())
    return {IDS[name] for name, verdict in found if verdict == "BROKEN"}


@pytest.fixture(scope="session")
def broken_already(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is broken without a seed, so that one real mistake fails one test and not thirty."""
    return broken_contracts(lay_out(tmp_path_factory.mktemp("unseeded")))


def test_the_tree_keeps_every_contract(broken_already: set[str]) -> None:
    assert broken_already == set()


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_a_seeded_violation_breaks_its_contract_and_no_other(
    seed: Seed, tree: Path, broken_already: set[str]
) -> None:
    plant(seed, tree)
    assert broken_contracts(tree) == broken_already | {seed.contract}


def test_every_contract_has_a_seed() -> None:
    assert {seed.contract for seed in SEEDS} == set(IDS.values())
