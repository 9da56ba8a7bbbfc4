"""The manifest reader is total, knows every key, and names the one that is wrong."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.extensions import manifest_text
from fakes.outcomes import outcome_of, pair_of
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.api_range import EXTENSION_API, check_api
from loopx.domain.extensions.manifest import Manifest, UnitKind
from loopx.domain.extensions.manifest_reader import MOST_BYTES, read_manifest
from loopx.domain.extensions.names import RESERVED_IDS, RESERVED_PARAMETERS, is_id, is_unit_name, namespace
from loopx.domain.extensions.tables import MOST_ITEMS
from loopx.domain.versions import VersionRange

TEXT = manifest_text("one", "two")
WORDS = TEXT.replace('"', " ").replace("=", " ").split()


def changed(before: str, after: str, *, text: str = TEXT) -> bytes:
    assert before in text
    return text.replace(before, after, 1).encode()


def refusal(content: bytes) -> str:
    with pytest.raises(LoopXError) as caught:
        read_manifest(content)
    assert pair_of(caught.value) == "extension_error/manifest"
    assert str(caught.value).isascii()
    return caught.value.detail


def test_everything_that_is_said_is_kept() -> None:
    manifest = read_manifest(TEXT.encode())
    assert (manifest.id, str(manifest.version), str(manifest.api)) == ("sample", "1.2.0", ">=1,<2")
    assert str(manifest.entry) == "sample.units:UNITS"
    assert manifest.grants.lines == (
        "GET, POST https://api.example.com",
        "your credential for api.example.com, as 'sample_api'",
    )
    assert [(unit.kind, unit.name) for unit in manifest.units] == [
        (UnitKind.CAPABILITY, "sample.one"),
        (UnitKind.CAPABILITY, "sample.two"),
    ]
    spec = manifest.unit("sample.two").spec
    word, count = spec.parameters
    assert (word.name, word.kind, word.default, word.required) == ("word", str, "hello", False)
    assert (count.name, count.kind, count.minimum) == ("count", int, 1)
    assert (spec.record.schema, spec.record.type, spec.record.columns) == (
        "sample.thing/1",
        "thing",
        ("name", "size"),
    )
    assert [field.nullable for field in spec.record.fields] == [False, True]


def test_the_least_that_must_be_said_is_enough() -> None:
    text = """
        id = "x-1"
        version = "0.0.1"
        api = ">=1"
        entry = "x:U"
        description = "d"
        [[provides]]
        kind = "connector"
        name = "x_1"
        summary = "s"
        [provides.record]
        schema = "x_1/1"
        type = "t"
        [[provides.record.fields]]
        name = "f"
        description = "d"
    """
    manifest = read_manifest(text.encode())
    assert manifest.units[0].kind is UnitKind.CONNECTOR
    assert manifest.units[0].spec.description == "s"
    assert manifest.grants.lines == ()


# What is changed: into what, and the key that the error has to name.
FAULTS: list[tuple[str, str, str]] = [
    ('id = "sample"', 'id = "Sample"', "id"),
    ('id = "sample"', 'id = "sam--ple"', "id"),
    ('id = "sample"', f'id = "{"a" * 49}"', "id"),
    ('id = "sample"', 'id = "github"', "id"),
    ('id = "sample"', "id = 5", "id"),
    ('id = "sample"', "", "id"),
    ("1.2.0", "1.2", "version"),
    ("1.2.0", "01.2.0", "version"),
    ("1.2.0", "1.2.0rc1", "version"),
    ("1.2.0", "1.2.0+build", "version"),
    (">=1,<2", "~1", "api"),
    (">=1,<2", ">=1,", "api"),
    ("sample.units:UNITS", "sample.units", "entry"),
    ("sample.units:UNITS", "sample..units:U", "entry"),
    ("sample.units:UNITS", "../units:U", "entry"),
    ("sample.units:UNITS", "loopx.units:U", "entry"),
    ("sample.units:UNITS", "sample:a.b", "entry"),
    ("Units for tests", "two\\nlines", "description"),
    ("Units for tests", "\\u202efdp", "description"),
    ("Units for tests", "\\u001b[2J", "description"),
    ("Units for tests", " blank", "description"),
    ("Units for tests", "x" * 301, "description"),
    ('host = "api.example.com"', 'host = "https://api.example.com"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "api.example.com/v1"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "api.example.com:443"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "API.example.com"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "*.example.com"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "me@api.example.com"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "api.example.com."', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "10.0.0.1"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "169.254.169.254"', "hosts[0].host"),
    ('host = "api.example.com"', 'host = "127.1"', "hosts[0].host"),
    ('["GET", "POST"]', "[]", "hosts[0].methods"),
    ('["GET", "POST"]', '["get"]', "hosts[0].methods"),
    ('["GET", "POST"]', '["GET", "GET"]', "hosts[0].methods"),
    ('["GET", "POST"]', '"GET"', "hosts[0].methods"),
    ("[[hosts]]", "[hosts]", "hosts"),
    ("[[hosts]]", '[[hosts]]\nhost = "a.b"\nmethods = ["GET"]\nport = 1\n[[hosts]]', "hosts[0].'port'"),
    ("sample_api", "sample-api", "credentials[0].slot"),
    ('slot = "sample_api"\nhost = "api', 'slot = "sample_api"\nhost = "www', "credentials[0].host"),
    ('kind = "capability"', 'kind = "plugin"', "provides[0].kind"),
    ('name = "sample.one"', 'name = "one"', "provides[0].name"),
    ('name = "sample.one"', 'name = "samples.one"', "provides[0].name"),
    ('name = "sample.one"', 'name = "sample.One"', "provides[0].name"),
    ('name = "sample.one"', 'name = "sample.two"', "provides"),
    ("A unit for tests", "s" * 101, "provides[0].summary"),
    ('name = "word"', 'name = "output"', "provides[0].parameters[0].name"),
    ('name = "word"', 'name = "no_word"', "provides[0].parameters[0].name"),
    ('name = "word"', 'name = "a-b"', "provides[0].parameters[0].name"),
    ('name = "word"', 'name = "count"', "provides[0].parameters"),
    ('default = "hello"', "default = 5", "provides[0].parameters[0].default"),
    ('default = "hello"', 'default = "x"\nchoices = ["a"]', "provides[0].parameters[0].default"),
    ('default = "hello"', 'default = "x"\nrequired = true', "provides[0].parameters[0].default"),
    ('default = "hello"', "minimum = 1", "provides[0].parameters[0].minimum"),
    ('type = "integer"', 'type = "integer"\nrepeated = true', "provides[0].parameters[1].repeated"),
    ('type = "integer"', 'type = "integer"\nchoices = ["1"]', "provides[0].parameters[1].choices"),
    ('type = "integer"', 'type = "integer"\ndefault = 0', "provides[0].parameters[1].default"),
    ('type = "integer"', 'type = "integer"\ndefault = true', "provides[0].parameters[1].default"),
    ('type = "integer"', 'type = "float"', "provides[0].parameters[1].type"),
    ("minimum = 1", "minimum = 1.0", "provides[0].parameters[1].minimum"),
    ("minimum = 1", f"minimum = {10**16}", "provides[0].parameters[1].minimum"),
    ("minimum = 1", "required = 1", "provides[0].parameters[1].required"),
    ("sample.thing/1", "sample.thing", "provides[0].record.schema"),
    ("sample.thing/1", "loopx.thing/1", "provides[0].record.schema"),
    ("sample.thing/1", "sample.thing/0", "provides[0].record.schema"),
    ('type = "thing"', 'type = "summary"', "provides[0].record.type"),
    ('type = "thing"', 'type = "thing"\ncolumns = ["x"]', "provides[0].record.columns"),
    ('\nname = "size"', '\nname = "name"', "provides[0].record.fields"),
    ('\nname = "size"', '\nname = "type"', "provides[0].record.fields[1].name"),
    ("nullable = true", 'nullable = "yes"', "provides[0].record.fields[1].nullable"),
    ("nullable = true", 'choices = ["1"]', "provides[0].record.fields[1].choices"),
    ("nullable = true", "nullable = 2026-01-01", "provides[0].record.fields[1].nullable"),
]


@pytest.mark.parametrize(("before", "after", "key"), FAULTS)
def test_the_wrong_key_is_named(before: str, after: str, key: str) -> None:
    assert refusal(changed(before, after)).startswith(f"{key} ")


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b'id = "a"\nid = "b"\n', "line 2 is not TOML"),
        (b"\n\nid = \n", "line 3 is not TOML"),
        (b"id = ", "it is not TOML"),
        (b"\xff", "it is not UTF-8"),
        (b"a = " + b"[" * 100_000, "it is not TOML that can be read"),
        (b"#" * (MOST_BYTES + 1), f"it has more than {MOST_BYTES} bytes"),
    ],
    ids=["twice", "bare", "cut", "latin", "deep", "large"],
)
def test_what_is_no_toml_is_refused(content: bytes, detail: str) -> None:
    assert refusal(content) == detail


@pytest.mark.parametrize(
    "table", ["", "[[hosts]]", "[[credentials]]", "[[provides]]", "[[provides.parameters]]"]
)
@given(key=st.from_regex(r"[A-Za-z_-]{1,20}", fullmatch=True))
def test_an_unknown_key_is_refused_wherever_it_stands(table: str, key: str) -> None:
    text = f"{key}_ = 1\n{TEXT}" if not table else changed(table, f"{table}\n{key}_ = 1").decode()
    assert f"'{key}_' is not known here" in refusal(text.encode())


def test_endless_lists_are_refused() -> None:
    hosts = ", ".join(f'{{host = "h{n}.example", methods = ["GET"]}}' for n in range(MOST_ITEMS + 1))
    cut = TEXT[: TEXT.index("[[hosts]]")]
    assert refusal(f"{cut}hosts = [{hosts}]".encode()).startswith("hosts must have at most")


@pytest.mark.parametrize("name", sorted(RESERVED_IDS))
def test_nothing_takes_a_name_of_ours(name: str) -> None:
    assert is_id(name)
    assert refusal(changed('id = "sample"', f'id = "{name}"')).startswith("id ")


@pytest.mark.parametrize("name", sorted(RESERVED_PARAMETERS))
def test_no_parameter_is_called_like_an_option_of_every_command(name: str) -> None:
    assert refusal(changed('name = "word"', f'name = "{name}"')).startswith("provides[0].parameters[0].name ")


def any_outcome(read: Callable[[], Manifest]) -> None:
    outcome = outcome_of(read)
    assert isinstance(outcome, Manifest) or pair_of(outcome) == "extension_error/manifest"
    if isinstance(outcome, LoopXError):
        assert str(outcome).isascii()


@given(st.binary(max_size=300))
def test_any_bytes_are_a_manifest_or_refused(content: bytes) -> None:
    any_outcome(lambda: read_manifest(content))


@given(st.data())
def test_any_change_of_a_word_is_a_manifest_or_refused(data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(WORDS))
    other = data.draw(st.sampled_from(WORDS) | st.text(max_size=20) | st.integers().map(str))
    any_outcome(lambda: read_manifest(TEXT.replace(word, other, 1).encode("utf-8", "replace")))


keys = st.sampled_from(sorted({"id", "version", "hosts", "provides", "api", "entry", "description", "x"}))
values = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(keys, values))
def test_values_of_any_type_are_refused_by_name(document: dict[str, Any]) -> None:
    # Through the parser's own door: whatever TOML can say.
    valid = tomllib.loads(TEXT)
    text = "\n".join(f"{key} = {in_toml(value)}" for key, value in {**valid, **document}.items())
    any_outcome(lambda: read_manifest(text.encode("utf-8", "replace")))


def in_toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ", ".join(f"{key} = {in_toml(one)}" for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(in_toml, value)) + "]"
        case str():
            return '"' + "".join(f"\\U{ord(c):08x}" for c in value) + '"'
        case _:
            return str(value)


@given(st.from_regex(r"[a-z0-9-]{1,12}", fullmatch=True), st.from_regex(r"[a-z0-9-]{1,12}", fullmatch=True))
def test_no_two_ids_share_the_name_of_a_unit(one: str, other: str) -> None:
    if is_id(one) and is_id(other) and one != other:
        assert not is_unit_name(namespace(one), other)
        assert not is_unit_name(f"{namespace(one)}.x", other)


@pytest.mark.parametrize(("wanted", "fits"), [(">=1,<2", True), ("==1", True), (">=2", False), (">1", False)])
def test_an_extension_for_another_interface_is_refused(wanted: str, fits: bool) -> None:
    bounds = VersionRange.parse(wanted)
    assert bounds is not None
    outcome = outcome_of(lambda: check_api(bounds, 1))
    assert pair_of(outcome) == (None if fits else "extension_error/api_range")


def test_this_loopx_offers_a_version_that_the_scaffold_asks_for() -> None:
    check_api(read_manifest(TEXT.encode()).api, EXTENSION_API)
