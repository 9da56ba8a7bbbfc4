"""Journal, seal, release and restart guard: what was written is read back, and nothing else passes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of
from fakes.updates import ENTRY_DIGEST, NAMES, SEALS, release, version, version_range
from loopx.domain.errors import LoopXError
from loopx.domain.updates.host import Host, platform_tag
from loopx.domain.updates.journal import JournalEntry, Phase, read_journal, write_entry
from loopx.domain.updates.names import VersionName
from loopx.domain.updates.release import (
    ENTRY,
    FileDigest,
    Release,
    StateRange,
    check_fit,
    check_tree,
    read_release,
    write_release,
)
from loopx.domain.updates.restarts import MOST, WITHIN, next_guard
from loopx.domain.updates.seal import (
    BadMark,
    Seal,
    read_bad_mark,
    read_seal,
    write_bad_mark,
    write_seal,
)

HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
FILES = st.dictionaries(
    st.text(min_size=1, max_size=20), st.builds(FileDigest, HEX, st.integers(0, 10**9), st.booleans())
)
ENTRIES = st.builds(
    JournalEntry,
    phase=st.sampled_from(Phase),
    old=st.none() | st.sampled_from(NAMES),
    candidate=st.none() | st.sampled_from(NAMES),
    fresh=st.booleans(),
)
HOST = Host("linux-x86_64-glibc", version("3.11.7"), "/usr/bin/python3.11")


def fault(run: Any, *arguments: object) -> tuple[str, str]:
    with pytest.raises(LoopXError) as caught:
        run(*arguments)
    return caught.value.code, caught.value.reason


@given(st.lists(ENTRIES, min_size=1, max_size=5), st.data())
def test_a_journal_that_was_cut_off_anywhere_gives_the_last_whole_entry(
    entries: list[JournalEntry], data: st.DataObject
) -> None:
    lines = [write_entry(entry) for entry in entries]
    content = b"".join(lines)
    cut = data.draw(st.integers(0, len(content)))
    whole = sum(1 for index in range(len(lines)) if len(b"".join(lines[: index + 1])) <= cut)
    expected = entries[whole - 1] if whole else JournalEntry()
    assert read_journal(content[:cut], "journal") == expected


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_are_a_journal_or_a_coded_error(content: bytes) -> None:
    outcome = outcome_of(read_journal, content, "journal")
    assert isinstance(outcome, JournalEntry) or (outcome.reason == "corrupt" and "line" in outcome.detail)


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "loopx.update-journal/2"},
        {"phase": "flying"},
        {"fresh": 1},
        {"old": 3},
        {"candidate": []},
    ],
)
def test_an_entry_of_another_shape_is_corrupt(change: dict[str, object]) -> None:
    line = json.loads(write_entry(JournalEntry())) | change
    assert fault(read_journal, json.dumps(line).encode() + b"\n", "j") == ("state_error", "corrupt")


@given(FILES, st.integers(1, 5), st.integers(0, 5))
def test_a_release_is_read_as_it_was_written(files: dict[str, FileDigest], oldest: int, more: int) -> None:
    written = release(state=StateRange(oldest, oldest + more), files=files | {ENTRY: ENTRY_DIGEST})
    assert read_release(write_release(written)) == written
    assert write_release(read_release(write_release(written))) == write_release(written)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["version"], "one"),
        (["version"], None),
        (["python"], "3.11"),
        (["platform"], 1),
        (["state", "oldest"], 0),
        (["state", "newest"], 0),
        (["state"], []),
        (["entry"], "bin/other"),
        (["entry"], "../bin/loopx"),
        (["files"], {}),
        (["files"], []),
        (["files", ENTRY, "executable"], False),
        (["files", ENTRY, "size"], -1),
        (["files", ENTRY, "size"], True),
        (["files", ENTRY, "mode"], 420),
        (["needs"], "something new"),
        (["schema"], "loopx.release/2"),
        (["schema"], "loopx.registry/1"),
    ],
)
def test_a_release_of_another_shape_is_refused(path: list[str], value: object) -> None:
    document: Any = json.loads(write_release(release()))
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    assert fault(read_release, json.dumps(document).encode()) == ("update_error", "release")


@pytest.mark.parametrize("name", ["version", "python", "platform", "state", "entry", "files"])
def test_a_release_without_one_of_its_fields_is_refused(name: str) -> None:
    document = json.loads(write_release(release()))
    del document[name]
    assert fault(read_release, json.dumps(document).encode()) == ("update_error", "release")


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_as_a_release_with_a_code(content: bytes) -> None:
    assert fault(read_release, content) == ("update_error", "release")


@given(FILES, FILES)
def test_a_tree_passes_only_if_it_is_exactly_what_is_listed(
    listed: dict[str, FileDigest], found: dict[str, FileDigest]
) -> None:
    described = release(files=listed)
    check_tree(described, described.files)
    present = found | {ENTRY: ENTRY_DIGEST}
    if present != described.files:
        assert fault(check_tree, described, present) == ("update_error", "release")


@pytest.mark.parametrize(
    ("described", "reason"),
    [
        (release(platform="darwin-aarch64"), "platform"),
        (release(python=">=3.12"), "python"),
        (release(python=">=3.8,<3.11"), "python"),
    ],
)
def test_a_release_for_elsewhere_is_refused(described: Release, reason: str) -> None:
    assert fault(check_fit, described, HOST) == ("update_error", reason)


@pytest.mark.parametrize("platform", ["any", "linux-x86_64-glibc"])
def test_a_release_for_here_or_anywhere_fits(platform: str) -> None:
    check_fit(release(platform=platform, python=str(version_range(">=3.11,<4"))), HOST)


@pytest.mark.parametrize(
    ("facts", "tag"),
    [
        (("Linux", "x86_64", "glibc"), "linux-x86_64-glibc"),
        (("Linux", "aarch64", "musl"), "linux-aarch64-musl"),
        (("Darwin", "arm64", ""), "darwin-aarch64"),
        (("Windows", "AMD64", ""), "windows-x86_64"),
    ],
)
def test_a_platform_has_one_spelling(facts: tuple[str, str, str], tag: str) -> None:
    assert platform_tag(*facts) == tag


@given(st.sampled_from(SEALS), st.integers(0, 2**40), st.integers(0, 2**40))
def test_a_seal_is_read_as_it_was_written(each: Seal, size: int, at: int) -> None:
    written = Seal(
        version=each.version,
        sha256=each.sha256,
        manifest=each.manifest,
        state=each.state,
        size=size,
        installed_at=at,
    )
    assert read_seal(write_seal(written), "s") == written
    name = VersionName.parse(written.name)
    assert name is not None
    assert name.version == written.version
    assert name.is_of(written.sha256)


@given(st.binary(max_size=100))
def test_any_bytes_are_refused_as_a_seal_with_a_code(content: bytes) -> None:
    assert fault(read_seal, content, "s")[0] == "state_error"


@pytest.mark.parametrize(
    ("field", "value"), [("version", "x"), ("sha256", "A" * 64), ("manifest", ""), ("size", "1")]
)
def test_a_seal_of_another_shape_is_refused(field: str, value: object) -> None:
    document = json.loads(write_seal(SEALS[0])) | {field: value}
    assert fault(read_seal, json.dumps(document).encode(), "s") == ("state_error", "corrupt")


def test_a_bad_mark_is_read_as_it_was_written() -> None:
    mark = BadMark("a" * 64, "it answered nothing")
    assert read_bad_mark(write_bad_mark(mark), "m") == mark


@pytest.mark.parametrize(
    "text", ["", "0.2.0", "0.2.0-abc", "x-0123456789ab", "0.2.0-0123456789AB", ".removing-x"]
)
def test_other_names_are_no_versions(text: str) -> None:
    assert VersionName.parse(text) is None


@given(st.text(max_size=20), st.floats(0, 2**40))
def test_any_guard_lets_a_first_restart_pass_or_counts(guard: str, now: float) -> None:
    outcome = outcome_of(next_guard, guard, now)
    if isinstance(outcome, LoopXError):
        assert outcome.reason == "restart_loop"
    else:
        count, _, since = outcome.partition("@")
        assert 1 <= int(count) <= MOST
        assert int(since) <= now


@given(st.lists(st.floats(0, 15), min_size=MOST + 1, max_size=10), st.floats(0, 2**31))
def test_a_program_that_restarts_again_and_again_is_stopped(pauses: list[float], start: float) -> None:
    guard: str | None = None
    now = start
    for pause in pauses[:MOST]:
        guard = next_guard(guard, now)
        now += min(pause, WITHIN / len(pauses))
    assert fault(next_guard, guard, now) == ("update_error", "restart_loop")


@given(st.lists(st.floats(WITHIN + 1, 10**6), max_size=10), st.floats(0, 2**31))
def test_a_program_that_restarts_now_and_then_is_not_stopped(pauses: list[float], start: float) -> None:
    guard: str | None = None
    now = start
    for pause in pauses:
        guard = next_guard(guard, now)
        now += pause
