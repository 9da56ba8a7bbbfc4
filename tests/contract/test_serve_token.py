"""The token of the status server: in a file and in memory."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from loopx.adapters.filesystem.serve_token import FileServeToken
from loopx.adapters.memory.serve_token import MemoryServeToken
from loopx.adapters.process.entropy import SystemEntropy
from loopx.application.ports.serve_token import ServeToken
from loopx.domain.errors import LoopXError

Given = Callable[[str | None], ServeToken]


@pytest.fixture(params=["memory", "file"])
def given(request: pytest.FixtureRequest, tmp_path: Path) -> Given:
    """A store that holds a text, or nothing yet."""

    def make(content: str | None) -> ServeToken:
        if request.param == "memory":
            return MemoryServeToken(entropy=SystemEntropy(), given=content)
        path = tmp_path / "state" / "serve-token"
        if content is not None:
            path.parent.mkdir()
            path.touch(mode=0o600)
            path.write_text(content, encoding="latin-1")
        return FileServeToken(path, entropy=SystemEntropy())

    return make


def test_a_token_is_made_once_and_stays(given: Given) -> None:
    store = given(None)
    token = store.load_or_create()
    assert len(token.reveal()) == 64
    assert store.load_or_create() == token


def test_two_stores_make_two_tokens(given: Given, tmp_path: Path) -> None:
    other = FileServeToken(tmp_path / "other", entropy=SystemEntropy())
    assert given(None).load_or_create() != other.load_or_create()


def test_a_token_that_is_there_is_taken(given: Given) -> None:
    assert given("0123456789abcdef\n").load_or_create().reveal() == "0123456789abcdef"


@pytest.mark.parametrize(
    ("content", "reason"), [("q7zz!", "too_short"), ("", "malformed"), ("with a blank", "malformed")]
)
def test_a_token_that_cannot_be_used_is_told_without_its_text(
    given: Given, content: str, reason: str
) -> None:
    with pytest.raises(LoopXError) as caught:
        given(content).load_or_create()
    assert (caught.value.code, caught.value.reason) == ("credential_error", reason)
    assert not content or content not in str(caught.value)


def test_it_says_where_it_is_and_not_what_it_is(given: Given) -> None:
    store = given(None)
    assert store.place
    assert store.load_or_create().reveal() not in store.place


class TestFile:
    """What only a file can be wrong with."""

    def test_is_its_users_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "state" / "serve-token"
        FileServeToken(path, entropy=SystemEntropy()).load_or_create()
        assert path.stat().st_mode & 0o777 == 0o600
        assert [each.name for each in path.parent.iterdir()] == ["serve-token"]

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
    def test_that_others_can_read_or_change_is_refused(self, tmp_path: Path, mode: int) -> None:
        path = tmp_path / "token"
        path.write_text("0123456789abcdef")
        path.chmod(mode)
        with pytest.raises(LoopXError) as caught:
            FileServeToken(path, entropy=SystemEntropy()).load_or_create()
        assert (caught.value.code, caught.value.reason) == ("credential_error", "exposed")
        assert str(path) in caught.value.what

    def test_may_be_a_link_to_one_that_is_private(self, tmp_path: Path) -> None:
        target = tmp_path / "data"
        target.touch(mode=0o600)
        target.write_text("0123456789abcdef")
        (tmp_path / "token").symlink_to(target)
        store = FileServeToken(tmp_path / "token", entropy=SystemEntropy())
        assert store.load_or_create().reveal() == "0123456789abcdef"

    def test_that_is_a_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(LoopXError, match="state_error"):
            FileServeToken(tmp_path, entropy=SystemEntropy()).load_or_create()

    def test_in_a_place_that_cannot_be_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(LoopXError, match="state_error"):
            FileServeToken(tmp_path / "file" / "token", entropy=SystemEntropy()).load_or_create()

    def test_is_one_for_all_who_start_at_once(self, tmp_path: Path) -> None:
        def load(_: int) -> str:
            store = FileServeToken(tmp_path / "token", entropy=SystemEntropy())
            return store.load_or_create().reveal()

        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(load, range(32)))) == 1
