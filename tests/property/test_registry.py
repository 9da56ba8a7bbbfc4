"""The registry and the approvals: whatever stands in the files, and in whatever order things happen."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from string import hexdigits

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from fakes.registry import (
    NEXT_URL,
    PROJECT,
    URL,
    all_approvals,
    approvals_of_one,
    digests,
    names,
    pins,
    registries,
    sources,
)
from loopx.domain.errors import LoopXError
from loopx.domain.registry.approvals import Approval, Approvals, Pin
from loopx.domain.registry.approvals_document import read_approvals, write_approvals
from loopx.domain.registry.checksum import read_checksum
from loopx.domain.registry.document import Registry, Source, read_registry, write_registry
from loopx.domain.registry.status import choose_approval
from loopx.domain.registry.tree import Tree, compare, examine_tree, list_tree, read_listing, write_listing

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(), below, max_size=3),
    max_leaves=8,
)


def refusal(deed: Callable[[], object]) -> LoopXError | None:
    """What the deed is refused with, if it is."""
    try:
        deed()
    except LoopXError as error:
        return error
    return None


READERS: list[Callable[[bytes, str], object]] = [read_registry, read_approvals, read_listing]


@pytest.mark.parametrize("read", READERS)
@given(content=st.binary())
@example(content=b"")
@example(content=b"\xff\xfe")
@example(content=b'{"schema": "loopx.registry/1", "schema": 1}')
@example(content=b"[" * 100_000)
@example(content=b'{"schema": "loopx.registry/' + b"9" * 5000 + b'"}')
def test_any_bytes_are_read_or_refused_as_state(read: Callable[[bytes, str], object], content: bytes) -> None:
    error = refusal(lambda: read(content, "/place"))
    if error is not None:
        assert (error.code, error.reason) in {("state_error", "corrupt"), ("state_error", "newer_version")}
        assert error.detail.startswith("/place: ")


@given(JSON, JSON)
def test_any_json_in_the_places_of_the_registry_is_read_or_refused(extensions: object, entry: object) -> None:
    for value in (
        extensions,
        {"quotes": entry},
        {"quotes": {"url": entry}},
        {"quotes": {"url": URL, "next": entry}},
    ):
        content = json.dumps({"schema": "loopx.registry/1", "extensions": value}).encode()
        error = refusal(partial(read_registry, content, "/place"))
        if error is not None:
            assert (error.code, error.reason) == ("state_error", "corrupt")
            continue
        found = read_registry(content, "/place")
        assert read_registry(write_registry(found), "/place") == found


@given(registries())
def test_a_registry_comes_back_as_it_was_written_with_what_this_version_does_not_know(
    found: Registry,
) -> None:
    assert read_registry(write_registry(found), "/place") == found


@given(all_approvals())
def test_approvals_come_back_as_they_were_written(found: Approvals) -> None:
    assert read_approvals(write_approvals(found), "/place") == found


@given(registries(), names(), sources(), st.booleans())
def test_declaring_wants_exactly_that_and_touches_no_other(
    registry: Registry, name: str, source: Source, in_use: bool
) -> None:
    declared = registry.declare(name, source, in_use=in_use)
    entry, old = declared.entries[name], registry.entries.get(name)
    assert entry.wanted.url == source.url
    assert source.sha256 in {None, entry.wanted.sha256}
    assert declared.without(name) == registry.without(name)
    if in_use and old is not None:
        assert (entry.source, entry.version) == (old.source, old.version)
    assert declared.declare(name, source, in_use=in_use) == declared


@given(registries(), names(), st.sampled_from([URL, NEXT_URL]), digests())
def test_settling_pins_what_is_wanted_and_nothing_else(
    registry: Registry, name: str, url: str, digest: str
) -> None:
    fetched = Source(url, digest)
    settled = registry.settle(name, fetched, "3.0.0")
    if not registry.wants(name, fetched):
        assert settled == registry
        return
    entry = settled.entries[name]
    assert (entry.source, entry.version, entry.next) == (fetched, "3.0.0", None)
    assert entry.unknown == registry.entries[name].unknown
    assert settled.settle(name, fetched, "3.0.0") == settled


@given(all_approvals(), approvals_of_one(), pins())
def test_an_approval_is_in_force_afterwards_and_takes_nothing_from_others(
    before: Approvals, approval: Approval, pin: Pin
) -> None:
    error = refusal(lambda: before.approve(approval, pin))
    if error is not None:
        assert (error.code, error.reason) == ("integrity_error", "republished")
        assert any(known.key == pin.key and known.sha256 != pin.sha256 for known in before.pins)
        return
    after = before.approve(approval, pin)
    assert after.is_approved(approval)
    newest = after.of(approval.name, approval.projects[0])[0]
    assert newest.artifact.sha256 == approval.artifact.sha256
    assert {(one.name, one.artifact.sha256) for one in before.approvals} <= {
        (one.name, one.artifact.sha256) for one in after.approvals
    }
    assert after.approve(approval, pin) == after


@given(all_approvals(), st.lists(pins(), max_size=6))
def test_a_version_never_gets_other_bytes(found: Approvals, later: list[Pin]) -> None:
    for pin in later:
        seen = {known.key: known.sha256 for known in found.pins}
        error = refusal(partial(found.check_pin, pin))
        assert (error is None) == (seen.get(pin.key, pin.sha256) == pin.sha256)
        if error is not None:
            assert seen[pin.key] in error.detail
            assert pin.sha256 in error.detail


@given(all_approvals(), names(), st.integers(1, 3))
def test_withdrawing_concerns_one_name_in_one_project(found: Approvals, name: str, count: int) -> None:
    revoked, kept = found.revoke(name, PROJECT), found.keep_newest(name, PROJECT, count)
    assert revoked.of(name, PROJECT) == ()
    assert kept.of(name, PROJECT)[:count] == found.of(name, PROJECT)[:count]
    assert len(kept.of(name, PROJECT)) <= count
    for other in {"quotes", "finance-probe", "x9", "a-b-c"} - {name}:
        assert revoked.of(other, PROJECT) == found.of(other, PROJECT)

    def bytes_in(approvals: Approvals) -> list[str]:
        return [one.artifact.sha256 for one in approvals.of(name, "/other")]

    assert bytes_in(revoked) == bytes_in(kept) == bytes_in(found)
    assert revoked.pins == kept.pins == found.pins


@given(registries(), all_approvals(), names())
def test_only_what_is_pinned_and_approved_in_this_very_project_is_ever_chosen(
    registry: Registry, approvals: Approvals, name: str
) -> None:
    entry = registry.entries.get(name)
    assume(entry is not None)
    assert entry is not None
    chosen = choose_approval(entry, approvals, PROJECT)
    if chosen is not None:
        assert (chosen.name, PROJECT in chosen.projects) == (name, True)
        assert entry.source.sha256 in {None, chosen.artifact.sha256}
        assert entry.source.sha256 or chosen.url == entry.source.url
    nowhere = replace(approvals, approvals=())
    assert choose_approval(entry, nowhere, PROJECT) is None


@given(digests())
@example("0" * 64)
def test_a_checksum_is_read_in_any_case_and_refused_with_its_hexadecimal_form_in_base64(digest: str) -> None:
    for text in (digest, digest.upper(), f"sha256:{digest}", f" SHA256:{digest}\n", f"sha-256={digest}"):
        assert read_checksum(text) == digest
    for text in (
        b64encode(bytes.fromhex(digest)).decode(),
        urlsafe_b64encode(bytes.fromhex(digest)).decode(),
    ):
        # Without its last sign it can look like hexadecimal digits, too few of them.
        bare = text.rstrip("=")
        for written in (text, f"sha256-{text}", *(() if set(bare) <= set(hexdigits) else (bare,))):
            with pytest.raises(LoopXError) as caught:
                read_checksum(written)
            assert digest in caught.value.hint


@given(st.text() | st.text("0123456789abcdefABCDEF", min_size=60, max_size=70))
def test_whatever_is_no_checksum_is_refused_with_a_reason(text: str) -> None:
    error = refusal(lambda: read_checksum(text))
    if error is not None:
        assert (error.code, error.reason, bool(error.detail)) == ("usage_error", "checksum", True)
        return
    found = read_checksum(text)
    assert len(bytes.fromhex(found)) == 32
    assert found == found.lower()


TREES = st.dictionaries(st.sampled_from(["a", "b/c", "d.py"]), st.binary(max_size=3)).map(Tree)


@given(TREES, TREES)
def test_exactly_the_files_that_differ_are_named(one: Tree, other: Tree) -> None:
    named = {difference.path for difference in compare(list_tree(one), other)}
    wanted = {
        path for path in one.files.keys() | other.files.keys() if one.files.get(path) != other.files.get(path)
    }
    assert named == wanted


@given(TREES, TREES, st.none() | TREES)
def test_a_tree_is_intact_only_if_every_byte_is_as_approved_whatever_the_listing_says(
    approved: Tree, stored: Tree, listed: Tree | None
) -> None:
    listing = list_tree(listed) if listed is not None else None
    examination = examine_tree(stored, listing, approved.digest)
    assert (not examination.differences) == (stored.files == approved.files)


@given(TREES)
def test_a_listing_comes_back_as_it_was_written(tree: Tree) -> None:
    assert read_listing(write_listing(list_tree(tree)), "/place") == list_tree(tree)
