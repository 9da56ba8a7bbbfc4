"""Values of the registry to draw and to build from."""

from typing import Final

from hypothesis import strategies as st

from loopx.domain.documents import JsonObject
from loopx.domain.extensions.grants import CredentialSlot, Grants, HostGrant
from loopx.domain.registry.approvals import Approval, Approvals, Artifact, Pin
from loopx.domain.registry.document import Entry, Registry, Source

A: Final = "a" * 64
B: Final = "b" * 64
URL: Final = "https://extensions.example/quotes-1.0.0.tar.gz"
NEXT_URL: Final = "https://extensions.example/quotes-2.0.0.tar.gz"
PROJECT: Final = "/home/someone/.loopx"
NOW: Final = "2026-11-30T12:00:00Z"
GRANTS: Final = Grants(
    (HostGrant("api.example.com", ("GET",)),), (CredentialSlot("finance", "api.example.com"),)
)


def approval(
    sha256: str = A,
    *,
    name: str = "quotes",
    version: str = "1.0.0",
    url: str = URL,
    grants: Grants = GRANTS,
    projects: tuple[str, ...] = (PROJECT,),
) -> Approval:
    """An approval with the least that one can hold."""
    return Approval(
        name=name,
        version=version,
        url=url,
        artifact=Artifact(sha256=sha256, size=10, tree="c" * 64),
        manifest=f'id = "{name}"\n',
        grants=grants,
        projects=projects,
        approved_at=NOW,
        unseen=False,
    )


def pin(sha256: str = A, *, version: str = "1.0.0", origin: str = "https://extensions.example") -> Pin:
    """A pin of the same extension."""
    return Pin(name="quotes", origin=origin, version=version, sha256=sha256, first_seen=NOW)


def digests() -> st.SearchStrategy[str]:
    return st.text("0123456789abcdef", min_size=64, max_size=64)


def names() -> st.SearchStrategy[str]:
    return st.sampled_from(["quotes", "finance-probe", "x9", "a-b-c"])


def _texts() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def _unknown() -> st.SearchStrategy[JsonObject]:
    values = st.none() | st.booleans() | st.integers() | _texts() | st.lists(_texts(), max_size=2)
    return st.dictionaries(_texts().map("x_".__add__), values, max_size=2)


def sources() -> st.SearchStrategy[Source]:
    return st.builds(Source, st.sampled_from([URL, NEXT_URL]), st.none() | digests())


def entries(name: str) -> st.SearchStrategy[Entry]:
    return st.builds(
        Entry,
        name=st.just(name),
        source=sources(),
        version=st.none() | _texts(),
        next=st.none() | sources(),
        unknown=_unknown(),
    )


def registries() -> st.SearchStrategy[Registry]:
    chosen = st.lists(names().flatmap(entries), max_size=3)
    return st.builds(Registry, chosen.map(lambda some: {one.name: one for one in some}), _unknown())


def _grants() -> st.SearchStrategy[Grants]:
    hosts = st.sampled_from(["api.example.com", "127.0.0.1:8443"])
    methods = st.lists(st.sampled_from(["GET", "POST", "PUT"]), min_size=1, max_size=2, unique=True)
    granted = st.lists(st.builds(HostGrant, hosts, methods.map(tuple)), max_size=2).map(tuple)
    slots = st.lists(st.builds(CredentialSlot, st.sampled_from(["one", "two"]), hosts), max_size=2).map(tuple)
    return st.builds(Grants, granted, slots)


def approvals_of_one() -> st.SearchStrategy[Approval]:
    return st.builds(
        Approval,
        name=names(),
        version=st.sampled_from(["1.0.0", "2.0.0"]),
        url=st.sampled_from([URL, NEXT_URL]),
        artifact=st.builds(Artifact, sha256=st.sampled_from([A, B]), size=st.integers(0), tree=digests()),
        manifest=_texts(),
        grants=_grants(),
        projects=st.sampled_from([(PROJECT,), ("/other",), (PROJECT, "/other")]),
        approved_at=st.just(NOW),
        unseen=st.booleans(),
        unknown=_unknown(),
    )


def pins() -> st.SearchStrategy[Pin]:
    return st.builds(
        Pin,
        name=names(),
        origin=st.sampled_from(["https://one.example", "https://two.example:8443"]),
        version=st.sampled_from(["1.0.0", "2.0.0"]),
        sha256=st.sampled_from([A, B]),
        first_seen=st.just(NOW),
    )


def all_approvals() -> st.SearchStrategy[Approvals]:
    """What can come about: each archive of a name once, each version pinned once."""
    approved = st.lists(approvals_of_one(), max_size=4, unique_by=lambda one: (one.name, one.artifact.sha256))
    pinned = st.lists(pins(), max_size=4, unique_by=lambda one: one.key)
    return st.builds(Approvals, approved.map(tuple), pinned.map(tuple), _unknown())
