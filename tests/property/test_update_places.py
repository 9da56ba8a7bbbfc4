"""The quick way to the data home leads where the thorough one does."""

from hypothesis import given
from hypothesis import strategies as st

from loopx.adapters.filesystem.homes import locate_homes
from loopx.domain.homes import find_homes
from loopx.domain.updates.layout import Layout
from loopx.domain.updates.places import enclosing_home
from loopx.entrypoints.cli.recovery import quick_data_home, quick_journal

PATHS = st.sampled_from(["", "/data", "/a b/ü", "/var/lib/x/", "relative", "./x", "~", "~/x", "~user/x"])
ENVIRONMENTS = st.fixed_dictionaries({}, optional={"LOOPX_DATA_HOME": PATHS, "XDG_DATA_HOME": PATHS})
USERS = st.sampled_from(["/home/ann", "/root"])


@given(ENVIRONMENTS, USERS, st.booleans())
def test_both_ways_lead_to_the_same_home(environment: dict[str, str], user: str, macos: bool) -> None:
    thorough = find_homes(environment, user, (), macos=macos).data
    if not thorough.startswith("~/"):
        assert quick_data_home(environment, user, macos=macos) == thorough


@given(USERS)
def test_the_users_home_may_be_abbreviated(user: str) -> None:
    environment = {"HOME": user, "LOOPX_DATA_HOME": "~/versions of mine"}
    assert quick_data_home(environment, user, macos=False) == locate_homes(environment).data


@given(st.sampled_from(["", "/data", "/a/versions/b"]), st.text("abc012.-", min_size=1))
def test_a_version_knows_the_home_that_it_lies_in(home: str, name: str) -> None:
    assert enclosing_home(f"{home}/versions/{name}/lib/loopx") == home
    for other in ("lib", "lib/loopx/x", "lib/python3.11/site-packages/loopx", "lib64/loopx"):
        assert enclosing_home(f"{home}/versions/{name}/{other}") is None


@given(
    st.sampled_from(["", "/data", "/a/versions/b", "/versions"]),
    st.sampled_from(["versions", "version"]),
    st.text("abc012.-", max_size=4),
    st.sampled_from(["lib/loopx", "lib", "lib64/loopx", "lib/loopx/x"]),
)
def test_the_quick_way_to_the_journal_knows_that_home_too(
    home: str, versions: str, name: str, below: str
) -> None:
    package = f"{home}/{versions}/{name}/{below}"
    usual = find_homes({}, "/home/ann", ()).data
    own = enclosing_home(package)
    wanted = Layout(usual if own is None else own).journal
    assert quick_journal(package, {}, "/home/ann", macos=False) == wanted
