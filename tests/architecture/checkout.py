"""The checkout as the guard tests see it: its files, its settings, and copies to try things on."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "application", "adapters", "entrypoints")


def settings() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def files(*folders: str, pattern: str = "*") -> Iterator[Path]:
    """The files under folders of the checkout, each once: neither through links nor from caches."""
    for folder in folders:
        for parent, names, found in os.walk(ROOT / folder):
            names[:] = [name for name in names if name != "__pycache__"]
            yield from (path for path in map(Path(parent).joinpath, found) if path.match(pattern))


def product_code() -> list[Path]:
    """Every Python file that is shipped."""
    return sorted(files(*LAYERS, "src", pattern="*.py"))


def copy_checkout(target: Path, *, with_links: bool = True) -> Path:
    """A copy of all that a build reads, free to be changed."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder in (*LAYERS, "src"):
        shutil.copytree(ROOT / folder, target / folder, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(ROOT / name, target)
    if not with_links:
        for layer in LAYERS:
            (target / "src" / "loopx" / layer).unlink()
    return target


def build(kind: str, checkout: Path, target: Path) -> Path:
    """The ``wheel``, ``sdist`` or ``editable`` file of a checkout, made without a network."""
    program = f"import sys; from setuptools import build_meta; build_meta.build_{kind}(sys.argv[1])"
    known = set(target.iterdir())
    run([sys.executable, "-c", program, str(target)], cwd=checkout)
    (built,) = (path for path in set(target.iterdir()) - known if path.is_file())
    return built


def run(command: list[str], *, cwd: Path, **environment: str) -> str:
    """What a command prints; its talk is in the failure when it fails."""
    answer = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, (
        f"{command} ended with {answer.returncode}:\n{answer.stdout}{answer.stderr}"
    )
    return answer.stdout


def run_python(program: str, *arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """What a program prints that imports ``loopx`` from this checkout, warnings being errors."""
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    return run(command, cwd=cwd, PYTHONPATH=str(ROOT / "src"), **environment)
