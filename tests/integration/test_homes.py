"""Where LoopX keeps what, on a real disk."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from loopx.adapters.filesystem.homes import locate_homes, way_up
from loopx.domain.homes import Folder, find_homes

HOME = "/home/someone"
ROOT = Folder("/srv/repo", has_loopx=True, owned=True, is_repository_root=True)


def project_of(*way: Folder, environment: Mapping[str, str] | None = None, project: str | None = None) -> str:
    return find_homes(environment or {}, HOME, way, project=project).project


def test_the_nearest_folder_that_the_user_owns_is_the_project() -> None:
    inner = Folder("/srv/repo/a", has_loopx=True, owned=True, is_repository_root=False)
    assert project_of(inner, ROOT) == "/srv/repo/a/.loopx"
    foreign = Folder("/srv/repo/a", has_loopx=True, owned=False, is_repository_root=False)
    assert project_of(foreign, ROOT) == "/srv/repo/.loopx"
    assert project_of(foreign) == "/home/someone/.loopx"


def test_nothing_above_the_root_of_the_repository_counts() -> None:
    bare = Folder("/srv/repo", has_loopx=False, owned=False, is_repository_root=True)
    above = Folder("/work", has_loopx=True, owned=True, is_repository_root=False)
    assert project_of(bare, above) == "/home/someone/.loopx"


def test_what_is_named_wins_the_command_line_first() -> None:
    environment = {"LOOPX_HOME": "/named"}
    assert project_of(ROOT, environment=environment) == "/named"
    assert project_of(ROOT, environment=environment, project="/nearer") == "/nearer"


def test_the_own_places_follow_the_platform_and_the_environment() -> None:
    homes = find_homes({"LOOPX_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "rel"}, HOME, ())
    assert (homes.state, homes.cache) == ("/s", "/c/loopx")
    assert homes.data == "/home/someone/.local/share/loopx"
    assert find_homes({}, HOME, (), macos=True).cache == "/home/someone/Library/Caches/loopx"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "deep" / "inside").mkdir(parents=True)
    monkeypatch.chdir(root / "deep" / "inside")
    return root


def test_a_project_is_found_from_deep_inside_its_repository(repository: Path) -> None:
    assert locate_homes(dict(os.environ)).project == f"{os.environ['HOME']}/.loopx"
    (repository / ".loopx").mkdir()
    assert locate_homes(dict(os.environ)).project == str(repository / ".loopx")


def test_a_link_in_the_repository_is_no_project(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repository / ".loopx").symlink_to(tmp_path / "elsewhere")
    assert locate_homes(dict(os.environ)).project == f"{os.environ['HOME']}/.loopx"


def test_outside_a_repository_there_is_no_way_up(tmp_path: Path) -> None:
    if any((folder / ".git").exists() for folder in (tmp_path, *tmp_path.parents)):
        pytest.fail("the temporary folder of the tests lies in a repository")
    (tmp_path / ".loopx").mkdir()
    assert way_up(tmp_path, os.geteuid()) == ()


def test_a_folder_of_somebody_else_is_not_the_users_own(repository: Path) -> None:
    (repository / ".loopx").mkdir()
    inside = repository / "deep"
    assert [folder.owned for folder in way_up(inside, os.geteuid())] == [False, True]
    assert [folder.owned for folder in way_up(inside, os.geteuid() + 1)] == [False, False]


def test_relative_names_are_of_the_working_directory(repository: Path) -> None:
    inside = repository / "deep" / "inside"
    homes = locate_homes({**os.environ, "LOOPX_DATA_HOME": "~/data"}, "../other")
    assert Path(homes.project).resolve() == (inside / "../other").resolve()
    assert homes.data == f"{os.environ['HOME']}/data"
