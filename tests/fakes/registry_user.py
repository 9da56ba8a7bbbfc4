"""Somebody who starts ``loopx registry``."""

import json
from pathlib import Path
from typing import Any

from fakes.downloads import Downloads
from fakes.extension_bench import NAME
from fakes.program import Finished, run


class Person:
    """Somebody with a home of their own, who starts ``loopx registry``."""

    def __init__(self, home: Path, downloads: Downloads) -> None:
        self.home = home
        self.downloads = downloads
        self.environment = {
            "HOME": str(home),
            "LOOPX_HOME": str(home / "project"),
            "LOOPX_DATA_HOME": str(home / "data"),
            **downloads.environment,
        }

    def registry(self, *arguments: str, **environment: str) -> Finished:
        return run("registry", *arguments, environment={**self.environment, **environment}, cwd=self.home)

    def add(self, url: str, *more: str) -> Finished:
        return self.registry("add", "--name", NAME, "--url", url, *more)

    def listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.registry("list", "-o", "json").stdout)["records"]
        return found

    def left(self) -> set[str]:
        """What lies in the staging area and among the trees."""
        folders = (self.home / "data" / "staging", self.home / "data" / "extensions")
        return {path.name for folder in folders if folder.exists() for path in folder.iterdir()}
