"""Evidence as it lies on a real disk, for each way to install."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.updates import seal
from loopx.adapters.memory.machine import MemoryInstallOwner
from loopx.adapters.process.install_owner import SystemInstallOwner
from loopx.domain.updates.owner import Evidence, OwnerKind, find_owner
from loopx.domain.updates.seal import write_seal

SEAL = seal("0.2.0")


@dataclass(frozen=True, slots=True)
class Site:
    """A folder of packages, and a data home beside it."""

    packages: Path
    home: Path

    @property
    def package(self) -> Path:
        return self.packages / "loopx"

    def metadata(self, **files: str) -> None:
        folder = self.packages / "loopx-0.2.0.dist-info"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            (folder / name.replace("__", ".")).write_text(content)

    def evidence(self, *search_path: Path) -> Evidence:
        paths = tuple(map(str, search_path or (self.packages,)))
        return SystemInstallOwner(
            package=str(self.package), home=str(self.home), search_path=paths
        ).evidence()

    def kind(self, *search_path: Path) -> OwnerKind:
        return find_owner(self.evidence(*search_path)).kind


@pytest.fixture
def site(tmp_path: Path) -> Site:
    found = Site(tmp_path / "site-packages", tmp_path / "home")
    found.package.mkdir(parents=True)
    return found


@pytest.mark.parametrize(("installer", "kind"), [("pip\n", OwnerKind.PIP), ("uv", OwnerKind.UV)])
def test_the_installer_left_its_name(site: Site, installer: str, kind: OwnerKind) -> None:
    site.metadata(INSTALLER=installer)
    assert site.kind() is kind


def test_an_editable_copy_names_its_checkout(site: Site, tmp_path: Path) -> None:
    elsewhere = tmp_path / "env"
    elsewhere.mkdir()
    checkout = Site(elsewhere, tmp_path / "home")
    url = {"url": f"file://{site.packages}", "dir_info": {"editable": True}}
    checkout.metadata(INSTALLER="pip", direct_url__json=json.dumps(url))
    evidence = site.evidence(elsewhere)
    assert evidence.editable == str(site.packages)
    assert find_owner(evidence).kind is OwnerKind.EDITABLE


@pytest.mark.parametrize(
    "document",
    ["", "{", "[]", "null", '{"url": 1, "dir_info": {"editable": true}}', '{"dir_info": {"editable": true}}'],
)
def test_what_is_no_such_document_is_no_evidence(site: Site, document: str) -> None:
    site.metadata(INSTALLER="pip", direct_url__json=document)
    assert site.kind() is OwnerKind.PIP


def test_another_editable_checkout_is_not_taken_for_this_copy(site: Site, tmp_path: Path) -> None:
    url = {"url": f"file://{tmp_path / 'other'}", "dir_info": {"editable": True}}
    site.metadata(INSTALLER="pip", direct_url__json=json.dumps(url))
    assert site.kind() is OwnerKind.PIP


def test_a_checkout_is_known_by_its_repository(site: Site, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    evidence = site.evidence()
    assert evidence.checkout == str(tmp_path)
    assert find_owner(evidence).kind is OwnerKind.CHECKOUT


def test_nothing_says_nothing(site: Site) -> None:
    evidence = site.evidence()
    if evidence.checkout is None:
        assert find_owner(evidence).kind is OwnerKind.UNKNOWN


def test_a_package_in_a_zip_file_is_a_bundle(site: Site, tmp_path: Path) -> None:
    bundle = tmp_path / "loopx.pyz"
    bundle.touch()
    inside = SystemInstallOwner(package=str(bundle / "loopx"), home=str(site.home), search_path=())
    assert find_owner(inside.evidence()).kind is OwnerKind.BUNDLE


def managed(home: Path) -> Path:
    package = home / "versions" / SEAL.name / "lib" / "loopx"
    package.mkdir(parents=True)
    (package.parents[1] / ".complete").write_bytes(write_seal(SEAL))
    return package


def test_only_a_sealed_version_of_this_home_is_ones_own(tmp_path: Path) -> None:
    home = tmp_path / "home"
    package = managed(home)
    owner = SystemInstallOwner(package=str(package), home=str(home), search_path=())
    assert owner.evidence().managed == SEAL.name
    other = SystemInstallOwner(package=str(package), home=str(tmp_path / "other"), search_path=())
    assert other.evidence().managed is None
    (package.parents[1] / ".complete").unlink()
    assert owner.evidence().managed is None


def test_a_home_behind_a_link_is_the_same_home(tmp_path: Path) -> None:
    package = managed(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for home in ("real", "link"):
        owner = SystemInstallOwner(package=str(package), home=str(tmp_path / home), search_path=())
        assert owner.evidence().managed == SEAL.name


def test_evidence_in_memory_is_what_it_was_told() -> None:
    evidence = Evidence(package="/x", interpreter="/python", pipx=True)
    assert MemoryInstallOwner(evidence).evidence() == evidence
