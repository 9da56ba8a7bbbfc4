"""Evidence of who installed the running copy, as it lies around on the disk."""

import json
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from loopx.domain.updates.owner import Evidence
from loopx.domain.updates.places import VERSIONS
from loopx.domain.updates.seal import SEAL_FILE

_PACKAGE: Final = "loopx"


class SystemInstallOwner:
    """``package`` is the folder of the package that runs, ``home`` the data home."""

    def __init__(self, *, package: str, home: str, search_path: tuple[str, ...] | None = None) -> None:
        self._package = Path(package)
        self._home = Path(home)
        self._search_path = tuple(sys.path) if search_path is None else search_path

    def evidence(self) -> Evidence:
        package = self._package.resolve()
        prefix = Path(sys.prefix)
        return Evidence(
            package=str(package),
            interpreter=sys.executable,
            managed=self._managed(package),
            bundled=bool(getattr(sys, "frozen", False)) or not package.is_dir(),
            editable=self._editable(package),
            installer=_read(self._metadata(package), "INSTALLER"),
            pipx=(prefix / "pipx_metadata.json").is_file(),
            uv_tool=(prefix / "uv-receipt.toml").is_file(),
            conda=any((prefix / "conda-meta").glob(f"{_PACKAGE}-*.json")),
            externally_managed=_is_externally_managed() and package.is_relative_to(prefix.resolve()),
            checkout=next((str(path) for path in package.parents if (path / ".git").exists()), None),
        )

    def _managed(self, package: Path) -> str | None:
        versions = (self._home / VERSIONS).resolve()
        if not package.is_relative_to(versions) or package == versions:
            return None
        name = package.relative_to(versions).parts[0]
        return name if (versions / name / SEAL_FILE).is_file() else None

    def _metadata(self, package: Path) -> Path | None:
        """The dist-info folder beside the package."""
        return next(package.parent.glob(f"{_PACKAGE}-*.dist-info"), None)

    def _editable(self, package: Path) -> str | None:
        """The checkout that encloses the package and that some dist-info folder calls editable."""
        for entry in self._search_path:
            for checkout in _editable_checkouts(Path(entry)):
                if package.is_relative_to(checkout):
                    return str(checkout)
        return None


def _editable_checkouts(folder: Path) -> Iterator[Path]:
    """PEP 610, direct_url.json."""
    for metadata in folder.glob(f"{_PACKAGE}-*.dist-info"):
        try:
            document = json.loads(_read(metadata, "direct_url.json") or "null")
            if document["dir_info"]["editable"] is True:
                yield Path(unquote(urlsplit(document["url"]).path)).resolve()
        except (ValueError, KeyError, TypeError, AttributeError):
            continue  # not the file that the specification describes: no evidence


def _read(folder: Path | None, name: str) -> str | None:
    try:
        return (folder / name).read_text(encoding="utf-8").strip() or None if folder else None
    except (OSError, UnicodeDecodeError):
        return None


def _is_externally_managed() -> bool:
    """PEP 668: a marker beside the standard library, which does not count in a virtual environment."""
    in_environment = sys.prefix != sys.base_prefix
    return not in_environment and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").is_file()
