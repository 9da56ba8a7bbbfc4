"""What a build ships: the four layers and whatever else lies in src/loopx, all of it and nothing more."""

import zipfile
from pathlib import Path

import pytest

from architecture.checkout import LAYERS, ROOT, build, copy_checkout, files, run_python, settings

pytestmark = pytest.mark.xdist_group("wheel")


def contents(wheel: Path) -> set[str]:
    """The files of a wheel, without the record of them."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def shipped(checkout: Path) -> set[str]:
    """Every file that a wheel of a checkout must hold, be it code or data."""
    layers = {
        f"loopx/{path.relative_to(checkout)}" for path in files(*(str(checkout / name) for name in LAYERS))
    }
    package = {str(path.relative_to(checkout / "src")) for path in files(str(checkout / "src" / "loopx"))}
    return layers | {name for name in package if "egg-info" not in name}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_link_to_each_layer_lies_in_the_package(layer: str) -> None:
    link = ROOT / "src" / "loopx" / layer
    assert link.is_symlink()
    assert link.readlink() == Path("..", "..", layer)


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    assert contents(wheel) == shipped(ROOT)


def test_a_checkout_without_links_ships_the_same_and_new_packages_too(wheel: Path, tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", with_links=False)
    extra = checkout / "src" / "loopx" / "extra" / "inner"
    extra.mkdir(parents=True)
    for package in (extra, extra.parent):
        (package / "__init__.py").touch()
    assert contents(build("wheel", checkout, tmp_path)) == contents(wheel) | {
        "loopx/extra/__init__.py",
        "loopx/extra/inner/__init__.py",
    }


def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    archive = build("sdist", copy_checkout(tmp_path / "checkout"), tmp_path)
    unpacked = tmp_path / "unpacked"
    run_python(
        "import shutil, sys; shutil.unpack_archive(*sys.argv[1:], filter='data')", str(archive), str(unpacked)
    )
    (source,) = unpacked.iterdir()
    assert contents(build("wheel", source, tmp_path)) == contents(wheel)


def test_the_build_requirement_is_locked_with_the_others() -> None:
    assert settings()["dependency-groups"]["build"] == settings()["build-system"]["requires"]
